// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyTesting
@testable import Understudy

/// Rules L1 and L2 of `Docs/Guarantees.md`, and rows G4-16 and G9-37, with real threads.
@Suite struct `Under contention` {
  static let threads = [2, 3, 4, 8, 16]

  /// The resolver of the tests with a trait in this file.
  static let resolver: Resolver = {
    let resolver = Resolver(named: "concurrency")
    resolver.register(lifecycle: .cached) { Leaf("production") }
    resolver.register(autowiring: Middle.init(_:) as @Sendable (Leaf) -> Middle, lifecycle: .cached)
    resolver.register(autowiring: Root.init(middle:), lifecycle: .cached)
    return resolver
  }()

  // MARK: L1

  @Test(arguments: threads, [Lifecycle.once, .notCached, .cached])
  func `a one-time registration answers one request`(count: Int, registered: Lifecycle) throws {
    for _ in 0..<30 {
      let resolver = Resolver()
      let calls = Tally()
      resolver.register(lifecycle: registered) { Coin(calls.next()) }
      let outcomes = try Threads.run(count) { _ in
        try resolver.resolve(Coin.self, lifecycle: .once)
      }
      let kinds = outcomes.compactMap { ($0.failure as? ResolutionError)?.kind }
      #expect(outcomes.compactMap(\.success).count == 1)
      #expect(kinds == Array(repeating: "missing", count: count - 1))
      #expect(calls.count == 1)
      #expect(resolver.keys.isEmpty)
    }
  }

  @Test(arguments: threads)
  func `a one-time override answers one request, and production the others`(count: Int) throws {
    for _ in 0..<30 {
      let resolver = Resolver()
      resolver.register { 0 }
      try withLayer(of: resolver, isBoundary: true) {
        $0.register(1, lifecycle: .once)
      } operation: {
        let context = OverrideContext.current
        let outcomes = try Threads.run(count) { _ in
          try context.run { try resolver.resolve(Int.self) }
        }
        #expect(
          outcomes.compactMap(\.success).sorted() == Array(repeating: 0, count: count - 1) + [1])
      }
    }
  }

  /// Each block that throws restores the claim. The value is never lost and never doubled.
  @Test(arguments: threads)
  func `a one-time registration whose block throws answers one request in the end`(count: Int)
    throws
  {
    for _ in 0..<30 {
      let resolver = Resolver()
      let calls = Tally()
      resolver.register(lifecycle: .once) { () throws -> Coin in
        let call = calls.next()
        if call <= 3 { throw Mishap() }
        return Coin(call)
      }
      let outcomes = try Threads.run(count) { _ in try resolver.resolve(Coin.self) }
      var winners = outcomes.compactMap(\.success)
      // With fewer than four threads, the failures may have restored the claim each time.
      for _ in 0..<4 where winners.isEmpty {
        if let cell = try? resolver.resolve(Coin.self) { winners.append(cell) }
      }
      #expect(winners.map(\.id) == [4])
      #expect(resolver.keys.isEmpty)
    }
  }

  // MARK: L2

  @Test(arguments: threads, [false, true])
  func `a cached block is called once`(count: Int, isUnderLayer: Bool) throws {
    for _ in 0..<30 {
      let resolver = Resolver()
      let calls = Tally()
      resolver.register(lifecycle: .cached) { Coin(calls.next()) }
      let resolve = {
        let context = OverrideContext.current
        return try Threads.run(count) { _ in try context.run { try resolver.resolve(Coin.self) } }
      }
      let outcomes =
        isUnderLayer
        ? try withLayer(of: resolver, isBoundary: true, { _ in }, operation: resolve)
        : try resolve()
      #expect(calls.count == 1)
      #expect(outcomes.allSatisfy { $0.success === outcomes[0].success && $0.success != nil })
    }
  }

  @Test(arguments: threads)
  func `a cached block that throws is called again for the waiters`(count: Int) throws {
    let resolver = Resolver()
    let calls = Tally()
    let isRunning = Gate("the first block")
    resolver.register(lifecycle: .cached) { () throws -> Coin in
      let call = calls.next()
      isRunning.open()
      if call < count { throw Mishap() }
      return Coin(call)
    }
    let outcomes = try Threads.run(count) { _ in try resolver.resolve(Coin.self) }
    try isRunning.pass()
    let failures = outcomes.compactMap { ($0.failure as? ResolutionError)?.kind }
    #expect(failures == Array(repeating: "failed", count: count - 1))
    #expect(outcomes.compactMap { $0.success?.id } == [count])
    #expect(calls.count == count)
  }

  /// G4-06: a waiter gets the instance or no value, but never another instance.
  @Test(arguments: threads)
  func `a cached block is called once, even with a concurrent .once request`(count: Int) throws {
    for _ in 0..<50 {
      let resolver = Resolver()
      let calls = Tally()
      resolver.register(lifecycle: .cached) { Coin(calls.next()) }
      _ = try Threads.run(count) { index in
        try? resolver.resolve(Coin.self, lifecycle: index == 0 ? .once : .cached)
      }
      #expect(calls.count == 1)
    }
  }

  /// G9-37.
  @Test func `a block may resolve while others register`() throws {
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { Leaf("leaf") }
    resolver.register { r in
      for id in 0..<50 { r.register(id, named: "from the block \(id)") }
      return Middle(try r.resolve())
    }
    let outcomes = try Threads.run(8) { thread in
      for round in 0..<50 {
        resolver.register(round, named: "\(thread) \(round)")
        _ = try resolver.resolve(Middle.self)
      }
    }
    #expect(outcomes.allSatisfy { $0.failure == nil })
    #expect(resolver.keys.count == 2 + 50 + 8 * 50)
  }

  /// Each result is one that was registered for the key.
  @Test(arguments: threads)
  func `registering, unregistering and resolving keep their order`(count: Int) throws {
    let resolver = Resolver()
    let made = Box<Set<Int>>([])
    let serial = Tally()
    let outcomes = try Threads.run(count) { thread in
      var random = SeededGenerator(seed: UInt64(thread))
      for _ in 0..<300 {
        let name = Int.random(in: 0..<4, using: &random)
        let lifecycle = Lifecycle.allCases.randomElement(using: &random) ?? .cached
        switch Int.random(in: 0..<10, using: &random) {
        case 0...2:
          resolver.register(named: name, lifecycle: lifecycle) {
            let id = serial.next() * 4 + name
            made.update { _ = $0.insert(id) }
            return Coin(id)
          }
        case 3: resolver.unregister(Key<Coin>(named: name))
        case 4: _ = try resolver.resolve([Coin].self)
        default:
          if let cell = try resolver.resolve(Coin?.self, named: name, lifecycle: lifecycle) {
            #expect(cell.id % 4 == name)
            #expect(made.value.contains(cell.id))
          }
        }
      }
    }
    #expect(outcomes.allSatisfy { $0.failure == nil })
    #expect(resolver.keys.count <= 4)
  }

  @Test(arguments: threads)
  func `layers on many threads never see each other's doubles`(count: Int) throws {
    let resolver = Wiring.blockResolver.makeResolver()
    let warm: Root = try resolver.resolve()
    let outcomes = try Threads.run(count) { thread in
      for round in 0..<50 {
        let name = "\(thread).\(round)"
        try withLayer(of: resolver, isBoundary: round % 2 == 0) {
          $0.register(lifecycle: .cached) { Leaf(name) }
        } operation: {
          let root: Root = try resolver.resolve()
          #expect(root.leaf.origin == name)
          try #expect(resolver.resolve(Root.self) === root)
        }
        try #expect(resolver.resolve(Root.self) === warm)
      }
    }
    #expect(outcomes.allSatisfy { $0.failure == nil })
  }

  /// Swift Testing runs 64 cases in parallel, with 100 rounds each.
  @Test(
    .overrides(.check(.unusedOverride, .off), of: resolver) {
      $0.register(lifecycle: .cached) { Leaf("suite") }
    }, arguments: 0..<64)
  func `parallel cases never see each other's doubles`(id: Int) async throws {
    let resolver = `Under contention`.resolver
    for round in 0..<100 {
      let name = "\(id).\(round)"
      try await withLayer(of: resolver) {
        $0.register(lifecycle: .cached) { Leaf(name) }
      } operation: {
        let before: Root = try resolver.resolve()
        await Task.yield()
        let after: Root = try resolver.resolve()
        #expect(before === after && after.leaf.origin == name)
      }
    }
    try #expect(resolver.resolve(Root.self).leaf.origin == "suite")
  }

  /// A group runs 64 child tasks, with 100 rounds each.
  @Test func `parallel child tasks never see each other's doubles`() async throws {
    let resolver = Wiring.inject.makeResolver()
    try await withResolver(resolver) {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for id in 0..<64 {
          group.addTask {
            for round in 0..<100 {
              let name = "\(id).\(round)"
              try await withLayer(of: resolver, isBoundary: true) {
                $0.register { Leaf(name) }
              } operation: {
                async let root = resolver.resolve(Root.self)
                await Task.yield()
                try #expect(await root.leaf.origin == name)
              }
            }
          }
        }
        try await group.waitForAll()
      }
      try #expect(resolver.resolve(Root.self).leaf.origin == "production")
    }
  }
}
