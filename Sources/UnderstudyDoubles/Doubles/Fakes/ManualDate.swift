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

  /// Moves the date. A negative duration moves it back.
  public func advance(by duration: Duration) {
    state.withLock { $0 += duration }
  }
}
