// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

enum Login: Scope {}
enum Staging: Qualifier {}

/// The behaviour of Blade for registering and resolving.
@Suite struct `Coming from Blade` {
  let resolver = Resolver()
  let counter = CallCounter()

  @Test func `BL-01 a provider is registered for any type, inferred or explicit`() throws {
    resolver.register { 1 }
    resolver.register { Form(level: 2) }
    resolver.register(Prop.self) { Prop(3) }
    #expect(try resolver.resolve(Int.self) == 1)
    #expect(try resolver.resolve(Form.self).level == 2)
    #expect(try resolver.resolve(Prop.self).id == 3)
  }

  @Test func `BL-02 a provider is called for every resolution and every injection`() throws {
    resolver.register { [counter] in Prop(counter.next()) }
    #expect(try resolver.resolve(Prop.self).id == 1)
    withResolver(resolver) { #expect(Inject<Prop>().wrappedValue.id == 2) }
    #expect(try resolver.resolve(Prop.self).id == 3)
  }

  @Test func `BL-03 the last provider of a key wins, and the earlier one is not called`() throws {
    resolver.register(scopedTo: Signup.self) { [counter] in Prop(counter.next()) }
    resolver.register(scopedTo: Signup.self) { Prop(9) }
    #expect(try resolver.resolve(Prop.self, scopedTo: Signup.self).id == 9)
    #expect(counter.value == 0)
  }

  @Test func `BL-06 a lookup is exact: no scope or qualifier falls back to less`() throws {
    func find() throws -> [Int?] {
      [
        try resolver.resolve(Prop?.self)?.id,
        try resolver.resolve(Prop?.self, scopedTo: Signup.self)?.id,
        try resolver.resolve(Prop?.self, qualifiedBy: Sandbox.self)?.id,
        try resolver.resolve(Prop?.self, scopedTo: Signup.self, qualifiedBy: Sandbox.self)?.id,
      ]
    }
    #expect(try find() == [nil, nil, nil, nil])
    resolver.register { Prop(1) }
    #expect(try find() == [1, nil, nil, nil])
    resolver.unregister(Prop.self)
    resolver.register(scopedTo: Signup.self) { Prop(2) }
    #expect(try find() == [nil, 2, nil, nil])
    resolver.unregister(Prop.self)
    resolver.register(qualifiedBy: Sandbox.self) { Prop(3) }
    #expect(try find() == [nil, nil, 3, nil])
    resolver.unregister(Prop.self)
    resolver.register(scopedTo: Signup.self, qualifiedBy: Sandbox.self) { Prop(4) }
    #expect(try find() == [nil, nil, nil, 4])
  }

  @Test func `BL-07 another scope is another key`() throws {
    resolver.register(scopedTo: Signup.self) { Prop(1) }
    #expect(try resolver.resolve(Prop?.self, scopedTo: Login.self) == nil)
  }

  @Test func `BL-08 a provider of a retained object keeps returning it`() throws {
    let held = Prop(1)
    resolver.register(scopedTo: Signup.self) { held }
    for _ in 1...2 { #expect(try resolver.resolve(Prop.self, scopedTo: Signup.self) === held) }
  }

  @Test func `BL-09 an object is shared in a scope as a class-bound protocol, too`() throws {
    resolver.register(scopedTo: Signup.self) { Database() as any Store }
    let store = try resolver.resolve((any Store).self, scopedTo: Signup.self)
    #expect(try resolver.resolve((any Store).self, scopedTo: Signup.self) === store)
  }

  @Test(arguments: ["a block", "a block and then", "an asynchronous block", "the main actor"])
  func `BL-09 a scope of a value type is an error with an explanation`(form: String) async throws {
    let line = #line + 3
    switch form {
    case "a block":
      resolver.register(scopedTo: Signup.self, line: line) { 5 }
    case "a block and then":
      resolver.register(scopedTo: Signup.self, line: line) {
        5
      } then: { _, _ in
      }
    case "an asynchronous block":
      resolver.register(scopedTo: Signup.self, line: line) { () async in 5 }
    default:
      resolver.register(scopedTo: Signup.self, line: line) { @MainActor in 5 }
    }
    let resolver = resolver
    var text = ""
    do throws(ResolutionError) {
      _ = try await resolver.resolveAsync(Int.self, scopedTo: Signup.self, line: 99)
    } catch {
      text = error.description
    }
    #expect(
      text == """
        'Int' named Signup was registered 'scopedTo:', but a value type cannot be shared by its owners.
          At          UnderstudyTests/BladeTests.swift:99
          Registered  UnderstudyTests/BladeTests.swift:\(line)
        To fix, do one of these:
          • Share an object: make 'Int' a class.
          • Keep the value without a scope:  resolver.register(lifecycle: .cached) { … as Int }, \
        and resolver.resolve(Int.self)
        """)
  }

  @Test func `BL-10 registering a scope again forgets an object that is still retained`() throws {
    resolver.register(scopedTo: Signup.self) { Prop(1) }
    let old = try resolver.resolve(Prop.self, scopedTo: Signup.self)
    resolver.register(scopedTo: Signup.self) { Prop(2) }
    let new = try resolver.resolve(Prop.self, scopedTo: Signup.self)
    #expect([old.id, new.id] == [1, 2])
  }

  @Test func `BL-11 qualified providers are independent, and an unknown qualifier is missing`()
    throws
  {
    resolver.register { Prop(1) }
    resolver.register(qualifiedBy: Sandbox.self) { Prop(2) }
    #expect(try resolver.resolve(Prop.self).id == 1)
    #expect(try resolver.resolve(Prop.self, qualifiedBy: Sandbox.self).id == 2)
    #expect(try resolver.resolve(Prop?.self, qualifiedBy: Staging.self) == nil)
  }

  @Test func `BL-12 scopes and qualifiers make a grid of distinct keys`() throws {
    var keys: [Key<Prop>] = []
    for scope in [Signup.self, Login.self] as [any Scope.Type] {
      for qualifier in [Sandbox.self, Staging.self] as [any Qualifier.Type] {
        keys.append(
          resolver.register(scopedTo: scope, qualifiedBy: qualifier) { [counter] in
            Prop(counter.next())
          })
      }
    }
    let held = try keys.map { try resolver.resolve($0) }
    #expect(held.map(\.id) == [1, 2, 3, 4])
    // A scope shares an instance only while it is retained.
    try withExtendedLifetime(held) {
      let again = try keys.map { try resolver.resolve($0).id }
      #expect(again == [1, 2, 3, 4])
    }
  }
}
