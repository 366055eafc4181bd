// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy

@testable import UnderstudyDefinitions

/// An optional of `Any` can contain another optional, so a value could be wrapped twice.
@Suite struct `An argument that may be null` {
  private static func text(_ value: Any?) -> String {
    guard let value else { return "nil" }
    // A second optional would be seen here.
    return value is any ExpressibleByNilLiteral ? "wrapped twice" : "\(value)"
  }

  private static let catalogue: Catalogue = {
    var catalogue = Catalogue()
    catalogue.offer("Any", labels: ["v"]) { (value: Any?) in text(value) }
    catalogue.offer("Sendable", labels: ["v"]) { (value: (any Sendable)?) in text(value) }
    catalogue.offer("Hashable", labels: ["v"]) { (value: AnyHashable?) in text(value?.base) }
    catalogue.offer("List", labels: ["v"]) { (values: [Any?]) in
      values.map(text).joined(separator: ",")
    }
    catalogue.offer("Map", labels: ["v"]) { (values: [String: Any?]) in
      values.sorted { $0.key < $1.key }.map { text($0.value) }.joined(separator: ",")
    }
    catalogue.offer("Read") { arguments in
      try text(arguments.value(at: 0, as: Any?.self)) + "," + text(arguments.value(at: 1))
    }
    return catalogue
  }()

  @Test(
    arguments: [
      ("Any", "null", "nil"), ("Any", "5", "5"), ("Any", "\"@none\"", "nil"),
      ("Any", "\"@number\"", "7"), ("Sendable", "null", "nil"), ("Sendable", "\"x\"", "x"),
      ("Hashable", "null", "nil"), ("List", "[null, 1, \"@none\"]", "nil,1,nil"),
      ("Map", "{\"a\": null, \"b\": 2, \"c\": \"@number\"}", "nil,2,7"),
      ("Read", "null", "nil,nil"),
    ])
  func `is nil for null, and the value itself otherwise`(
    name: String, argument: String, expected: String
  ) throws {
    let services = """
      {"parameters": {"none": null, "number": 7},
       "services": {"s": {"class": "\(name)", "arguments": [\(argument)]}}}
      """
    let resolver = Resolver()
    resolver.install(try Definitions([.json(services)], catalogue: Self.catalogue))
    try #expect(resolver.resolve(String.self, named: "s") == expected)
  }
}
