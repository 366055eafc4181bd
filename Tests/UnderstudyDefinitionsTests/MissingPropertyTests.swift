// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

@testable import UnderstudyDefinitions

private struct Limits {
  @Property("retries") var retries = 3
  @Property("limits.rate") var rate: Double?
  @Property("hosts") var hosts = ["none"]
}

private struct Extras: PropertyGroup, Equatable {
  static let path = "extras"
  var count: Int?
  var name: String?
}

/// A cached instance that was created without a property is created again where a layer sets it.
@Suite struct `Properties that are missing` {
  private final class Meter: Sendable {
    let text: String

    init(_ text: String) { self.text = text }
  }

  @Test(
    arguments: [
      ("feature.x", true, "Optional(true) 3 none none"),
      ("retries", 5, "nil 5 none none"),
      ("limits.rate", 0.5, "nil 3 0.5 none"),
      ("hosts", ["a", "b"], "nil 3 none a,b"),
      ("another", 1, nil),
    ] as [(String, PropertyValue, String?)])
  func `are in the provenance of instances that were created without them`(
    path: String, value: PropertyValue, expected: String?
  ) throws {
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { r in
      let feature = try r.property("feature.x", as: Bool?.self)
      let limits = withResolver(r) { Limits() }
      return Meter(
        "\(feature as Any) \(limits.retries) \(limits.rate.map { "\($0)" } ?? "none") "
          + limits.hosts.joined(separator: ","))
    }
    let warm: Meter = try resolver.resolve()
    #expect(warm.text == "nil 3 none none")
    try withOverrides(.check(.unusedOverride, .off), of: resolver) {
      $0.set(path, value)
    } operation: {
      let inside: Meter = try resolver.resolve()
      #expect(inside.text == expected ?? warm.text)
      try #expect(resolver.resolve(Meter.self) === inside)
      #expect((inside === warm) == (expected == nil))
    }
    try #expect(resolver.resolve(Meter.self) === warm)
  }

  @Test func `make a group nil if all its members are optional, as sources do`() throws {
    let properties = try Properties([.values(["a": 1])])
    let resolver = Resolver()
    resolver.install(properties)
    try properties.validate(.group(Extras.self))
    try #expect(properties.value("extras", as: Extras.self) == Extras())
    try #expect(resolver.properties(Extras.self) == Extras())
    try withOverrides(of: resolver) {
      $0.set("extras.count", 2)
    } operation: {
      try #expect(resolver.properties(Extras.self) == Extras(count: 2))
    }
    #expect(throws: DefinitionError.self) { try resolver.properties(ServerConfig.self) }
    #expect(throws: DefinitionError.self) { try properties.validate(.group(ServerConfig.self)) }
  }

  @Test func `do not excuse a path that cannot be read`() async throws {
    let properties = try Properties([.values(["a": 1])])
    let resolver = Resolver()
    resolver.install(properties)
    let reads: [() throws -> Void] = [
      { _ = try properties.value("a[", as: Int?.self) },
      { let _: Int? = try properties.value("a[") },
      { try properties.validate(.property("a[", as: Int?.self)) },
      { _ = try resolver.property("a[", as: Int?.self) },
      { let _: [Int]? = try resolver.property("a[") },
    ]
    for read in reads {
      let error = #expect(throws: DefinitionError.self) { try read() }
      #expect(
        error?.findings.map(\.problem) == [.malformedPath(reason: "a bracket is not ended")])
    }
    await #expect(processExitsWith: .failure) {
      withResolver(Resolver()) { _ = Property(wrappedValue: 1, "a[").wrappedValue }
    }
    await #expect(processExitsWith: .failure) {
      withResolver(Resolver()) { _ = Property(wrappedValue: [1], "a[").wrappedValue }
    }
  }

  @Test func `are never taken for the whole tree, and errors name their whole path`() throws {
    let resolver = Resolver()
    resolver.install(try Properties([.values(["server": ["url": "a", "prt": 1]])]))
    let error = #expect(throws: DefinitionError.self) {
      try resolver.property("x", as: Int.self)
    }
    #expect(
      error?.description == """
        A required property of type 'Int' is missing.
          Property   'x'
          Consulted  the installed properties
        """)
    let groupError = #expect(throws: DefinitionError.self) {
      try resolver.properties(ServerConfig.self)
    }
    let misses = groupError?.findings.map { finding -> [String] in
      if case .propertyMissing(_, let misses, _) = finding.problem { misses } else { [] }
    }
    #expect(misses == [["server.prt"]])
  }

  @Test func `end the process with their name and the place of the read`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      withResolver(Resolver()) {
        _ = Property<Int>("server.port", fileID: "Shop/Client.swift", line: 7).wrappedValue
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      text.contains(
        """
        A required property of type 'Int' is missing.
          Property     'server.port'
          Consulted    no properties are installed
          Injected at  Shop/Client.swift:7
        """), "\(text)")
    #expect(!text.contains("block"))
  }

  @Test func `of the whole tree have no place in the error`() throws {
    let properties = try Properties([.values(["other": 1], named: "a.json")])
    let resolver = Resolver()
    resolver.install(properties)
    #expect(properties.provenance(of: "") == nil)
    #expect(resolver.provenance(of: "") == nil)
    func description(_ sources: String) -> String {
      """
      A required property of type 'Int' is missing.
        Property   'port'
        Consulted  \(sources)
      """
    }
    for read: () throws -> Void in [
      { _ = try properties.value("", as: WholeConfig.self) },
      { try properties.validate(.group(WholeConfig.self)) },
    ] {
      let error = #expect(throws: DefinitionError.self) { try read() }
      #expect(error?.description == description("a.json"))
    }
    let error = #expect(throws: DefinitionError.self) { try resolver.properties(WholeConfig.self) }
    #expect(error?.description == description("the installed properties"))
  }
}

private struct WholeConfig: PropertyGroup {
  static let path = ""
  let port: Int
}
