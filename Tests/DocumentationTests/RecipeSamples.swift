// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyTesting
import XCTest

// The samples of Docs/Recipes.md. Those that use UnderstudyEssentials are in that module's tests.

struct Offline: Error {}

final class StoreSpy: Store {
  let prices = Spy<String, Int, any Error>("price(of:)")
  init(forwardingTo real: any Store) { prices.forwards { try real.price(of: $0) } }
  func price(of item: String) throws -> Int { try prices(item) }
}

protocol Payments: Sendable {}
struct CardPayments: Payments {}

final class Hall: Sendable {
  let number: Int
  init(number: Int) { self.number = number }
}

final class UnitOfWork: Sendable {}

struct Orders: Sendable { let work: UnitOfWork }
struct Seats: Sendable { let work: UnitOfWork }
struct Purchase: Sendable {
  let orders: Orders
  let seats: Seats
}

@MainActor final class BasketModel {
  @Inject var store: any Store
  @LazyInject var mailer: any Mailer
  private(set) var total = 0

  func add(_ item: String) throws {
    total += try store.price(of: item)
    try mailer.send("\(total)")
  }
}

@MainActor final class ShopModel {
  @Inject var store: any Store
  private(set) var checkout: Checkout?

  func openCheckout() { checkout = withOverrides(from: self) { Checkout() } }
}

final class Menu: Sendable {}

final class MenuItem {
  @WeakLazyInject var menu: Menu?
}

@Suite(.overrides { $0.register(lifecycle: .cached) { MailerSpy() as any Mailer } })
struct SpyTests {
  @Test func `the spy of the suite is read`() throws {
    try Checkout().confirm()
    let mailer = Resolver.current.existing((any Mailer).self, as: MailerSpy.self)
    #expect(mailer?.sends.calls == ["Thank you."])
  }
}

struct RecipeSamples {
  private let resolver = Resolver()

  @Test func `a spy that you made`() throws {
    let mailer = MailerSpy()
    try withOverrides {
      $0.register { mailer as any Mailer }
    } operation: {
      try Checkout().confirm()
    }
    #expect(mailer.sends.calls == ["Thank you."])
  }

  @Test func `a spy on the real object`() throws {
    resolver.install(ShopAssembly())
    try withOverrides(of: resolver) { _ in
    } operation: {
      let layer = try #require(OverrideLayer.current)
      let store = try layer.spy(on: (any Store).self) { StoreSpy(forwardingTo: $0) }
      let basket: Basket = try resolver.resolve()
      try #expect(basket.total(of: ["tea"]) == 5)
      #expect(store.prices.calls == ["tea"])
    }
  }

  @Test(.overrides { $0.register { MailerSpy() as any Mailer } })
  func `an override in the middle`() throws {
    try Checkout().confirm()
    let mailer = MailerSpy()
    try withOverrides {
      $0.register { mailer as any Mailer }
    } operation: {
      try Checkout().confirm()
    }
    #expect(mailer.sends.callCount == 1)
  }

  @Test(.overrides())
  func `an override on the layer of the test`() throws {
    let mailer = MailerSpy()
    OverrideLayer.required.register { mailer as any Mailer }
    try Checkout().confirm()
    #expect(mailer.sends.callCount == 1)
  }

  @Test @MainActor func `a model after its scope`() throws {
    let mailer = MailerSpy()
    let model = withOverrides(until: .endOfTest) {
      $0.register { MemoryStore() as any Store }
      $0.register { mailer as any Mailer }
    } operation: {
      ShopModel()
    }
    model.openCheckout()
    try model.checkout?.confirm()
    #expect(mailer.sends.calls == ["Thank you."])
    try OverrideContext.of(model)?.run { try Checkout().confirm() }
    #expect(mailer.sends.callCount == 2)
    _ = model.store
  }

  @Test func `a child finds its parent later`() {
    let item = withResolver(resolver) { MenuItem() }
    #expect(item.menu == nil)
    let menu = Menu()
    resolver.register(weak: menu)
    #expect(item.menu === menu)
  }

  @Test(.overrides { $0.register { MailerSpy() as any Mailer } })
  func `no payment is made`() throws {
    try Checkout().confirm()
    assertNeverResolved((any Payments).self)
    assertNeverResolved(\.prices)
  }

  @Test func `the first resolution fails`() throws {
    resolver.install(ShopAssembly())
    try withOverrides(of: resolver) {
      $0.fault((any Store).self, .throwing(Offline()), on: .first(1))
    } operation: {
      #expect(throws: ResolutionError.self) { try resolver.resolve(Basket.self) }
      try #expect(resolver.resolve(Basket.self).total(of: ["tea"]) == 5)
    }
  }

  @Test func `throws once, then succeeds`() throws {
    let prices = Spy<String, Int, any Error>("price(of:)")
    prices.returns(3)
    prices.throws(Offline(), times: 1)
    #expect(throws: Offline.self) { try prices("tea") }
    try #expect(prices("tea") == 3)
  }

  @Test(
    .overrides {
      $0.register { MemoryStore() as any Store }
      $0.register { MailerSpy() as any Mailer }
    })
  @MainActor func `a model outlives no layer that it needs`() throws {
    let model = BasketModel()
    try model.add("tea")
    #expect(model.total == 3)
  }

  @Test func `one instance for each argument`() throws {
    resolver.register(lifecycle: .cached, per: { $0 }) { (number: Int) in Hall(number: number) }

    let first = try resolver.resolve(Hall.self, with: 1)
    try #expect(resolver.resolve(Hall.self, with: 1) === first)
    try #expect(resolver.resolve(Hall.self, with: 2) !== first)
  }

  @Test func `one instance for each graph`() throws {
    resolver.register(autowiring: Orders.init(work:))
    resolver.register(autowiring: Seats.init(work:))
    resolver.register(autowiring: Purchase.init(orders:seats:))

    func makePurchase() throws -> Purchase {
      try withOverrides(of: resolver, named: "purchase") {
        $0.register(lifecycle: .cached) { UnitOfWork() }
      } operation: {
        try resolver.resolve()
      }
    }
    let (first, second) = (try makePurchase(), try makePurchase())
    #expect(first.orders.work === first.seats.work)
    #expect(first.orders.work !== second.orders.work)
  }

  @Test func `one instance under several types`() throws {
    let clerk = resolver.register(lifecycle: .cached) { Database() }
    resolver.alias(clerk, as: (any Store).self)
    try #expect(resolver.resolve((any Store).self) is Database)
  }
}

class ShopTestCase: XCTestCase {
  override func invokeTest() {
    withOverrides(.check(.unusedOverride, .off), named: name, isBoundary: true) {
      $0.register { MailerSpy() as any Mailer }
    } operation: {
      super.invokeTest()
    }
  }
}

final class ConfirmationCase: ShopTestCase {
  func testAConfirmedOrderIsMailed() async throws {
    try Checkout().confirm()
    assertResolved((any Mailer).self, count: 1)
  }
}

final class MiddleCase: OverridesTestCase {
  func testAnOverrideInTheMiddle() throws {
    let mailer = MailerSpy()
    overrides.register { mailer as any Mailer }
    try Checkout().confirm()
    XCTAssertEqual(mailer.sends.callCount, 1)
  }
}
