// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

#ifndef UNDERSTUDY_ATOMICS_H
#define UNDERSTUDY_ATOMICS_H

// What the core needs of C's atomics, for `AtomicInt`. The standard library has them in
// `Synchronization`, which needs macOS 15 and iOS 18.

#define UNDERSTUDY_INLINE static inline __attribute__((__always_inline__))

#pragma clang assume_nonnull begin

// The integers of the process, all 0 at first: 14, and 256 counts of overrides. A static property of Swift would need an
// initialiser, and on Linux a call at each use that sees whether it has run.
extern long understudy_words[14 + 256];

UNDERSTUDY_INLINE long *understudy_word(long index) { return &understudy_words[index]; }

UNDERSTUDY_INLINE long understudy_load_relaxed(const long *word) {
  return __atomic_load_n(word, __ATOMIC_RELAXED);
}

UNDERSTUDY_INLINE long understudy_load_acquiring(const long *word) {
  return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

UNDERSTUDY_INLINE void understudy_store(long *word, long value) {
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

// Each of these returns what the word was before.

UNDERSTUDY_INLINE long understudy_add(long *word, long value) {
  return __atomic_fetch_add(word, value, __ATOMIC_ACQ_REL);
}

UNDERSTUDY_INLINE long understudy_or(long *word, long bits) {
  return __atomic_fetch_or(word, bits, __ATOMIC_ACQ_REL);
}

UNDERSTUDY_INLINE long understudy_replace(long *word, long expected, long value) {
  __atomic_compare_exchange_n(word, &expected, value, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  return expected;
}

#pragma clang assume_nonnull end

#undef UNDERSTUDY_INLINE

#endif
