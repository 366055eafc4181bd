// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

struct Kept: Sendable {
  let id: Int
  let argument: Int
}

/// The behaviour of Guise 9.1 for registering, resolving and unregistering.
@Suite struct `Coming from Guise` {
  let resolver = Resolver()
  let counter = CallCounter()

  private func ids(_ lifecycles: Lifecycle...) throws -> [Int] {
    try lifecycles.map { try resolver.resolve(Prop.self, lifecycle: $0).id }
  }

  @Test func `G9-30 four ways to name the type have one answer`() throws {
    let key = resolver.register(lifecycle: .cached) { [counter] in Prop(counter.next()) }
    let stated = try resolver.resolve(Prop.self)
    let inferred: Prop = try resolver.resolve()
    let cast = try resolver.resolve() as Prop
    let optional = try resolver.resolve() as Prop?
    let byKey = try resolver.resolve(key)
    #expect([inferred, cast, optional, byKey].allSatisfy { $0 === stated })
    #expect(counter.value == 1)
  }

  @Test func `G9-31 an optional is nil when nothing is registered, or the weak object is gone`()
    throws
  {
    #expect(try resolver.resolve(Prop?.self) == nil)
    var held: Prop? = Prop(1)
    try resolver.register(weak: #require(held))
    #expect(try resolver.resolve(Prop?.self)?.id == 1)
    held = nil
    #expect(try resolver.resolve(Prop?.self) == nil)
  }

  @Test func `G9-32 a request can have a cached value created again, and the instance stays`()
    throws
  {
    resolver.register(lifecycle: .cached) { [counter] in Prop(counter.next()) }
    #expect(try ids(.cached, .cached, .cached) == [1, 1, 1])
    #expect(try ids(.notCached, .cached) == [2, 1])
  }

  @Test func `G9-32 a block that is not cached stores nothing in any request`() throws {
    resolver.register { [counter] in Prop(counter.next()) }
    #expect(try ids(.cached, .notCached, .cached) == [1, 2, 3])
  }

  @Test func `G9-32 an instance is always cached, and a factory never`() throws {
    let counter = counter
    resolver.register(instance: Prop(counter.next()))
    #expect(try ids(.cached, .notCached, .cached) == [1, 1, 1])
    resolver.register(factory: Prop(counter.next()))
    #expect(try ids(.cached, .notCached, .cached) == [2, 3, 4])
  }

  @Test func `G9-33 the first argument creates the cached value`() throws {
    resolver.register(lifecycle: .cached) { [counter] (argument: Int) in
      Kept(id: counter.next(), argument: argument)
    }
    func argument(_ argument: Int, _ lifecycle: Lifecycle = .cached) throws -> Int {
      try resolver.resolve(Kept.self, with: argument, lifecycle: lifecycle).argument
    }
    #expect(try [argument(1), argument(2)] == [1, 1])
    #expect(try [argument(3, .notCached), argument(4)] == [3, 1])
  }

  @Test
  func `G9-35 the needs of an initialiser are resolved when it runs, in any order of registration`()
    throws
  {
    let resolver = resolver
    resolver.register(
      instance: Partner("api", try resolver.resolve(named: "database")), named: "api")
    resolver.register(named: "database", lifecycle: .cached) { Partner("database") }
    let api = try resolver.resolve(Partner.self, named: "api")
    #expect(try resolver.resolve(Partner.self, named: "database") === api.next)
  }

  @Test func `G9-36 nothing runs at registration, besides a value`() throws {
    let counter = counter
    resolver.register(named: 1) { Prop(counter.next()) }
    resolver.register(factory: Prop(counter.next()), named: 2)
    resolver.register(instance: Prop(counter.next()), named: 3)
    resolver.register(named: 4, lifecycle: .cached) { (id: Int) in Prop(counter.next() + id) }
    #expect(counter.value == 0)
    resolver.register(Prop(counter.next()), named: 5)
    #expect(counter.value == 1)
  }

  @Test func `G9-37 a hundred threads get one instance while others register`() throws {
    let (resolver, counter) = (resolver, counter)
    resolver.register(1.5)
    resolver.register(lifecycle: .cached) { r in
      _ = try r.resolve(Double.self)
      return Prop(counter.next())
    }
    let props = try Threads.run(100) { index in
      resolver.register(index, named: index)
      return try resolver.resolve(Prop.self)
    }
    let first = try props[0].get()
    #expect(props.allSatisfy { $0.success === first })
    #expect(counter.value == 1)
    #expect(resolver.filter(Int.self).count == 100)
  }

  @Test func `G9-38 a registration that needs itself is an error that names the path`() {
    resolver.register(lifecycle: .cached) { r in [try r.resolve(Prop.self)] }
    let line = #line + 1
    resolver.register(lifecycle: .cached) { r in try r.resolve([Prop].self)[0] }
    let error = resolutionError { try resolver.resolve(Prop.self) }
    #expect(
      error?.description == """
        Creating 'Prop' needs 'Prop' itself.
          Requested by  [Prop]
          Path          Prop → [Prop] → Prop
          At            UnderstudyTests/GuiseTests.swift:\(line - 2)
          Registered    UnderstudyTests/GuiseTests.swift:\(line)
        To fix, do one of these:
          • Ask for one of them later:  @LazyInject
          • Move the shared part into a third registration.
        """)
  }

  @Test func `G9-50 a key is unregistered once`() {
    let key = resolver.register(1)
    #expect(resolver.unregister(key))
    #expect(!resolver.unregister(key))
    #expect(!resolver.contains(key))
  }

  @Test func `G9-51 keys are unregistered from any sequence, and counted`() {
    let keys = (1...3).map { resolver.register($0, named: $0) }
    let text = resolver.register("text")
    let erased: Set = [AnyKey(text), AnyKey(keys[2]), AnyKey(type: Double.self)]
    #expect(resolver.unregister(keys.prefix(2)) == 2)
    #expect(resolver.unregister(erased) == 2)
    #expect(resolver.keys.isEmpty)
  }

  @Test(
    arguments: [
      (.registrations, 2, 0), (.injections, 0, 1), (.all, 2, 1),
      ([.registrations, .injections], 2, 1),
    ] as [(Resolver.Contents, Int, Int)])
  func `G9-54 registrations, injections or both are cleared, and counted`(
    contents: Resolver.Contents, registrations: Int, injections: Int
  ) {
    resolver.register(1)
    resolver.register("text", in: Group.plugins)
    resolver.into(Panel.self).inject(\.level).register()
    #expect(
      resolver.reset(contents)
        == Resolver.Removed(registrations: registrations, injections: injections))
    #expect(resolver.keys.count == 2 - registrations)
    #expect(resolver.injectables.count == 1 - injections)
  }
}
