// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyCompatibility

private protocol Letters: Sendable { var id: Int { get } }
private final class Post: Letters { let id: Int; init(_ id: Int) { self.id = id } }
private struct Pair: Equatable, Sendable { let text: String; let number: Int }
private enum Wing: Hashable, Sendable { case left, right }
private enum OtherWing: Hashable, Sendable { case left, right }

/// The registrations of Guise 9.1, row by row.
@Suite struct `Registering as in Guise` {
  let resolver = Resolver()
  private let counter = CallCounter()

  private func post() -> Post { Post(counter.next()) }

  @Test func `G9-01 a registered type needs no conformance`() throws {
    struct Local: Sendable { let text = "local" }
    resolver.register { 7 }
    resolver.register { "text" }
    resolver.register { Local() }
    resolver.register { (1, "tuple") }
    #expect(try resolver.resolve(Int.self) == 7)
    #expect(try resolver.resolve(String.self) == "text")
    #expect(try resolver.resolve(Local.self).text == "local")
    #expect(try resolver.resolve((Int, String).self).1 == "tuple")
  }

  @Test func `G9-02 resolvers are isolated from each other`() throws {
    resolver.register { 7 }
    #expect(try Resolver().resolve(Int?.self) == nil)
    try withResolver(resolver) {
      try #expect(Resolver.current.resolve(Int.self) == 7)
    }
  }

  @Test func `G9-03 a factory creates a value for each request, whatever its lifecycle`() throws {
    resolver.register(factory: post() as any Letters)
    let ids = try [.cached, .notCached, .cached].map { (lifecycle: Lifecycle) in
      try resolver.resolve((any Letters).self, lifecycle: lifecycle).id
    }
    #expect(ids == [1, 2, 3])
  }

  @Test func `G9-04 an instance is created at the first request, and once`() throws {
    resolver.register(instance: post() as any Letters)
    #expect(counter.value == 0)
    let ids = try [.cached, .notCached, .cached].map { (lifecycle: Lifecycle) in
      try resolver.resolve((any Letters).self, lifecycle: lifecycle).id
    }
    #expect(ids == [1, 1, 1])
  }

  @Test func `G9-05 a block has no argument or one`() throws {
    resolver.register { 5 }
    resolver.register { (x: Int) in Pair(text: "block", number: x) }
    #expect(try resolver.resolve(Int.self) == 5)
    #expect(try resolver.resolve(Pair.self, with: 3).number == 3)
  }

  @Test func `G9-06 several arguments are a tuple`() throws {
    resolver.register { (both: (a: Int, b: String)) in Pair(text: both.b, number: both.a) }
    #expect(try resolver.resolve(Pair.self, with: (a: 1, b: "b")) == Pair(text: "b", number: 1))
  }

  @Test func `G9-07 a wrong or a missing argument is an error with both types`() {
    resolver.register { (x: Int) in Pair(text: "", number: x) }
    let takes = "'Pair' takes an argument of type 'Int'"
    let wrong = #expect(throws: ResolutionError.self) {
      try resolver.resolve(Pair.self, with: "text")
    }
    #expect(wrong?.description.hasPrefix("\(takes), not 'String'.") == true)
    let missing = #expect(throws: ResolutionError.self) { try resolver.resolve(Pair.self) }
    #expect(missing?.description.hasPrefix("\(takes), and none was given.") == true)
  }

  @Test func `G9-08 a block that takes a resolver gets one, unless an argument is given`() throws {
    let other = Resolver()
    resolver.register { 1 }
    other.register { 2 }
    resolver.register { (r: Resolver) in Pair(text: "", number: try r.resolve()) }
    #expect(try resolver.resolve(Pair.self).number == 1)
    #expect(try resolver.resolve(Pair.self, with: other).number == 2)
  }

  @Test func `G9-12 the lifecycle depends on the registration and on the request`() throws {
    resolver.register(lifecycle: .cached) { post() as any Letters }
    let ids = try [.cached, .notCached, .cached].map { (lifecycle: Lifecycle) in
      try resolver.resolve((any Letters).self, lifecycle: lifecycle).id
    }
    #expect(ids == [1, 2, 1])
  }

  @Test func `G9-13 the key is the type of the expression`() throws {
    resolver.register(instance: Post(1) as any Letters)
    #expect(try resolver.resolve((any Letters).self).id == 1)
    #expect(try resolver.resolve(Post?.self) == nil)
  }

  @Test func `G9-14 the last registration of a key wins`() throws {
    let first = resolver.register(instance: Post(1) as any Letters, named: "x")
    _ = try resolver.resolve(first)
    let second = resolver.register(factory: Post(2) as any Letters, named: "x", metadata: 3)
    #expect(first == second)
    #expect(resolver.keys.count == 1)
    #expect(try resolver.resolve(first).id == 2)
  }

  @Test func `G9-15 each form returns its key, which resolves the registration`() throws {
    let keys: [Key<Post>] = [
      resolver.register(named: 1) { Post(1) }, resolver.register(factory: Post(2), named: 2),
      resolver.register(instance: Post(3), named: 3), resolver.register(Post(4), named: 4),
    ]
    #expect(try resolver.resolve(all: keys).map(\.id) == [1, 2, 3, 4])
  }

  @Test func `G9-16 an optional is a type of its own`() throws {
    resolver.register { Int?(7) }
    #expect(try resolver.resolve(Int??.self) == 7)
    #expect(throws: ResolutionError.self) { try resolver.resolve(Int.self) }
  }

  @Test func `G9-20 a name is any hashable value, and its type counts`() throws {
    resolver.register(1, named: Wing.left)
    resolver.register(2, named: OtherWing.left)
    #expect(try resolver.resolve(Int.self, named: Wing.left) == 1)
    #expect(try resolver.resolve(Int.self, named: OtherWing.left) == 2)
    #expect(try resolver.resolve(Int?.self) == nil)
  }

  @Test func `G9-21 a container is any hashable value`() throws {
    for name in [Wing.left, .right] { resolver.register(1, named: name, in: Wing.left) }
    resolver.register(2, in: OtherWing.left)
    #expect(try resolver.resolve(Int?.self, named: Wing.left) == nil)
    #expect(resolver.unregister(in: Wing.left) == 2)
    #expect(try resolver.resolve(Int.self, in: OtherWing.left) == 2)
  }

  @Test func `G9-22 a key is its type, name and container`() throws {
    let key = resolver.register(1, named: "a", in: "c", metadata: 5)
    #expect(key == Key<Int>(named: "a", in: "c"))
    #expect(Set([key, Key<Int>(named: "a", in: "c"), Key<Int>(named: "b", in: "c")]).count == 2)
    #expect(try resolver.resolve(Key<Int>(named: "a", in: "c")) == 1)
  }

  @Test func `G9-23 a key is erased, and keys of several types are in one collection`() {
    let keys: Set<AnyKey> = [AnyKey(Key<Int>()), AnyKey(Key<String>()), AnyKey(type: Int.self)]
    #expect(keys.count == 2)
  }

  @Test func `G9-24 two types with one spelling are two types`() throws {
    func registerFirst() -> ObjectIdentifier {
      struct Same: Sendable {}
      resolver.register { Same() }
      return ObjectIdentifier(Same.self)
    }
    func registerSecond() -> ObjectIdentifier {
      struct Same: Sendable {}
      resolver.register { Same() }
      return ObjectIdentifier(Same.self)
    }
    #expect(registerFirst() != registerSecond())
    #expect(resolver.keys.count == 2)
  }

  @Test func `G9-25 the properties of keys are readable`() {
    let key = resolver.register { 1 }
    resolver.register { "" }
    #expect(resolver.keys.count == 2)
    resolver.unregister(key)
    #expect(Set(resolver.keys) == [AnyKey(Key<String>())])
  }
}

/// The lifecycle table and the registrations of Guise for Swift 3, row by row.
@Suite struct `Registering as in Guise for Swift 3` {
  let resolver = Resolver()
  private let counter = CallCounter()

  /// The ids of three resolutions, with `nil` if no registration is left. The second one has a
  /// lifecycle.
  private func ids(_ registered: Lifecycle, _ requested: Lifecycle) throws -> [Int?] {
    resolver.register(lifecycle: registered) { [counter] in Post(counter.next()) }
    return try [.cached, requested, .cached].map {
      try resolver.resolve(Post?.self, lifecycle: $0)?.id
    }
  }

  @Test func `G4-01 not cached, as not cached`() throws {
    #expect(try ids(.notCached, .notCached) == [1, 2, 3])
  }

  @Test func `G4-02 not cached, as cached`() throws {
    #expect(try ids(.notCached, .cached) == [1, 2, 3])
  }

  @Test func `G4-03 not cached, as once`() throws {
    #expect(try ids(.notCached, .once) == [1, 2, nil])
  }

  @Test func `G4-04 cached, as not cached`() throws {
    #expect(try ids(.cached, .notCached) == [1, 2, 1])
  }

  @Test func `G4-05 cached, as cached`() throws {
    #expect(try ids(.cached, .cached) == [1, 1, 1])
  }

  @Test func `G4-06 cached, as once`() throws {
    #expect(try ids(.cached, .once) == [1, 1, nil])
  }

  @Test(arguments: [Lifecycle.notCached, .cached, .once])
  func `G4-07 once, as anything`(requested: Lifecycle) throws {
    #expect(try ids(.once, requested) == [1, nil, nil])
  }

  @Test func `G4-10 the type of a block is its key`() throws {
    resolver.register { Post(1) as any Letters }
    #expect(try resolver.resolve((any Letters).self).id == 1)
    #expect(try resolver.resolve(Post?.self) == nil)
  }

  @Test func `G4-11 a registration is not cached by default`() throws {
    resolver.register { [counter] in Post(counter.next()) }
    #expect(try (0..<2).map { _ in try resolver.resolve(Post.self).id } == [1, 2])
  }

  @Test func `G4-12 a value is created when it is registered`() throws {
    resolver.register(Post(counter.next()) as any Letters)
    #expect(counter.value == 1)
    #expect(try (0..<2).map { _ in try resolver.resolve((any Letters).self).id } == [1, 1])
  }

  @Test func `G4-13 a value that is registered once is removed by its resolution`() throws {
    resolver.register(42, named: "level", lifecycle: .once)
    #expect(try resolver.resolve(Int?.self, named: "level") == 42)
    #expect(try resolver.resolve(Int?.self, named: "level") == nil)
  }

  @Test func `G4-14 a value that is resolved once is removed`() throws {
    resolver.register(7)
    #expect(try resolver.resolve(Int?.self, lifecycle: .once) == 7)
    #expect(try resolver.resolve(Int?.self) == nil)
  }

  @Test func `G4-15 a registration is removed before its block runs`() throws {
    resolver.register(lifecycle: .once) { r in "\(try r.resolve(String?.self) ?? "none")" }
    #expect(try resolver.resolve(String.self) == "none")
  }

  @Test func `G4-16 a value that is registered once is given to one of many requests`() async throws
  {
    resolver.register(42, lifecycle: .once)
    let values = await withTaskGroup(of: Int?.self) { [resolver] group in
      for _ in 0..<50 { group.addTask { try? resolver.resolve(Int.self) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(values.count { $0 == 42 } == 1)
  }

  @Test func `G4-17 an argument is a tuple, or has the type of the block's parameter`() throws {
    resolver.register { (login: (name: String, level: Int)) in
      Pair(text: login.name, number: login.level)
    }
    #expect(try resolver.resolve(Pair.self, with: (name: "Ada", level: 1)).text == "Ada")
  }

  @Test func `G4-18 a name of several types is several keys`() throws {
    resolver.register(7, named: "arg")
    resolver.register("seven", named: "arg")
    resolver.register(8, named: "arg")
    #expect(try resolver.resolve(Int.self, named: "arg") == 8)
    #expect(try resolver.resolve(String.self, named: "arg") == "seven")
  }

  @Test func `G4-19 a key unregisters its registration`() throws {
    let key = resolver.register(7)
    #expect(resolver.unregister(key))
    #expect(!resolver.unregister(key))
    #expect(try resolver.resolve(Int?.self) == nil)
  }
}
