// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import UnderstudyDefinitions

@Suite struct `A decimal number` {
  private func decimal(_ value: PropertyValue) throws -> Decimal {
    try Properties([.values(["price": value])]).value("price", as: Decimal.self)
  }

  @Test(
    arguments: [
      (19.99, "19.99"), (3, "3"), (.unsigned(.max), "18446744073709551615"), (-1e-7, "-0.0000001"),
      ("0.1234567890123456789", "0.1234567890123456789"), (.secret("2.50"), "2.5"), ("+4", "4"),
    ] as [(PropertyValue, String)])
  func `is read from a number, or exactly from a text`(value: PropertyValue, text: String) throws {
    try #expect(decimal(value) == Decimal(string: text))
  }

  @Test(arguments: ["1,5", "1.5x", "", "0x10", "nan", "inf", true, .null, [1]] as [PropertyValue])
  func `is not read from anything else`(value: PropertyValue) {
    let error = #expect(throws: DefinitionError.self) { try decimal(value) }
    #expect(
      error?.findings.map(\.problem) == [.wrongType(expected: "Decimal", found: value.kind)])
  }
}
