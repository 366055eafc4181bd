// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import UnderstudyTool

@Suite struct IsolationTests {
  private func heads(_ plan: DoublePlan) -> [String] {
    plan.members.map { $0.witness.first { !$0.hasPrefix("@") } ?? "" }
  }

  @Test(arguments: ["Stage", "Scene"])
  func `what parents on no actor ask for is on none`(name: String) throws {
    let plan = try Fair.plan(name)
    #expect(plan.isShared && plan.isIsolated)
    #expect(
      heads(plan).filter { $0.hasPrefix("nonisolated") } == [
        "nonisolated var id: ID {", "nonisolated var size: Int {",
        "nonisolated func load(_ id: Int) -> Int {", "nonisolated(nonsending) func wait() async {",
      ])
    #expect(plan.fixedMembers == ["nonisolated init(from decoder: any Decoder) throws {}"])
    // The metatype of a real thing that is not shared cannot go into a closure that is.
    #expect(plan.members.flatMap(\.forwarding) == [])
  }
}
