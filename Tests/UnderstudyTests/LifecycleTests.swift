// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
@testable import Understudy

/// Rows G4-01 to G4-07, cold and warm, with the number of block calls, and L1 to L6 of
/// `Docs/Guarantees.md`.
@Suite struct `Lifecycles` {
  struct Row: CustomTestStringConvertible, Sendable {
    let registered: Lifecycle
    let resolved: Lifecycle
    let cold: [Int?]
    let coldCalls: Int
    let warm: [Int?]
    let warmCalls: Int

    var testDescription: String { "\(registered) resolved as \(resolved)" }
  }

  /// One resolution with the lifecycle, then two with the default.
  static let table = [
    Row(
      registered: .notCached, resolved: .notCached, cold: [1, 2, 3], coldCalls: 3,
      warm: [1, 2, 3, 4], warmCalls: 4),
    Row(
      registered: .notCached, resolved: .cached, cold: [1, 2, 3], coldCalls: 3,
      warm: [1, 2, 3, 4], warmCalls: 4),
    Row(
      registered: .notCached, resolved: .once, cold: [1, nil, nil], coldCalls: 1,
      warm: [1, 2, nil, nil], warmCalls: 2),
    Row(
      registered: .cached, resolved: .notCached, cold: [1, 2, 2], coldCalls: 2,
      warm: [1, 2, 1, 1], warmCalls: 2),
    Row(
      registered: .cached, resolved: .cached, cold: [1, 1, 1], coldCalls: 1,
      warm: [1, 1, 1, 1], warmCalls: 1),
    Row(
      registered: .cached, resolved: .once, cold: [1, nil, nil], coldCalls: 1,
      warm: [1, 1, nil, nil], warmCalls: 1),
    Row(
      registered: .once, resolved: .notCached, cold: [1, nil, nil], coldCalls: 1,
      warm: [1, nil, nil, nil], warmCalls: 1),
    Row(
      registered: .once, resolved: .cached, cold: [1, nil, nil], coldCalls: 1,
      warm: [1, nil, nil, nil], warmCalls: 1),
    Row(
      registered: .once, resolved: .once, cold: [1, nil, nil], coldCalls: 1,
      warm: [1, nil, nil, nil], warmCalls: 1),
  ]

  /// The place of the registration and of the resolutions.
  enum Place: CaseIterable, Sendable { case production, layer, boundary, underLayer, underBoundary }

  private func run(
    in place: Place, _ lifecycle: Lifecycle, _ body: (Resolver, Tally) throws -> Void
  ) throws {
    let resolver = Resolver()
    let calls = Tally()
    let register = { (registering: any Registering) in
      _ = registering.register(lifecycle: lifecycle) { Coin(calls.next()) }
    }
    switch place {
    case .production:
      register(resolver)
      try body(resolver, calls)
    case .layer, .boundary:
      try withLayer(of: resolver, isBoundary: place == .boundary) {
        register($0)
      } operation: {
        try body(resolver, calls)
      }
    case .underLayer, .underBoundary:
      register(resolver)
      try withLayer(of: resolver, isBoundary: place == .underBoundary) { _ in
      } operation: {
        try body(resolver, calls)
      }
    }
  }

  @Test(arguments: table, Place.allCases)
  func `start cold as the table says`(row: Row, place: Place) throws {
    try run(in: place, row.registered) { resolver, calls in
      let ids = [
        try? resolver.resolve(Coin.self, lifecycle: row.resolved).id,
        try? resolver.resolve(Coin.self).id, try? resolver.resolve(Coin.self).id,
      ]
      #expect(ids == row.cold)
      #expect(calls.count == row.coldCalls)
    }
  }

  @Test(arguments: table, Place.allCases)
  func `continue warm as the table says`(row: Row, place: Place) throws {
    try run(in: place, row.registered) { resolver, calls in
      let ids = [
        try? resolver.resolve(Coin.self).id,
        try? resolver.resolve(Coin.self, lifecycle: row.resolved).id,
        try? resolver.resolve(Coin.self).id, try? resolver.resolve(Coin.self).id,
      ]
      #expect(ids == row.warm)
      #expect(calls.count == row.warmCalls)
    }
  }

  @Test func `default to not cached for blocks and to cached for values`() throws {
    let resolver = Resolver()
    let calls = Tally()
    resolver.register { Coin(calls.next()) }
    resolver.register(Coin(calls.next()), named: "value")
    #expect(calls.count == 1)
    let value = try resolver.resolve(Coin.self, named: "value")
    try #expect(resolver.resolve(Coin.self, named: "value") === value)
    try #expect(resolver.resolve(Coin.self) !== resolver.resolve(Coin.self))
  }

  /// G9-03, G9-04, L3.
  @Test func `are fixed by some forms, which honour only once`() throws {
    let resolver = Resolver()
    let (factories, instances) = (Tally(), Tally())
    resolver.register(factory: Coin(factories.next()), named: "factory")
    resolver.register(instance: Coin(instances.next()), named: "instance")
    #expect(instances.count == 0)
    let asked: [Lifecycle] = [.cached, .notCached, .cached, .notCached]
    let made = try asked.map { try resolver.resolve(Coin.self, named: "factory", lifecycle: $0).id }
    let kept = try asked.map {
      try resolver.resolve(Coin.self, named: "instance", lifecycle: $0).id
    }
    #expect(made == [1, 2, 3, 4])
    #expect(kept == [1, 1, 1, 1])
    try #expect(resolver.resolve(Coin.self, named: "factory", lifecycle: .once).id == 5)
    try #expect(resolver.resolve(Coin.self, named: "instance", lifecycle: .once).id == 1)
    try #expect(resolver.resolve(Coin?.self, named: "factory") == nil)
    try #expect(resolver.resolve(Coin?.self, named: "instance") == nil)
  }

  // MARK: L1

  @Test(arguments: [Lifecycle.once, .notCached])
  func `restore a claimed registration if its block throws`(lifecycle: Lifecycle) throws {
    let resolver = Resolver()
    let calls = Tally()
    resolver.register(lifecycle: lifecycle) { () throws -> Coin in
      let call = calls.next()
      if call < 3 { throw Mishap() }
      return Coin(call)
    }
    for _ in 0..<2 {
      let error = resolutionError { try resolver.resolve(Coin.self, lifecycle: .once) }
      #expect(error?.kind == "failed")
    }
    try #expect(resolver.resolve(Coin.self, lifecycle: .once).id == 3)
    try #expect(resolver.resolve(Coin?.self) == nil)
  }

  @Test func `do not restore a claimed registration over a new one`() throws {
    let resolver = Resolver()
    resolver.register(lifecycle: .once) { () throws -> Coin in
      resolver.register { Coin(2) }
      throw Mishap()
    }
    #expect(resolutionError { try resolver.resolve(Coin.self) }?.kind == "failed")
    try #expect(resolver.resolve(Coin.self).id == 2)
    #expect(resolver.keys.count == 1)
  }

  /// G4-15.
  @Test(arguments: [Lifecycle.once, .notCached])
  func `hide a claimed registration from its own block`(lifecycle: Lifecycle) throws {
    let resolver = Resolver()
    let found = Box<Bool?>(nil)
    resolver.register(lifecycle: lifecycle) { r in
      found.value = try r.resolve(Coin?.self) != nil
      return Coin(1)
    }
    _ = try resolver.resolve(Coin.self, lifecycle: .once)
    #expect(found.value == false)
  }

  /// G4-13, G4-14.
  @Test func `return a value once if it is registered or resolved as once`() throws {
    let resolver = Resolver()
    resolver.register(42, named: "level", lifecycle: .once)
    resolver.register(7)
    try #expect(resolver.resolve(Int?.self, named: "level") == 42)
    try #expect(resolver.resolve(Int?.self, named: "level") == nil)
    try #expect(resolver.resolve(Int?.self, lifecycle: .once) == 7)
    try #expect(resolver.resolve(Int?.self) == nil)
  }

  // MARK: L2

  @Test func `cache nothing if the block throws`() throws {
    let resolver = Resolver()
    let calls = Tally()
    resolver.register(lifecycle: .cached) { () throws -> Coin in
      let call = calls.next()
      if call == 1 { throw Mishap() }
      return Coin(call)
    }
    #expect(resolutionError { try resolver.resolve(Coin.self) }?.kind == "failed")
    try #expect(resolver.resolve(Coin.self).id == 2)
    try #expect(resolver.resolve(Coin.self).id == 2)
  }

  // MARK: L4, G9-33

  @Test func `create a cached value with the first argument`() throws {
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { (id: Int) in Coin(id) }
    try #expect(resolver.resolve(Coin.self, with: 1).id == 1)
    try #expect(resolver.resolve(Coin.self, with: 2).id == 1)
    try #expect(resolver.resolve(Coin.self, with: 3, lifecycle: .notCached).id == 3)
    try #expect(resolver.resolve(Coin.self, with: 4).id == 1)
    try #expect(resolver.resolve(Coin.self).id == 1)
  }

  // MARK: L6, G9-14

  @Test(arguments: Lifecycle.allCases)
  func `forget a cached instance when its key is registered again`(second: Lifecycle) throws {
    let resolver = Resolver()
    let first = resolver.register(lifecycle: .cached) { Coin(1) }
    let old = Witness(try resolver.resolve(Coin.self))
    #expect(old.isThere)
    let key = resolver.register(lifecycle: second) { Coin(2) }
    #expect(old.isGone)
    #expect(key == first)
    #expect(resolver.keys == [AnyKey(key)])
    try #expect(resolver.resolve(Coin.self).id == 2)
  }

  @Test func `forget a cached instance when its key is unregistered`() throws {
    let resolver = Resolver()
    let key = resolver.register(lifecycle: .cached) { Coin(1) }
    let old = Witness(try resolver.resolve(Coin.self))
    resolver.unregister(key)
    #expect(old.isGone)
  }

  @Test func `release a resolver's instances with the resolver`() throws {
    func run() throws -> [Witness] {
      let resolver = Wiring.blockResolver.makeResolver()
      let root: Root = try resolver.resolve()
      return [Witness(resolver), Witness(root), Witness(root.middle), Witness(root.leaf)]
    }
    try #expect(run().map(\.isGone) == [true, true, true, true])
  }

  /// No user code runs under a lock, not even a deinit.
  @Test func `let the deinit of an instance use the resolver`() throws {
    final class Talkative: Sendable {
      let resolver: Resolver
      init(_ resolver: Resolver) { self.resolver = resolver }
      deinit {
        resolver.register { "last words" }
        _ = resolver.keys
        _ = try? resolver.resolve(Int.self)
      }
    }
    let resolver = Resolver()
    resolver.register { 1 }
    for _ in 0..<2 {
      resolver.register(lifecycle: .cached) { [unowned resolver] in Talkative(resolver) }
      _ = try resolver.resolve(Talkative.self)
    }
    resolver.unregister(Key<Talkative>())
    try #expect(resolver.resolve(String.self) == "last words")
    resolver.unregister(Key<String>())
    try withLayer(of: resolver) {
      $0.register(lifecycle: .cached) { Talkative(resolver) }
    } operation: {
      _ = try resolver.resolve(Talkative.self)
    }
    try #expect(resolver.resolve(String.self) == "last words")
  }
}
