// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// How often memory was asked for since the process began; 0 for ever where it cannot be counted.
long allocations_so_far(void);

/// Says to a profiler that a part of the run ends here.
void benchmark_mark(void);
