// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

@Suite struct `Metadata and filtering` {
  let resolver = Resolver()
  let counter = CallCounter()

  init() {
    for granularity in 1...5 {
      resolver.register(
        (any Plugin).self, named: granularity, in: Group.plugins,
        metadata: Grain(granularity: granularity)
      ) { [counter] in
        _ = counter.next()
        return ToolPlugin(id: granularity)
      }
    }
    resolver.register(
      (any Plugin).self, named: "other", in: Group.plugins, metadata: "coarse"
    ) { ToolPlugin(id: 99) }
    resolver.register(7, in: Group.plugins)
    resolver.register((any Plugin).self) { ToolPlugin(id: 0) }
  }

  @Test func `G9-40 metadata is read without creating an instance`() {
    let key = Key<any Plugin>(named: 3, in: Group.plugins)
    #expect(resolver.metadata(of: key) == Grain(granularity: 3))
    #expect(resolver.metadata(of: AnyKey(key), as: Grain.self) == Grain(granularity: 3))
    #expect(resolver.registration(for: key.erasedForTests)?.metadata as? Grain != nil)
    #expect(counter.value == 0)
  }

  @Test func `G9-41 metadata of another type or of an unknown key is nil`() {
    #expect(
      resolver.metadata(of: Key<any Plugin>(named: 3, in: Group.plugins), as: String.self) == nil)
    #expect(resolver.metadata(of: Key<Int>(named: 3), as: Grain.self) == nil)
    #expect(resolver.metadata(of: Key<any Plugin>(), as: Void.self) != nil)
  }

  @Test func `G9-42 a filter by type sees all containers, one by container all types`() {
    #expect(resolver.filter((any Plugin).self).count == 7)
    #expect(
      resolver.filter((any Plugin).self, in: Group.plugins)
        == [1, 2, 3, 4, 5].map { Key(named: $0, in: Group.plugins) }
        + [Key(named: "other", in: Group.plugins)])
    #expect(
      resolver.filter(named: 3, in: Group.plugins)
        == [AnyKey(type: (any Plugin).self, named: 3, in: Group.plugins)])
    #expect(resolver.filter(in: Group.plugins).contains(AnyKey(type: Int.self, in: Group.plugins)))
    #expect(resolver.filter().count == 8)
    #expect(resolver.filter(String.self).isEmpty)
  }

  @Test func `a container has the same filters, and sees its own keys only`() {
    let plugins = resolver.container(Group.plugins)
    resolver.register((any Plugin).self, named: 3) { ToolPlugin(id: 33) }
    #expect(plugins.filter((any Plugin).self).count == 6)
    #expect(
      plugins.filter((any Plugin).self, named: 3)
        == [Key<any Plugin>(named: 3, in: Group.plugins)])
    let coarse = plugins.filter((any Plugin).self) { (grain: Grain) in grain.granularity > 3 }
    #expect(coarse == [4, 5].map { Key(named: $0, in: Group.plugins) })
    let equal = plugins.filter((any Plugin).self, metadata: Grain(granularity: 2))
    #expect(equal == [Key(named: 2, in: Group.plugins)])
    #expect(
      plugins.filter(named: 3) == [AnyKey(type: (any Plugin).self, named: 3, in: Group.plugins)])
    #expect(plugins.filter().count == resolver.filter(in: Group.plugins).count)
    #expect(plugins.filter { (grain: Grain) in grain.granularity == 1 }.count == 1)
    #expect(plugins.filter(named: 4, metadata: Grain(granularity: 4)).count == 1)
    #expect(plugins.filter(named: 4, metadata: Grain(granularity: 5)).isEmpty)
    #expect(counter.value == 0)
  }

  private struct Library: Assembly {
    func assemble(into registrar: some Registering) {
      registrar.register(named: "potter") { Prop(1) }
      registrar.register(named: "potter", qualifiedBy: Sandbox.self) { Prop(2) }
      registrar.register(named: "potter", scopedTo: Signup.self) { Prop(3) }
      registrar.register(named: "other", qualifiedBy: Sandbox.self) { Prop(4) }
    }
  }

  @Test func `G9-42 a filter by name also sees keys with a qualifier or a scope, as an array does`()
    throws
  {
    try resolver.load(Library())
    let found = try resolver.resolve(all: resolver.filter(Prop.self, named: "potter"))
    #expect(found.map(\.id) == [1, 2, 3])
    try #expect(resolver.resolve([Prop].self, named: "potter").map(\.id) == [1, 2, 3])
    let members = try resolver.resolve(all: Prop.self, from: .every, named: "potter")
    #expect(members.map(\.id) == [1, 2, 3])
  }

  @Test func `G9-43 a predicate filter sees only metadata of its type`() {
    let coarse = resolver.filter((any Plugin).self, in: Group.plugins) { (grain: Grain) in
      grain.granularity > 2
    }
    #expect(coarse == [3, 4, 5].map { Key(named: $0, in: Group.plugins) })
    let texts = resolver.filter(in: Group.plugins) { (text: String) in text == "coarse" }
    #expect(texts == [AnyKey(type: (any Plugin).self, named: "other", in: Group.plugins)])
  }

  @Test func `G9-44 a filter by equality matches exactly`() {
    #expect(
      resolver.filter((any Plugin).self, metadata: Grain(granularity: 2))
        == [Key(named: 2, in: Group.plugins)])
    #expect(resolver.filter((any Plugin).self, metadata: 2).isEmpty)
    #expect(resolver.filter(metadata: "coarse").count == 1)
  }

  @Test func `G9-45 a filter by keys returns the registered ones, in order, once each`() {
    let known = Key<any Plugin>(named: 5, in: Group.plugins)
    let first = Key<any Plugin>(named: 1, in: Group.plugins)
    let unknown = Key<any Plugin>(named: 6, in: Group.plugins)
    #expect(resolver.filter([known, unknown, first, known]) == [known, first])
    #expect(resolver.filter([AnyKey(unknown), AnyKey(first)]) == [AnyKey(first)])
  }

  @Test func `G9-34 keys are resolved in their order, and unregistered ones are left out`() throws {
    let held = Prop(1)
    let keyOfHeld = resolver.register(weak: held, named: "held")
    let keyOfGone = resolver.register(weak: Prop(2), named: "gone")
    let keyOfMissing = Key<Prop>(named: "missing")
    let cells = try resolver.resolve(all: [keyOfMissing, keyOfHeld, keyOfGone])
    #expect(cells.map(\.id) == [1])
    let ids = try resolver.resolve(
      all: [4, 2, 9].map { Key<any Plugin>(named: $0, in: Group.plugins) }
    ).map(\.id)
    #expect(ids == [4, 2])
    let argued = resolver.register(named: "argued") { (id: Int) in Prop(id) }
    #expect(try resolver.resolve(all: [argued], with: 8).map(\.id) == [8])
    let failing = resolver.register(named: "failing") { () throws -> Prop in throw BlockFailure() }
    #expect(throws: ResolutionError.self) { try resolver.resolve(all: [failing]) }
  }

  @Test func `G9-46 the found keys are resolved`() throws {
    let found = resolver.filter((any Plugin).self) { (grain: Grain) in grain.granularity < 3 }
    #expect(try resolver.resolve(all: found).map(\.id) == [1, 2])
  }

  @Test func `the order of registration holds across a resolver, its parent and layers`() throws {
    let parent = Resolver()
    let child = Resolver(parent: parent)
    child.register("first", named: "first")
    parent.register("second", named: "second")
    try withOverrides(of: child) {
      $0.register("third", named: "third")
      $0.register("doubled", named: "first")
    } operation: {
      child.register("fourth", named: "fourth")
      let found = try child.resolve(all: child.filter(String.self))
      #expect(found == ["doubled", "second", "third", "fourth"])
      try #expect(child.resolve([String].self) == found)
    }
  }

  @Test func `G9-47 filtering creates nothing`() {
    _ = resolver.filter((any Plugin).self)
    _ = resolver.filter(in: Group.plugins)
    _ = resolver.filter(in: Group.plugins) { (_: Grain) in true }
    #expect(counter.value == 0)
  }

  @Test func `a registration of a child has no metadata of its parent's`() {
    let parent = Resolver()
    let child = Resolver(parent: parent)
    parent.register("parent", metadata: 1)
    let key = child.register("child")
    #expect(parent.filter(String.self, metadata: 1) == [key])
    #expect(child.filter(String.self, metadata: 1) == [])
    #expect(child.metadata(of: key, as: Int.self) == nil)
  }

  @Test
  func `an override is found in the place of the overridden registration, and by its metadata`()
    throws
  {
    try withOverrides(.check(.unusedOverride, .off), of: resolver) {
      $0.register((any Plugin).self, named: 4, in: Group.plugins) { ToolPlugin(id: -4) }
      $0.register(
        (any Plugin).self, named: 5, in: Group.plugins, metadata: Grain(granularity: 0)
      ) { ToolPlugin(id: -5) }
      $0.register((any Plugin).self, named: 9, in: Group.plugins, metadata: Grain(granularity: 9)) {
        ToolPlugin(id: 9)
      }
    } operation: {
      let found = resolver.filter((any Plugin).self, in: Group.plugins) { (grain: Grain) in
        grain.granularity > 2
      }
      try #expect(resolver.resolve(all: found).map(\.id) == [3, -4, 9])
    }
    #expect(resolver.filter(in: Group.plugins).count == 7)
  }
}

struct BlockFailure: Error {}

extension Key {
  var erasedForTests: AnyKey { AnyKey(self) }
}
