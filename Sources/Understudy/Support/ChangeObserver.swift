// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Synchronization

/// Whoever must hear of changes: what was found out before one is not to be believed after it.
package protocol ChangeObserver: AnyObject, Sendable {
  /// Says that a change begins.
  func changeBegins()
  /// Says that it is done.
  func changeEnds()
}

/// Counts changes, so that what was found out while there was none is known to hold still.
package final class ChangeCount: ChangeObserver {
  private let begun = Atomic<Int>(0)
  private let done = Atomic<Int>(0)

  package init() {}

  package func changeBegins() { begun.add(1, ordering: .acquiringAndReleasing) }

  package func changeEnds() { done.add(1, ordering: .acquiringAndReleasing) }

  /// What tells whether anything found out from now on holds still; `nil` while a change is under way, for it may be
  /// seen or not.
  package var generation: Int? {
    // All that had begun by the second look was done by the first.
    let done = done.load(ordering: .acquiring)
    let begun = begun.load(ordering: .acquiring)
    return begun == done ? begun : nil
  }

  /// True if no change has begun since.
  @inline(__always)
  package func isStill(_ generation: Int) -> Bool { begun.load(ordering: .acquiring) == generation }
}
