// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// How often memory was asked for while that was counted; 0 for ever where it cannot be.
long allocations_so_far(void);

/// Begins to count, or stops it.
void count_allocations(int on);

/// Says to a profiler that a part of the run ends here.
void benchmark_mark(void);
