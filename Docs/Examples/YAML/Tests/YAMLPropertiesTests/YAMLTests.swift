// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyDefinitions
import UnderstudyTesting
import YAMLProperties

struct `Properties from YAML` {
  static let text = """
    server: &server
      url: http://shop.example
      port: 8080
      ratio: 1.5
      debug: true
      proxy: ~
    copy: *server
    hosts: [a, "1"]
    """

  @Test func `are typed, and merged with other sources`() throws {
    let properties = try Properties([
      .json(#"{"server": {"port": 1, "name": "main"}}"#, named: "common.json"),
      .yaml(Self.text, named: "dev.yaml"),
    ])
    #expect(
      properties["server"] == [
        "url": "http://shop.example", "port": 8080, "ratio": 1.5, "debug": true, "proxy": .null,
        "name": "main",
      ])
    #expect(properties["copy.port"] == 8080)
    #expect(properties["hosts"] == ["a", "1"])
    #expect(
      properties.provenance(of: "server.port") == "`server.port` from dev.yaml, over common.json")
  }

  @Test func `are installed, and overridden by a layer`() throws {
    let resolver = Resolver()
    resolver.install(try Properties([.yaml(Self.text, named: "dev.yaml")]))
    try #expect(resolver.property("server.port", as: Int.self) == 8080)
    try withOverrides(of: resolver) {
      $0.set("server.port", 9)
    } operation: {
      try #expect(resolver.property("server.port", as: Int.self) == 9)
    }
  }

  @Test func `that are defined by aliases of aliases are an error within bounds`() {
    var text = "a0: &a0 x\n"
    for level in 1...30 { text += "a\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]\n" }
    #expect(throws: YAMLProblem.tooManyValues(limit: 10_000)) {
      try ValueSource.yaml(text, named: "a.yaml", limits: ReadingLimits(valueCount: 10_000))
    }
  }

  @Test(arguments: ["a: [", "- 1", "5", "a: 1\na: 2", "? [1]\n: 2"])
  func `of an invalid text are an error`(text: String) {
    #expect(throws: (any Error).self) { try ValueSource.yaml(text, named: "a.yaml") }
  }
}
