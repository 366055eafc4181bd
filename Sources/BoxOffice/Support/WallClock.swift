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

  /// The present time.
  public var now: Date { Date() }
}

/// A clock that stands still: a fake.
public struct StoppedClock: WallClock {
  /// The moment at which it stands still.
  public let now: Date

  /// Makes a clock that stands at a moment.
  public init(at now: Date) {
    self.now = now
  }
}

extension Date {
  /// The moment in UTC, to the minute: `2039-10-07 19:30 UTC`.
  public var minuteText: String {
    let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: .gmt)
      .year().month().day().time(includingFractionalSeconds: false)
    return "\(formatted(style).prefix(16)) UTC"
  }
}
