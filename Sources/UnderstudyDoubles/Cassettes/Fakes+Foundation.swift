// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Foundation
package import Understudy

// In this folder, since only the cassettes may use Foundation.
extension ManualDate {
  /// Creates a date that stands still.
  public init(_ date: Date) {
    self.init(sinceEpoch: Duration(since1970: date))
  }

  /// Creates a date that moves with a clock, and is now at so many seconds after the start of 1970
  /// in UTC.
  public init(following clock: ManualClock, since1970 seconds: Double) {
    let date = Date(timeIntervalSince1970: seconds)
    self.init(following: clock, sinceEpoch: Duration(since1970: date))
  }

  /// The date as Foundation's `Date`. Set it to move in time, also backwards.
  public var date: Date {
    get { sinceEpoch.dateSince1970 }
    nonmutating set { sinceEpoch = Duration(since1970: newValue) }
  }
}

// A date counts from 2001, and so has more digits than seconds since 1970 can have. The parts are
// converted separately, so that a test gets back exactly the date that it has set.
extension Duration {
  private static var from1970To2001: Duration { .seconds(978_307_200) }

  /// The time from the start of 1970 to a date. A date out of range becomes the farthest one.
  fileprivate init(since1970 date: Date) {
    let seconds = date.timeIntervalSinceReferenceDate
    let whole = Int64(exactly: seconds.rounded(.towardZero)) ?? (seconds < 0 ? .min : .max) / 2
    let part = seconds - seconds.rounded(.towardZero)
    self =
      Duration(
        secondsComponent: whole,
        attosecondsComponent: part.isNormal ? Int64((part * 1e18).rounded()) : 0)
      + Self.from1970To2001
  }

  fileprivate var dateSince1970: Date {
    let (seconds, attoseconds) = advanced(by: .zero - Self.from1970To2001).components
    return Date(timeIntervalSinceReferenceDate: Double(seconds) + Double(attoseconds) / 1e18)
  }
}

// In this folder, since only the cassettes may use Foundation.
extension UUIDSource {
  /// The same UUID every time.
  public static func constant(_ uuid: UUID) -> UUIDSource { constant(UUIDBits(of: uuid)) }

  /// These UUIDs, in order.
  ///
  /// A script that runs out is an issue of the test. It then starts again with its first UUID, so
  /// the code under test can go on.
  public static func scripted(
    _ first: UUID, _ others: UUID..., fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> UUIDSource {
    scripted([first] + others, at: CallSite(fileID, filePath, line, column))
  }

  package static func scripted(_ uuids: [UUID], at callSite: CallSite) -> UUIDSource {
    scripted(uuids.map(UUIDBits.init(of:)), at: callSite)
  }

  /// The next UUID as Foundation's `UUID`.
  public func uuid() -> UUID {
    // A text made of 128 bits is always a valid UUID.
    UUID(uuidString: nextText()) ?? UUID()
  }
}

extension UUIDBits {
  /// The bits of a UUID, its first byte the highest.
  init(of uuid: UUID) {
    // The text of a UUID is 32 hexadecimal digits.
    let digits = uuid.uuidString.filter { $0 != "-" }
    high = UInt64(digits.prefix(16), radix: 16) ?? 0
    low = UInt64(digits.suffix(16), radix: 16) ?? 0
  }
}

// Values that hold objects of Foundation alone.
extension Calendar: ObjectFree {}
extension Data: ObjectFree {
  // The description of much data is shortened.
  var hasExactText: Bool { false }
}
extension Date: ObjectFree {}
extension Decimal: ObjectFree {}
extension Locale: ObjectFree {}
extension TimeZone: ObjectFree {}
extension URL: ObjectFree {}
extension UUID: ObjectFree {}

extension Data: ExactlyDescribed {
  var exactDescription: String {
    let limit = 500
    let bytes = prefix(limit).map { byte in
      String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }
    return "\(self) (\(bytes.joined(separator: " "))\(count > limit ? " …" : ""))"
  }
}

extension Date: ExactlyDescribed {
  /// With the part of a second, which the description lacks.
  var exactDescription: String {
    let seconds = timeIntervalSinceReferenceDate
    let whole = seconds.rounded(.down)
    guard seconds != whole else { return "\(self)" }
    return "\(Date(timeIntervalSinceReferenceDate: whole)) + \(seconds - whole) s"
  }
}
