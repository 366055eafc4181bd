// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// A fake wall clock. The test sets its date.
///
/// It counts from the start of 1970 in UTC, without leap seconds, as Foundation's `Date` does.
/// `date` and `init(_:)` convert it.
public struct ManualDate: Sendable {
  private let state: Lock<Duration>

  /// Creates a date that stands still.
  ///
  /// - Parameter sinceEpoch: The time since the start of 1970 in UTC.
  public init(sinceEpoch: Duration = .zero) {
    state = Lock(sinceEpoch)
  }

  /// The time since the start of 1970 in UTC. Set it to move in time, also backwards.
  public var sinceEpoch: Duration {
    get { state.withLock { $0 } }
    nonmutating set { state.withLock { $0 = newValue } }
  }

  /// Moves the date. A negative duration moves it back. No date is further than 292 billion years.
  public func advance(by duration: Duration) {
    state.withLock { $0 = $0.advanced(by: duration) }
  }
}

extension Duration {
  private static var farthest: Duration { .seconds(Int64.max) }

  private var inBounds: Duration { max(.zero - .farthest, min(self, .farthest)) }

  /// The sum, or the farthest duration. A test may sleep for ever, and do so again.
  package func advanced(by other: Duration) -> Duration { (inBounds + other.inBounds).inBounds }
}
