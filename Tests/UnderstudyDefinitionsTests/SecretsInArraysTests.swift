// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

@testable import UnderstudyDefinitions

private let json = """
  {"databases": [{"host": "a", "password": "hunter1"}, {"host": "b", "PASS_WORD": "hunter2"}],
   "nested": [[{"x": {"password": ["hunter3"]}}]], "plain": [1]}
  """

private struct Database: Decodable, Sendable {
  let host: String
  let password: Int
}

/// Refuses its value with an error that contains the value.
private struct Pin: Decodable, Sendable {
  init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    throw DecodingError.dataCorrupted(
      .init(codingPath: decoder.codingPath, debugDescription: "\(text) is no PIN"))
  }
}

private struct Safe: Decodable, Sendable {
  let password: Pin
}

@Suite struct `Secrets in arrays` {
  let properties: Properties

  init() throws {
    properties = try Properties([.json(json, named: "app.json")], secrets: ["password"])
  }

  @Test func `are hidden by name at any depth, and read like other values`() throws {
    #expect(
      properties.description == """
        databases = [{"host": "a", "password": <secret>}, {"PASS_WORD": <secret>, "host": "b"}]  \
        (app.json line 1)
        nested = [[{"x": {"password": <secret>}}]]  (app.json line 2)
        plain = [1]  (app.json line 2)
        """)
    try #expect(properties.value("databases[0].password", as: String.self) == "hunter1")
    try #expect(properties.value("nested[0][0].x.password[0]", as: String.self) == "hunter3")
    try #expect(
      properties.value("databases", as: [[String: String]].self).last
        == ["host": "b", "PASS_WORD": "hunter2"])
  }

  @Test(arguments: [
    ("databases.*.password", ["hunter1", "hunter2"]),
    ("databases[*].passWord", ["hunter1", "hunter2"]),
    ("databases[0].password", ["hunter1"]), ("databases[1]['password']", ["hunter2"]),
    ("databases[1]", ["hunter2"]), ("nested.*.*.x", ["hunter3"]), ("nested[0]", ["hunter3"]),
    ("databases.password", []), ("databases[2].password", []), ("plain[0].password", []),
  ])
  func `are hidden by a path with an index, or with a star for an index`(
    secret: String, hidden: [String]
  ) throws {
    let properties = try Properties([.json(json)], secrets: [secret])
    let texts = ["hunter1", "hunter2", "hunter3"]
    #expect(texts.filter { !properties.description.contains($0) } == hidden)
    #expect(texts.filter { !"\(properties[""] ?? .null)".contains($0) } == hidden)
  }

  @Test func `are in no dump, no error and no finding`() throws {
    var dumped = ""
    dump(properties, to: &dumped)
    dump(properties["databases"], to: &dumped)
    dump(properties["nested[0]"], to: &dumped)
    let properties = properties
    let errors = [
      #expect(throws: DefinitionError.self) {
        try properties.value("databases[0].password", as: Int.self)
      },
      #expect(throws: DefinitionError.self) { try properties.value("databases", as: [Safe].self) },
      #expect(throws: DefinitionError.self) {
        try properties.validate(
          .property("databases", as: [Database].self), .property("databases", as: [Safe].self),
          .property("nested[0][0].x.password", as: Int.self))
      },
    ]
    let found = errors.map { error in
      error?.findings.map { finding in
        if case .wrongType(_, let found) = finding.problem { found } else { "nothing" }
      }
    }
    #expect(
      found == [
        ["a secret"], ["another value"], ["a secret", "nothing", "another value", "a secret"],
      ])
    let prints =
      [
        dumped, "\(errors)", String(reflecting: errors),
        String(reflecting: properties["databases"]),
      ]
    #expect(prints.allSatisfy { !$0.contains("hunter") })
    for error in errors { #expect(error.map { "\($0)".contains("hunter") } == false) }
  }

  @Test func `stay secret when a source replaces the array, whatever stands between`() throws {
    let properties = try Properties([
      .values(["a": [["password": .secret("hunter1"), "host": "a"]]]), .values(["a": .null]),
      .values(["a": [["host": "b"], ["password": "hunter2", "host": "c"]]]),
      .values(["a": ["main": ["password": "hunter3", "host": "d"]]]),
    ])
    #expect(properties[""]?.description == #"{"a": {"main": {"host": "d", "password": <secret>}}}"#)
  }
}

@Suite struct `Installed secrets in arrays` {
  let resolver = Resolver()

  init() throws {
    resolver.install(
      try Properties([.json(json)], secrets: ["password"]))
  }

  /// The printed form of a property.
  private func text(_ path: String) throws -> String {
    try resolver.resolve(Key<PropertyValue>(named: path)).description
  }

  private let hidden = #"[{"host": "c", "password": <secret>}]"#
  private let replacement: PropertyValue = [["host": "c", "password": "hunter4"]]

  @Test func `stay secret when the array is set, and when it is installed again`() throws {
    try resolver.set("databases", replacement)
    try #expect(text("databases") == hidden)
    try #expect(resolver.property("databases[0].password") == "hunter4")
    resolver.install(try Properties([.values(["nested": [[["x": ["password": "hunter4"]]]]])]))
    try #expect(!text("").contains("hunter"))
    try resolver.set("databases", ["main": ["password": "hunter5"]])
    try #expect(!text("").contains("hunter"))
  }

  @Test func `stay secret on a layer, and so do values that the layer declares secret`() throws {
    try withOverrides(of: resolver) {
      $0.set("databases", replacement)
      $0.set("plain", [["key": .secret("hunter5"), "x": 1]])
    } operation: {
      try #expect(text("databases") == hidden)
      try #expect(text("plain") == #"[{"key": <secret>, "x": 1}]"#)
      try withOverrides(of: resolver) {
        $0.set("databases", ["main": ["password": "hunter6"]])
        $0.set("plain", [["key": "hunter6", "x": 2]])
      } operation: {
        try #expect(text("plain") == #"[{"key": <secret>, "x": 2}]"#)
        try #expect(!text("").contains("hunter"))
      }
    }
    try #expect(text("plain") == "[1]")
  }

  @Test func `are secret once they are declared secret, even if they were set before`()
    throws
  {
    try resolver.set("late", [["password": "hunter1"]])
    resolver.install(
      try Properties([.values(["late": [["password": "hunter2"]]])], secrets: ["password"]))
    try #expect(resolver.property("late[0].password") == "hunter1")
    try #expect(text("late") == #"[{"password": <secret>}]"#)
  }

  @Test func `are not in anything that a registration prints, and neither are other secrets`()
    throws
  {
    resolver.install(try Properties([.values(["key": "hunter1"])], secrets: ["key"]))
    for (path, value) in [("key", "hunter2"), ("databases", replacement)]
      as [(String, PropertyValue)]
    {
      try resolver.set(path, value)
      let registration = try #require(
        resolver.registration(for: AnyKey(type: PropertyValue.self, named: path)))
      _ = try text(path)
      var dumped = ""
      dump(registration, to: &dumped)
      dump(registration.metadata, to: &dumped)
      #expect(!"\(dumped) \(registration) \(registration.metadata)".contains("hunter"))
      #expect(!String(reflecting: registration.metadata).contains("hunter"))
    }
  }

  @Test func `are not in a dump of the resolver, nor in an error about a wrong type`() throws {
    try resolver.set("databases", replacement)
    var dumped = ""
    dump(resolver, to: &dumped)
    dump(resolver.graph, to: &dumped)
    #expect(!dumped.contains("hunter"))
    let resolver = resolver
    let error = #expect(throws: DefinitionError.self) {
      try resolver.property("databases", as: [Database].self)
    }
    #expect(
      error?.description.hasPrefix(
        """
        Expected 'Int', found a secret.
          Property  'databases[0].password'
        """) == true)
  }
}
