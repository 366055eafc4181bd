// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy

@testable import UnderstudyDefinitions

/// Arguments of services that refer to properties.
@Suite struct `Properties as arguments` {
  static let tree: [String: PropertyValue] = [
    "list": [1, 2], "map": ["a": 1], "nothing": .null, "hidden": .secret([1, 2]),
  ]

  static let catalogue: Catalogue = {
    var catalogue = Catalogue()
    catalogue.offer("Value", labels: ["v"]) { (value: PropertyValue) in "\(value.revealed)" }
    catalogue.offer("Values", labels: ["v"]) { (values: [PropertyValue]) in "\(values)" }
    catalogue.offer("List", labels: ["v"]) { (list: [Any]) in "\(list)" }
    catalogue.offer("Map", labels: ["v"]) { (map: [String: Any]) in "\(map)" }
    catalogue.offer("Maybe", labels: ["v"]) { (number: Int?) in number.map { "\($0)" } ?? "none" }
    catalogue.offer("Anything") { (value: Any) in "\(value)" }
    catalogue.offer("Itself") { (arguments: ServiceArguments) in "\(arguments.count)" }
    catalogue.offer("ItselfToo") { arguments in try arguments.value(at: 0, as: String.self) }
    return catalogue
  }()

  private func text(
    _ name: String, _ argument: String, ofFile isParameter: Bool
  ) throws -> String {
    let resolver = Resolver()
    let properties = isParameter ? nil : try Properties([.values(Self.tree)])
    if let properties { resolver.install(properties) }
    let parameters: ValueSource = .values(isParameter ? ["parameters": .object(Self.tree)] : [:])
    let services = "{\"services\": {\"s\": {\"class\": \"\(name)\", \"arguments\": [\(argument)]}}}"
    resolver.install(
      try Definitions(
        [parameters, .json(services, named: "s.json")], catalogue: Self.catalogue,
        properties: properties))
    return try resolver.resolve(String.self, named: "s")
  }

  @Test(
    arguments: [
      ("Value", "\"@list\"", "[1, 2]"), ("Value", "\"@map\"", "{\"a\": 1}"),
      ("Value", "\"@nothing\"", "null"), ("Value", "\"@map.a\"", "1"),
      ("Value", "[\"@list\", 3]", "[[1, 2], 3]"),
      ("Value", "{\"b\": \"@map\"}", "{\"b\": {\"a\": 1}}"),
      ("Values", "\"@list\"", "[1, 2]"), ("Values", "[\"@list\", 3]", "[[1, 2], 3]"),
      ("Values", "\"@hidden\"", "[<secret>, <secret>]"),
      ("List", "\"@list\"", "[1, 2]"), ("List", "\"@hidden\"", "[1, 2]"),
      ("Map", "\"@map\"", "[\"a\": 1]"), ("Maybe", "\"@nothing\"", "none"),
      ("Maybe", "\"@map.a\"", "1"), ("Anything", "\"@list\"", "[1, 2]"), ("Anything", "5", "5"),
      ("Itself", "1, 2", "2"), ("ItselfToo", "\"x\"", "x"),
    ], [true, false])
  func `have the property's value, from a file or from code`(
    `case`: (name: String, argument: String, text: String), ofFile: Bool
  ) throws {
    try #expect(text(`case`.name, `case`.argument, ofFile: ofFile) == `case`.text)
  }

  @Test(arguments: [
    ("Value", "\"@tag:t\"", "'PropertyValue', and here it is an array of services"),
    ("Value", "[\"@s\"]", "'PropertyValue', and here it is 'String'"),
    ("Map", "\"@list\"", "'[String: Any]', and here it is an array"),
  ])
  func `of the wrong type are found before anything is installed`(
    name: String, argument: String, found: String
  ) {
    let services = """
      {"parameters": {"list": [1]}, "services": {
        "t": {"class": "Anything", "arguments": [1], "tags": ["t"]}, "s": "@t",
        "u": {"class": "\(name)", "arguments": [\(argument)]}}}
      """
    let error = #expect(throws: DefinitionError.self) {
      try Definitions([.json(services, named: "s.json")], catalogue: Self.catalogue)
    }
    #expect(error?.findings.count == 1)
    #expect(error?.description.contains(found) == true)
  }

  @Test func `are never shortened`() throws {
    let big: PropertyValue = .unsigned(.max)
    let definitions = try Definitions(
      [.values(["services": ["s": ["class": "List", "arguments": [[big]]]]])],
      catalogue: Self.catalogue)
    let resolver = Resolver()
    resolver.install(definitions)
    try #expect(resolver.resolve(String.self, named: "s") == "[\(UInt64.max)]")
  }

  @Test(
    arguments: [
      ("Maybe", "\"@map.a\""), ("List", "\"@list\""), ("Values", "\"@list\""),
      ("Value", "\"@map\""),
    ])
  func `are an error if no properties are installed`(name: String, argument: String)
    throws
  {
    let properties = try Properties([.values(Self.tree)])
    let services = "{\"services\": {\"s\": {\"class\": \"\(name)\", \"arguments\": [\(argument)]}}}"
    let definitions = try Definitions(
      [.json(services)], catalogue: Self.catalogue, properties: properties)
    let resolver = Resolver()
    resolver.install(definitions)
    let error = #expect(throws: ResolutionError.self) {
      try resolver.resolve(String.self, named: "s")
    }
    let path = argument.filter { !"\"@".contains($0) }
    let text = try #require(error).description
    #expect(text.contains("The properties of the definitions are not installed."))
    #expect(text.contains("Property  '\(path)'"))

    // A single missing property is reported as missing.
    guard argument.contains("map") else { return }
    resolver.install(properties)
    try resolver.set("map", 1)
    let other = Result { try resolver.resolve(String.self, named: "s") }
    #expect(!"\(other)".contains("None of the properties"))
  }
}
