// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy

/// A check that a layer turns off reports nothing.
@Suite struct `A check that is off` {
  private struct Name: Hashable, Sendable, CustomStringConvertible {
    let told: Tally

    static func == (left: Name, right: Name) -> Bool { true }
    func hash(into hasher: inout Hasher) {}

    var description: String {
      _ = told.next()
      return "name"
    }
  }

  /// Each test has overrides that production does not know.
  @Test func `reports nothing`() throws {
    let told = Tally()
    let resolver = Resolver()
    let name = Name(told: told)
    let number = try withOverrides(of: resolver) {
      $0.register(1, named: name)
    } operation: {
      try resolver.resolve(Int.self, named: name)
    }
    #expect(number == 1)
    #expect(told.count == 0)
    withOverrides(.check(.unusedOverride, .off), of: resolver) {
      $0.register(1, named: name)
    } operation: {
    }
    #expect(told.count == 0)
  }
}
