// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy

@Suite struct `The current resolver while a resolver creates an instance` {
  private struct Shelf: Sendable { @Inject var label: String }

  private let shop = Resolver(named: "shop")

  init() {
    shop.register { Shelf() }
    shop.register { "shop" }
  }

  @Test func `is the requested resolver`() throws {
    try #expect(shop.resolve(Shelf.self).label == "shop")
    #expect(Resolver.current === Resolver.main)
  }

  @Test func `sees the overrides of that resolver`() throws {
    try withOverrides(of: shop) {
      $0.register { "double" }
    } operation: {
      try #expect(shop.resolve(Shelf.self).label == "double")
    }
  }

  @Test func `is another one if the block says so`() throws {
    let other = Resolver(named: "other")
    other.register { "other" }
    shop.register(named: "elsewhere") { withResolver(other) { Shelf() } }
    try #expect(shop.resolve(Shelf.self, named: "elsewhere").label == "other")
  }

  @Test func `is the requested resolver in an asynchronous block`() async throws {
    shop.register(named: "slow") { () async -> Shelf in
      await Task.yield()
      return Shelf()
    }
    try await #expect(shop.resolveAsync(Shelf.self, named: "slow").label == "shop")
  }
}
