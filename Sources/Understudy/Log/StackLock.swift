// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Synchronization

/// What the layers of one stack have in common: the mutex that guards what they know, what was found out about them, and
/// the number of the last resolution. So what a resolution reads and notes of a stack is locked once.
///
/// Numbers grow within a stack, and no two of the process are the same: a stack takes many at a time, so that those
/// that run at the same time do not take turns for each.
///
package struct StackLock: Sendable {
  private struct State {
    var numbers = Numbers()
    var recollected = Recollected()
  }

  struct Numbers {
    private var last = 0
    private var end = 0

    /// The next number.
    mutating func next() -> Int {
      if last == end {
        last = StackLock.taken.add(StackLock.takenAtOnce, ordering: .relaxed).oldValue
        end = last + StackLock.takenAtOnce
      }
      last += 1
      return last
    }
  }

  private static let taken = Atomic<Int>(0)
  private static var takenAtOnce: Int { 1_024 }

  private let state = Lock(State())

  package init() {}

  /// What guards all that the layers of the stack know.
  package var mutex: SharedMutex { state.mutex }

  /// Where what was found out about the stack is kept.
  var recollected: Lock<Recollected> { state.part(\.recollected) }

  /// What gives resolutions their numbers.
  var numbers: Guarded<Numbers> { state.part(\.numbers).guarded }

  package func nextOrder() -> Int { state.withLock { $0.numbers.next() } }
}
