// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import Understudy

@testable import UnderstudyDefinitions

struct ServerConfig: PropertyGroup, Equatable {
  static let path = "server"
  let url: String
  let port: Int
  var proxy: String?
}

@Suite struct `Merged properties` {
  let properties: Properties

  init() throws {
    properties = try Properties([
      .json(#"{"a":{"b":1,"c":2},"list":[1,2,3],"n":255,"t":"true"}"#, named: "common.json"),
      .json("{\n \"a\": {\"b\": 5},\n \"list\": [9]}", named: "dev.json"),
    ])
  }

  @Test func `DE-31 objects are merged deeply, and every other value is replaced by the last one`()
  {
    #expect(properties["a"] == ["b": 5, "c": 2])
    #expect(properties["list"] == [9])
  }

  @Test func `DE-31 a value knows its source and the source that it replaced`() {
    #expect(properties.provenance(of: "a.b") == "`a.b` from dev.json line 2, over common.json")
    #expect(properties.provenance(of: "n") == "`n` from common.json line 1")
    #expect(properties.provenance(of: "none") == nil)
  }

  @Test func `a missing value has no provenance, in arrays too`() throws {
    let resolver = Resolver()
    resolver.install(properties)
    #expect(
      properties.provenance(of: "list[0]") == "`list[0]` from dev.json line 3, over common.json")
    #expect(
      resolver.provenance(of: "list[0]") == "`list[0]` from dev.json line 3, over common.json")
    for path in ["list[1]", "list[0].x", "n[0]"] {
      #expect(properties.provenance(of: path) == nil)
      #expect(resolver.provenance(of: path) == nil)
    }
    try withOverrides(of: resolver) {
      $0.set("list", [1, 2])
    } operation: {
      #expect(resolver.provenance(of: "list[1]") != nil)
      #expect(resolver.provenance(of: "list[2]") == nil)
      try #expect(resolver.property("list[1]", as: Int.self) == 2)
    }
  }

  @Test(arguments: [
    ("true", true), ("1", true), ("false", false), ("0", false), ("7", false),
    ("yes", nil), ("TRUE", nil), ("", nil), ("1.0", nil),
  ])
  func `DE-32 a text is read as a Boolean`(text: String, value: Bool?) {
    #expect(Bool(propertyValue: .string(text)) == value)
  }

  @Test func `DE-32 every scalar is read as text, and null is the empty text`() throws {
    let texts = ([true, 5, 1.5, "a", .null] as [PropertyValue]).map { String(propertyValue: $0) }
    #expect(texts == ["true", "5", "1.5", "a", ""])
    #expect(String(propertyValue: []) == nil)
  }

  @Test func `DE-34 a number that does not fit the type is nil`() {
    #expect(properties["n", as: Int8.self] == nil)
    #expect(properties["n", as: UInt8.self] == 255)
    #expect(properties["n", as: Double.self] == 255)
    #expect(properties["n", as: String.self] == "255")
    #expect(properties["t", as: Bool.self] == true)
    #expect(properties["list", as: Int.self] == nil)
    #expect(Int(propertyValue: 1.5) == nil)
    #expect(Int(propertyValue: 3.0) == 3)
    #expect(UInt64(propertyValue: "18446744073709551615") == .max)
    #expect(Int16(propertyValue: " 1") == nil)
    // A file has these numbers with a point or an exponent.
    let integers = ["80.0", "1e3", "-0.5e1", "+2.0"].map { Int(propertyValue: .string($0)) }
    #expect(integers == [80, 1000, -5, 2])
    #expect(Int(propertyValue: "2.5") == nil)
    #expect(UInt8(propertyValue: "256.0") == nil)
    // From 2^53 on, it is not exact.
    #expect(Int(propertyValue: 9_007_199_254_740_991.0) == 9_007_199_254_740_991)
    for value in [.number(0x1p53), .number(-0x1p53), "9007199254740992.0"] as [PropertyValue] {
      #expect(Int(propertyValue: value) == nil, "\(value)")
    }
    #expect(Int(propertyValue: "9007199254740993") == 9_007_199_254_740_993)
    #expect(Float(propertyValue: "1e39") == nil)
    #expect(Double(propertyValue: "nan") == nil)
  }

  @Test func `DE-34 a read as the wrong type is an error with its place`() throws {
    let error = #expect(throws: DefinitionError.self) {
      try properties.value("a", as: Int.self)
    }
    #expect(
      error?.description == """
        Expected 'Int', found an object.
          Property  'a'
          At        common.json:1:6
        """)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func `DE-34 integers of 128 bits are read, and one out of range is a finding`() throws {
    let properties = try Properties([
      .values(["list": [1, "2", 3.0], "n": -1, "x": "170141183460469231731687303715884105728"])
    ])
    try #expect(properties.value("list", as: [Int128].self) == [1, 2, 3])
    try #expect(properties.value("x", as: UInt128.self) == 1 << 127)
    #expect(try Properties([.json(#"{"n": 1e30}"#)])["n", as: Int128.self] == nil)
    let error = #expect(throws: DefinitionError.self) {
      try properties.validate(.property("n", as: UInt128.self), .property("x", as: Int128.self))
    }
    #expect(error?.findings.map(\.subject) == [.property("n"), .property("x")])
  }

  @Test func `arrays, optionals, dictionaries and standard types are read`() throws {
    let properties = try Properties([
      .values([
        "ints": [1, "2"], "url": "http://a.example", "map": ["a": 1], "null": .null,
        "uuid": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "date": "2026-01-31T12:00:00Z",
        "data": "AQI=",
      ])
    ])
    try #expect(properties.value("ints", as: [Int].self) == [1, 2])
    try #expect(properties.value("map", as: [String: Int].self) == ["a": 1])
    try #expect(properties.value("null", as: Int?.self) == nil)
    try #expect(properties.value("none", as: Int?.self) == nil)
    try #expect(properties.value("url", as: URL.self).host == "a.example")
    try #expect(properties.value("uuid", as: UUID.self).uuidString.hasPrefix("E621"))
    try #expect(
      properties.value("date", as: Date.self).timeIntervalSinceReferenceDate == 791_553_600)
    try #expect(properties.value("data", as: Data.self) == Data([1, 2]))
    try #expect(properties.value("ints[1]", as: Int.self) == 2)
  }

  @Test func `the environment is a source, whose keys are found in every spelling`()
    throws
  {
    let properties = try Properties([
      .json(#"{"server":{"maxSize":1,"url":"a"}}"#),
      .environment(
        prefix: "APP",
        variables: [
          "APP__SERVER__URL": "b", "APP__SERVER__MAX_SIZE": "2", "APP__NEW_ONE": "c",
          "OTHER__SERVER__URL": "x", "APP": "x", "APP____X": "x",
        ]),
    ])
    #expect(properties.paths == ["new_one", "server.maxSize", "server.url"])
    #expect(properties["server.maxSize", as: Int.self] == 2)
    #expect(
      properties.provenance(of: "server.url")
        == "`server.url` from environment variable APP__SERVER__URL, over JSON text")
  }

  @Test func `the environment sets the key of its own spelling before one of another`() throws {
    let file = #"{"max_size": 1, "maxsize": 2, "o": {"a_b": 1, "ab": 2}}"#
    func properties(_ variables: [String: String]) throws -> PropertyValue? {
      try Properties([.json(file), .environment(prefix: "A", variables: variables)])[""]
    }
    try #expect(
      properties(["A__MAXSIZE": "9", "A__O__AB": "9"])
        == ["max_size": 1, "maxsize": "9", "o": ["a_b": 1, "ab": "9"]])
    try #expect(
      properties(["A__MAX_SIZE": "9", "A__O__A_B": "9"])
        == ["max_size": "9", "maxsize": 2, "o": ["a_b": "9", "ab": 2]])
  }

  @Test func `the command line is a source`() throws {
    let properties = try Properties([
      .arguments(["run", "--a.b=1=2", "--c", "x", "--debug", "--e", "--", "--f=1"])
    ])
    #expect(properties[""] == ["a": ["b": "1=2"], "c": "x", "debug": true, "e": true])
    #expect(throws: DefinitionError.self) { try Properties([.arguments(["--a[0]=1"])]) }
  }

  @Test(
    arguments: [
      (["--=5"], "", "--="), (["--", "..=5"], nil, nil), (["--..=5"], "..", "--.."),
      (["--..", "5"], "..", "--.."), (["-- "], " ", "-- "), (["--= --.=5"], "", "--="),
    ] as [([String], String?, String?)])
  func `an argument that names no property is an error, and replaces nothing`(
    arguments: [String], path: String?, argument: String?
  ) throws {
    func read() throws -> Properties {
      try Properties([.values(["a": 1]), .arguments(["--b=2"] + arguments)])
    }
    guard let path, let argument else {
      return try #expect(read()[""] == ["a": 1, "b": "2"])
    }
    let error = #expect(throws: DefinitionError.self) { try read() }
    #expect(
      error?.description == """
        The path is malformed: it has no key, and the whole tree is an object.
          Property  '\(path)'
          At        argument \(argument)
        """)
  }

  @Test func `DE-36 a group is decoded, and an optional of it may be missing`() throws {
    let properties = try Properties([.values(["server": ["url": "a", "port": "80"]])])
    try #expect(
      properties.value("server", as: ServerConfig.self) == ServerConfig(url: "a", port: 80))
  }

  @Test func `DE-36 DE-37 every missing property is found at once, with its path`() throws {
    let properties = try Properties([
      .json("{\n\"server\": {\"prt\": 1, \"proxy\": []},\n\"n\": \"x\"}", named: "app.json")
    ])
    let error = #expect(throws: DefinitionError.self) {
      try properties.validate(
        .group(ServerConfig.self), .property("n", as: Int.self),
        .property("logger.storage", as: String.self), .property("absent", as: Int?.self))
    }
    #expect(
      error?.description == """
        5 findings:
        A required property of type 'String' is missing.
          Property   'server.url'
          Consulted  app.json
          At         app.json:2:11
        A required property of type 'Int' is missing.
          Property   'server.port'
          Consulted  app.json
          At         app.json:2:11
        Did you mean 'server.prt'?
        Expected 'String', found an array.
          Property  'server.proxy'
          At        app.json:2:31
        Expected 'Int', found a string.
          Property  'n'
          At        app.json:3:6
        A required property of type 'String' is missing.
          Property   'logger.storage'
          Consulted  app.json
        """)
  }

  @Test func `a secret can be read, and is never printed`() throws {
    let hidden = "hunter2"
    let properties = try Properties(
      [
        .values([
          "db": ["password": .string(hidden), "user": "u"],
          "hosts": ["a": ["url": .string(hidden)]],
          "deep": ["password": ["x": .string(hidden)]],
        ])
      ], secrets: ["password", "hosts.*.url"])
    try #expect(properties.value("db.password", as: String.self) == hidden)
    try #expect(
      properties.value("hosts", as: [String: [String: String]].self) == ["a": ["url": hidden]])
    var dumped = ""
    dump(properties, to: &dumped)
    dump(properties[""], to: &dumped)
    let error = #expect(throws: DefinitionError.self) {
      try properties.value("db.password", as: Int.self)
    }
    let prints = [
      properties.description, "\(properties)", dumped, "\(properties[""] ?? .null)",
      String(reflecting: properties["db"]), "\(error as Any)",
    ]
    #expect(prints.allSatisfy { !$0.contains(hidden) })
    #expect(properties.description.contains("db.password = <secret>"))
    #expect(error?.description.contains("a secret") == true)
  }

  @Test func `a secret stays secret in every spelling of its keys`() throws {
    let properties = try Properties(
      [
        .environment(
          prefix: "APP",
          variables: [
            "APP__API_KEY": "hunter1", "APP__DATA_BASES__MAIN__PASS_WORD": "hunter2",
            "APP__PORT": "80",
          ])
      ], secrets: ["apiKey", "dataBases.*.passWord"])
    #expect(!properties.description.contains("hunter"))
    #expect(properties.description.contains("api_key = <secret>"))
    #expect(properties.description.contains("data_bases.main.pass_word = <secret>"))
    #expect(properties.description.contains("port = \"80\""))
  }

  @Test func `a later source's value in the place of a secret, or inside one, is secret`() throws {
    let properties = try Properties([
      .values(["db": .secret(["password": "hunter1"]), "key": .secret("hunter1"), "n": 1]),
      .values(["db": ["password": "hunter2", "user": "hunter3"], "key": ["x": "hunter4"]]),
    ])
    try #expect(properties.value("db.password", as: String.self) == "hunter2")
    #expect(!properties.description.contains("hunter"))
    #expect(properties.description.contains("db.user = <secret>"))
    #expect(properties.description.contains("key.x = <secret>"))
    #expect(properties.description.contains("n = 1"))
  }

  private enum Level: String, PropertyScalar {
    case low

    init?(propertyValue: PropertyValue) {
      guard case .string(let text) = propertyValue else { return nil }
      self.init(rawValue: text)
    }
  }

  @Test func `a secret is read as a type of one's own`() throws {
    let properties = try Properties([.values(["auth": ["level": "low"]])], secrets: ["level"])
    try #expect(properties.value("auth.level", as: Level.self) == .low)
    #expect(properties["auth.level", as: Level.self] == .low)
    let resolver = Resolver()
    resolver.install(properties)
    try #expect(resolver.property("auth.level", as: Level.self) == .low)
  }
}
