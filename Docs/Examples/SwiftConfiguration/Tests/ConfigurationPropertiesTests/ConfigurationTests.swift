// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Configuration
import ConfigurationProperties
import Testing
import UnderstudyDefinitions
import UnderstudyTesting

struct `Properties from swift-configuration` {
  static let provider = InMemoryProvider(
    name: "memory",
    values: [
      "server.url": "http://shop.example", "server.port": 8080, "debug": true,
      "hosts": .init(.stringArray(["a", "b"]), isSecret: false),
      "password": .init(.string("hunter2"), isSecret: true),
    ])
  static let keys: [String: ConfigType] = [
    "server.url": .string, "server.port": .int, "debug": .bool, "hosts": .stringArray,
    "password": .string, "server.name": .string,
  ]

  @Test func `are typed, and merged with other sources`() throws {
    let properties = try Properties([
      .json(#"{"server": {"port": 1, "name": "main"}}"#, named: "common.json"),
      .configuration(Self.provider, keys: Self.keys),
    ])
    #expect(
      properties["server"] == ["url": "http://shop.example", "port": 8080, "name": "main"])
    #expect(properties["hosts"] == ["a", "b"])
    #expect(properties["debug", as: Bool.self] == true)
  }

  @Test func `that are secret for the provider are read and never printed`() throws {
    let properties = try Properties([.configuration(Self.provider, keys: Self.keys)])
    try #expect(properties.value("password", as: String.self) == "hunter2")
    #expect(!properties.description.contains("hunter2"))
  }

  @Test func `are installed, and overridden by a layer`() throws {
    let resolver = Resolver()
    resolver.install(try Properties([.configuration(Self.provider, keys: Self.keys)]))
    try #expect(resolver.property("server.port", as: Int.self) == 8080)
    try withOverrides(of: resolver) {
      $0.set("server.port", 9)
    } operation: {
      try #expect(resolver.property("server.port", as: Int.self) == 9)
    }
  }

  @Test func `of another type than requested are an error`() {
    #expect(throws: (any Error).self) {
      try ValueSource.configuration(Self.provider, keys: ["server.port": .string])
    }
  }
}
