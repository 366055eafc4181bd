// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

struct Core: Assembly {
  func assemble(into registrar: some Registering) {
    registrar.register("core", named: "origin")
    registrar.register(lifecycle: .cached) { Prop(1) }
    registrar.register((any Plugin).self) { ToolPlugin(id: 1) }
    registrar.register((any Plugin).self, named: 2) { ToolPlugin(id: 2) }
  }
}
struct Doubles: PrioritizedAssembly {
  var priority: AssemblyPriority { .high }
  func assemble(into registrar: some Registering) {
    registrar.register("doubles", named: "origin")
    registrar.register((any Plugin).self) { ToolPlugin(id: -1) }
  }
}
struct Feature: Assembly {
  var dependencies: [any Assembly] { [Core(), Common()] }
  func assemble(into registrar: some Registering) { registrar.register(1.5) }
}
struct Common: Assembly {
  var dependencies: [any Assembly] { [Core()] }
  func assemble(into registrar: some Registering) { registrar.register("shared") }
}

/// One of many assemblies, distinguished by identity.
final class Module: PrioritizedAssembly {
  let priority: AssemblyPriority
  private let register: @Sendable (any Registering) -> Void
  init(
    _ priority: AssemblyPriority = .normal,
    _ register: @escaping @Sendable (any Registering) -> Void
  ) {
    self.priority = priority
    self.register = register
  }
  convenience init(_ name: String, _ priority: AssemblyPriority = .normal) {
    self.init(priority) { $0.register(name) }
  }
  func assemble(into registrar: some Registering) { register(registrar) }
}

@Suite struct Assemblies {
  let resolver = Resolver()

  private func origin() throws -> String { try resolver.resolve(named: "origin") }

  @Test func `DE-13 the dependencies of assemblies are loaded first, each once`() throws {
    try resolver.load(Feature(), Common())
    #expect(
      resolver.keys == [
        AnyKey(type: String.self, named: "origin"), AnyKey(type: Prop.self),
        AnyKey(type: (any Plugin).self), AnyKey(type: (any Plugin).self, named: 2),
        AnyKey(type: String.self), AnyKey(type: Double.self),
      ])
    try resolver.graph.validate()
    let other = Resolver()
    other.install(Feature())
    #expect(other.keys == resolver.keys)
    try other.graph.validate()
  }

  @Test func `DE-14 an assembly that is already loaded stays unchanged`() throws {
    try resolver.load(Core())
    let cell = try resolver.resolve(Prop.self)
    try resolver.load(Core(), priority: .low)
    #expect(try resolver.resolve(Prop.self) === cell)
    try resolver.graph.validate()
    #expect(resolver.unload(Core()))
    #expect(!resolver.unload(Core()))
    #expect(resolver.keys.isEmpty)
    let module = Module("a")
    try resolver.load(module, module)
    #expect(resolver.unload(module))
    #expect(!resolver.unload(module))
  }

  @Test(arguments: [
    [AssemblyPriority.low, .normal, .high], [.low, .high, .normal], [.normal, .low, .high],
    [.normal, .high, .low], [.high, .low, .normal], [.high, .normal, .low],
    [.normal, AssemblyPriority(501)],
  ])
  func `DE-15 the highest priority answers in every order of loading`(
    priorities: [AssemblyPriority]
  ) throws {
    for priority in priorities { try resolver.load(Module("\(priority.value)", priority)) }
    #expect(try resolver.resolve(String.self) == "\(priorities.max()?.value ?? 0)")
  }

  @Test
  func `DE-15 among equal priorities the first loaded assembly answers, and the graph says so`()
    throws
  {
    for name in ["a", "b", "c"] { try resolver.load(Module(name)) }
    #expect(try resolver.resolve(String.self) == "a")
    #expect(resolver.graph.findings.map(\.kind) == [.duplicate, .duplicate])
  }

  @Test func `DE-14 unloading removes exactly the assembly's registrations`() throws {
    resolver.register("before", named: "origin")
    resolver.register(7)
    try resolver.load(Core())
    try resolver.load(Doubles())
    resolver.register(8)
    #expect(try origin() == "doubles")
    #expect(
      resolver.graph.findings.map(\.kind) == [.duplicate, .shadowed, .shadowed, .shadowed])
    #expect(resolver.unload(Doubles()))
    #expect(try origin() == "core")
    #expect(resolver.unload(Core()))
    #expect(try origin() == "before")
    #expect(try resolver.resolve(Int.self) == 8)
    #expect(
      resolver.keys == [AnyKey(type: String.self, named: "origin"), AnyKey(type: Int.self)])
    #expect(!resolver.unload(Core()))
  }

  @Test func `a registration by hand after loading is not unloaded`() throws {
    try resolver.load(Core())
    resolver.register("hand", named: "origin")
    #expect(resolver.unload(Core()))
    #expect(try origin() == "hand")
  }

  @Test(arguments: [AssemblyPriority.low, .normal])
  func `a registration by hand stays when an assembly behind it is loaded`(
    priority: AssemblyPriority
  ) throws {
    try resolver.load(Core())
    resolver.register("hand", named: "origin")
    let behind = Module(priority) { $0.register("behind", named: "origin") }
    try resolver.load(behind)
    #expect(try origin() == "hand")
    #expect(resolver.unload(behind))
    #expect(try origin() == "hand")
  }

  @Test func `a registration by hand returns when the assembly that displaced it is unloaded`()
    throws
  {
    try resolver.load(Core())
    resolver.register("hand", named: "origin")
    try resolver.load(Doubles())
    #expect(try origin() == "doubles")
    #expect(resolver.unload(Doubles()))
    #expect(try origin() == "hand")
    #expect(resolver.unload(Core()))
    #expect(try origin() == "hand")
  }

  /// The answer depends on what is loaded, and not on a later load that does not win.
  @Test func `a registration by hand is displaced when the assembly that it displaced is unloaded`()
    throws
  {
    let (first, second) = (Module("first"), Module("second"))
    try resolver.load(first)
    resolver.register("by hand")
    try resolver.load(second)
    #expect(try resolver.resolve() == "by hand")
    resolver.unload(first)
    #expect(try resolver.resolve() == "second")
    try resolver.load(Module("third"))
    #expect(try resolver.resolve() == "second")
    resolver.unload(second)
    #expect(try resolver.resolve() == "third")
  }

  @Test func `an unregistered key of an assembly stays gone`() throws {
    try resolver.load(Core())
    #expect(resolver.unregister(Key<Prop>()))
    try #expect(resolver.resolve(all: Prop.self, from: .every).isEmpty)
    let front = Module(.high) { $0.register { Prop(-1) } }
    try resolver.load(front)
    #expect(try resolver.resolve(all: Prop.self, from: .every).map(\.id) == [-1])
    #expect(resolver.unload(front))
    #expect(try resolver.resolve(Prop?.self) == nil)
    #expect(resolver.unload(Core()))
    try resolver.load(Core())
    #expect(try resolver.resolve(Prop.self).id == 1)
  }

  @Test(arguments: [true, false])
  func `a registration that an unregistered one displaced stays gone`(isFrontFirst: Bool) throws {
    let (front, behind) = (Module("front", .high), Module("behind", .low))
    resolver.register("by hand")
    try resolver.load(front, behind)
    #expect(resolver.unregister(Key<String>()))
    for module in isFrontFirst ? [front, behind] : [behind, front] {
      #expect(resolver.unload(module))
      try #expect(resolver.resolve(String?.self) == nil)
    }
  }

  @Test func `a registration that an unregistered one displaced stays gone after a later load`()
    throws
  {
    resolver.register("by hand")
    try resolver.load(Module("gone"))
    #expect(resolver.unregister(Key<String>()))
    let later = Module("later")
    try resolver.load(later)
    try #expect(resolver.resolve() == "later")
    #expect(resolver.unload(later))
    try #expect(resolver.resolve(String?.self) == nil)
  }

  @Test(arguments: [true, false])
  func `a registration stays gone whose key is unregistered after another was used up`(
    isLaterFirst: Bool
  ) throws {
    let (once, later) = (Module { $0.register("once", lifecycle: .once) }, Module("later"))
    resolver.register("by hand")
    try resolver.load(once)
    try #expect(resolver.resolve() == "once")
    try resolver.load(later)
    #expect(resolver.unregister(Key<String>()))
    for module in isLaterFirst ? [later, once] : [once, later] {
      #expect(resolver.unload(module))
      try #expect(resolver.resolve(String?.self) == nil)
    }
  }

  @Test func `a registration that a used-up one displaced returns when that is unloaded`() throws {
    let module = Module {
      $0.register("twice", lifecycle: .once)
      $0.register("once", lifecycle: .once)
    }
    resolver.register("by hand")
    try resolver.load(module)
    try #expect(resolver.resolve() == "once")
    try #expect(resolver.resolve(String?.self) == nil)
    #expect(resolver.unload(module))
    try #expect(resolver.resolve() == "by hand")
  }

  enum Removal: CaseIterable { case unload, unloadAll, unregisterAll, reset }

  @Test(arguments: Removal.allCases)
  func `the instance of a registration that another one hides is released with it`(
    removal: Removal
  ) throws {
    let disposed = CallCounter()
    resolver.observe { if $0.kind == .disposed { _ = disposed.next() } }
    let behind = Module(.low) { $0.register(lifecycle: .cached) { Prop(1) } }
    try resolver.load(behind, Module { $0.register(lifecycle: .cached) { Prop(2) } })
    weak var hidden: Prop?
    do {
      let all = try resolver.resolve(all: Prop.self, from: .every)
      #expect(all.map(\.id) == [2, 1])
      hidden = all.last
    }
    #expect(hidden != nil)
    switch removal {
    case .unload: #expect(resolver.unload(behind))
    case .unloadAll: resolver.unloadAll()
    case .unregisterAll: #expect(resolver.unregisterAll() == 1)
    case .reset: resolver.reset(.registrations)
    }
    #expect(hidden == nil)
    #expect(disposed.value == (removal == .unload ? 1 : 2))
  }

  @Test(arguments: [true, false])
  func `the instance of a displaced registration is kept until it cannot return`(isReset: Bool)
    throws
  {
    resolver.register(lifecycle: .cached) { Prop(1) }
    weak let first = try resolver.resolve(Prop.self)
    try resolver.load(Core())
    #expect(first != nil)
    if isReset {
      resolver.reset(.registrations)
    } else {
      resolver.register { Prop(3) }
      #expect(resolver.unload(Core()))
      #expect(try resolver.resolve(Prop.self).id == 3)
    }
    #expect(first == nil)
  }

  @Test func `a reset of the instances leaves an assembly that can be unloaded`() throws {
    try resolver.load(Core())
    let cell = try resolver.resolve(Prop.self)
    resolver.reset(.instances)
    #expect(try resolver.resolve(Prop.self) !== cell)
    #expect(resolver.unload(Core()))
    #expect(resolver.keys.isEmpty)
  }

  @Test func `registrations that a reset removed do not come back with their assembly`() throws {
    try resolver.load(Core())
    let first = try resolver.resolve(Prop.self)
    resolver.reset(.instances)
    let second = try resolver.resolve(Prop.self)
    #expect(second !== first)
    let front = Module(.high) { $0.register { Prop(-1) } }
    try resolver.load(front)
    #expect(try resolver.resolve(Prop.self).id == -1)
    #expect(resolver.unload(front))
    #expect(try resolver.resolve(Prop.self) === second)
  }

  @Test(arguments: [true, false])
  func `a used up or unregistered key does not come back with its assembly`(isUsedUp: Bool)
    throws
  {
    try resolver.load(Core())
    let first = try resolver.resolve(Prop.self)
    if isUsedUp {
      #expect(try resolver.resolve(Prop.self, lifecycle: .once) === first)
    } else {
      #expect(resolver.unregister(Key<Prop>()))
    }
    let front = Module(.high) { $0.register { Prop(-1) } }
    try resolver.load(front)
    #expect(resolver.unload(front))
    #expect(try resolver.resolve(Prop?.self) == nil)
  }

  @Test func `after a reset no assembly is loaded, and no registration comes back`() throws {
    resolver.register("before", named: "origin")
    try resolver.load(Core())
    #expect(resolver.reset().registrations > 0)
    #expect(!resolver.unload(Core()))
    #expect(resolver.keys.isEmpty)
    try resolver.load(Core())
    #expect(try origin() == "core")
    #expect(resolver.unload(Core()))
    #expect(resolver.keys.isEmpty)
  }

  @Test func `unloadAll restores the earlier registrations`() throws {
    resolver.register("before", named: "origin")
    try resolver.load(Feature(), Doubles())
    resolver.unloadAll()
    #expect(try origin() == "before")
    #expect(resolver.keys.count == 1)
  }

  @Test func `DE-16 a registration of a lower assembly is found, and arrays span assemblies`()
    throws
  {
    try resolver.load(Core(), Doubles())
    #expect(try resolver.resolve((any Plugin).self, named: 2).id == 2)
    #expect(Set(try resolver.resolve([any Plugin].self).map(\.id)) == [-1, 2])
    func ids(_ choice: AssemblyChoice) throws -> [Int] {
      try resolver.resolve(all: (any Plugin).self, from: choice).map(\.id)
    }
    #expect(try ids(.first) == [-1])
    #expect(try ids(.every) == [-1, 1, 2])
    #expect(try ids(.custom { $0.reversed() }) == [1, 2, -1])
    #expect(try ids(.custom { $0.filter { $0 is Core } }) == [1, 2])
  }

  @Test func `DE-16 all registrations are those of the resolver's own assemblies`() throws {
    let child = Resolver(parent: resolver)
    try resolver.load(Core())
    try #expect(child.resolve([Prop].self).count == 1)
    try #expect(child.resolve(all: Prop.self, from: .every).isEmpty)
  }

  /// An override always takes effect, and a decorator wraps the answering registration.
  @Test(arguments: [false, true])
  func `DE-16 an override or a decorator of a layer applies among all registrations`(isFaulty: Bool)
    throws
  {
    func seats() throws -> [Int] { try resolver.resolve(all: Int.self, from: .every) }
    try resolver.load(Module(.high) { $0.register(1) })
    try resolver.load(
      Module(.low) {
        $0.register(2)
        $0.register(3, named: "other")
      })
    try withLayer(of: resolver) {
      $0.decorate(Int.self) { $0 + 10 }
      if isFaulty { $0.fault(Int.self, .throwing(BlockFailure()), on: .sequence([])) }
    } operation: {
      try #expect(seats() == [11, 2, 3])
      try withLayer(of: resolver) {
        $0.register(7)
        if isFaulty { $0.fault(Int.self, .throwing(BlockFailure()), on: .sequence([])) }
      } operation: {
        try #expect(seats() == [7, 3])
      }
    }
    try #expect(seats() == [1, 2, 3])
  }

  @Test func `DE-16 a released weak object is left out of all`() throws {
    try resolver.load(Module { $0.register(weak: Prop(1)) })
    try #expect(resolver.resolve(all: Prop.self, from: .every).isEmpty)
  }

  @Test func `DE-16 a one-time registration that is claimed above a boundary remains below it`()
    throws
  {
    func seats() throws -> [Int] { try resolver.resolve(all: Int.self, from: .every) }
    try resolver.load(Module { $0.register(7, lifecycle: .once) })
    try withOverrides(of: resolver, isBoundary: true) { _ in
    } operation: {
      try #expect(seats() == [7])
      try #expect(seats() == [])
      try #expect(resolver.resolve([Int].self) == [])
    }
    #expect(try seats() == [7])
    #expect(try seats() == [])
  }

  @Test func `DE-16 a one-time registration behind another assembly is found, and then used up`()
    throws
  {
    func seats() throws -> [Int] { try resolver.resolve(all: Int.self, from: .every) }
    let front = Module(.high) { $0.register(1) }
    let behind = Module(.low) { $0.register(2, lifecycle: .once) }
    try resolver.load(behind)
    try resolver.load(front)
    try withOverrides(of: resolver, isBoundary: true) { _ in
    } operation: {
      try #expect(seats() == [1, 2])
      try #expect(seats() == [1])
    }
    try #expect(resolver.resolve(Int.self) == 1)
    #expect(try seats() == [1, 2])
    #expect(try seats() == [1])
    #expect(resolver.unload(front))
    #expect(try seats() == [])
    try #expect(resolver.resolve(Int?.self) == nil)
  }

  @Test func `DE-16 a one-time registration behind another assembly is restored if it fails`()
    throws
  {
    func seats() throws -> [Int] { try resolver.resolve(all: Int.self, from: .every) }
    let (resolver, fails) = (resolver, Lock(true))
    let front = Module(.high) { $0.register(1) }
    try resolver.load(front)
    try resolver.load(
      Module(.low) {
        $0.register(lifecycle: .once) { () throws -> Int in
          // During its creation no other request gets it, in any order of the assemblies.
          #expect(resolver.unload(front))
          try #expect(resolver.resolve(Int?.self) == nil)
          #expect(try resolver.resolve(all: Int.self, from: .every) == [])
          try resolver.load(front)
          if fails.withLock({ $0 }) { throw BlockFailure() }
          return 2
        }
      })
    #expect(throws: ResolutionError.self) { try seats() }
    fails.withLock { $0 = false }
    #expect(try seats() == [1, 2])
    #expect(try seats() == [1])
  }

  @Test func `DE-16 a one-time registration is restored if another value fails`() throws {
    func seats() throws -> [Int] { try resolver.resolve(all: Int.self, from: .every) }
    let fails = Lock(true)
    try resolver.load(
      Module(.high) { $0.register(1, lifecycle: .once) },
      Module(.low) {
        $0.register { () throws -> Int in
          if fails.withLock({ $0 }) { throw BlockFailure() }
          return 2
        }
      })
    #expect(throws: ResolutionError.self) { try seats() }
    fails.withLock { $0 = false }
    #expect(try seats() == [1, 2])
    #expect(try seats() == [2])
  }

  @Test func `DE-17 an assembly of doubles is loaded and unloaded, or installed on a layer`() throws
  {
    try resolver.load(Core())
    try resolver.load(Doubles())
    #expect(try resolver.resolve((any Plugin).self).id == -1)
    resolver.unload(Doubles())
    #expect(try resolver.resolve((any Plugin).self).id == 1)

    try withOverrides(.check(.unusedOverride, .off), of: resolver) {
      $0.install(Doubles())
    } operation: {
      try #expect(resolver.resolve((any Plugin).self).id == -1)
    }
    #expect(try resolver.resolve((any Plugin).self).id == 1)
  }

  @Test func `that has the next priority answers after a used-up one is unloaded`() throws {
    let (low, high) = (
      Module("low", .low), Module(.high) { $0.register("high", lifecycle: .once) }
    )
    try resolver.load(low, high)
    try #expect(resolver.resolve(String.self) == "high")
    try #expect(resolver.resolve(String?.self) == nil)
    #expect(resolver.unload(high))
    try #expect(resolver.resolve(String?.self) == "low")
    resolver.unregister(Key<String>())
    #expect(resolver.unload(low))
    try #expect(resolver.resolve(String?.self) == nil)
  }

  @Test func `that has the next priority stays unregistered with its key`() throws {
    let (low, high) = (Module("low", .low), Module("high", .high))
    try resolver.load(low, high)
    resolver.unregister(Key<String>())
    #expect(resolver.unload(high))
    try #expect(resolver.resolve(String?.self) == nil)
  }

  @Test func `leaves nothing of a name that was used up and unloaded`() throws {
    final class Ticket: Hashable, Sendable {
      static func == (left: Ticket, right: Ticket) -> Bool { left === right }
      func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }
    // The last sixteen are kept for messages.
    let tickets = try (0..<20).map { _ in
      let ticket = Ticket()
      let module = Module { $0.register(7, named: ticket, lifecycle: .once) }
      try resolver.load(module)
      try #expect(resolver.resolve(Int.self, named: ticket) == 7)
      #expect(resolver.unload(module))
      return Witness(ticket)
    }
    #expect(tickets.prefix(4).allSatisfy { $0.isGone })
  }

  @Test func `DE-18 an eager instance is created when its assembly is loaded`() throws {
    let counter = CallCounter()
    let module = Module { registrar in
      registrar.eager.register { Prop(counter.next()) }
      registrar.register(lifecycle: .cached) { [Prop(counter.next())] }
    }
    try resolver.load(module)
    #expect(counter.value == 1)
    #expect(try resolver.resolve(Prop.self).id == 1)
    #expect(counter.value == 1)
  }

  @Test func `an eager instance of an installed assembly is created at the first request`()
    throws
  {
    let counter = CallCounter()
    resolver.install(Module { $0.eager.register { Prop(counter.next()) } })
    #expect(counter.value == 0)
    #expect(try resolver.resolve(Prop.self) === resolver.resolve(Prop.self))
    #expect(counter.value == 1)
  }

  @Test func `an eager autowired instance is created when its assembly is loaded`() throws {
    let counter = CallCounter()
    let module = Module { registrar in
      registrar.register(3)
      registrar.eager.register(autowiring: { (_: Int) in Prop(counter.next()) })
    }
    try resolver.load(module)
    #expect(counter.value == 1)
    try #expect(resolver.resolve(Prop.self).id == 1)
  }

  @Test func `DE-19 an eager instance sees all assemblies of the same call`() throws {
    let early = Module { $0.eager.register { r in Prop(try r.resolve(Int.self)) } }
    let late = Module { $0.register(4) }
    try resolver.load(early, late)
    #expect(try resolver.resolve(Prop.self).id == 4)
  }

  @Test func `an eager instance that cannot be created is an error`() throws {
    let module = Module { $0.eager.register { r in Prop(try r.resolve(Int.self)) } }
    let error = #expect(throws: ResolutionError.self) { try resolver.load(module) }
    #expect(error?.path == [AnyKey(type: Prop.self), AnyKey(type: Int.self)])
    #expect(resolver.unload(module))
  }
}
