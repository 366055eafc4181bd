// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyDefinitions
import UnderstudyTesting

// The samples of Docs/MovingHere. Most of them are run, too.

final class User: Sendable {}

@MainActor final class Controller {}

final class Screen {
  var mailer: (any Mailer)?
}

final class Child: Sendable {}

final class Parent: @unchecked Sendable {
  var child: Child?
}

struct HalfPrice: Store {
  let underlying: any Store

  func price(of item: String) throws -> Int { try underlying.price(of: item) / 2 }
}

class RateTable {
  func rate(of country: String) throws -> Int { 0 }
}

final class RateTableSpy: RateTable {
  let rates = Spy<String, Int, any Error>("rate(of:)")
  override func rate(of country: String) throws -> Int { try rates(country) }
}

struct Car { let wheels: Int }

extension Car: HasPlaceholder { static var placeholder: Car { Car(wheels: 4) } }

struct Post {
  let mailer: any Mailer

  init(mailer: any Mailer = Resolver.injected()) {
    self.mailer = mailer
  }
}

struct Injected {
  @Inject(\.courier) var courier
  @Inject var mailer: any Mailer
}

struct Late {
  @LazyInject var mailer: any Mailer
  @LazyInject(\.courier) var lazy
}

struct Form {
  @WeakLazyInject(Signup.self) var user: User?
}

struct Client {
  @Property("server.url") var url: String
}

/// A class that you cannot change, and that is not `Sendable`.
final class Legacy {}

final class Prices: Sendable { let currency = "GBP" }

/// A class of the main actor is `Sendable`, so it can be shared and injected lazily. It can hold
/// objects that are not.
@MainActor final class Panel {
  @Inject var legacy: Legacy
  @LazyInject var prices: Prices
}

struct MovingSamples {
  @MainActor @Test func `sharing Sendable values`() throws {
    let resolver = Resolver()
    resolver.register { Legacy() }
    resolver.register(lifecycle: .cached) { Prices() }
    let panel = withResolver(resolver) { Panel() }
    _ = (panel.legacy, panel.prices)
    resolver.register(weak: panel)
    #expect(try resolver.resolve(Panel.self) === panel)
    _ = try resolver.resolve(Legacy.self)
  }

  @Test func `registering`() throws {
    let resolver = Resolver()
    let controller = Screen2()
    resolver.register { SMTPMailer() as any Mailer }
    resolver.register(lifecycle: .cached) { Database() as any Store }
    resolver.register(autowiring: Basket.init(store:mailer:))
    resolver.register { (percent: Int) in Discount(percent: percent) }
    #expect(try resolver.resolve(Basket.self).store is Database)
    _ = try resolver.resolve(Discount.self, with: 10)
    _ = try resolver.resolve((any Mailer)?.self)
    _ = try resolver.resolve((any Mailer).self, lifecycle: .notCached)
    try resolver.graph.validate()
    resolver.reset()
    resolver.register((any Mailer).self, named: Name.real) { SMTPMailer() }
    resolver.register((any Mailer).self, in: Group.plugins) { SMTPMailer() }
    resolver.register(factory: SMTPMailer() as any Mailer)
    resolver.register(instance: Database() as any Store)
    resolver.register(weak: controller)
    resolver.register(scopedTo: Signup.self) { User() }
    resolver.register(qualifiedBy: Sandbox.self) { MemoryStore() as any Store }
    resolver.register(42, named: "level", lifecycle: .once)
    #expect(try resolver.resolve(Int?.self, named: "level") == 42)
    #expect(try resolver.resolve(Int?.self, named: "level") == nil)
    resolver.register(42, named: "level")
    #expect(resolver.unregister(in: Group.plugins) == 1)
    let user = resolver.register { User() }
    resolver.unregister(Key<User>(scopedTo: Signup.self))
    #expect(resolver.filter(User.self) == [user])
    resolver.reset(in: "X")
    let plugins = resolver.container("X", lifecycle: .once)
    plugins.register(1)
    let key = resolver.register(lifecycle: .cached) { SMTPMailer() }
    resolver.alias(key, as: (any Mailer).self)
    resolver.register((any Mailer).self, metadata: 3) { SMTPMailer() }
    let large = resolver.filter((any Mailer).self) { (size: Int) in size > 2 }
    #expect(large.count == 1)
  }

  final class Screen2: Sendable {}

  @Test func `modules, files and completion`() throws {
    let resolver = Resolver()
    resolver.install(ShopAssembly())
    try resolver.load(ShopDoubles(), priority: .high)
    resolver.register(lifecycle: .cached) { Child() }
    resolver.register(lifecycle: .cached) {
      Parent()
    } then: { parent, r in
      parent.child = try r.resolve()
    }
    #expect(try resolver.resolve(Parent.self).child != nil)
    resolver.register((any Mailer).self, named: "mailer", lifecycle: .cached) { SMTPMailer() }
    _ = try resolver.resolve((any Mailer).self, named: "mailer")
    let screen = Screen()
    resolver.into(Screen.self).inject(\.mailer).register()
    try resolver.resolve(into: screen)
    #expect(screen.mailer != nil)
    withResolver(.inert) {
      #expect(throws: ResolutionError.self) { () throws in
        _ = try Resolver.current.resolve(Basket.self)
      }
      return
    }
  }

  @Test func `defaults and errors`() throws {
    let resolver = Resolver()
    resolver.prepare(\.courier) { MailerSpy() }
    #expect(resolver.resolve(\.courier) is MailerSpy)
    var late = withResolver(resolver) { Late() }
    #expect(throws: ResolutionError.self) { try late.$mailer.get() }
    late.mailer = MailerSpy()
    #expect(late.mailer is MailerSpy)
    #expect(late.lazy is MailerSpy)
    #expect(withResolver(resolver) { Form() }.user == nil)
  }

  func definitions(path: String, resolver: Resolver) throws {
    var catalogue = Catalogue()
    catalogue.offer("Shop.SMTPMailer") { SMTPMailer() as any Mailer }
    resolver.install(try Definitions([.file(path)], catalogue: catalogue))
  }

  @Test func `overriding`() throws {
    let resolver = Resolver()
    resolver.install(ShopAssembly())
    try withOverrides {
      $0.register { MailerSpy() as any Mailer }
    } operation: {
      try Checkout().confirm()
    }
    try withOverrides(.strict, of: resolver) {
      $0.register { MailerSpy() as any Mailer }
    } operation: {
      _ = try resolver.resolve((any Mailer).self)
    }
    try withOverrides(of: resolver) {
      $0.register { MemoryStore() as any Store }
    } operation: {
      _ = try resolver.resolve((any Store).self)
    }
    try withOverrides(of: resolver) {
      $0.install(ShopDoubles())
    } operation: {
      _ = try resolver.resolve(Basket.self)
    }
    try withOverrides(of: resolver) {
      $0.decorate((any Store).self) { underlying in HalfPrice(underlying: underlying) }
      $0.unimplemented((any Mailer).self)
    } operation: {
      _ = try resolver.resolve((any Store).self)
    }
    try withOverrides(named: "session") {
      $0.register(User())
    } operation: {
      _ = try Resolver.current.resolve(User.self)
    }
    try withOverrides {
      $0.register { MailerSpy() as any Mailer }
    } operation: {
      let context = OverrideContext.current
      try context.run { try Checkout().confirm() }
    }
    _ = OverrideProfile("rehearsal") { $0.install(ShopDoubles()) }
  }

  @Test func `doubles`() async throws {
    struct Offline: Error {}
    let real = Database()
    let prices = Spy<String, Int, any Error>("price(of:)")
    prices.forwards { try real.price(of: $0) }
    #expect(try prices("tea") == 5)
    prices.does { $0.count }
    prices.returns(1, then: 2)
    prices.when("tea").returns(3)
    prices.when("cake").returns(4)
    #expect(try prices("cake") == 4)
    #expect(prices.callCount == 2)
    #expect(prices.callCount > 0)
    #expect(prices.calls(with: "tea").count == 1)
    expectCalled(prices.called(with: "tea"), .once)
    #expect(await prices.calls(reach: 1, within: .seconds(1)))
    prices.reset()
    prices.expects(2...)
    prices.returns(3)
    for _ in 1...2 { _ = try prices("tea") }
    try prices.verify()
    expectCalled(prices.called(), 2)
    expectCalled(prices.called(with: "tea"), 2...)
    prices.forgetCalls()
    _ = try prices("tea")
    #expect(prices.calls == ["tea"])
    expectCalls { prices.called(with: "tea") }
    let mock = prices
    expectCalls(of: mock) { prices.called(with: "tea") }
    prices.forgetCalls()
    forgetCalls(mock)
    prices.reset()
    prices.throws(Offline())
    #expect(throws: Offline.self) { try prices("tea") }
    prices.strict()
    _ = Spy<String, Int, any Error>("price(of:)", placeholder: 0, unstubbed: .relaxed)
    _ = Spy<String, Int, any Error>("price(of:)", placeholder: 0)
    _ = ManualClock()
    _ = KeyValueMemory<String, Int>()
    let x = "tea"
    #expect(prices.calls(with: .equal(x)).count == 1)
    let object = Parent()
    let adoptions = Spy<Parent, Int, Never>("adopt(_:)")
    adoptions.when(.identical(to: object)).returns(1)
    #expect(adoptions(object) == 1)
    let rates = RateTableSpy()
    rates.rates.returns(20)
    #expect(try (rates as RateTable).rate(of: "fr") == 20)
  }

  @Test func `doubles of properties`() {
    let regions = SpyProperty<String>("region", "eu")
    regions.value = "eu"
    expectCalled(regions.sets.called(with: "eu"), .once)
    regions.gets.returns("eu")
    #expect(regions.value == "eu")
    #expect(regions.sets.calls == ["eu"])
  }
}
