// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

extension Dependencies {
  static let holding = Dependency<Prop>(lifecycle: .cached) {
    Prop((try? Resolver.current.resolve(Int.self)) ?? 0)
  }
  static let counted = Dependency<Prop>(lifecycle: .cached) { Prop(countedCounter.next()) }
}

private let countedCounter = CallCounter()

@Suite struct Containers {
  let resolver = Resolver()

  @Test func `G4-21 reset removes a container, the default container or everything`() throws {
    func fill() {
      resolver.reset()
      resolver.register(1)
      resolver.register(2, in: "X")
      resolver.register(3, in: "Y")
    }
    fill()
    #expect(resolver.reset(in: "X") == Resolver.Removed(registrations: 1))
    #expect(resolver.filter() == [AnyKey(type: Int.self), AnyKey(type: Int.self, in: "Y")])
    fill()
    #expect(resolver.reset(in: nil).registrations == 1)
    #expect(
      resolver.filter() == [AnyKey(type: Int.self, in: "X"), AnyKey(type: Int.self, in: "Y")])
    fill()
    #expect(resolver.reset().registrations == 3)
    #expect(resolver.keys.isEmpty)
  }

  @Test func `an autowired initialiser has the lifecycle of its container`() throws {
    resolver.register(7)
    let cached = resolver.container("X", lifecycle: .cached)
    let key = cached.register(autowiring: { (number: Int) in Prop(number) })
    try #expect(resolver.resolve(key) === resolver.resolve(key))
    try #expect(resolver.resolve(key).id == 7)
  }

  @Test func `DE-14 a reset of the instances leaves the registrations, and their order`() throws {
    let counter = CallCounter()
    let first = resolver.register(named: 1, lifecycle: .cached) { Prop(counter.next()) }
    resolver.register(named: 2, in: "X", lifecycle: .cached) { Prop(counter.next()) }
    let before = try resolver.resolve([Prop].self).map(\.id)
    #expect(try resolver.resolve([Prop].self).map(\.id) == before)
    #expect(resolver.reset(.instances).instances == 2)
    #expect(try resolver.resolve([Prop].self).map(\.id) == [3, 4])
    #expect(resolver.reset(.instances, in: "X").instances == 1)
    #expect(try resolver.resolve([Prop].self).map(\.id) == [3, 5])
    #expect(resolver.contains(first))
    #expect(resolver.keys.count == 2)
  }

  @Test func `a reset of a child resolver leaves the declared instances of its parent`() throws {
    let child = Resolver(parent: resolver)
    let first = resolver.resolve(\.counted)
    child.register(5)
    let own = child.resolve(\.holding)
    child.reset(.instances)
    #expect(child.resolve(\.counted) === first)
    #expect(resolver.resolve(\.counted) === first)
    #expect(child.resolve(\.holding) !== own)
  }

  @Test(arguments: [true, false])
  func `a reset of a resolver or of its parent reaches declared instances of a layer`(
    isOfParent: Bool
  ) {
    let child = Resolver(parent: resolver)
    withOverrides(of: child, isBoundary: true) { _ in
    } operation: {
      let first = child.resolve(\.counted)
      #expect(child.resolve(\.counted) === first)
      (isOfParent ? resolver : child).reset(.instances)
      let second = child.resolve(\.counted)
      #expect(second !== first)
      #expect(child.resolve(\.counted) === second)
    }
  }

  @Test func `a reset of a container leaves nothing that an assembly displaced or hid in it`()
    throws
  {
    resolver.register("before", in: "X")
    resolver.register("other", in: "Y")
    let module = Module {
      $0.register("module", in: "X")
      $0.register("module", in: "Y")
    }
    try resolver.load(Module(.low) { $0.register("hidden", in: "X") }, module)
    #expect(resolver.reset(in: "X") == Resolver.Removed(registrations: 1))
    try #expect(resolver.resolve(all: String.self, from: .every) == ["module"])
    #expect(resolver.unload(module))
    resolver.unloadAll()
    #expect(resolver.keys == [AnyKey(type: String.self, in: "Y")])
    try #expect(resolver.resolve(in: "Y") == "other")
  }

  @Test func `DE-14 a reset of the instances reaches declared dependencies`() {
    let first = resolver.resolve(\.counted)
    #expect(resolver.resolve(\.counted) === first)
    #expect(resolver.reset(.instances) == Resolver.Removed(instances: 1))
    let second = resolver.resolve(\.counted)
    #expect(second !== first)
    #expect(resolver.resolve(\.counted) === second)
    #expect(resolver.reset(.registrations) == Resolver.Removed())
    #expect(resolver.resolve(\.counted) === second)
  }

  @Test(arguments: [false, true])
  func `DE-14 a reset of the instances reaches declared dependencies that a layer owns`(
    isBoundary: Bool
  ) throws {
    resolver.register(1)
    try withResolver(resolver) {
      try withOverrides(isBoundary: isBoundary) {
        $0.register(2)
      } operation: {
        let first = resolver.resolve(\.holding)
        #expect(first.id == 2)
        withOverrides { _ in
        } operation: {
          #expect(resolver.resolve(\.holding) === first)
          resolver.reset(.instances)
          let second = resolver.resolve(\.holding)
          #expect(second !== first)
          #expect(resolver.resolve(\.holding) === second)
        }
        let third = resolver.resolve(\.holding)
        #expect(third !== first)
        #expect(resolver.resolve(\.holding) === third)
        try #expect(resolver.resolve(Int.self) == 2)
      }
      #expect(resolver.resolve(\.holding).id == 1)
    }
  }

  @Test func `DE-14 a reset of the main resolver's instances reaches declared dependencies`() async
  {
    await #expect(processExitsWith: .success) {
      let resolver = Resolver.main
      let first = resolver.resolve(\.counted)
      try #require(resolver.resolve(\.counted) === first)
      for number in 2...4 {
        try #require(resolver.reset(.instances) == Resolver.Removed(instances: 1))
        let found = try Threads.run(8) { _ in resolver.resolve(\.counted) }
        try #require(found.allSatisfy { $0.success?.id == number })
      }
    }
  }

  @Test func `DE-14 a reset of the instances reaches registrations behind another assembly`() throws
  {
    let counter = CallCounter()
    try resolver.load(
      Module(.low) { $0.register(lifecycle: .cached) { Prop(counter.next()) } },
      Module(.high) { $0.register(lifecycle: .cached) { Prop(counter.next()) } })
    func ids() throws -> [Int] { try resolver.resolve(all: Prop.self, from: .every).map(\.id) }
    #expect(try ids() == [1, 2])
    #expect(try ids() == [1, 2])
    #expect(resolver.reset(.instances).instances == 2)
    #expect(try ids() == [3, 4])
    #expect(try ids() == [3, 4])
  }

  @Test func `DE-14 a reset of a container reaches registrations that an assembly displaces`()
    throws
  {
    let counter = CallCounter()
    resolver.register(in: "X", lifecycle: .cached) { Prop(counter.next()) }
    try #expect(resolver.resolve(Prop.self, in: "X").id == 1)
    let module = Module(.high) { $0.register(in: "X", lifecycle: .cached) { Prop(counter.next()) } }
    try resolver.load(module)
    try #expect(resolver.resolve(Prop.self, in: "X").id == 2)
    #expect(resolver.reset(.instances, in: "X").instances == 2)
    #expect(resolver.unload(module))
    try #expect(resolver.resolve(Prop.self, in: "X").id == 3)
  }

  @Test func `G4-22 a container object registers, resolves and removes in its container`() throws {
    let container = resolver.container("X")
    let key = container.register(5, named: "level")
    #expect(key == container.key(Int.self, named: "level"))
    #expect(try resolver.resolve(Int.self, named: "level", in: "X") == 5)
    #expect(try container.resolve(Int.self, named: "level") == 5)
    #expect(throws: ResolutionError.self) { try resolver.resolve(Int.self, named: "level") }
    container.register { (id: Int) in Prop(id) }
    #expect(try container.resolve(Prop.self, with: 6).id == 6)
    #expect(container.keys == [AnyKey(key), AnyKey(type: Prop.self, in: "X")])
    #expect(container.filter(Int.self) == [key])
    resolver.register(1)
    #expect(!container.unregister(Key<Int>()))
    #expect(container.unregister(key))
    #expect(container.unregister(Prop.self) == 1)
    container.register(8)
    #expect(container.reset().registrations == 1)
    #expect(resolver.keys == [AnyKey(type: Int.self)])
  }

  @Test
  func `G4-23 a default lifecycle is inherited by blocks and values, and an explicit one wins`()
    throws
  {
    let once = resolver.container(nil, lifecycle: .once)
    once.register(90, named: "value")
    once.register(named: "block") { 91 }
    once.register(92, named: "own", lifecycle: .cached)
    resolver.register(93, named: "direct")
    for (name, value) in [("value", 90), ("block", 91)] {
      #expect(try resolver.resolve(Int.self, named: name) == value)
      #expect(try resolver.resolve(Int?.self, named: name) == nil)
    }
    for (name, value) in [("own", 92), ("direct", 93)] {
      #expect(try resolver.resolve(Int.self, named: name) == value)
      #expect(try resolver.resolve(Int.self, named: name) == value)
    }
  }

  @Test func `G4-23 a block of a cached container is cached, whatever its parameters`() throws {
    let counter = CallCounter()
    let cached = resolver.container("X", lifecycle: .cached)
    let keys = [
      cached.register(named: 1) { Prop(counter.next()) },
      cached.register(named: 2) { (r: Resolver) in Prop(counter.next()) },
    ]
    for key in keys { #expect(try resolver.resolve(key) === resolver.resolve(key)) }
    let argued = cached.register { (id: Int) in Prop(id) }
    #expect(try resolver.resolve(argued, with: 4) === resolver.resolve(argued, with: 5))
    let both = cached.register(named: 4) { (r: Resolver, id: Int) in Prop(id) }
    #expect(try resolver.resolve(both, with: 4) === resolver.resolve(both, with: 5))
  }

  @Test func `a value that is not Sendable in a cached container is an error with an explanation`()
    throws
  {
    let key = resolver.container("X", lifecycle: .cached).register { Draft() }
    let error = #expect(throws: ResolutionError.self) { _ = try resolver.resolve(key) }
    let description = try #require(error?.description)
    #expect(
      description.hasPrefix(
        """
        'Draft' in "X" cannot be cached: its type is not known to be Sendable.
        """))
    #expect(description.contains("Make 'Draft' Sendable."))
  }

  @Test func `G4-24 two objects for one container have their own default lifecycles`() throws {
    resolver.container("X", lifecycle: .once).register(1, named: 1)
    resolver.container("X").register(2, named: 2)
    #expect(try resolver.resolve(Int.self, named: 1, in: "X") == 1)
    #expect(try resolver.resolve(Int?.self, named: 1, in: "X") == nil)
    #expect(try resolver.resolve(Int.self, named: 2, in: "X") == 2)
    #expect(try resolver.resolve(Int?.self, named: 2, in: "X") == 2)
  }

  @Test func `G9-52 unregistering a container leaves the others`() throws {
    resolver.register(1)
    for name in 1...3 { resolver.register(name, named: name, in: "X") }
    resolver.register("text", in: "X")
    #expect(resolver.unregister(in: "X") == 4)
    #expect(resolver.unregister(in: "X") == 0)
    #expect(try resolver.resolve(Int.self) == 1)
  }

  @Test func `G9-53 unregistering a type takes one container only`() {
    for name in 1...2 { resolver.register(name, named: name) }
    resolver.register("text")
    resolver.register(3, in: "X")
    #expect(resolver.unregister(Int.self) == 2)
    #expect(resolver.unregister(Int.self, in: "X") == 1)
    #expect(resolver.keys == [AnyKey(type: String.self)])
  }

  @Test func `a claimed one-time argument is no longer a member of its container`() throws {
    let key = resolver.register(1, in: "X", lifecycle: .once)
    #expect(resolver.filter(in: "X") == [AnyKey(key)])
    _ = try resolver.resolve(key)
    #expect(resolver.filter(in: "X").isEmpty)
    let failing = resolver.register(in: "X", lifecycle: .once) { () throws -> Prop in
      throw BlockFailure()
    }
    #expect(throws: ResolutionError.self) { try resolver.resolve(failing) }
    #expect(resolver.filter(in: "X") == [AnyKey(failing)])
  }

  @Test func `BL-19 clearing takes a type, a scope, a qualifier, both, or one registration`() {
    let plain = resolver.register { User() }
    let scoped = resolver.register(scopedTo: Signup.self) { User() }
    let qualified = resolver.register(qualifiedBy: Sandbox.self) { User() }
    let both = resolver.register(scopedTo: Signup.self, qualifiedBy: Sandbox.self) { User() }
    for (key, rest) in [
      (scoped, [plain, qualified, both]), (both, [plain, qualified]), (qualified, [plain]),
    ] {
      #expect(resolver.unregister(key))
      #expect(resolver.filter(User.self) == rest)
    }
    #expect(resolver.unregister(User.self) == 1)
  }
}
