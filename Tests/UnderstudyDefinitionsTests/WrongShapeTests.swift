// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyDefinitions

/// Each part of a file has one shape, and says so where it has another.
@Suite struct `A part of a definition with the wrong shape` {
  private func message(of service: String) -> String? {
    let error = #expect(throws: DefinitionError.self) {
      try Definitions(
        [.json("{\"services\": {\"a\": \(service)}}", named: "s.json")], catalogue: catalogue)
    }
    return error.map { String($0.description.prefix { $0 != "\n" }) }
  }

  @Test(arguments: [
    (#"{"class": "Shop.Transport", "abstract": 1}"#, "\"abstract\" is true or false"),
    (#"{"class": "Shop.Transport", "tags": ["a", 1]}"#, "\"tags\" is an array of strings"),
    (#"{"class": "Shop.Transport", "calls": {}}"#, "\"calls\" is an array"),
    (#"{"class": "Shop.Transport", "calls": ["append"]}"#, "A call is [\"method\""),
    (
      #"{"class": "Shop.Transport", "arguments": "x"}"#,
      "\"arguments\" is an array, or an object by label"
    ),
    (
      #"{"class": "Shop.Transport", "factory": "Shop.Transport"}"#,
      "It has both a class and a factory."
    ),
    (
      #"{"class": "Shop.Transport", "calls": [["apend", ["x"]]]}"#,
      "The catalogue offers no method 'apend' of 'Transport'."
    ),
  ])
  func `is one error with its place`(service: String, expected: String) {
    let message = message(of: service)
    #expect(message?.contains(expected) == true, "\(String(describing: message))")
  }

  @Test func `names a similar method`() {
    let error = #expect(throws: DefinitionError.self) {
      try Definitions(
        [
          .json(
            #"{"services": {"a": {"class": "Shop.Transport", "calls": [["apend", ["x"]]]}}}"#,
            named: "s.json")
        ], catalogue: catalogue)
    }
    #expect(error?.description.contains("'append'") == true, "\(String(describing: error))")
  }
}

@Suite struct `Definitions as an assembly` {
  @Test func `register their services on any registrar`() throws {
    let definitions = try Definitions(
      [
        .json(
          #"{"services": {"a": {"class": "Shop.Service", "arguments": ["x"]}}}"#, named: "s.json")
      ], catalogue: catalogue)
    let resolver = Resolver()
    definitions.assemble(into: resolver)
    try #expect(resolver.resolve(Service.self, named: "a").name == "x")
  }

  private protocol Hall: Sendable { var seats: Int { get } }
  private struct Small: Hall { let seats = 10 }
  private struct Large: Hall { let seats = 1_000 }

  @Test func `properties name the asynchronous registration that is resolved`() async throws {
    let resolver = Resolver()
    try Properties([.json(#"{"hall": "large"}"#, named: "p.json")]).assemble(into: resolver)
    resolver.register(named: "small") { await Task { Small() }.value as any Hall }
    resolver.register(named: "large") { await Task { Large() }.value as any Hall }
    try await #expect(resolver.resolveAsync((any Hall).self, namedBy: "hall").seats == 1_000)
  }
}

/// Decoders of properties as `Codable` types use them.
@Suite struct `A type that decodes properties itself` {
  private struct Base: Decodable, Equatable {
    var number: Int
  }

  private struct Derived: Decodable, Equatable {
    var own: Int
    var base: Base
    private enum CodingKeys: CodingKey { case own }
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      own = try container.decode(Int.self, forKey: .own)
      base = try Base(from: container.superDecoder())
    }
  }

  private struct Holes: Decodable, Equatable {
    var numbers: [Int?] = []
    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      while !container.isAtEnd {
        numbers.append(try container.decodeNil() ? nil : container.decode(Int.self))
      }
    }
  }

  @Test func `reads what its superclass encoded`() throws {
    let properties = try Properties(
      [.json(#"{"d": {"own": 1, "super": {"number": 2}}}"#, named: "p.json")])
    let derived = try properties.value("d", as: Derived.self)
    #expect(derived.own == 1)
    #expect(derived.base == Base(number: 2))
  }

  @Test func `sees null in a list`() throws {
    let properties = try Properties([.json(#"{"h": [1, null, 3]}"#, named: "p.json")])
    let holes = try properties.value("h", as: Holes.self)
    #expect(holes.numbers == [1, nil, 3])
  }
}
