// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy

@testable import UnderstudyDefinitions

/// What is wrong with definitions where they use each other.
@Suite struct `Mistakes in definitions` {
  private func definitions(_ services: String) throws -> Definitions {
    try Definitions([.json("{\"services\": {\(services)}}", named: "s.json")], catalogue: catalogue)
  }

  private func description(of services: String) -> String? {
    #expect(throws: DefinitionError.self) { try definitions(services) }?.description
  }

  private static let base = #""b": {"abstract": true, "class": "Shop.Transport"}, "#

  @Test(arguments: [
    (#""a": "@b""#, "a", 72), (#""z": "@a", "a": "@b""#, "a", 83),
    (#""a": "@b", "s": {"class": "Shop.Joined", "arguments": ["@a"]}"#, "a", 72),
  ])
  func `an alias of what is abstract is found before anything is installed`(
    services: String, name: String, column: Int
  ) {
    #expect(
      description(of: Self.base + services) == """
        'b' is abstract: it is there for others to have as their parent.
          Service  '\(name)'
          At       s.json:1:\(column)
        """)
  }

  @Test(arguments: [
    #""s": {"parent": "n", "class": "Shop.Transport"}"#,
    #""s": {"parent": "n", "abstract": true}"#,
    #""s": {"parent": "n", "factory": "Shop.Transport"}"#,
  ])
  func `an alias is no parent, also of what has a class itself`(service: String) {
    #expect(
      description(of: #""m": {"class": "Shop.Transport"}, "n": "@m", "# + service) == """
        Its parent 'n' is an alias, which has nothing that it could take.
          Service  's'
          At       s.json:1:76
        """)
  }

  @Test func `a child that gives no labels takes its parent's arguments, and no list is none`()
    throws
  {
    let resolver = Resolver()
    resolver.install(
      try definitions(
        """
        "a": {"class": "Shop.Joined", "arguments": ["A"]},
        "b": {"parent": "a", "arguments": {}},
        "c": {"parent": "a", "arguments": []}
        """))
    try #expect(resolver.resolve(Service.self, named: "b").name == "A")
    try #expect(resolver.resolve(Service.self, named: "c").name == "")
  }

  @Test(arguments: [
    (#""s": {"class": ""}"#, "The class is a name, and here it is another string.", 30),
    (#""s": {"parent": 1}"#, "The parent is a name, and here it is an integer.", 31),
    (
      #""s": {"factory": "@x"}"#,
      #"The factory is "@service.method", and here it is another string."#, 32
    ),
  ])
  func `what is said in another shape is not missing, too`(
    service: String, headline: String, column: Int
  ) {
    #expect(
      description(of: service) == """
        \(headline)
          Service  's'
          At       s.json:1:\(column)
        """)
  }

  @Test func `what is wrong with a secret's path is found with all else`() {
    let error = #expect(throws: DefinitionError.self) {
      try Definitions(
        [.json(#"{"services": {"s": {"class": "None"}}, "x": 1}"#)], catalogue: catalogue,
        secrets: ["a["])
    }
    #expect(
      error?.findings.map(\.problem) == [
        .unknownKey("x", known: ["parameters", "services"]),
        .malformedPath(reason: "a bracket is not ended"),
      ])
  }

  @Test func `a file that is optional and missing is a warning`() throws {
    let definitions = try Definitions(
      [.file("/none.json", isOptional: true), .files(matching: "/none/*.json")],
      catalogue: catalogue)
    #expect(definitions.warnings.map(\.origin?.source) == ["/none.json", "/none/*.json"])
    #expect(definitions.warnings.map(\.problem) == [.fileMissing, .fileMissing])
  }

  @Test func `a tag that nothing has is named, with what was meant, and no type of this package`()
    throws
  {
    let resolver = Resolver()
    resolver.install(try definitions(#""s": {"class": "Shop.Transport", "tags": ["moving"]}"#))
    let error = #expect(throws: DefinitionError.self) {
      try resolver.services(
        tagged: "movin", as: Transport.self, fileID: "Shop/Start.swift", line: 7)
    }
    #expect(
      error?.description == """
        Nothing is named 'tag:movin'.
          At  Shop/Start.swift:7
        Did you mean 'tag:moving'?
        """)
  }

  @Test func `a service of a tag that is of another type is told with its place`() throws {
    let resolver = Resolver()
    resolver.install(try definitions(#""s": {"class": "Shop.Transport", "tags": ["t"]}"#))
    let error = #expect(throws: DefinitionError.self) {
      try resolver.services(tagged: "t", as: Service.self)
    }
    #expect(
      error?.description == """
        Expected 'Service', found 'Transport'.
          Service  's'
          At       s.json:1:15
        """)
  }

  @Test func `a service of a tag that was used once is left out, as it is of an array`() throws {
    let resolver = Resolver()
    resolver.install(
      try definitions(
        """
        "p1": {"class": "Shop.Part", "arguments": [1], "tags": ["t"], "scope": "once"},
        "p2": {"class": "Shop.Part", "arguments": [2], "tags": ["t"]},
        "m": {"class": "Shop.Machine", "arguments": ["@tag:t"]}
        """))
    try #expect(resolver.services(tagged: "t", as: (any Part).self).map(\.size) == [1, 2])
    try #expect(resolver.services(tagged: "t", as: (any Part).self).map(\.size) == [2])
    try #expect(resolver.resolve(Machine.self, named: "m").parts.map(\.size) == [2])
  }
}
