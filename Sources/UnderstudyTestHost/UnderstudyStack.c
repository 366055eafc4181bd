// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

#define _GNU_SOURCE

#include "UnderstudyTestHost.h"

// Both have the same frames. Those of other processors differ.
#if defined(__linux__) && defined(__LP64__) && (defined(__x86_64__) || defined(__aarch64__))

#include <stdbool.h>
#include <sys/uio.h>
#include <unistd.h>

/// Two words, which an address that is not mapped does not have.
static bool read_pair(uintptr_t from, uintptr_t pair[2]) {
  struct iovec local = {pair, 2 * sizeof(uintptr_t)};
  struct iovec remote = {(void *)from, 2 * sizeof(uintptr_t)};
  return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)local.iov_len;
}

size_t understudy_read_stack(struct understudy_frame *frames, size_t capacity) {
  size_t count = 0;
  uintptr_t base = (uintptr_t)__builtin_frame_address(0);
  // A frame begins with the pointer to the outer one and the address at which that continues.
  uintptr_t pair[2];
  while (count < capacity && read_pair(base, pair) && pair[1] != 0) {
    frames[count++] = (struct understudy_frame){pair[1], pair[0]};
    // The stack grows downwards.
    if (pair[0] <= base) break;
    base = pair[0];
  }
  return count;
}

size_t understudy_read_continuations(uintptr_t base, uintptr_t *addresses, size_t capacity) {
  size_t count = 0;
  uintptr_t pair[2];
  // Below its frame, an asynchronous function has the pointer to its context. A context begins with
  // the pointer to the caller's and the address at which the caller continues.
  if (!read_pair(base - sizeof(uintptr_t), pair)) return 0;
  while (count < capacity && read_pair(pair[0], pair) && pair[1] != 0) addresses[count++] = pair[1];
  return count;
}

#else

size_t understudy_read_stack(struct understudy_frame *frames, size_t capacity) {
  (void)frames, (void)capacity;
  return 0;
}

size_t understudy_read_continuations(uintptr_t base, uintptr_t *addresses, size_t capacity) {
  (void)base, (void)addresses, (void)capacity;
  return 0;
}

#endif

#if defined(__APPLE__)
#include <TargetConditionals.h>
#endif

#if defined(__APPLE__) && TARGET_OS_OSX

#include <dlfcn.h>
#include <execinfo.h>

size_t understudy_read_calls(uintptr_t *addresses, size_t capacity) {
  return backtrace_async((void **)addresses, capacity, NULL);
}

bool understudy_find_function(uintptr_t address, struct understudy_function *function) {
  Dl_info info;
  if (dladdr((const void *)address, &info) == 0 || !info.dli_sname || !info.dli_fname) return false;
  function->name = info.dli_sname;
  function->image = info.dli_fname;
  function->image_start = (uintptr_t)info.dli_fbase;
  return true;
}

#else

size_t understudy_read_calls(uintptr_t *addresses, size_t capacity) {
  (void)addresses, (void)capacity;
  return 0;
}

bool understudy_find_function(uintptr_t address, struct understudy_function *function) {
  (void)address, (void)function;
  return false;
}

#endif
