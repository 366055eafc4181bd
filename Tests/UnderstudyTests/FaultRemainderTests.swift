// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyTesting

/// A fault that lets a request pass must not change the result of that request.
@Suite struct `A fault that lets requests pass` {
  private let resolver: Resolver = {
    let resolver = Resolver()
    resolver.register { RealPostman() as any Postman }
    return resolver
  }()

  @Test(arguments: [Lifecycle.once, .cached, .notCached])
  func `leaves a one-time override of its layer to one request`(lifecycle: Lifecycle) throws {
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
  func `leaves counting, caching and disposal unchanged`(
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

  /// Reading an existing instance is not a resolution. It is not counted, and a fault does not hit
  /// it.
  @Test(arguments: [1, 9], [false, true])
  func `hides no existing instance`(number: Int, isOverridden: Bool) throws {
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

  @Test func `in an outer layer is counted once in each layer`() throws {
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
  func `comes before a cached decorator, whichever was added first`(
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

  @Test func `below a decorator of an inner layer leaves the wrapper cached`() throws {
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

  @Test func `leaves a missing registration missing`() throws {
    let resolver = Resolver()
    try withOverrides(of: resolver) {
      $0.fault(Coin.self, .throwing(Strike()), on: .flaky(0))
    } operation: {
      try #expect(resolver.resolve(Coin?.self) == nil)
      #expect(resolutionError { try resolver.resolve(Coin.self) }?.kind == "missing")
    }
  }

  /// A later fault or decorator releases no instance, and restores no claimed registration.
  @Test(arguments: [0, 1])
  func `that is added later leaves cached instances of its layer, and of decorators`(
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
      // The fault is removed together with the registration behind it.
      #expect(layer.unregister(Key<Coin>()))
      #expect(!layer.unregister(Key<Coin>()))
    }
    #expect(made.count == 1)
  }

  @Test func `does not restore a claimed registration when a decorator is added later`() throws {
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
  func `leaves a value that is claimed above a boundary to the levels below`(isDecorated: Bool)
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

  /// An instance that was created without a dependency is created again once the dependency exists.
  @Test(arguments: [false, true])
  func `without a registration leaves an instance valid until there is one`(isOptional: Bool) throws
  {
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

  /// An instance that was created without a dependency becomes stale once the dependency exists. A
  /// claim still releases it.
  @Test(arguments: [false, true])
  func `leaves no cached instance of a claimed registration`(isBoundary: Bool) throws {
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

  /// No instance is cached for a registration that is removed while its block runs.
  @Test(arguments: [false, true])
  func `leaves no cached instance of a registration that is removed during creation`(
    isDecorated: Bool
  ) throws {
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

  /// The instances returned below a boundary, and then above it. 0 stands for none.
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
  func `leaves a registration that a boundary has claimed claimed`(
    registered: Lifecycle, asked: Lifecycle
  ) throws {
    let numbers = try numbers(registered: registered, asked: asked, behindFault: true)
    try #expect(numbers == self.numbers(registered: registered, asked: asked, behindFault: false))
    #expect(numbers.prefix(4) == [1, 0, 0, 0])
  }
}
