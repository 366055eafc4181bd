// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyDefinitions
import UnderstudyTesting

private let file = "UnderstudyDefinitionsTests/PlaceTests.swift"

/// Needs properties and definitions, and registers nothing itself.
private struct Needing: Assembly {
  let dependencies: [any Assembly]

  func assemble(into registrar: some Registering) {}
}

private struct Bringing: Assembly {
  let part: Properties

  func assemble(into registrar: some Registering) { registrar.install(part, line: 702) }
}

private struct Assembling: Assembly {
  let part: Properties

  func assemble(into registrar: some Registering) {
    part.assemble(into: registrar, line: 706)
  }
}

private struct Tea: PropertyGroup {
  static let path = "tea"
  var price: Int
}

/// Messages name the line of the program that installed a file, not a line of this package.
@Suite struct `The place of a registration` {
  private func definitions(_ word: String = "word") throws -> Definitions {
    try Definitions(
      [
        .json(
          #"""
          {"parameters": {"size": 1}, "services": {
            "greeter": {"class": "Shop.Service", "arguments": ["@\#(word)"], "tags": ["all"]},
            "post": "@greeter"}}
          """#)
      ], catalogue: catalogue, expecting: ["word"])
  }

  private func property(_ path: String) -> AnyKey { AnyKey(type: PropertyValue.self, named: path) }

  private func places(of resolver: Resolver) -> Set<String> {
    Set(resolver.filter().compactMap { resolver.registration(for: $0)?.callSite.description })
  }

  @Test func `is where files were installed`() throws {
    let resolver = Resolver()
    resolver.install(try Properties([.values(["tea": ["price": 3]])]), line: 701)
    #expect(places(of: resolver) == ["\(file):701"])
    resolver.install(Bringing(part: try Properties([.values(["tea": ["size": 3]])])), line: 703)
    #expect(resolver.registration(for: property("tea.size"))?.callSite.line == 702)
    resolver.install(Assembling(part: try Properties([.values(["tea": ["cups": 3]])])))
    #expect(resolver.registration(for: property("tea.cups"))?.callSite.line == 706)
    let other = Resolver()
    other.install(Needing(dependencies: [try definitions()]), line: 704)
    // Two services, a tag, the whole tree, and a parameter: as a property, an `Int` and a `Double`.
    #expect(other.keys.count == 7)
    #expect(places(of: other) == ["\(file):704"])
    let third = Resolver()
    third.install(try definitions(), with: ["more": 1], line: 705)
    #expect(third.keys.count == 8)
    #expect(places(of: third) == ["\(file):705"])
  }

  @Test func `is where files were loaded`() throws {
    let resolver = Resolver()
    try resolver.load(try definitions(), line: 711)
    #expect(places(of: resolver) == ["\(file):711"])
  }

  @Test func `is where a property was set, or a group registered`() throws {
    let resolver = Resolver()
    try resolver.set("tea.price", 3, line: 721)
    #expect(places(of: resolver) == ["\(file):721"])
    let key = resolver.register(properties: Tea.self, line: 722)
    #expect(resolver.registration(for: AnyKey(key))?.callSite.description == "\(file):722")
    #expect(resolver.registration(for: AnyKey(key))?.callSite.filePath == #filePath)
  }

  @Test func `is where a layer installed a file`() throws {
    let resolver = Resolver()
    let (properties, definitions) = (try Properties([.values(["tea": 3])]), try definitions())
    withOverrides(.check(.unusedOverride, .off), of: resolver) {
      $0.install(properties, line: 731)
      $0.install(definitions, line: 731)
    } operation: {
      #expect(places(of: resolver) == ["\(file):731"])
    }
  }

  @Test func `is the installation if a request of a file's service fails`() throws {
    let resolver = Resolver()
    resolver.install(try definitions(), line: 741)
    for ask: (Resolver) throws -> Any in [
      { try $0.resolve(Service.self, named: "greeter", line: 742) },
      { try $0.services(tagged: "all", as: Service.self, line: 742) },
    ] {
      let error = #expect(throws: ResolutionError.self) { try ask(resolver) }
      #expect(error?.callSite.description == "\(file):741")
    }
    let missing = #expect(throws: DefinitionError.self) {
      try resolver.services(tagged: "none", as: Service.self, line: 743)
    }
    #expect(missing?.findings.map(\.origin?.source) == ["\(file):743"])
  }

  @Test func `of a replaced property is not a finding`() throws {
    let resolver = Resolver()
    resolver.install(try Properties([.values(["tea": ["price": 3], "cup": 1])]))
    resolver.install(try Properties([.values(["tea": ["price": 4], "cup": 2])]))
    try resolver.set("tea.price", 5)
    try resolver.graph.validate()
    try withOverrides(.check(.unusedOverride, .off), of: resolver) {
      $0.set("tea.price", 6)
      $0.set("tea.price", 7)
      $0.set("tea", 8)
    } operation: {
      try resolver.graph.validate()
    }
  }
}
