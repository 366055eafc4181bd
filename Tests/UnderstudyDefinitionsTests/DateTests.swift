// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import UnderstudyDefinitions

@Suite struct `A date of a property` {
  private func date(_ text: String) -> Date? { Date(propertyValue: .string(text)) }

  @Test(arguments: [
    "2026-01-31T12:00:00Z", "2024-02-29T23:59:59Z", "2000-02-29T00:00:00+02:00",
    "2026-12-31T23:30:00-05:00", "2026-01-31T12:00:00+0200", "1970-01-01T00:00:00Z",
    "1900-03-01T00:00:00Z", "2100-12-31T00:00:00Z",
  ])
  func `is read as Foundation reads it`(text: String) throws {
    try #expect(date(text) == Date(text, strategy: .iso8601))
  }

  @Test func `keeps parts of a second`() throws {
    let whole = try #require(date("2026-01-31T12:00:00Z"))
    #expect(date("2026-01-31T12:00:00.5Z")?.timeIntervalSince(whole) == 0.5)
    #expect(date("2026-01-31T14:00:00.250+02:00")?.timeIntervalSince(whole) == 0.25)
  }

  @Test(arguments: [
    "2026-02-31T12:00:00Z", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z",
    "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-31T24:00:00Z",
    "2026-01-31T25:00:00Z", "2026-01-31T12:60:00Z", "2026-01-31T12:00:60Z", "2026-01-31T12:00:00",
    "2026-01-31T12:00:00+02:00x", "2026-01-31T12:00:00+24:00", "2026-01-31T12:00:00+02:60",
    "2026-01-31T12:00:00.Z", "2026-01-31", "2026-1-3T1:2:3Z", "2026-01-31T12:00:00Z ", "", "Z",
  ])
  func `is nil if the text is not a valid date`(text: String) {
    #expect(date(text) == nil)
    let list = "<plist><date>\(text)x</date></plist>"
    #expect(throws: DefinitionError.self) {
      try DocumentReader.read(Array(list.utf8), from: SourceName("f"))
    }
  }

  @Test func `is an error in a property list if it does not exist`() {
    let error = #expect(throws: DefinitionError.self) {
      try DocumentReader.read(
        Array("<plist><date>2026-02-31T12:00:00Z</date></plist>".utf8), from: SourceName("f"))
    }
    #expect(
      error?.findings.map(\.problem) == [
        .unexpected(found: "another text", expected: "a date such as 2026-01-31T12:00:00Z")
      ])
  }
}
