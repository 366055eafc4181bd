// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Synchronization

/// Whether a stub has answered a call. That is noted where the stub is used, under a lock or not, until the stub is
/// removed or its double is finished: so each use is either known then, or not made.
@usableFromInline
final class StubUse: Sendable {
  private static let made: UInt8 = 0b01
  private static let closed: UInt8 = 0b10

  // Nothing else is ordered by it.
  private let state = Atomic<UInt8>(0)

  var wasMade: Bool { state.load(ordering: .relaxed) & StubUse.made != 0 }

  /// Notes a use; false if there are none any more.
  @usableFromInline
  @discardableResult
  func note() -> Bool {
    var known = state.load(ordering: .relaxed)
    // Most notes say nothing new: they do not write.
    if known == 0 {
      known =
        state.compareExchange(expected: 0, desired: StubUse.made, ordering: .relaxed).exchanged
        ? StubUse.made : state.load(ordering: .relaxed)
    }
    return known == StubUse.made
  }

  /// Notes none from now on.
  func close() { state.bitwiseOr(StubUse.closed, ordering: .relaxed) }
}
