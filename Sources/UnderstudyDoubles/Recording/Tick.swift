// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Synchronization

/// The one counter that puts the calls of every double of the process in an order.
///
/// A call that happens before another one, on whatever double and thread, has the smaller tick.
@usableFromInline
enum Tick {
  @usableFromInline
  static func next() -> UInt64 {
    counter.wrappingAdd(1, ordering: .relaxed).newValue
  }

  private static let counter = Atomic<UInt64>(0)
}
