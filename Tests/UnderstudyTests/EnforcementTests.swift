// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyTesting

private let file = "UnderstudyTests/EnforcementTests.swift"

private struct Orchestra: Sendable {
  let numbers: [Int]

  final class Conductor: Sendable {}
}

private func unknown(_ layer: String, line: Int, type: String = "'Int'", besides: String? = nil)
  -> Caught
{
  let off = ".check(.unknownKey, .off)"
  let option = besides.map { "[\($0), \(off)]" } ?? off
  return .error(
    """
    The override of \(type) overrides nothing: production does not know the key.
      Overridden  \(file):\(line)
      Layer       '\(layer)'
    To fix, do one of these:
      • Override a key that production registers.
      • Allow it:  leave out 'enforce: true', or withOverrides(\(option)) { … } operation: { … }
    """, line: line, file: file)
}

/// A resolver with a named number, and a sum of all numbers.
private func makeResolver() -> Resolver {
  let resolver = Resolver()
  resolver.register { RealPostman() as any Postman }
  resolver.register(1, named: "first")
  resolver.register { r in Orchestra(numbers: try r.resolve()) }
  return resolver
}

/// Overrides of keys that production does not know, in a layer that forbids them.
@Suite struct `Enforcement` {
  private static let unused = ".check(.unusedOverride, .off)"

  @Test func `an enforced override of a key that production does not know is an error`()
    async throws
  {
    try await expect(issues: [unknown("enforced", line: 191)]) {
      let resolver = makeResolver()
      try withOverrides(of: resolver, named: "enforced", enforce: true) {
        $0.register(Int.self, line: 191) { 1 }
        $0.register((any Postman).self, line: 192) { PostmanDouble() }
        $0.override(\.postman, line: 193) { PostmanDouble() }
      } operation: {
        _ = try resolver.resolve(Int.self)
        _ = try resolver.resolve((any Postman).self)
        _ = resolver.resolve(\.postman)
      }
    }
  }

  @Test func `an enforced override of an aliased type is known if the alias is`() async throws {
    let issues = [
      unknown("enforced", line: 194, type: "'String'"),
      unknown("enforced", line: 195, type: "'any CustomStringConvertible'"),
    ]
    try await expect(issues: issues) {
      let resolver = makeResolver()
      try withOverrides(of: resolver, named: "enforced", enforce: true) {
        $0.register(as: (any Postman).self, lifecycle: .cached) { _ in PostmanDouble() }
        $0.alias(
          $0.register(String.self, line: 194) { "" }, as: (any CustomStringConvertible).self,
          line: 195)
      } operation: {
        _ = try resolver.resolve((any Postman).self)
        _ = try resolver.resolve((any CustomStringConvertible).self)
      }
    }
  }

  @Test func `an enforced override of a key that only a child registers is valid`() async throws {
    try await expect(issues: []) {
      let resolver = Resolver()
      let child = Resolver(parent: Resolver(parent: resolver))
      child.register { RealPostman() as any Postman }
      try withOverrides(of: resolver, enforce: true) {
        $0.register { PostmanDouble() as any Postman }
      } operation: {
        try #expect(child.resolve((any Postman).self).name == "double")
      }
    }
  }

  @Test func `an enforced override of a key that an outer layer knows is valid`() async throws {
    try await expect(issues: []) {
      let resolver = makeResolver()
      try withOverrides(of: resolver) {
        $0.register { 1 }
      } operation: {
        _ = try resolver.resolve(Int.self)
        try withOverrides(of: resolver) {
          $0.register { "between" }
        } operation: {
          _ = try resolver.resolve(String.self)
          try withOverrides(of: resolver, enforce: true) {
            $0.register { 2 }
          } operation: {
            _ = try resolver.resolve(Int.self)
          }
        }
      }
    }
  }

  @Test func `a type that an outer layer knows by a declared dependency is known`() async throws {
    try await expect(issues: []) {
      let resolver = Resolver()
      try withOverrides(of: resolver) {
        $0.override(\.postman) { PostmanDouble() }
      } operation: {
        #expect(resolver.resolve(\.postman).name == "double")
        try withOverrides(of: resolver, enforce: true) {
          $0.register { PostOffice() as any Postman }
        } operation: {
          try #expect(resolver.resolve((any Postman).self).name == "office")
        }
      }
    }
  }

  @Test func `an enforced override that answers a declared dependency overrides it`()
    async throws
  {
    try await expect(issues: []) {
      let resolver = Resolver()
      withOverrides(of: resolver, enforce: true) {
        $0.register { PostmanDouble() as any Postman }
      } operation: {
        #expect(resolver.resolve(\.postman).name == "double")
      }
      withOverrides(of: resolver, enforce: true) {
        $0.decorate((any Postman).self) { $0 }
      } operation: {
        #expect(resolver.resolve(\.postman).name == "production")
      }
    }
  }

  @Test func `an enforced override that is an element of an array overrides that`() async throws {
    try await expect(issues: []) {
      let resolver = makeResolver()
      try await withOverrides(of: resolver, enforce: true) {
        $0.register(2, named: "second")
        $0.register(named: "third") { 3 }
        $0.register("only", named: "one")
      } operation: {
        try #expect(resolver.resolve(Orchestra.self).numbers == [1, 2, 3])
        try await #expect(resolver.resolveAsync([String].self) == ["only"])
      }
    }
  }

  @Test func `an enforced override that answers an optional request overrides that`() async throws {
    try await expect(issues: []) {
      let resolver = makeResolver()
      try await withOverrides(of: resolver, enforce: true) {
        $0.register("there")
        $0.register { true as Bool? }
        $0.register([2.5])
      } operation: {
        try await #expect(resolver.resolveAsync(String?.self) == "there")
        try #expect(resolver.resolve(Bool?.self) == true)
        try #expect(resolver.resolve([Double].self) == [2.5])
      }
    }
  }

  @Test func `an enforced override of an array of known elements is valid`() async throws {
    try await expect(issues: []) {
      withOverrides(.check(.unusedOverride, .off), of: makeResolver(), enforce: true) {
        $0.register([2, 3])
        $0.register { [PostmanDouble()] as [any Postman]? }
        $0.register { nil as (any Postman)? }
      } operation: {
      }
    }
  }

  @Test func `an enforced override of an unknown name is an error, even for a known type`()
    async throws
  {
    try await expect(issues: [
      unknown("misspelled", line: 194, type: "'Int' named \"frist\"", besides: Self.unused),
      unknown("misspelled", line: 195, type: "'Int?' named \"frist\"", besides: Self.unused),
    ]) {
      let resolver = makeResolver()
      try withOverrides(
        .check(.unusedOverride, .off), of: resolver, named: "misspelled", enforce: true
      ) {
        $0.register(2, named: "frist", line: 194)
        $0.register(Int?.self, named: "frist", line: 195) { 3 }
      } operation: {
        try #expect(resolver.resolve(Int.self, named: "frist") == 2)
      }
    }
  }

  @Test func `an enforced override without a request is valid if its key is registered`()
    async throws
  {
    let issue = unknown("idle", line: 196, type: "'any Postman'", besides: Self.unused)
    try await expect(issues: [issue]) {
      withOverrides(
        .check(.unusedOverride, .off), of: Resolver(), named: "idle", enforce: true
      ) {
        $0.register((any Postman).self, line: 196) { PostmanDouble() }
      } operation: {
      }
    }
  }

  enum Reader: CaseIterable {
    case weak
    case weakLazy
    case keys
    case optional

    func reads(_ resolver: Resolver) throws -> Bool {
      try withResolver(resolver) {
        switch self {
        case .weak: WeakInject<Orchestra.Conductor>().wrappedValue != nil
        case .weakLazy: WeakLazyInject<Orchestra.Conductor>().wrappedValue != nil
        case .keys: InjectAll([Key<Orchestra.Conductor>()]).wrappedValue.count == 1
        case .optional: try resolver.resolve(Orchestra.Conductor?.self) != nil
        }
      }
    }
  }

  @Test(arguments: Reader.allCases)
  func `an enforced override is valid if its reader needs no value`(reader: Reader) async throws {
    try await expect(issues: []) {
      let resolver = Resolver()
      let conductor = Orchestra.Conductor()
      try withOverrides(of: resolver, enforce: true) {
        $0.register(conductor)
      } operation: {
        try #expect(reader.reads(resolver))
      }
    }
  }
}
