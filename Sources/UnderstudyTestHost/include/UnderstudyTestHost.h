// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

#ifndef UNDERSTUDY_TEST_HOST_H
#define UNDERSTUDY_TEST_HOST_H

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

#endif
