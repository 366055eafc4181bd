// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// A fake wall clock: the test sets its date.
///
/// It counts from the start of 1970 in UTC, without leap seconds, as `Date` does. `date` and
/// `init(_:)` for Foundation's `Date` are beside the cassettes, the one place that uses Foundation.
public struct ManualDate: Sendable {
  private let state: Lock<Duration>

  /// Makes a date that stands still.
  ///
  /// - Parameter sinceEpoch: The time since the start of 1970 in UTC.
  public init(sinceEpoch: Duration = .zero) {
    state = Lock(sinceEpoch)
  }

  /// The time since the start of 1970 in UTC. Set it to travel, also backwards.
  public var sinceEpoch: Duration {
    get { state.withLock { $0 } }
    nonmutating set { state.withLock { $0 = newValue } }
  }

  /// Moves the date; a negative duration moves it back.
  public func advance(by duration: Duration) {
    state.withLock { $0 += duration }
  }
}
