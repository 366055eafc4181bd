// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy

@testable import UnderstudyDefinitions

private enum Level: String, Decodable { case low, high }
private enum Size: Int, Decodable { case small = 1, large }
private enum Only: String, Decodable { case one }

private struct Port: RawRepresentable, Decodable {
  let rawValue: Int

  init?(rawValue: Int) {
    guard rawValue != 80 else { return nil }
    self.rawValue = rawValue
  }
}

private struct Logging: PropertyGroup {
  static let path = "c"
  let level: Level
  let n: Int
  let unit: String
}

private struct Inner: Decodable {
  let number: Int
  let level: Level
}

private struct Wide: Decodable {
  let level: Level
  let size: Size
  let port: Port
  let inner: Inner
  let other: Inner
  let absent: Inner
  let levels: [Level]
  let sizes: [String: Size]
  let numbers: [Int]
  let only: Only
  let choice: Level?
  let last: Bool
}

/// A number, or a text if decoding a number fails.
private enum Amount: Decodable {
  case number(Int)
  case text(String)

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int.self) {
      self = .number(number)
    } else {
      self = .text(try container.decode(String.self))
    }
  }
}

private struct Order: Decodable {
  let amount: Amount
  let port: Int

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Keys.self)
    amount = try container.decode(Amount.self, forKey: .amount)
    port = (try? container.decode(Int.self, forKey: .port)) ?? 80
    guard port > 0 else {
      throw DecodingError.dataCorruptedError(forKey: .port, in: container, debugDescription: "-")
    }
  }

  private enum Keys: CodingKey { case amount, port }
}

/// Refuses every value.
private struct Never: Decodable {
  init(from decoder: any Decoder) throws { throw CancellationError() }
}

/// Refuses every value but zero.
private struct Zero: Decodable {
  init(from decoder: any Decoder) throws {
    guard try decoder.singleValueContainer().decode(Int.self) == 0 else {
      throw CancellationError()
    }
  }
}

private struct Origins: Decodable {
  let zero: Zero
  let last: Int
}

/// Reads its members from containers that it nests itself.
private struct Nesting: PropertyGroup, Equatable {
  static let path = "n"
  let port: Int
  let hosts: [String]
  let base: Int
  var more: Int?

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Keys.self)
    let inner = try container.nestedContainer(keyedBy: Keys.self, forKey: .inner)
    port = try inner.decode(Int.self, forKey: .port)
    var list = try container.nestedUnkeyedContainer(forKey: .hosts)
    var hosts: [String] = []
    while !list.isAtEnd { hosts.append(try list.decode(String.self)) }
    self.hosts = hosts
    base = try Int(from: container.superDecoder(forKey: .base))
    more = try container.decodeIfPresent(Int.self, forKey: .more)
  }

  private enum Keys: CodingKey { case inner, port, hosts, base, more }
}

private struct Stubborn: Decodable {
  let number: Int
  let never: Never
  let last: Int
}

@Suite struct `Validation` {
  func findings<Value: Decodable & SendableMetatype>(
    _ json: String, _ type: Value.Type
  ) throws -> [String] {
    let properties = try Properties([.json(json, named: "app.json")])
    do throws(DefinitionError) {
      try properties.validate(.property("", as: type))
    } catch {
      return error.findings.map { finding in
        guard case .property(let path) = finding.subject else { return "\(finding)" }
        return "\(path) \(finding.inOneLine.split(separator: " (")[0])"
      }
    }
    return []
  }

  @Test func `continues after an enumeration that refuses its value`() throws {
    let properties = try Properties([
      .json("{\"c\": {\"level\": \"mid\",\n \"n\": \"x\"}}", named: "app.json")
    ])
    let error = #expect(throws: DefinitionError.self) {
      try properties.validate(.group(Logging.self))
    }
    #expect(
      error?.description == """
        3 findings:
        Expected 'Level', found another value.
          Property  'c.level'
          At        app.json:1:17
        Expected 'Int', found a string.
          Property  'c.n'
          At        app.json:2:7
        A required property of type 'String' is missing.
          Property   'c.unit'
          Consulted  app.json
          At         app.json:1:7
        """)
  }

  @Test func `finds all mistakes in a group of every kind of type`() throws {
    let json = """
      {"level": 1, "size": 9, "port": 80, "inner": 5, "other": {"level": "x"},
       "levels": ["low", "x", "high", "y"], "sizes": {"a": 1, "b": 7}, "numbers": 3, "only": "two",
       "choice": "x", "last": "perhaps"}
      """
    try #expect(
      findings(json, Wide.self) == [
        "level Expected 'Level', found another value.",
        "size Expected 'Size', found another value.",
        "port Expected 'Port', found another value.",
        "inner Expected 'an object', found an integer.",
        "other.number A required property of type 'Int' is missing.",
        "other.level Expected 'Level', found another value.",
        "absent A required property of type 'Inner' is missing.",
        "levels[1] Expected 'Level', found another value.",
        "levels[3] Expected 'Level', found another value.",
        "sizes.b Expected 'Size', found another value.",
        "numbers Expected 'an array', found an integer.",
        "only Expected 'Only', found another value.",
        "choice Expected 'Level', found another value.",
        "last Expected 'Bool', found a string.",
      ])
    try #expect(
      findings("{}", Wide.self) == [
        "level A required property of type 'Level' is missing.",
        "size A required property of type 'Size' is missing.",
        "port A required property of type 'Port' is missing.",
        "inner A required property of type 'Inner' is missing.",
        "other A required property of type 'Inner' is missing.",
        "absent A required property of type 'Inner' is missing.",
        "levels A required property of type '[Level]' is missing.",
        "sizes A required property of type '[String: Size]' is missing.",
        "numbers A required property of type '[Int]' is missing.",
        "only A required property of type 'Only' is missing.",
        "last A required property of type 'Bool' is missing.",
      ])
  }

  @Test(arguments: [
    (#"{"amount": "x"}"#, []), (#"{"amount": 1, "port": "x"}"#, []),
    (#"{"amount": [], "port": 1}"#, ["amount Expected 'Int', found an array."]),
    (#"{"amount": 1, "port": 0}"#, ["port Expected 'a value for Order', found another one."]),
  ])
  func `agrees with reading if a type tries more than one way`(
    json: String, expected: [String]
  ) throws {
    try #expect(findings(json, Order.self) == expected)
  }

  @Test func `ends if a type refuses every value, and reports the findings so far`() throws {
    try #expect(
      findings(#"{"number": "x", "never": 1}"#, Stubborn.self) == [
        "number Expected 'Int', found a string.", "never Expected 'Never', found another value.",
      ])
  }

  @Test func `continues after a type that refuses every value but zero`() throws {
    try #expect(
      findings("{}", Origins.self) == [
        "zero A required property of type 'Zero' is missing.",
        "last A required property of type 'Int' is missing.",
      ])
  }

  @Test func `continues into containers that a type nests itself`() throws {
    try #expect(
      findings(#"{"inner": {"port": 1}, "hosts": ["a", "b"], "base": 2}"#, Nesting.self) == [])
    let read = try Properties([.json(#"{"n": {"inner": {"port": 1}, "hosts": ["a"], "base": 2}}"#)])
      .value("n", as: Nesting.self)
    #expect(read.port == 1 && read.hosts == ["a"] && read.base == 2 && read.more == nil)
  }

  @Test func `names the type that refuses a value, as reading does`() throws {
    let properties = try Properties([.values(["c": ["level": "mid", "n": 1, "unit": ""]])])
    let resolver = Resolver()
    resolver.install(properties)
    let errors = [
      #expect(throws: DefinitionError.self) { try properties.value("c", as: Logging.self) },
      #expect(throws: DefinitionError.self) { try resolver.properties(Logging.self) },
    ]
    for error in errors {
      #expect(error?.findings.map(\.subject) == [.property("c.level")])
      #expect(
        error?.findings.map(\.problem) == [
          .wrongType(expected: "Level", found: "another value")
        ])
    }
  }
}
