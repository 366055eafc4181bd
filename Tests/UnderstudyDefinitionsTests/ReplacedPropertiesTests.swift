// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

@testable import UnderstudyDefinitions

/// Values that replace an object, and objects that replace a value.
@Suite struct `Replaced properties` {
  let resolver = Resolver()

  /// The ways in which a value can replace an object.
  enum Way: CaseIterable {
    case isSet, isInstalled, isInstalledWithOthers
  }

  /// Installs an object from a file and sets a part of it.
  init() throws {
    resolver.install(
      try Properties([.values(["x": ["y": 1, "deep": ["z": 2]], "other": 3], named: "app")]))
  }

  private func number(_ path: String) throws -> Int? { try resolver.property(path) }

  /// Reads all paths, so that later reads need no resolution.
  private func readAll() throws {
    for path in ["x.y", "x.deep.z", "other"] { _ = try resolver.property(path, as: Int.self) }
  }

  @Test(arguments: Way.allCases)
  func `a value replaces an object with all its members`(way: Way) throws {
    try readAll()
    switch way {
    case .isSet: try resolver.set("x", 7)
    case .isInstalled: resolver.install(try Properties([.values(["x": 7])]))
    case .isInstalledWithOthers:
      resolver.container("any").install(try Properties([.values(["x": 7, "more": 8])]))
    }
    try #expect(number("x") == 7)
    for path in ["x.y", "x.deep", "x.deep.z"] {
      try #expect(resolver.propertyIfThere(path) == nil)
      #expect(resolver.provenance(of: path) == nil)
      #expect(!resolver.contains(AnyKey(type: PropertyValue.self, named: path)))
    }
    let error = #expect(throws: DefinitionError.self) {
      try resolver.property("x.y", as: Int.self)
    }
    #expect(error?.description.contains("is missing") == true)
    try #expect(number("other") == 3)
    #expect(!resolver.graph.findings.contains { $0.kind == .missing })
  }

  @Test func `members that were set go with the object that a value replaces`() throws {
    try resolver.set("x.set", 4)
    resolver.install(try Properties([.values(["x": 7])]))
    try #expect(number("x.set") == 4)
    try resolver.set("x", .null)
    try #expect(number("x.set") == nil)
    try #expect(number("x.y") == nil)
  }

  @Test func `an object that replaces a value has none of the earlier members`() throws {
    try resolver.set("x", 7)
    try resolver.set("x.new", 8)
    try #expect(resolver.property("x", as: [String: Int].self) == ["new": 8])
    try #expect(number("x.y") == nil)
    try resolver.set("other", ["a": ["b": 9]])
    try #expect(number("other.a.b") == 9)
    resolver.install(try Properties([.values(["x": ["y": 5]])]))
    try #expect(resolver.property("x", as: [String: Int].self) == ["new": 8, "y": 5])
  }

  @Test func `a value on a layer hides the object's members until the layer ends`() throws {
    try readAll()
    try withOverrides(of: resolver, enforce: true) {
      $0.set("x", 7)
    } operation: {
      try #expect(number("x") == 7)
      for path in ["x.y", "x.deep", "x.deep.z"] {
        try #expect(resolver.propertyIfThere(path) == nil)
        #expect(resolver.provenance(of: path) == nil)
        #expect(throws: DefinitionError.self) { try resolver.property(path, as: Int.self) }
        try #expect(resolver.resolve(PropertyValue?.self, named: path) == nil)
      }
      try withOverrides(of: resolver) {
        $0.set("x.y", 8)
      } operation: {
        try #expect(resolver.property("x", as: [String: Int].self) == ["y": 8])
        try #expect(number("x.deep.z") == nil)
      }
      try #expect(number("x.y") == nil)
    }
    try #expect(number("x.y") == 1)
    try #expect(number("x.deep.z") == 2)
  }

  @Test func `a value on a layer hides members that are added later, too`() throws {
    final class Reader: Sendable {
      let number: Int?

      init(_ number: Int?) { self.number = number }
    }
    resolver.register(lifecycle: .cached) { r in Reader(try r.property("x.new", as: Int?.self)) }
    try withOverrides(.check(.unusedOverride, .off), of: resolver) {
      $0.set("x", 7)
    } operation: {
      try resolver.set("x.new", 5)
      try resolver.set("x.other.deep", 6)
      for path in ["x.new", "x.other", "x.other.deep"] {
        try #expect(resolver.propertyIfThere(path) == nil)
        #expect(resolver.provenance(of: path) == nil)
        #expect(throws: DefinitionError.self) { try resolver.property(path, as: Int.self) }
      }
      let hidden = try resolver.resolve(Reader.self)
      #expect(hidden.number == nil)
      try #expect(resolver.resolve(Reader.self) === hidden)
      try withOverrides(of: resolver) {
        $0.set("x.new", 8)
      } operation: {
        try #expect(number("x.new") == 8)
        try #expect(number("x.other.deep") == nil)
        try #expect(resolver.resolve(Reader.self).number == 8)
      }
      try withOverrides(.check(.unusedOverride, .off), of: resolver) {
        $0.set("x.sibling", 9)
      } operation: {
        try #expect(number("x.new") == nil)
        try #expect(resolver.property("x", as: [String: Int].self) == ["sibling": 9])
      }
    }
    try #expect(number("x.new") == 5)
    try #expect(resolver.resolve(Reader.self).number == 5)
  }

  @Test func `an object on a layer replaces a value that was installed there`() throws {
    try readAll()
    let value = try Properties([.values(["x": 7])])
    let object = try Properties([.values(["x": ["y": 4]])])
    try withOverrides(.check(.unusedOverride, .off), of: resolver) {
      $0.install(value)
      $0.install(object)
    } operation: {
      try #expect(number("x.y") == 4)
      try #expect(resolver.property("x", as: [String: Int].self) == ["y": 4])
    }
    try #expect(number("x.deep.z") == 2)
  }

  @Test func `an object on a layer replaces a value there`() throws {
    try withOverrides(.check(.unusedOverride, .off), of: resolver) {
      $0.set("other.a", 1)
      $0.set("x", 7)
      $0.set("x.new", 8)
    } operation: {
      try #expect(resolver.property("other", as: [String: Int].self) == ["a": 1])
      try #expect(resolver.property("x", as: [String: Int].self) == ["new": 8])
      try #expect(number("x.y") == nil)
    }
    try #expect(number("other") == 3)
  }

  @Test func `an instance of a hidden property is created again, and cached`() throws {
    final class Reader: Sendable {
      let number: Int?

      init(_ number: Int?) { self.number = number }
    }
    resolver.register(lifecycle: .cached) { r in Reader(try r.property("x.y", as: Int?.self)) }
    let production = try resolver.resolve(Reader.self)
    #expect(production.number == 1)
    try withOverrides(.check(.unusedOverride, .off), of: resolver) {
      $0.set("x", 7)
    } operation: {
      let hidden = try resolver.resolve(Reader.self)
      #expect(hidden.number == nil)
      try #expect(resolver.resolve(Reader.self) === hidden)
    }
    try #expect(resolver.resolve(Reader.self) === production)
  }

  @Test func `a loaded value stands before an object until it is unloaded`() throws {
    try readAll()
    let module = try Properties([.values(["x": 7])])
    try resolver.load(module)
    try #expect(number("x") == 7)
    try #expect(resolver.propertyIfThere("x.y") == nil)
    try #expect(number("x.deep.z") == nil)
    #expect(resolver.unload(module))
    try #expect(number("x.y") == 1)
    try #expect(number("x.deep.z") == 2)
    try #expect(resolver.property("x.deep", as: [String: Int].self) == ["z": 2])
  }

  @Test func `an object that is installed over a loaded value is there after it is unloaded`()
    throws
  {
    let module = try Properties([.values(["x": 7])])
    try resolver.load(module)
    resolver.install(try Properties([.values(["x": ["y": 5]])]))
    #expect(resolver.unload(module))
    try #expect(number("x.y") == 5)
  }

  @Test func `loaded members do not come back when a value is set in the object's place`() throws {
    let module = try Properties([.values(["x": ["y": 5]])])
    try resolver.load(module)
    try #expect(number("x.y") == 5)
    try resolver.set("x", 7)
    try #expect(number("x.y") == nil)
    #expect(resolver.unload(module))
    try #expect(number("x.y") == nil)
    try #expect(number("x") == 7)
  }

  @Test func `a secret stays secret throughout`() throws {
    resolver.install(
      try Properties([.values(["vault": ["key": "hunter1"]])], secrets: ["vault"]))
    try resolver.set("vault", 7)
    try resolver.set("vault.key", "hunter2")
    try #expect(
      resolver.resolve(Key<PropertyValue>(named: "vault.key")).description == "<secret>")
    try withOverrides(.check(.unusedOverride, .off), of: resolver) {
      $0.set("vault", 8)
      $0.set("vault.key", "hunter3")
    } operation: {
      try #expect(
        resolver.resolve(Key<PropertyValue>(named: "vault.key")).description == "<secret>")
    }
  }
}
