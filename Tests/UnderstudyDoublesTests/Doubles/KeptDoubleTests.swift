// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy

@testable import UnderstudyDoubles

@Suite struct `A double that a static keeps for a later test` {
  private static func layer(_ test: String, line: Int) -> OverrideLayer {
    var traits = LayerTraits(of: Resolver(), named: test, on: nil, at: CallSite())
    traits.isBoundary = true
    traits.test = RunningTest(
      name: test, adoptsEscapedWork: false, file: "Tests.swift", line: line)
    return OverrideLayer(traits)
  }

  @Test func `is late there, and the message says that something keeps it`() throws {
    let (first, second) = (Self.layer("first", line: 1), Self.layer("second", line: 2))
    let sends = OverrideLayer.binding(first) { Spy<String, Void, Never>("send(_:)") }
    OverrideLayer.binding(first) { sends("Ann") }
    #expect(first.end() == [])
    OverrideLayer.binding(second) { sends("Bob") }
    let found = second.end().map(\.description) + first.end().map(\.description)
    let text = try #require(found.first)
    #expect(found.count == 1)
    #expect(text.hasPrefix("send(\"Bob\") was called after its double was finished."), "\(text)")
    #expect(
      text.contains(
        """
          • Resolve it when it is needed: a static or a global keeps the double of an earlier test.
          • Make a new double for each test.
        """), "\(text)")
  }
}
