// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyTesting

@testable import Understudy

extension Dependencies {
  fileprivate static let stageCoin = Dependency<Coin> { @MainActor in Coin(7) }
  fileprivate static let cell = Dependency<Coin>(lifecycle: .cached) { Coin(0) }
  fileprivate static let number = Dependency<Int> { 0 }
  fileprivate static let otherNumber = Dependency<Int> { 100 }
}

/// Rule O7 of `Docs/Guarantees.md`.
@Suite struct `Layers that decorate` {
  @Test func `decorate a registration that is not cached at each request`() throws {
    let resolver = Resolver()
    let made = Tally()
    resolver.register { Coin(made.next()) }
    try withLayer(of: resolver) {
      $0.decorate(Coin.self) { Coin($0.id + 100) }
    } operation: {
      try #expect(resolver.resolve(Coin.self).id == 101)
      try #expect(resolver.resolve(Coin.self).id == 102)
    }
    try #expect(resolver.resolve(Coin.self).id == 3)
  }

  @Test func `may decorate production under a strict layer`() throws {
    let resolver = Resolver()
    resolver.register { Coin(1) }
    try withOverrides(.strict, of: resolver) {
      $0.decorate(Coin.self) { Coin($0.id + 10) }
    } operation: {
      try #expect(resolver.resolve(Coin.self).id == 11)
    }
  }

  enum Below: CaseIterable { case nothing, decorator, fault }

  @Test(arguments: Below.allCases)
  func `wrap a declared dependency and its bare type each on its own`(below: Below) throws {
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { Coin(100) }
    try withLayer(of: resolver) {
      switch below {
      case .nothing: break
      case .decorator: $0.decorate(Coin.self) { Coin($0.id + 10) }
      case .fault: $0.fault(Coin.self, .throwing(CancellationError()), on: .nth(100))
      }
    } operation: {
      let more = below == .decorator ? 10 : 0
      try withLayer(of: resolver) {
        $0.decorate(Coin.self) { Coin($0.id + 1000) }
      } operation: {
        for _ in 1...2 {
          try #expect(resolver.resolve(Coin.self).id == 1100 + more)
          #expect(resolver.resolve(\.cell).id == 1000 + more)
        }
      }
    }
  }

  @Test func `by type share the wrapper of a declared dependency, with its lifecycle`() {
    let resolver = Resolver()
    withLayer(of: resolver) {
      $0.decorate(Coin.self) { Coin($0.id + 1000) }
    } operation: {
      let first = resolver.resolve(\.cell)
      #expect(first.id == 1000)
      #expect(resolver.resolve(\.cell) === first)
    }
  }

  @Test func `share the wrapper of an override that answers both`() throws {
    let resolver = Resolver()
    try withLayer(of: resolver) {
      $0.register(lifecycle: .cached) { Coin(5) }
    } operation: {
      try withLayer(of: resolver) {
        $0.decorate(Coin.self) { Coin($0.id + 100) }
      } operation: {
        let first = resolver.resolve(\.cell)
        try #expect(resolver.resolve(Coin.self) === first)
        #expect(resolver.resolve(\.cell) === first)
      }
    }
  }

  @Test func `by type are waited for as the declared dependency is`() async throws {
    let resolver = Resolver()
    try await withOverrides(of: resolver) {
      $0.decorate(Coin.self) { Coin($0.id + 1000) }
    } operation: {
      let context = OverrideContext.current
      let id = try await Task.detached {
        try await context.run { try await resolver.resolveAsync(\.stageCoin).id }
      }.value
      #expect(id == 1007)
    }
  }

  @Test func `do not keep the wrapper of an override that is gone`() throws {
    let resolver = Resolver()
    var key: Key<Coin>?
    try withLayer(of: resolver) {
      key = $0.override(\.cell, lifecycle: .cached) { Coin(1) }
    } operation: {
      let outer = try #require(OverrideLayer.current)
      try withLayer(of: resolver) {
        $0.decorate(\.cell) { Coin($0.id + 1000) }
      } operation: {
        try #expect(resolver.resolve(Coin.self).id == 1001)
        try outer.unregister(#require(key))
        #expect(resolver.resolve(\.cell).id == 1000)
      }
    }
  }

  @Test func `count the requests that they answer, not their own requests below`() throws {
    let resolver = Resolver()
    try withLayer(of: resolver) {
      $0.decorate(Coin?.self) { $0 }
    } operation: {
      try #expect(resolver.resolve(Coin?.self) == nil)
      let layer = try #require(OverrideLayer.current)
      #expect(layer.log.allCounts.map(\.key) == [AnyKey(type: Coin?.self)])
    }
  }

  @Test(arguments: [false, true])
  func `decorate a cached registration once for the layer`(isBoundary: Bool) throws {
    let resolver = Resolver()
    let (made, decorated) = (Tally(), Tally())
    resolver.register(lifecycle: .cached) { Coin(made.next()) }
    let warm: Coin = try resolver.resolve()
    try withLayer(of: resolver, isBoundary: isBoundary) {
      $0.decorate(Coin.self) { underlying in
        decorated.next()
        #expect((underlying === warm) == !isBoundary)
        return Coin(underlying.id + 100)
      }
    } operation: {
      let inside: Coin = try resolver.resolve()
      try #expect(resolver.resolve(Coin.self) === inside)
      #expect(inside.id == (isBoundary ? 102 : 101))
    }
    #expect(decorated.count == 1)
    try #expect(resolver.resolve(Coin.self) === warm)
  }

  @Test func `decorate a cached registration once for the layer, whatever lifecycle is requested`()
    throws
  {
    let resolver = Resolver()
    resolver.register(instance: Coin(1))
    try withLayer(of: resolver) {
      $0.decorate(Coin.self) { Coin($0.id + 100) }
    } operation: {
      try withLayer(of: resolver) {
        $0.decorate(Coin.self) { Coin($0.id + 1000) }
      } operation: {
        let coin: Coin = try resolver.resolve()
        try #expect(resolver.resolve(Coin.self, lifecycle: .notCached) === coin)
      }
    }
  }

  @Test func `decorate a one-time registration, which is then gone`() throws {
    let resolver = Resolver()
    resolver.register(1, lifecycle: .once)
    try withLayer(of: resolver) {
      $0.decorate(Int.self) { $0 + 100 }
    } operation: {
      try #expect(resolver.resolve(Int.self) == 101)
      #expect(resolutionError { try resolver.resolve(Int.self) }?.kind == "nothingToDecorate")
    }
  }

  @Test func `decorate a declared dependency`() throws {
    let resolver = Resolver()
    withLayer(of: resolver) {
      $0.decorate(\.cell) { Coin($0.id + 100) }
    } operation: {
      #expect(resolver.resolve(\.cell).id == 100)
      #expect(resolver.resolve(\.cell) === resolver.resolve(\.cell))
    }
    #expect(resolver.resolve(\.cell).id == 0)
  }

  @Test func `answer the bare type of a declared dependency, whatever other resolvers have`() throws
  {
    let (resolver, other) = (Resolver(), Resolver())
    try withLayer(of: resolver) {
      $0.override(\.number, with: 5)
    } operation: {
      try withLayer(of: other) {
        $0.register { 7 }
      } operation: {
        try withLayer(of: resolver) {
          $0.decorate(\.number) { $0 + 100 }
        } operation: {
          try #expect(resolver.resolve(Int.self) == 105)
          try #expect(other.resolve(Int.self) == 7)
        }
      }
    }
  }

  @Test func `decorate names, containers and arguments`() throws {
    let resolver = Resolver()
    resolver.register(named: "n", in: "c") { (x: Int) in "made with \(x)" }
    try withLayer(of: resolver) {
      $0.decorate(String.self, named: "n", in: "c") { "<\($0)>" }
    } operation: {
      try #expect(resolver.resolve(String.self, with: 7, named: "n", in: "c") == "<made with 7>")
    }
  }

  @Test func `decorate the answer of a layer below, so that two decorators nest`() throws {
    let resolver = Resolver()
    resolver.register { "p" }
    try withLayer(of: resolver) {
      $0.decorate(String.self) { "a(\($0))" }
    } operation: {
      try withLayer(of: resolver) {
        $0.decorate(String.self) { "b(\($0))" }
      } operation: {
        try #expect(resolver.resolve(String.self) == "b(a(p))")
        try withLayer(of: resolver) {
          $0.register { "q" }
        } operation: {
          try #expect(resolver.resolve(String.self) == "q")
        }
      }
    }
  }

  @Test func `decorate the registrations of their own resolver only`() throws {
    let (resolver, other) = (Resolver(), Resolver())
    resolver.register { "p" }
    other.register { "o" }
    try withLayer(of: resolver) {
      $0.decorate(String.self) { "a(\($0))" }
    } operation: {
      try withLayer(of: other) {
        $0.decorate(String.self) { "b(\($0))" }
      } operation: {
        try #expect(resolver.resolve(String.self) == "a(p)")
        try #expect(other.resolve(String.self) == "b(o)")
      }
    }
  }

  @Test func `throw if nothing below answers`() throws {
    let resolver = Resolver()
    let error = resolutionError {
      try withLayer(of: resolver) {
        $0.decorate(Int.self) { $0 }
      } operation: {
        try resolver.resolve(Int.self)
      }
    }
    #expect(error?.kind == "nothingToDecorate")
  }

  /// A decorator without a registration below answers nothing. It is not an element of an array by
  /// itself.
  @Test(arguments: [false, true])
  func `leave an optional nil if nothing below answers`(isUsedUp: Bool) async throws {
    let resolver = Resolver()
    if isUsedUp { resolver.register(1, lifecycle: .once) }
    try await withLayer(of: resolver) {
      $0.decorate(Int.self) { $0 + 100 }
    } operation: {
      try await withLayer(of: resolver) {
        $0.decorate(Int.self) { $0 + 1000 }
      } operation: {
        if isUsedUp { try #expect(resolver.resolve(Int?.self) == 1101) }
        try #expect(resolver.resolve(Int?.self) == nil)
        try #expect(resolver.resolve([Int].self) == [])
        try #expect(resolver.resolve(all: [Key<Int>()]) == [])
        try #expect(await resolver.resolveAsync(Int?.self) == nil)
        try #expect(await resolver.resolveAsync([Int].self) == [])
      }
    }
  }

  @Test func `with nothing below do not hide a later override from an instance`() throws {
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { r in Coin(try r.resolve(Int?.self) ?? 0) }
    try withLayer(of: resolver) {
      $0.decorate(Int.self) { $0 + 100 }
    } operation: {
      let made: Coin = try resolver.resolve()
      #expect(made.id == 0)
      try withLayer(of: resolver) {
        $0.register(1)
      } operation: {
        try #expect(resolver.resolve(Coin.self).id == 1)
      }
      try #expect(resolver.resolve(Coin.self) === made)
    }
  }

  @Test func `nest two decorators of one layer, the last one outermost`() throws {
    let resolver = Resolver()
    resolver.register { "p" }
    try withLayer(of: resolver) {
      $0.decorate(String.self) { "a(\($0))" }
      $0.decorate(String.self) { "b(\($0))" }
    } operation: {
      try #expect(resolver.resolve(String.self) == "b(a(p))")
    }
    try withLayer(of: resolver) {
      $0.register { "q" }
      $0.decorate(String.self) { "a(\($0))" }
    } operation: {
      try #expect(resolver.resolve(String.self) == "a(q)")
    }
  }

  @Test func `distinguish a declared dependency from its type`() throws {
    let resolver = Resolver()
    try withLayer(of: resolver) {
      $0.register { 5 }
      $0.decorate(\.number) { $0 + 1 }
    } operation: {
      #expect(resolver.resolve(\.number) == 6)
      #expect(resolver.resolve(\.otherNumber) == 5)
      try #expect(resolver.resolve(Int.self) == 5)
    }
    try withLayer(of: resolver) {
      $0.override(\.number) { 6 }
      $0.decorate(Int.self) { $0 + 100 }
    } operation: {
      #expect(resolver.resolve(\.number) == 6)
      try #expect(resolver.resolve(Int.self) == 106)
    }
  }

  @Test func `count one request to a decorator once`() throws {
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { Coin(1) }
    try withLayer(of: resolver) {
      $0.decorate(Coin.self) { Coin($0.id) }
    } operation: {
      for _ in 0..<3 { _ = try resolver.resolve(Coin.self) }
      let counts = try #require(OverrideLayer.current).log.counts(of: Key<Coin>())
      #expect(counts.text == "made 1, reused 2, missed 0, failed 0")
    }
  }

  @Test(arguments: [false, true])
  func `dispose of a returned input once, and never of production's`(
    isAwaited: Bool
  ) async throws {
    let (resolver, made, closed) = (Resolver(), Tally(), Transcript<Int>())
    if isAwaited {
      resolver.register { () async in Coin(made.next()) }
    } else {
      resolver.register { Coin(made.next()) }
    }
    resolver.register(named: "kept", lifecycle: .cached) { Coin(100) }
    _ = try resolver.resolve(Coin.self, named: "kept")
    try await withLayer(of: resolver) {
      for name in [nil, "kept"] {
        $0.decorate(Coin.self, named: name) { $0 }
        $0.onDispose(of: Key<Coin>(named: name)) { closed.say($0.id) }
      }
    } operation: {
      _ = try await resolver.resolveAsync(Coin.self)
      _ = try await resolver.resolveAsync(Coin.self)
      _ = try await resolver.resolveAsync(Coin.self, named: "kept")
    }
    #expect(closed.all == [2, 1])
  }

  @Test func `dispose of the wrapper, and then of the wrapped instance`() throws {
    let (resolver, closed) = (Resolver(), Transcript<Int>())
    resolver.register { Coin(1) }
    try withLayer(of: resolver) {
      $0.decorate(Coin.self) { Coin($0.id + 100) }
      $0.onDispose(of: Key<Coin>()) { closed.say($0.id) }
    } operation: {
      _ = try resolver.resolve(Coin.self)
    }
    #expect(closed.all == [101, 1])
  }

  @Test(arguments: [false, true])
  func `return a weakly registered object without retaining it`(isFaulty: Bool) throws {
    let resolver = Resolver()
    var coin: Coin? = Coin(1)
    let witness = try Witness(#require(coin))
    try resolver.register(weak: #require(coin))
    try withLayer(of: resolver) {
      $0.decorate(Coin.self) { $0 }
      if isFaulty { $0.fault(Coin.self, .throwing(Strike()), on: .nth(9)) }
    } operation: {
      try #expect(resolver.resolve(Coin.self) === coin)
      coin = nil
      #expect(witness.isGone)
      try #expect(resolver.resolve(Coin?.self) == nil)
    }
  }

  @Test func `wrap a scoped instance while the wrapper is retained`() throws {
    enum Session: Scope {}
    let (resolver, wrapped) = (Resolver(), Tally())
    resolver.register(scopedTo: Session.self) { Coin(100) }
    try withLayer(of: resolver) {
      $0.decorate(Coin.self, scopedTo: Session.self) { Coin($0.id + wrapped.next()) }
    } operation: {
      var holder: Coin? = try resolver.resolve(scopedTo: Session.self)
      try #expect(resolver.resolve(Coin.self, scopedTo: Session.self) === holder)
      #expect(holder?.id == 101)
      let witness = try Witness(#require(holder))
      // A layer that decorates the decorator does not retain the inner wrapper longer.
      try withLayer(of: resolver) {
        $0.decorate(Coin.self, scopedTo: Session.self) { Coin(-$0.id) }
      } operation: {
        let inner: Coin = try resolver.resolve(scopedTo: Session.self)
        #expect(inner.id == -101)
        try #expect(resolver.resolve(Coin.self, scopedTo: Session.self) === inner)
      }
      holder = nil
      #expect(witness.isGone)
      try #expect(resolver.resolve(Coin.self, scopedTo: Session.self).id == 102)
    }
  }

  @Test func `cache a wrapper exactly as long as the wrapped instance is cached`() throws {
    let resolver = Resolver()
    let first = Coin(1)
    resolver.register(weak: first)
    try withLayer(of: resolver) { _ in
    } operation: {
      let outer = try #require(OverrideLayer.current)
      try withLayer(of: resolver) {
        $0.decorate(Coin.self) { Coin($0.id + 100) }
      } operation: {
        func decorated() throws -> Witness { try Witness(resolver.resolve(Coin.self)) }
        try #expect(decorated().isGone)
        outer.register(lifecycle: .cached) { Coin(2) }
        let kept = try decorated()
        #expect(kept.isThere)
        try #expect(resolver.resolve(Coin.self) === resolver.resolve(Coin.self))
        outer.register(weak: first)
        try #expect(decorated().isGone)
        #expect(kept.isGone)
        try #expect(resolver.resolve(Coin.self).id == 101)
      }
    }
  }

  @Test func `decorate a declared dependency, and nothing else of its type`() throws {
    let resolver = Resolver()
    try withLayer(of: resolver) {
      $0.decorate(\.number) { $0 + 1 }
    } operation: {
      #expect(resolver.resolve(\.number) == 1)
      try #expect(resolver.resolve(Int?.self) == nil)
      #expect(resolutionError { try resolver.resolve(Int.self) }?.kind == "missing")
      resolver.register { 7 }
      try #expect(resolver.resolve(Int.self) == 7)
      try #expect(resolver.resolve([Int].self) == [7])
      #expect(resolver.resolve(\.number) == 1)
    }
  }

  @Test(arguments: [false, true])
  func `decorate by its type the declared dependency that answers it`(isOwn: Bool) throws {
    let resolver = Resolver()
    resolver.register { 7 }
    try withLayer(of: resolver) {
      $0.override(\.number) { 5 }
      if isOwn { $0.decorate(\.number) { $0 + 1 } }
    } operation: {
      try withLayer(of: resolver) {
        if !isOwn { $0.decorate(\.number) { $0 + 1 } }
      } operation: {
        #expect(resolver.resolve(\.number) == 6)
        try #expect(resolver.resolve(Int.self) == 6)
        try withLayer(of: resolver) {
          $0.decorate(\.otherNumber) { $0 + 10 }
        } operation: {
          try withLayer(of: resolver) {
            $0.decorate(\.number) { $0 * 2 }
          } operation: {
            #expect(resolver.resolve(\.number) == 12)
            try #expect(resolver.resolve(Int.self) == 12)
          }
        }
      }
    }
  }
}
