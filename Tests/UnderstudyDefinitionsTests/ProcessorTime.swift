// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation

/// The time for which the calling thread runs a body. The time on a clock would also count what
/// other work of a loaded machine takes.
func processorTime(_ body: () throws -> Void) rethrows -> Duration {
  let start = processorTime()
  try body()
  return processorTime() - start
}

private func processorTime() -> Duration {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  // An optimised build does not see the fields of the C structure.
  let (seconds, nanoseconds) = unsafeBitCast(time, to: (Int, Int).self)
  return .seconds(seconds) + .nanoseconds(nanoseconds)
}
