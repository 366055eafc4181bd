// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// Stands before the C library's allocator. What an executable defines is found before what its
// libraries do, so the Swift runtime calls these.

#include "AllocationCounter.h"

#include <errno.h>
#include <stddef.h>

static _Atomic long count = 0;
static _Atomic int is_counting = 0;

long allocations_so_far(void) { return count; }

void count_allocations(int on) { is_counting = on; }

__attribute__((noinline)) void benchmark_mark(void) { __asm__ volatile("" ::: "memory"); }

#if defined(__GLIBC__) || defined(__linux__)

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

// Not while time is taken: two threads would take turns for the number.
static void note(void) {
  if (__atomic_load_n((int *)&is_counting, __ATOMIC_RELAXED)) {
    __atomic_fetch_add((long *)&count, 1, __ATOMIC_RELAXED);
  }
}

void *malloc(size_t size) {
  note();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  note();
  return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
  note();
  return __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  note();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  note();
  void *memory = __libc_memalign(alignment, size);
  if (memory == NULL) return ENOMEM;
  *result = memory;
  return 0;
}

#endif
