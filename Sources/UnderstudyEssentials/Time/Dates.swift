// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Foundation
public import Understudy
public import UnderstudyDoubles

/// The wall clock.
///
/// ```swift
/// @Inject(\.date) var date
/// let deadline = date.now.addingTimeInterval(60)
/// ```
public protocol DateProviding: Sendable {
  /// The date of this moment.
  var now: Date { get }
}

/// The system's wall clock.
public struct SystemDate: DateProviding {
  /// Makes the wall clock.
  public init() {}

  /// The date of this moment.
  public var now: Date { Date() }
}

extension ManualDate: DateProviding {
  /// The date that the test has set.
  public var now: Date { date }
}

extension DateProviding where Self == ManualDate {
  /// A date that stands still until the test moves it.
  public static func constant(_ date: Date) -> ManualDate { ManualDate(date) }

  /// A date that stands still at so many seconds after the start of 1970 in UTC.
  public static func constant(since1970 seconds: Double) -> ManualDate {
    ManualDate(Date(timeIntervalSince1970: seconds))
  }
}

extension Dependencies {
  /// The wall clock.
  public static var date: Dependency<any DateProviding> { declaredDate }
}

private let declaredDate = Dependency<any DateProviding>(
  inTests: .mustBeOverridden, function: "date"
) {
  SystemDate()
}
