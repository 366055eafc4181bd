// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy

@testable import UnderstudyDefinitions

/// Work and memory that could grow faster than the input.
@Suite struct `The cost of properties` {
  /// The shortest of three runs.
  private func time(_ body: () throws -> Void) rethrows -> Duration {
    try (0..<3).map { _ in try processorTime(body) }.min() ?? .zero
  }

  @Test func `does not grow with the number of installations of one source`() throws {
    let resolver = Resolver()
    for number in 0..<200 {
      resolver.install(
        try Properties([.values(["a": ["b": .integer(Int64(number))]], named: "app.json")]))
    }
    #expect(resolver.provenance(of: "a.b") == "`a.b` from app.json")
    try resolver.set("a.b", 1)
    for number in 0..<200 {
      resolver.install(
        try Properties([
          .values(["a": ["b": .integer(Int64(number))]], named: "app.json"),
          .values(["a": ["b": .integer(Int64(number))]], named: "other.json"),
        ]))
    }
    let provenance = try #require(resolver.provenance(of: "a.b"))
    #expect(provenance.hasSuffix(", over other.json, app.json"))
  }

  @Test func `is bounded for sources with generated names`() throws {
    let resolver = Resolver()
    for number in 0..<100 {
      resolver.install(try Properties([.values(["a": 1], named: "\(number).json")]))
    }
    let provenance = try #require(resolver.provenance(of: "a"))
    #expect(provenance.hasPrefix("`a` from 99.json, over 98.json, 97.json"))
    #expect(provenance.hasSuffix("83.json"))
  }

  @Test func `does not multiply the variables of the environment by the keys of the files`() throws
  {
    let keys = Dictionary(
      uniqueKeysWithValues: (0..<4_000).map { ("someKey\($0)", PropertyValue.integer(1)) })
    func merge(_ count: Int) throws {
      let variables = Dictionary(
        uniqueKeysWithValues: (0..<count).map { ("APP__SOME_KEY\($0)", "2") })
      let properties = try Properties([
        .values(keys), .environment(prefix: "APP", variables: variables),
      ])
      #expect(properties.paths.count == 4_000)
      #expect(properties["someKey0"] == "2")
    }
    let few = try time { try merge(10) }
    let many = try time { try merge(1_000) }
    #expect(many < few * 6)
  }

  @Test func `is linear in the slashes of a line of source`() {
    func scan(_ count: Int) {
      let source = "let a = b" + String(repeating: "/c", count: count) + "\n"
      #expect(PropertyUse.uses(in: source, named: "App.swift").isEmpty)
    }
    let few = time { scan(500) }
    let many = time { scan(5_000) }
    #expect(many < few * 30)
  }

  @Test func `is linear in the literals of a line of source`() {
    func scan(_ count: Int) {
      let source = "f(" + String(repeating: "#\"\"\"#, ", count: count) + "r.property(\"a\"))\n"
      #expect(PropertyUse.uses(in: source, named: "App.swift").count == 1)
    }
    let few = time { scan(500) }
    let many = time { scan(5_000) }
    #expect(many < few * 30)
  }
}

@Suite struct `A variable of the environment` {
  @Test func `finds the key of any earlier source, also of an earlier variable`() throws {
    let variables = ["APP__A__MAX_SIZE": "1", "APP__A__MAXSIZE": "2", "APP__A__minSize": "3"]
    let properties = try Properties([
      .environment(prefix: "APP", variables: variables),
      .values(["a": ["minSize": 0, "maxSize": 0]]),
      .environment(prefix: "APP", variables: variables),
    ])
    #expect(properties["a.minSize"] == "3")
    #expect(properties["a.maxSize"] == "1")
    #expect(properties.paths == ["a.maxSize", "a.maxsize", "a.minSize", "a.minsize"])
  }
}
