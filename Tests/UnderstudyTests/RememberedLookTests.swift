// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Synchronization
import Testing
@testable import Understudy

/// The short way under layers, in processes of their own: nobody goes it where some value is completed later, as in
/// the process of the other tests.
@Suite struct `What layers remember is looked at` {
  fileprivate enum Farewell: CaseIterable { case reset, unregister, register, replace, forget }

  /// Production's instance is not the layer's to keep: whoever lets go of it waits until it is copied, and the layer
  /// has dropped it by then.
  @Test func `and production's instance goes when it was copied`() async {
    await #expect(processExitsWith: .success) {
      for farewell in Farewell.allCases { try Self.check(farewell) }
    }
  }

  private static func check(_ farewell: Farewell) throws {
    let (resolver, gone) = (Resolver(), Tally())
    let key = resolver.register(lifecycle: .cached) { Mortal(1, gone) }
    // The first to hear of production's changes.
    let witness = ChangeWitness()
    resolver.store.observers?.add(witness)
    defer { resolver.store.observers?.remove(witness) }
    try Self.underLayer(of: resolver) { layer in
      for _ in 0..<2 { _ = try resolver.resolve(Mortal.self) }
      let registration = try #require(resolver.store.registration(for: key.erased))
      let (provenance, kept) = try Self.kept(registration, resolver)
      let looked = Gate("the look")
      let outcomes = try Threads.run(2) { number in
        guard number == 0 else {
          try looked.pass()
          switch farewell {
          case .reset: resolver.reset(.instances)
          case .unregister: resolver.unregister(key)
          case .forget: resolver.store.forget(registration)
          case .register: resolver.register(lifecycle: .cached) { Mortal(2, gone) }
          case .replace:
            let other = Instance(Mortal(2, gone), SendableType(), provenance)
            if let old = resolver.store.keep(other, of: registration) {
              resolver.store.letGo(of: old)
            }
          }
          return true
        }
        let look = resolver.rememberedLook(at: key.erased, under: layer)
        looked.open()
        var looks = 0
        while !witness.hasHeard {
          looks += 1
          if looks > 500_000_000 { throw Hang("nothing changes") }
        }
        // The change is under way, and would be done by now if it did not wait.
        for _ in 0..<20_000 { sched_yield() }
        let isThere = kept.isThere
        return end(look) && isThere
      }
      for outcome in outcomes {
        let isAsItShould = try outcome.get()
        precondition(isAsItShould, "\(farewell)")
      }
      precondition(kept.isGone, "\(farewell)")
      let isKnown = end(resolver.rememberedLook(at: key.erased, under: layer))
      precondition(!isKnown, "\(farewell)")
    }
  }

  /// Says that a change has begun, of which the others may hear after this one.
  private final class ChangeWitness: ChangeObserver, @unchecked Sendable {
    private let heard = Atomic<Bool>(false)

    var hasHeard: Bool { heard.load(ordering: .acquiring) }

    override func changeBeginsElsewhere() -> Any? {
      heard.store(true, ordering: .releasing)
      return nil
    }
  }

  /// What an instance was made from, and a look at whether it is there.
  private static func kept(
    _ registration: AnyRegistration, _ resolver: Resolver
  ) throws -> (Provenance, Witness) {
    let instance = try #require(resolver.store.instance(of: registration))
    return (instance.provenance, Witness(instance))
  }

  /// A layer of a test, on production's own instances; what it says at its end is nobody's business here.
  private static func underLayer<Result>(
    of resolver: Resolver, _ operation: (OverrideLayer) throws -> Result
  ) rethrows -> Result {
    var traits = LayerTraits(of: resolver, named: "looked at", on: nil, at: CallSite())
    traits.test = RunningTest(name: "looked at", adoptsEscapedWork: false)
    let layer = OverrideLayer(traits)
    defer { _ = layer.end() }
    return try OverrideLayer.binding(layer) { try operation(layer) }
  }

  /// Lets go of a look; true if there was one.
  private static func end(_ look: consuming RememberedLook?) -> Bool {
    guard let look else { return false }
    look.end()
    return true
  }

  @Test func `and production's instance is alive, whoever changes production`() async {
    await #expect(processExitsWith: .success) {
      let (resolver, made, gone) = (Resolver(), Tally(), Tally())
      let register = { @Sendable in
        _ = resolver.register(lifecycle: .cached) { Mortal(made.next(), gone) }
      }
      register()
      let outcomes = try Threads.run(4) { number in
        try Self.underLayer(of: resolver) { _ in
          for step in 0..<2_000 {
            switch (step &+ number) % 50 {
            case 0: register()
            case 25: resolver.reset(.instances)
            default:
              let isWhole = try resolver.resolve(Mortal.self).isWhole
              precondition(isWhole)
            }
          }
        }
      }
      for outcome in outcomes { try outcome.get() }
      resolver.reset()
      precondition(made.count == gone.count, "layers hold nothing of what they remembered")
    }
  }

  @Test func `once it was found, unless it took an argument or is held weakly`() async {
    await #expect(processExitsWith: .success) {
      let resolver = Resolver()
      let key = resolver.register(lifecycle: .cached) { Coin(0) }
      func isKnown(_ layer: OverrideLayer) -> Bool {
        Self.end(resolver.rememberedLook(at: key.erased, under: layer))
      }
      try Self.underLayer(of: resolver) { layer in
        for isOverridden in [false, true] {
          if isOverridden { layer.register(lifecycle: .cached) { Coin(1) } }
          _ = try resolver.resolve(Coin.self)
          precondition(!isKnown(layer), "it was made")
          _ = try resolver.resolve(Coin.self)
          precondition(isKnown(layer))
        }
        layer.register(lifecycle: .cached) { (_: Resolver, number: Int) in Coin(number) }
        _ = try resolver.resolve(Coin.self, with: 5)
        precondition(!isKnown(layer))
        let kept = Coin(2)
        layer.register(weak: kept)
        let found = try resolver.resolve(Coin.self)
        precondition(found === kept && !isKnown(layer))
      }
    }
  }

  /// The last words of a name may ask the log, which is not locked then.
  @Test func `and what makes room for it in the log goes outside the lock`() async {
    await #expect(processExitsWith: .success) {
      let resolver = Resolver()
      resolver.register(lifecycle: .cached) { Coin(0) }
      let said = Tally()
      try Self.underLayer(of: resolver) { layer in
        _ = try resolver.resolve(Coin.self)
        do {
          let name = Nametag {
            _ = said.next(); _ = layer.log.events
          }
          let other = Resolver()
          other.register(named: name) { try resolver.resolve(Coin.self).id }
          _ = try other.resolve(Int.self, named: name)
          other.reset()
        }
        precondition(said.count == 0)
        for _ in 0..<600 { _ = try resolver.resolve(Coin.self) }
        precondition(said.count == 1)
      }
    }
  }

  /// Those last words may have all that is remembered dropped: nothing is asked of it after them.
  @Test func `and nothing is asked of what was dropped meanwhile`() async {
    await #expect(processExitsWith: .success) {
      let (resolver, made, gone, said) = (Resolver(), Tally(), Tally(), Tally())
      let litter = Lock<[[UInt8]]>([])
      let register = { @Sendable in
        _ = resolver.register(lifecycle: .cached) { Mortal(made.next(), gone) }
      }
      register()
      resolver.register(lifecycle: .cached) { Coin(0) }
      try Self.underLayer(of: resolver) { layer in
        // The first look at what is remembered of it has yet to come.
        _ = try resolver.resolve(Mortal.self)
        _ = try resolver.resolve(Coin.self)
        do {
          let name = Nametag {
            register()
            // Where what was dropped lay there is this now.
            litter.withLock { $0 = (1...64).map { [UInt8](repeating: .max, count: $0 * 8) } }
            _ = said.next()
          }
          let other = Resolver()
          other.register(named: name) { try resolver.resolve(Coin.self).id }
          _ = try other.resolve(Int.self, named: name)
          other.reset()
        }
        for _ in 0..<ResolutionLog.tailCapacity - 1 { _ = try resolver.resolve(Coin.self) }
        precondition(said.count == 0)
        let isWhole = try resolver.resolve(Mortal.self).isWhole
        precondition(isWhole && said.count == 1)
      }
    }
  }

  private final class Nametag: Hashable, Sendable {
    private let lastWords: @Sendable () -> Void

    init(_ lastWords: @escaping @Sendable () -> Void) { self.lastWords = lastWords }

    deinit { lastWords() }

    static func == (left: Nametag, right: Nametag) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }
}
