// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import UnderstudyTool

@Suite struct `A property and a function of one name` {
  private func output(_ pattern: String = "*") throws -> DoublesOutput {
    try DoublesOutput(Fixtures.read("Dell"), Selection(patterns: [pattern], modules: ["Dell"]))
  }

  private func titles(_ name: String) throws -> [String] {
    try output("Dell.\(name)").files.flatMap(\.plan.members).map(\.title)
  }

  @Test func `are refused unless a default implementation is one for the double`() throws {
    let both: KeyValuePairs = [
      "Acting": "unownedExecutor", "Conditional": "label", "Described": "description",
      "Hashed": "hashValue", "MetBySelf": "label", "NamedText": "id", "OnMain": "label",
      "Other": "label", "ReadSize": "size", "Throwing": "label", "Unmet": "label", "Weak": "label",
    ]
    let twoTyped: KeyValuePairs = ["OwnDescription": "description", "TwoLabels": "label"]
    let expected =
      both.map { name, member in
        "No double for 'Dell.\(name)': no type can declare both the property '\(member)' and the"
          + " function '\(member)()'; rename one, or give one a default implementation."
      }
      + twoTyped.map { name, member in
        "No double for 'Dell.\(name)': no type can declare the property '\(member)' with two types;"
          + " give all but one a default implementation."
      }
    #expect(try output().refusals == expected.sorted())
  }

  @Test(arguments: [
    ("Met", ["label"]), ("MetByBoth", ["label"]), ("OneLabel", ["label"]),
    ("WriteSize", ["isOn()", "size"]), ("Named", ["id()"]),
  ])
  func `leave one of them to a default implementation`(_ name: String, _ members: [String]) throws {
    #expect(try titles(name) == members)
  }

  @Test func `have the type that has no default implementation`() throws {
    let plan = try #require(output("Dell.OneLabel").files.first?.plan)
    #expect(plan.members.map { $0.witness[0] } == ["var label: String {"])
  }
}
