// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

public import Foundation

/// Tells the time.
public protocol WallClock: Sendable {
  /// This moment.
  var now: Date { get }
}

/// Production's clock: the machine's.
public struct SystemClock: WallClock {
  /// Makes a clock.
  public init() {}

  /// This moment, as the machine has it.
  public var now: Date { Date() }
}

/// A clock that stands still: a fake.
public struct StoppedClock: WallClock {
  /// The moment at which it stands.
  public let now: Date

  /// Makes a clock that stands at a moment.
  public init(at now: Date) {
    self.now = now
  }
}

extension Date {
  /// The moment as it is printed, to the minute and the same everywhere: `2039-10-07 19:30 UTC`.
  public var minuteText: String {
    let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: .gmt)
      .year().month().day().time(includingFractionalSeconds: false)
    return "\(formatted(style).prefix(16)) UTC"
  }
}
