// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyTesting

/// It changes nothing of what it stands before.
@Suite struct `A fault that does not strike` {
  private let resolver: Resolver = {
    let resolver = Resolver()
    resolver.register { RealPostman() as any Postman }
    return resolver
  }()

  @Test(arguments: [Lifecycle.once, .cached, .notCached])
  func `leaves a one-time override of its layer to be used once`(lifecycle: Lifecycle) throws {
    try withOverrides(of: resolver) {
      $0.register(lifecycle: lifecycle) { PostmanDouble() as any Postman }
      $0.fault((any Postman).self, .throwing(Strike()), on: .nth(1))
    } operation: {
      func ask(_ wanted: Lifecycle) throws -> String {
        try resolver.resolve((any Postman).self, lifecycle: wanted).name
      }
      #expect(throws: ResolutionError.self) { try ask(.once) }
      try #expect(ask(.once) == "double")
      try #expect(ask(.cached) == "production")
      try #expect(ask(.once) == "production")
    }
  }

  @Test(arguments: [false, true])
  func `leaves counting, keeping and disposing as they were`(
    isAwaited: Bool
  ) async throws {
    let (resolver, closed) = (Resolver(), Transcript<Int>())
    try await withOverrides(of: resolver) {
      if isAwaited {
        $0.register(lifecycle: .cached) { () async in Coin(1) }
      } else {
        $0.register(lifecycle: .cached) { Coin(1) }
      }
      $0.onDispose(of: Key<Coin>()) { closed.say($0.id) }
      $0.fault(Coin.self, .throwing(Strike()), on: .nth(3))
    } operation: {
      for number in 1...4 {
        let coin = try? await resolver.resolveAsync(Coin.self)
        #expect((coin == nil) == (number == 3))
      }
      let log = try #require(OverrideLayer.current).log
      #expect(log.counts(of: Key<Coin>()).text == "made 1, reused 2, missed 0, failed 1")
      #expect(log.events.map(\.outcome) == [.made, .reused, .failed, .reused])
      assertCreated(Coin.self, count: 1)
    }
    #expect(closed.all == [1])
  }

  /// To look at what is kept is no resolution: it is not counted, and nothing goes wrong with it.
  @Test(arguments: [1, 9], [false, true])
  func `is looked through for what is kept`(number: Int, isOverridden: Bool) throws {
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { Coin(1) }
    try withOverrides(.check(.unusedOverride, .off), of: resolver) {
      if isOverridden { $0.register(lifecycle: .cached) { Coin(2) } }
      $0.fault(Coin.self, .throwing(Strike()), on: .nth(2))
    } operation: {
      #expect(resolver.existing(Coin.self) == nil)
      let coin = try resolver.resolve(Coin.self)
      withOverrides([.check(.unusedOverride, .off), .check(.lateOverride, .off)], of: resolver) {
        $0.fault(Coin.self, .throwing(Strike()), on: .nth(number))
      } operation: {
        #expect(resolver.existing(Coin.self) === coin)
        #expect(throws: ResolutionError.self) { try resolver.resolve(Coin.self) }
        #expect(resolver.existing(Coin.self) === coin)
      }
    }
  }

  @Test func `of an outer layer is counted once in each`() throws {
    try withOverrides(of: resolver) {
      $0.fault((any Postman).self, .throwing(Strike()), on: .nth(2))
    } operation: {
      let outer = try #require(OverrideLayer.current)
      try withOverrides(of: resolver) { _ in
      } operation: {
        let layer = try #require(OverrideLayer.current)
        for _ in 1...3 { _ = try? resolver.resolve((any Postman).self) }
        for log in [layer.log, outer.log] {
          let counts = log.counts(of: Key<any Postman>())
          #expect(counts.text == "made 2, reused 0, missed 0, failed 1")
        }
      }
    }
  }

  @Test(arguments: [false, true], [false, true])
  func `strikes in front of a decorator that is kept, whichever was set first`(
    isFirst: Bool, isOwn: Bool
  ) throws {
    let (resolver, wrapped) = (Resolver(), Tally())
    resolver.register(lifecycle: .cached) { Coin(1) }
    try withOverrides(of: resolver) {
      if isOwn { $0.register(lifecycle: .cached) { Coin(2) } }
      if isFirst { $0.fault(Coin.self, .throwing(Strike()), on: .nth(2)) }
      $0.decorate(Coin.self) {
        wrapped.next()
        return Coin($0.id + 100)
      }
      if !isFirst { $0.fault(Coin.self, .throwing(Strike()), on: .nth(2)) }
    } operation: {
      let coin = try resolver.resolve(Coin.self)
      #expect(coin.id == (isOwn ? 102 : 101))
      #expect(throws: ResolutionError.self) { try resolver.resolve(Coin.self) }
      try #expect(resolver.resolve(Coin.self) === coin)
      let counts = try #require(OverrideLayer.current).log.counts(of: Key<Coin>())
      #expect(counts.text == "made 1, reused 1, missed 0, failed 1")
    }
    #expect(wrapped.count == 1)
  }

  @Test func `below a decorator of an inner layer leaves what it wraps kept`() throws {
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { Coin(1) }
    try withOverrides(of: resolver) {
      $0.fault(Coin.self, .throwing(Strike()), on: .flaky(0))
    } operation: {
      try withOverrides(of: resolver) {
        $0.decorate(Coin.self) { Coin($0.id + 100) }
      } operation: {
        let coin = try resolver.resolve(Coin.self)
        try #expect(resolver.resolve(Coin.self) === coin)
      }
    }
  }

  @Test func `leaves what nothing answers unanswered`() throws {
    let resolver = Resolver()
    try withOverrides(of: resolver) {
      $0.fault(Coin.self, .throwing(Strike()), on: .flaky(0))
    } operation: {
      try #expect(resolver.resolve(Coin?.self) == nil)
      #expect(resolutionError { try resolver.resolve(Coin.self) }?.kind == "missing")
    }
  }

  /// Nothing is let go of, and nothing that was used up comes back, because of what is set in front
  /// of it later.
  @Test(arguments: [0, 1])
  func `that is set later leaves what its layer keeps, and below decorators, as it was`(
    count: Int
  ) throws {
    let (resolver, made) = (Resolver(), Tally())
    let unchecked: OverrideOptions = [
      .check(.unusedOverride, .off), .check(.lateOverride, .off),
    ]
    try withOverrides(unchecked, of: resolver) {
      $0.register(lifecycle: .cached) { Coin(made.next()) }
    } operation: {
      let layer = try #require(OverrideLayer.current)
      let coin = try resolver.resolve(Coin.self)
      layer.fault(Coin.self, .throwing(Strike()), on: .first(count))
      #expect((try? resolver.resolve(Coin.self)) === (count == 0 ? coin : nil))
      try #expect(resolver.resolve(Coin.self) === coin)
      try withOverrides(unchecked, of: resolver) {
        $0.decorate(Coin.self) { Coin($0.id + 100) }
      } operation: {
        let wrapper = try resolver.resolve(Coin.self)
        try #expect(resolver.resolve(Coin.self) === wrapper)
      }
      try #expect(resolver.resolve(Coin.self, lifecycle: .once) === coin)
      try #expect(resolver.resolve(Coin?.self) == nil)
      layer.decorate(Coin.self) { $0 }
      try #expect(resolver.resolve(Coin?.self) == nil)
      // With the fault goes what it stands before.
      #expect(layer.unregister(Key<Coin>()))
      #expect(!layer.unregister(Key<Coin>()))
    }
    #expect(made.count == 1)
  }

  @Test func `does not bring back what was used once, when a decorator is set after that`() throws {
    try withOverrides(.check(.unusedOverride, .off), of: resolver) {
      $0.register(PostmanDouble() as any Postman, lifecycle: .once)
      $0.fault((any Postman).self, .throwing(Strike()), on: .sequence([]))
    } operation: {
      try #expect(resolver.resolve((any Postman).self).name == "double")
      OverrideLayer.current?.decorate((any Postman).self) { $0 }
      try #expect(resolver.resolve((any Postman).self).name == "production")
    }
  }

  @Test(arguments: [false, true])
  func `leaves a value that is used once above a boundary to the levels below it`(isDecorated: Bool)
    throws
  {
    try withOverrides(.check(.unusedOverride, .off), of: resolver) {
      $0.register(PostmanDouble() as any Postman, lifecycle: .once)
      $0.fault((any Postman).self, .throwing(Strike()), on: .sequence([]))
      if isDecorated { $0.decorate((any Postman).self) { $0 } }
    } operation: {
      try withOverrides(of: resolver, isBoundary: true) { _ in
      } operation: {
        try #expect(resolver.resolve((any Postman).self).name == "double")
        try #expect(resolver.resolve((any Postman).self).name == "production")
      }
      try #expect(resolver.resolve((any Postman).self).name == "double")
      try #expect(resolver.resolve((any Postman).self).name == "production")
    }
  }

  /// What was made without something is made again when there is something, and only then.
  @Test(arguments: [false, true])
  func `of what nothing answers leaves what is kept to what there is`(isOptional: Bool) throws {
    let (resolver, made) = (Resolver(), Tally())
    resolver.register(lifecycle: .cached) { r in
      let name = isOptional ? try r.resolve(String?.self) : try? r.resolve(String.self)
      return Coin(made.next() + (name == nil ? 0 : 100))
    }
    try withOverrides([.check(.lateOverride, .off)], of: resolver) { _ in
    } operation: {
      let outer = try #require(OverrideLayer.current)
      try withOverrides(of: resolver) {
        $0.fault(String.self, .throwing(Strike()), on: .sequence([]))
      } operation: {
        try #expect(resolver.resolve(Coin.self).id == 1)
        try #expect(resolver.resolve(Coin.self).id == 1)
        outer.register { "there" }
        try #expect(resolver.resolve(Coin.self).id == 102)
      }
    }
  }

  /// What was made without something is of no use once there is something, and goes with the claim
  /// all the same.
  @Test(arguments: [false, true])
  func `leaves nothing kept of what was used once`(isBoundary: Bool) throws {
    let (resolver, unchecked) = (Resolver(), OverrideOptions.check(.lateOverride, .off))
    try withOverrides(unchecked, of: resolver) {
      $0.register(lifecycle: .cached) { r in Coin(try r.resolve(String?.self) == nil ? 1 : 2) }
      $0.fault(Coin.self, .throwing(Strike()), on: .sequence([]))
    } operation: {
      try withOverrides(unchecked, of: resolver, isBoundary: isBoundary) { _ in
      } operation: {
        weak let kept = try resolver.resolve(Coin.self)
        #expect(kept?.id == 1)
        OverrideLayer.current?.register { "there" }
        try #expect(resolver.resolve(Coin.self, lifecycle: .once).id == 2)
        #expect(kept == nil)
        try #expect(resolver.resolve(Coin?.self) == nil)
      }
    }
  }

  /// Whose registration goes while its block runs has nothing kept for it.
  @Test(arguments: [false, true])
  func `leaves nothing kept of what is taken away while it is made`(isDecorated: Bool) throws {
    let resolver = Resolver()
    try withOverrides(.check(.unusedOverride, .off), of: resolver) {
      $0.register(lifecycle: .cached) {
        OverrideLayer.current?.unregister(Key<Coin>())
        return Coin(1)
      }
      if isDecorated { $0.decorate(Coin.self) { Coin($0.id + 1) } }
      $0.fault(Coin.self, .throwing(Strike()), on: .sequence([]))
    } operation: {
      weak let made = try resolver.resolve(Coin.self)
      #expect(made == nil)
      try #expect(resolver.resolve(Coin?.self) == nil)
    }
  }

  /// Which of the instances are handed out below a boundary and then above it, where 0 is none.
  private func numbers(
    registered: Lifecycle, asked: Lifecycle, behindFault: Bool
  ) throws -> [Int] {
    let (resolver, made) = (Resolver(), Tally())
    return withOverrides(.check(.unusedOverride, .off), of: resolver) {
      $0.register(lifecycle: registered) { Coin(made.next()) }
      if behindFault { $0.fault(Coin.self, .throwing(Strike()), on: .sequence([])) }
    } operation: {
      func ask(_ lifecycle: Lifecycle) -> Int {
        (try? resolver.resolve(Coin.self, lifecycle: lifecycle))?.id ?? 0
      }
      let below = withOverrides(of: resolver, isBoundary: true) { _ in
      } operation: {
        [ask(.once), ask(asked), ask(asked), ask(.cached)]
      }
      return below + [ask(asked), ask(asked), ask(.once), ask(.cached)]
    }
  }

  @Test(
    arguments: [Lifecycle.once, .cached, .notCached], [Lifecycle.once, .cached, .notCached])
  func `leaves what a boundary has used up to be used up`(
    registered: Lifecycle, asked: Lifecycle
  ) throws {
    let numbers = try numbers(registered: registered, asked: asked, behindFault: true)
    try #expect(numbers == self.numbers(registered: registered, asked: asked, behindFault: false))
    #expect(numbers.prefix(4) == [1, 0, 0, 0])
  }
}
