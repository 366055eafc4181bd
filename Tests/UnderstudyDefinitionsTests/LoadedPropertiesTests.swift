// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

@testable import UnderstudyDefinitions

@Suite struct `Loaded properties` {
  let resolver = Resolver()

  /// Needs the assemblies that it is given.
  struct Needing: Assembly {
    let dependencies: [any Assembly]

    func assemble(into registrar: some Registering) {}
  }

  /// Installs the parts that it is given as its own.
  struct Bringing: Assembly {
    let parts: [Properties]

    func assemble(into registrar: some Registering) {
      for part in parts { registrar.install(part) }
    }
  }

  private func numbers(_ path: String) throws -> [String: Int] {
    try resolver.property(path, as: [String: Int].self)
  }

  @Test(arguments: [true, false])
  func `two are distinct in one load or in two, and are unloaded one by one`(isOneLoad: Bool) throws
  {
    let first = try Properties([.values(["one": 1, "shared": ["a": 1]])])
    let second = try Properties([.values(["two": 2, "shared": ["b": 2]])])
    if isOneLoad {
      try resolver.load(first, second)
    } else {
      try resolver.load(first)
      try resolver.load(second)
    }
    try resolver.load(first)
    try #expect(resolver.property("one", as: Int.self) == 1)
    try #expect(resolver.property("two", as: Int.self) == 2)
    try #expect(numbers("shared") == ["a": 1, "b": 2])
    let copy = first
    #expect(resolver.unload(copy))
    #expect(!resolver.unload(first))
    try #expect(resolver.propertyIfThere("one") == nil)
    try #expect(resolver.property("two", as: Int.self) == 2)
    try #expect(numbers("shared") == ["b": 2])
    #expect(resolver.unload(second))
    #expect(resolver.keys.isEmpty)
  }

  @Test func `merged with installed or loaded ones are no finding of the graph`() throws {
    resolver.install(try Properties([.values(["shared": ["a": 1, "b": 2]])]))
    try resolver.load(
      try Properties([.values(["shared": ["b": 3]])]),
      try Properties([.values(["shared": ["c": 4]])]))
    try #expect(numbers("shared") == ["a": 1, "b": 3, "c": 4])
    try resolver.graph.validate()
  }

  @Test func `equal ones are one assembly`() throws {
    func properties(_ value: PropertyValue) throws -> Properties {
      try Properties([.values(["a": value], named: "code")])
    }
    let (one, equal, other) = (try properties(1), try properties(1), try properties(2))
    try resolver.load(one)
    #expect(!resolver.unload(other))
    #expect(resolver.unload(equal))
    #expect(resolver.keys.isEmpty)
  }

  @Test func `two that an assembly needs are distinct, loaded and installed`() throws {
    let needing = Needing(
      dependencies: [
        try Properties([.values(["numbers": ["a": 1]])]),
        try Properties([.values(["numbers": ["b": 2]])]),
      ])
    try resolver.load(needing)
    try #expect(numbers("numbers") == ["a": 1, "b": 2])
    resolver.unloadAll()
    #expect(resolver.keys.isEmpty)
    resolver.install(needing)
    try #expect(numbers("numbers") == ["a": 1, "b": 2])
  }

  @Test func `two definitions are distinct`() throws {
    func definitions(_ name: String) throws -> Definitions {
      try Definitions(
        [.json(#"{"services": {"\#(name)": {"class": "Shop.Service", "arguments": ["x"]}}}"#)],
        catalogue: catalogue)
    }
    let first = try definitions("a")
    let second = try definitions("b")
    try resolver.load(first, second)
    try #expect(resolver.resolve(Service.self, named: "a").name == "x")
    try #expect(resolver.resolve(Service.self, named: "b").name == "x")
    let copy = first
    #expect(resolver.unload(copy))
    #expect(!resolver.contains(AnyKey(type: Service.self, named: "a")))
    try #expect(resolver.resolve(Service.self, named: "b").name == "x")
    let third = try definitions("b")
    #expect(!resolver.unload(third))
    #expect(resolver.unload(second))
  }

  @Test func `are merged with installed ones, which answer again after unloading`() throws {
    resolver.install(try Properties([.values(["server": ["port": 1]])]))
    let module = try Properties([.values(["server": ["url": "a"]])])
    try resolver.load(module)
    try #expect(resolver.properties() == ServerConfig(url: "a", port: 1))
    #expect(resolver.unload(module))
    try #expect(numbers("server") == ["port": 1])
  }

  @Test func `are merged with other properties of their assembly, and unloaded together`() throws {
    resolver.install(try Properties([.values(["server": ["port": 1]])]))
    let module = Bringing(
      parts: [
        try Properties([.values(["server": ["url": "a"]])]),
        try Properties([.values(["server": ["proxy": "p"]])]),
      ])
    try resolver.load(module)
    try #expect(resolver.properties() == ServerConfig(url: "a", port: 1, proxy: "p"))
    #expect(resolver.unload(module))
    try #expect(numbers("server") == ["port": 1])
    try #expect(resolver.property("server.port", as: Int.self) == 1)
  }

  @Test func `DE-35 a value that was set wins over later loads, and stays`() throws {
    resolver.install(try Properties([.values(["server": ["url": "a", "port": 1]])]))
    try resolver.set("server.url", "set")
    let module = try Properties([.values(["server": ["url": "module", "proxy": "p"]])])
    try resolver.load(module, priority: .high)
    try #expect(resolver.properties() == ServerConfig(url: "set", port: 1, proxy: "p"))
    try resolver.set("server.url", "second")
    try #expect(resolver.properties() == ServerConfig(url: "second", port: 1, proxy: "p"))
    #expect(resolver.unload(module))
    try #expect(resolver.properties() == ServerConfig(url: "second", port: 1))
    #expect(!resolver.graph.findings.contains { $0.kind == .missing })
  }
}
