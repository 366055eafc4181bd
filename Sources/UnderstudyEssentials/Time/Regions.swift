// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Foundation
public import Understudy

extension Calendar {
  /// The Gregorian calendar in UTC with the locale `posix`, which no setting of the system changes.
  public static var gregorianUTC: Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .utc
    calendar.locale = .posix
    return calendar
  }
}

extension Locale {
  /// The locale `en_US_POSIX`, which no setting of the system changes.
  public static var posix: Locale { Locale(identifier: "en_US_POSIX") }
}

extension TimeZone {
  /// The time zone of UTC.
  public static var utc: TimeZone { .gmt }
}

extension Dependencies {
  /// The user's calendar.
  public static var calendar: Dependency<Calendar> { declaredCalendar }

  /// The user's locale.
  public static var locale: Dependency<Locale> { declaredLocale }

  /// The user's languages with their regions, the preferred one first.
  public static var preferredLocales: Dependency<[Locale]> { declaredPreferredLocales }

  /// The user's time zone.
  public static var timeZone: Dependency<TimeZone> { declaredTimeZone }
}

private let declaredCalendar = Dependency<Calendar>(
  inTests: .mustBeOverridden, function: "calendar"
) {
  .autoupdatingCurrent
}
private let declaredLocale = Dependency<Locale>(inTests: .mustBeOverridden, function: "locale") {
  .autoupdatingCurrent
}
private let declaredPreferredLocales = Dependency<[Locale]>(
  inTests: .mustBeOverridden, function: "preferredLocales"
) {
  Locale.preferredLanguages.map { Locale(identifier: $0) }
}
private let declaredTimeZone = Dependency<TimeZone>(
  inTests: .mustBeOverridden, function: "timeZone"
) {
  .autoupdatingCurrent
}
