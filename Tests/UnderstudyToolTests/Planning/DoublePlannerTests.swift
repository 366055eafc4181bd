// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import UnderstudyTool

@Suite struct DoublePlannerTests {
  private func plan(_ name: String, of module: String = "Ply") throws -> DoublePlan {
    let output = try DoublesOutput(
      Fixtures.read(module), Selection(patterns: ["\(module).\(name)"], modules: []))
    return try #require(output.files.first?.plan)
  }

  private func spies(_ plan: DoublePlan) -> [String] {
    plan.members.flatMap(\.spies).map { "\($0.name): \($0.type)" }
  }

  @Test func `a type that is called as its module is hides the module`() throws {
    #expect(try plan("Loader").protocolName == "Loader")
    #expect(try plan("Agent", of: "Ring").protocolName == "Ring.Agent")
  }
}
