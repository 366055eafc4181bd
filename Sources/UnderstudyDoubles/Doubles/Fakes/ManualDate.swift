// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// A fake wall clock. The test sets its date.
///
/// It counts from the start of 1970 in UTC, without leap seconds, as Foundation's `Date` does.
/// `date` and `init(_:)` convert it.
///
/// A date can follow a `ManualClock`, so that both show one time.
public struct ManualDate: Sendable {
  /// The time since the start of 1970 in UTC, without the time of the clock.
  private let state: Lock<Duration>
  private let clock: ManualClock?

  /// Creates a date that stands still.
  ///
  /// - Parameter sinceEpoch: The time since the start of 1970 in UTC.
  public init(sinceEpoch: Duration = .zero) {
    state = Lock(sinceEpoch)
    clock = nil
  }

  /// Creates a date that moves with a clock.
  ///
  /// ```swift
  /// let clock = ManualClock()
  /// let date = ManualDate(following: clock)
  /// clock.advance(by: .seconds(60))
  /// date.sinceEpoch  // 60 seconds
  /// ```
  ///
  /// You can still set it or advance it. It goes on from there, and the clock stays where it is.
  ///
  /// - Parameters:
  ///   - clock: The clock that moves the date.
  ///   - sinceEpoch: The time since the start of 1970 in UTC, now.
  public init(following clock: ManualClock, sinceEpoch: Duration = .zero) {
    state = Lock(sinceEpoch.advanced(by: .zero - clock.now.offset))
    self.clock = clock
  }

  /// The time of the clock that the date follows.
  private var clockTime: Duration { clock?.now.offset ?? .zero }

  /// The time since the start of 1970 in UTC. Set it to move in time, also backwards.
  public var sinceEpoch: Duration {
    get { state.withLock { $0 }.advanced(by: clockTime) }
    nonmutating set {
      let own = newValue.advanced(by: .zero - clockTime)
      state.withLock { $0 = own }
    }
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

  /// The difference to another duration, or the farthest one.
  func distance(to other: Duration) -> Duration { (other.inBounds - inBounds).inBounds }
}
