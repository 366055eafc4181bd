// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

@testable import UnderstudyDefinitions

/// An object deep in the tree is made without a resolution of its own, and behaves as any other.
@Suite struct `A deep object` {
  private final class Meter: Sendable {
    let text: String

    init(_ value: PropertyValue) { text = "\(value)" }
  }

  private static func path(_ depth: Int) -> String {
    Array(repeating: "a", count: depth).joined(separator: ".")
  }

  /// A tree of 24 objects, and a cached instance that was created from it.
  private func resolver() throws -> Resolver {
    let resolver = Resolver()
    let tree = (0..<24).reduce(PropertyValue.integer(1)) { inner, _ in ["a": inner] }
    guard case .object(let members) = tree else { return resolver }
    resolver.install(try Properties([.values(members)]))
    resolver.register(lifecycle: .cached) { r in try Meter(r.resolve(named: "a")) }
    try #expect(resolver.resolve(Meter.self).text.contains("{\"a\": 1}"))
    return resolver
  }

  @Test(arguments: [15, 17, 20, 23])
  func `is decorated in a layer, also for an instance that is cached outside`(depth: Int) throws {
    let resolver = try resolver()
    try withOverrides(of: resolver) {
      $0.decorate(PropertyValue.self, named: Self.path(depth)) { _ in "decorated" }
    } operation: {
      try #expect(resolver.resolve(Meter.self).text.contains("decorated"))
    }
    try #expect(resolver.resolve(Meter.self).text.contains("{\"a\": 1}"))
  }

  @Test(arguments: [15, 17, 20, 23])
  func `is extended`(depth: Int) throws {
    let resolver = try resolver()
    #expect(resolver.extend(Key<PropertyValue>(named: Self.path(depth))) { _, _ in "extended" })
    let value: PropertyValue = try resolver.resolve(named: "a")
    #expect("\(value)".contains("extended"))
  }

  @Test(arguments: [15, 17, 20, 23])
  func `is replaced and gets members in a layer`(depth: Int) throws {
    let resolver = try resolver()
    try withOverrides(of: resolver) {
      $0.set(Self.path(depth), "replaced")
    } operation: {
      try #expect(resolver.resolve(Meter.self).text.contains("{\"a\": \"replaced\"}"))
    }
    try withOverrides(of: resolver) {
      $0.set(Self.path(depth) + ".b", 2)
    } operation: {
      try #expect(resolver.resolve(Meter.self).text.contains("\"b\": 2"))
    }
    try #expect(resolver.resolve(Meter.self).text.contains("{\"a\": 1}"))
  }
}
