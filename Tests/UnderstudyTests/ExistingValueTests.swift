// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyCompatibility
@testable import Understudy

/// A registered value takes a faster path than a block. The result must be the same.
@Suite struct `A registered value` {
  /// A step of a program, performed at the current layer.
  private enum Step {
    case register(Int, Lifecycle)
    case registerBelow(Int)
    case unregister(Int)
    case resolve(Int, Lifecycle)
    case resolvePair
    case decorate(Int)
    case dispose(Int)
    case reset
    case push(isBoundary: Bool, [Step])
  }

  private struct Pair: Sendable { let ids: [Int] }

  private static func steps(_ random: inout SeededGenerator, depth: Int = 0) -> [Step] {
    (0..<Int.random(in: 3...9, using: &random)).map { _ in
      let number = Int.random(in: 0..<3, using: &random)
      switch Int.random(in: 0..<16, using: &random) {
      case 0, 1: return .register(number, .cached)
      case 2: return .register(number, [.once, .notCached].randomElement(using: &random)!)
      case 3: return .registerBelow(number)
      case 4: return .unregister(number)
      case 5: return .decorate(number)
      case 6: return Bool.random(using: &random) ? .reset : .dispose(number)
      case 7, 8: return .resolvePair
      case 9: return .resolve(number, [.once, .notCached].randomElement(using: &random)!)
      case 10, 11, 12:
        guard depth < 4 else { return .resolve(number, .cached) }
        let isBoundary = Int.random(in: 0..<3, using: &random) == 0
        return .push(isBoundary: isBoundary, steps(&random, depth: depth + 1))
      default: return .resolve(number, .cached)
      }
    }
  }

  /// Runs a program, and describes everything that can be observed.
  private final class World {
    private let resolver = Resolver()
    private let isExisting: Bool
    private var lastID = 0
    private(set) var seen: [String] = []
    private let ends = Transcript<String>()

    init(isExisting: Bool) { self.isExisting = isExisting }

    /// The name of one of the three values. The first has none, so that layers cache its answer.
    private func name(_ number: Int) -> (any Hashable & Sendable)? { number == 0 ? nil : number }

    private func register(_ number: Int, _ lifecycle: Lifecycle, on registrar: any Registering) {
      lastID += 1
      let coin = Coin(lastID)
      if isExisting {
        registrar.register(coin, named: name(number), lifecycle: lifecycle)
      } else {
        registrar.register(named: name(number), lifecycle: lifecycle) { coin }
      }
    }

    func run(_ steps: [Step]) {
      resolver.register(lifecycle: .cached) { r in
        Pair(ids: try (0..<2).map { try r.resolve(Coin.self, named: $0 == 0 ? nil : $0).id })
      }
      run(steps, nil)
    }

    private func run(_ steps: [Step], _ layer: OverrideLayer?) {
      for step in steps {
        switch step {
        case .register(let number, let lifecycle):
          register(number, lifecycle, on: layer ?? resolver as any Registering)
        case .registerBelow(let number): register(number, .cached, on: resolver)
        case .unregister(let number):
          let key = Key<Coin>(named: name(number))
          _ = layer?.unregister(key) ?? resolver.unregister(key)
        case .decorate(let number):
          layer?.decorate(Coin.self, named: name(number)) { Coin($0.id + 1_000) }
        case .dispose(let number):
          layer?.onDispose(of: Key<Coin>(named: name(number))) { [ends] in
            ends.say("end of \($0.id)")
          }
        case .reset: resolver.reset(.instances)
        case .resolve(let number, let lifecycle):
          say { try resolver.resolve(Coin.self, named: name(number), lifecycle: lifecycle).id }
        case .resolvePair: say { try resolver.resolve(Pair.self).ids }
        case .push(let isBoundary, let steps):
          withLayer(of: resolver, isBoundary: isBoundary) { _ in
          } operation: {
            run(steps, OverrideLayer.current)
            say { OverrideLayer.current?.log.allCounts.map { "\($0.key.step) \($0.counts)" } }
          }
        }
        seen.append("\(ends.all)")
        // The number of stored instances in each store.
        seen.append("\(([resolver.store] + stores(layer)).map(\.instanceCount))")
      }
    }

    private func stores(_ layer: OverrideLayer?) -> [LevelStore] {
      layer.map { Array($0.stack.map(\.store)) } ?? []
    }

    private func say<Seen>(_ look: () throws -> Seen) {
      do { seen.append("\(try look())") } catch {
        seen.append((error as? ResolutionError).map { "\($0.kind) \($0.steps)" } ?? "\(error)")
      }
    }
  }

  @Test(arguments: 0..<150 as Range<UInt64>)
  func `is found, cached and counted as the result of a block is`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let steps = Self.steps(&random)
    let (existing, made) = (World(isExisting: true), World(isExisting: false))
    existing.run(steps)
    made.run(steps)
    #expect(existing.seen == made.seen)
    #expect(existing.seen.count > 2)
  }

  @Test(arguments: [false, true])
  func `is cached once for many concurrent requests`(isBoundary: Bool) throws {
    for _ in 0..<50 {
      let (resolver, coin) = (Resolver(), Coin(1))
      resolver.register(coin)
      try withLayer(of: resolver, isBoundary: isBoundary) { _ in
      } operation: {
        let layer = try #require(OverrideLayer.current)
        let context = OverrideContext.current
        let outcomes = try Threads.run(4) { _ in
          try context.run { try resolver.resolve(Coin.self) }
        }
        for outcome in outcomes { try #expect(outcome.get() === coin) }
        let counts = layer.log.counts(of: Key<Coin>())
        #expect(counts.made == 1)
        #expect(counts.reused == 3)
        #expect(layer.store.instanceCount == (isBoundary ? 1 : 0))
        #expect(resolver.store.instanceCount == (isBoundary ? 0 : 1))
      }
    }
  }

  /// Each thread requests while another one registers. Every answer must have been registered, and
  /// none may stay alive.
  @Test func `is released when another one replaces it`() throws {
    let (resolver, gone, made) = (Resolver(), Tally(), Tally())
    let register = { @Sendable in _ = resolver.register(Mortal(made.next(), gone)) }
    register()
    let outcomes = try Threads.run(4) { number in
      for _ in 0..<500 {
        if number == 0 { register() } else { try #expect(resolver.resolve(Mortal.self).isWhole) }
      }
    }
    for outcome in outcomes { try outcome.get() }
    #expect(resolver.store.instanceCount <= 1)
    resolver.reset()
    #expect(made.count == gone.count)
  }

  /// Either request may be first. A `.once` value is returned once, and never again.
  @Test(arguments: [false, true])
  func `is returned to the .once request alone`(isBoundary: Bool) throws {
    for _ in 0..<300 {
      let resolver = Resolver()
      resolver.register(Coin(1))
      try withLayer(of: resolver, isBoundary: isBoundary) { _ in
      } operation: {
        let layer = try #require(OverrideLayer.current)
        let context = OverrideContext.current
        let outcomes = try Threads.run(3) { number in
          try context.run {
            try resolver.resolve(Coin.self, lifecycle: number == 0 ? .once : .cached)
          }
        }
        let counts = layer.log.counts(of: Key<Coin>())
        #expect(counts.made == 1)
        #expect(counts.reused == outcomes.count { $0.success != nil } - 1)
        #expect(outcomes[0].success != nil)
        #expect(layer.store.instanceCount == 0)
      }
    }
  }

  @Test func `is too deep at the same depth as a block`() throws {
    for isExisting in [true, false] {
      let resolver = Resolver()
      if isExisting {
        resolver.register(Coin(1))
      } else {
        resolver.register(lifecycle: .cached) { Coin(1) }
      }
      resolver.register { (r: Resolver, rest: Int) throws -> [Int] in
        rest == 0 ? [try r.resolve(Coin.self).id] : try r.resolve([Int].self, with: rest - 1)
      }
      let deepest = Resolver.maximumDepth - 2
      #expect(throws: ResolutionError.self) {
        _ = try resolver.resolve([Int].self, with: deepest + 1) as [Int]
      }
      #expect(try resolver.resolve([Int].self, with: deepest) == [1])
    }
  }
}
