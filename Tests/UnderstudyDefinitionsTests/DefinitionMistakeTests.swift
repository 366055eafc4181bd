// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import Understudy

@testable import UnderstudyDefinitions

/// Mistakes in how definitions refer to each other.
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
  func `an alias of an abstract service is found before anything is installed`(
    services: String, name: String, column: Int
  ) {
    #expect(
      description(of: Self.base + services) == """
        'b' is abstract: use it only as the parent of other services.
          Service  '\(name)'
          At       s.json:1:\(column)
        """)
  }

  @Test(arguments: [
    #""s": {"parent": "n", "class": "Shop.Transport"}"#,
    #""s": {"parent": "n", "abstract": true}"#,
    #""s": {"parent": "n", "factory": "Shop.Transport"}"#,
  ])
  func `an alias cannot be a parent, not even of a service with its own class`(service: String) {
    #expect(
      description(of: #""m": {"class": "Shop.Transport"}, "n": "@m", "# + service) == """
        Its parent 'n' is an alias, which has nothing to inherit.
          Service  's'
          At       s.json:1:76
        """)
  }

  @Test func `a child without labels inherits the arguments, and an empty list removes them`()
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
    (
      #""s": {"factory": "@"}"#,
      #"The factory is "@service.method", and here it is another string."#, 32
    ),
    (
      #""s": {"factory": "@."}"#,
      #"The factory is "@service.method", and here it is another string."#, 32
    ),
    (
      #""s": {"factory": "@.made"}"#,
      #"The factory is "@service.method", and here it is another string."#, 32
    ),
  ])
  func `a value of the wrong shape is not also reported as missing`(
    service: String, headline: String, column: Int
  ) {
    #expect(
      description(of: service) == """
        \(headline)
          Service  's'
          At       s.json:1:\(column)
        """)
  }

  @Test func `an alias of a missing service is found once, whatever is an alias of it`() {
    #expect(
      description(of: #""a": "@gone", "z": "@a""#) == """
        Nothing is named 'gone'.
          Service  'a'
          At       s.json:1:20
        """)
  }

  @Test(
    arguments: [
      (#""a": "@x""#, "x", "a parameter or a property", "alias"),
      (#""a": {"factory": "@x.made"}"#, "x", "a parameter or a property", "factory"),
      (#""a": {"parent": "x"}"#, "x", "a parameter or a property", "parent"),
      (#""a": "@y""#, "y", "a registration in code", "alias"),
      (#""a": {"factory": "@y.made"}"#, "y", "a registration in code", "factory"),
    ])
  func `an alias, a factory or a parent that is no service of the files is told so`(
    service: String, name: String, kind: String, part: String
  ) {
    let error = #expect(throws: DefinitionError.self) {
      try Definitions(
        [.json("{\"parameters\": {\"x\": 1}, \"services\": {\(service)}}", named: "s.json")],
        catalogue: catalogue, expecting: ["y"])
    }
    #expect(
      error?.findings.map(\.problem) == [
        .incomplete("'\(name)' is \(kind). The \(part) must be a service of these definitions.")
      ])
    #expect(error?.findings.map(\.subject) == [.service("a")])
  }

  @Test func `a missing name is not like that of the service which needs it`() {
    #expect(description(of: #""gone": "@gon""#)?.contains("Did you mean") == false)
  }

  @Test(
    arguments: [
      ("Shop.Numbers", #"["@s", true, 1]"#, "Argument 0 is of type '[Int]', and here it is"),
      ("Shop.Numbers", #"[[1], "@s", 1]"#, "Argument 1 is of type 'Bool', and here it is"),
      ("Shop.Service", #"["@s"]"#, "Argument 'name' is of type 'String', and here it is"),
      ("Shop.Any", #"["@s"]"#, "Argument 0 is of type 'PropertyValue', and here it is"),
      ("Shop.Map", #"["@s"]"#, "Argument 0 is of type '[String: Int]', and here it is"),
    ])
  func `an object of a class is no number, text or list`(
    class: String, arguments: String, problem: String
  ) throws {
    var own = catalogue
    own.offer("Shop.Any") { (value: PropertyValue) in Service("\(value)") }
    own.offer("Shop.Map") { (value: [String: Int]) in Service("\(value)") }
    let error = #expect(throws: DefinitionError.self) {
      try Definitions(
        [
          .json(
            """
            {"services": {"s": {"class": "Shop.Service", "arguments": ["S"]},
             "t": {"class": "\(`class`)", "arguments": \(arguments)}}}
            """)
        ], catalogue: own)
    }
    #expect(
      error?.description.hasPrefix("\(problem) 'Service'.") == true, "\(String(describing: error))")
  }

  /// Foundation casts it.
  @Test func `an object of a class of Foundation may be a text`() {
    #expect(!TypeRelation.excludes(NSString.self, String.self))
    #expect(!TypeRelation.excludes(Service.self, (any Sendable).self))
    #expect(!TypeRelation.excludes(Service.self, OtherService.self))
    #expect(!TypeRelation.excludes(Service.self, Service?.self))
    #expect(!TypeRelation.excludes(Int?.self, Int?.self))
    #expect(TypeRelation.excludes(Service.self, Int?.self))
  }

  @Test func `a factory cannot be a method of an abstract service`() {
    #expect(
      description(of: Self.base + #""s": {"factory": "@b.made"}"#)?.hasPrefix(
        "'b' is abstract: use it only as the parent of other services.\n  Service  's'") == true)
  }

  @Test(arguments: ["services", "parameters"])
  func `services and parameters are objects`(key: String) {
    let error = #expect(throws: DefinitionError.self) {
      try Definitions([.json("{\"\(key)\": []}", named: "s.json")], catalogue: catalogue)
    }
    #expect(
      error?.description.hasPrefix("\"\(key)\" is an object, and here it is an array.") == true,
      "\(String(describing: error))")
  }

  @Test func `a malformed path of a secret is found with all other mistakes`() {
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

  @Test func `an optional file that is missing is a warning`() throws {
    let definitions = try Definitions(
      [.file("/none.json", isOptional: true), .files(matching: "/none/*.json")],
      catalogue: catalogue)
    #expect(definitions.warnings.map(\.origin?.source) == ["/none.json", "/none/*.json"])
    #expect(definitions.warnings.map(\.problem) == [.fileMissing, .fileMissing])
  }

  @Test func `an unknown tag is reported with the nearest tag only`()
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

  @Test func `a tagged service of the wrong type is reported with its place`() throws {
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

  @Test func `a tagged service that was used once is left out, as in an array`() throws {
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

  @Test func `a tagged service with one use keeps it if a later one fails`() throws {
    struct Broken: Error {}
    let isBroken = Lock(true)
    var own = catalogue
    own.offer("Shop.Broken") { () throws -> any Part in
      if isBroken.withLock({ $0 }) { throw Broken() }
      return SizedPart(size: 2)
    }
    let text = """
      {"services": {
        "p1": {"class": "Shop.Part", "arguments": [1], "tags": ["t"], "scope": "once"},
        "p2": {"class": "Shop.Broken", "tags": ["t"]},
        "m": {"class": "Shop.Machine", "arguments": ["@tag:t"]}}}
      """
    let resolver = Resolver()
    resolver.install(try Definitions([.json(text)], catalogue: own))
    #expect(throws: ResolutionError.self) {
      try resolver.services(tagged: "t", as: (any Part).self)
    }
    #expect(throws: DefinitionError.self) { try resolver.services(tagged: "t", as: Int.self) }
    #expect(throws: ResolutionError.self) { try resolver.resolve(Machine.self, named: "m") }
    isBroken.withLock { $0 = false }
    try #expect(resolver.resolve(Machine.self, named: "m").parts.map(\.size) == [1, 2])
    try #expect(resolver.services(tagged: "t", as: (any Part).self).map(\.size) == [2])
  }
}
