// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

#ifndef UNDERSTUDY_TEST_HOST_H
#define UNDERSTUDY_TEST_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Does nothing. Whoever calls it links this file, and with it what runs when the process starts.
void understudy_link_test_host(void);

/// A function on the stack.
struct understudy_frame {
  /// The address at which it continues.
  uintptr_t address;
  /// The address of its frame.
  uintptr_t base;
};

/// Writes the functions that called this one, from the inside outwards, and returns their number.
///
/// The kernel reads each word. So a stack that cannot be followed is only shorter, whatever code is
/// on it. There are no functions on systems other than Linux, and on other processors than x86-64 and
/// arm64.
size_t understudy_read_stack(struct understudy_frame *frames, size_t capacity);

/// Writes the addresses at which the callers of an asynchronous function continue, from the inside
/// outwards, and returns their number. They mean nothing if the frame is that of another function.
size_t understudy_read_continuations(uintptr_t base, uintptr_t *addresses, size_t capacity);

/// Writes the addresses at which the functions that called this one continue, from the inside
/// outwards, and returns their number. The callers of an asynchronous function follow it. Each
/// address is behind the first instruction of its function. There are none on systems other than
/// macOS.
size_t understudy_read_calls(uintptr_t *addresses, size_t capacity);

/// A function in the memory of the process. The texts live as long as the image is loaded.
struct understudy_function {
  /// The mangled name.
  const char *name;
  /// The file that the function was loaded from.
  const char *image;
  /// The address at which the file was loaded.
  uintptr_t image_start;
};

/// Finds the function that has an instruction. False if there is none with a name, and on systems
/// other than macOS.
bool understudy_find_function(uintptr_t address, struct understudy_function *function);

/// Runs a program, waits for the end of its output, and writes the output. Returns the number of
/// bytes: no more than the capacity, since the program is ended once it has written that much.
///
/// Returns -1 if the program cannot be started, if its output does not end in time, for more than 31
/// arguments, and on systems other than Linux and macOS. The program has no input, and its errors
/// are not read.
///
/// Each argument ends with a zero, and an empty one ends the list. The first is the program's path.
ptrdiff_t understudy_read_program(
  const char *arguments, char *output, size_t capacity, int milliseconds);

#endif
