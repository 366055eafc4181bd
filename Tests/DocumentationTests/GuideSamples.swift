// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting
import XCTest

// The samples of Docs/OneTimeArguments.md, OverridingModules.md, ParallelAndSerial.md,
// TestingServers.md, PreviewsAndUITests.md and APIStability.md.

struct OneTimeArguments {
  @Test func `a discount is given once`() throws {
    let resolver = Resolver()
    resolver.register(Discount(percent: 10), lifecycle: .once)

    let first = try resolver.resolve(Discount?.self)
    let second = try resolver.resolve(Discount?.self)
    #expect(first == Discount(percent: 10))
    #expect(second == nil)
  }

  @Test func `a layer answers once, and then production does`() throws {
    let resolver = Resolver()
    resolver.register(Discount(percent: 5))

    try withOverrides(of: resolver) {
      $0.register(Discount(percent: 50), lifecycle: .once)
    } operation: {
      try #expect(resolver.resolve(Discount.self).percent == 50)
      try #expect(resolver.resolve(Discount.self).percent == 5)
    }
  }

  @Test func `an argument is passed when it is asked for`() throws {
    let resolver = Resolver()
    resolver.register { (percent: Int) in Discount(percent: percent) }

    try #expect(resolver.resolve(Discount.self, with: 20).percent == 20)
  }

  @Test func `several arguments are one tuple`() throws {
    let resolver = Resolver()
    resolver.register { (item: String, count: Int) in "\(count) × \(item)" }

    try #expect(resolver.resolve(String.self, with: ("tea", 2)) == "2 × tea")
  }

  private struct Offline: Error {}

  @Test func `an argument is put back if its own block throws`() throws {
    let resolver = Resolver()
    let attempts = Spy<Void, Discount, any Error>("discount()")
    attempts.throws(Offline(), times: 1).returns(Discount(percent: 10))
    resolver.register(lifecycle: .once) { try attempts() }
    #expect(throws: (any Error).self) { try resolver.resolve(Discount.self) }
    #expect(try resolver.resolve(Discount.self).percent == 10)
    #expect(try resolver.resolve(Discount?.self) == nil)
  }

  @Test func `an argument is used up though the block that requested it fails afterwards`() throws {
    let resolver = Resolver()
    resolver.register(Discount(percent: 10), lifecycle: .once)
    let requested = Spy<Int, Void, any Error>("requested(_:)")
    requested.throws(Offline())
    resolver.register { r in
      try requested(try r.resolve(Discount.self).percent)
      return "requested"
    }
    #expect(throws: (any Error).self) { try resolver.resolve(String.self) }
    #expect(requested.calls == [10])
    #expect(try resolver.resolve(Discount?.self) == nil)
  }

  @Test func `a block takes an argument by its name`() throws {
    let resolver = Resolver()
    resolver.register(Discount(percent: 10), named: Name.discount, lifecycle: .once)
    resolver.register { r in
      let discount = try r.resolve(Discount.self, named: Name.discount)
      return "\(discount.percent) per cent off"
    }

    try #expect(resolver.resolve(String.self) == "10 per cent off")
    #expect(throws: ResolutionError.self) { try resolver.resolve(String.self) }
  }
}

struct ShopAssembly: Assembly {
  func assemble(into registrar: some Registering) {
    registrar.register { SMTPMailer() as any Mailer }
    registrar.register(lifecycle: .cached) { Database() as any Store }
    registrar.register(autowiring: Basket.init(store:mailer:))
  }
}

struct ShopDoubles: Assembly {
  func assemble(into registrar: some Registering) {
    registrar.register { MailerSpy() as any Mailer }
    registrar.register(lifecycle: .cached) { MemoryStore() as any Store }
  }
}

struct ShopWorld: Assembly {
  let mailer = MailerSpy()
  let store = MemoryStore()

  func assemble(into registrar: some Registering) {
    registrar.register(mailer as any Mailer)
    registrar.register(store as any Store)
  }
}

@Suite(.overrides())
struct ShopWorldTests {
  let world = ShopWorld()

  init() { OverrideLayer.required.install(world) }

  @Test func `a confirmed order is mailed`() throws {
    try Checkout().confirm()
    #expect(world.mailer.sends.calls == ["Thank you."])
  }
}

final class ShopWorldCase: OverridesTestCase {
  private let world = ShopWorld()

  override func overrides(_ layer: OverrideLayer) { layer.install(world) }

  func testAConfirmedOrderIsMailed() throws {
    try Checkout().confirm()
    XCTAssertEqual(world.mailer.sends.calls, ["Thank you."])
    XCTAssertTrue(Resolver.current.resolve(\.prices) is MemoryStore)
  }
}

struct OverridingModules {
  @Test func `a module is overridden in one line`() throws {
    let resolver = Resolver()
    resolver.install(ShopAssembly())

    try withOverrides(of: resolver) {
      $0.install(ShopDoubles())
    } operation: {
      try #expect(resolver.resolve(Basket.self).total(of: ["tea"]) == 3)
      assertResolved((any Mailer).self, count: 1)
    }
    try #expect(resolver.resolve(Basket.self).total(of: ["tea"]) == 5)
  }

  @Test func `a part of it is overridden, the rest is production's`() throws {
    let resolver = Resolver()
    resolver.install(ShopAssembly())

    try withOverrides(of: resolver) {
      $0.register { MemoryStore() as any Store }
    } operation: {
      try #expect(resolver.resolve(Basket.self).mailer is SMTPMailer)
    }
  }

  @Test func `an overridden key must be registered`() throws {
    let resolver = Resolver()
    resolver.install(ShopAssembly())

    try withOverrides(of: resolver, enforce: true) {
      $0.register { MemoryStore() as any Store }
    } operation: {
      _ = try resolver.resolve(Basket.self)
    }
  }

  @Test func `production is wrapped`() throws {
    struct HalfPrice: Store {
      let underlying: any Store
      func price(of item: String) throws -> Int { try underlying.price(of: item) / 2 }
    }
    let resolver = Resolver()
    resolver.install(ShopAssembly())

    try withOverrides(of: resolver) {
      $0.decorate((any Store).self) { underlying in HalfPrice(underlying: underlying) }
    } operation: {
      try #expect(resolver.resolve(Basket.self).total(of: ["tea", "tea"]) == 4)
    }
  }

  @Test func `a declared dependency is overridden by its key path`() {
    let resolver = Resolver()

    withOverrides(of: resolver) {
      $0.override(\.prices) { MemoryStore() }
    } operation: {
      #expect(resolver.resolve(\.prices) is MemoryStore)
    }
  }
}

@Suite(.overrides { $0.register { MailerSpy() as any Mailer } })
struct ParallelTests {
  @Test(arguments: 0..<8)
  func `each case has doubles of its own`(round: Int) throws {
    try Checkout().confirm()
    assertCreated((any Mailer).self, count: 1)
  }
}

final class Outbox {
  @LazyInject var mailer: any Mailer

  func send() throws { try mailer.send("Thank you.") }
}

struct Servers {
  @Test func `a task that is detached carries its context`() async throws {
    try await withOverrides {
      $0.register { MailerSpy() as any Mailer }
    } operation: {
      let context = OverrideContext.current
      let work = Task.detached {
        try context.run { try Checkout().confirm() }
      }
      try await work.value
      assertResolved((any Mailer).self, count: 1)
    }
  }
}

#if os(Linux) || os(macOS)
  struct Previews {
    @Test func `a model keeps its layer in a process without tests`() async {
      await #expect(processExitsWith: .success) {
        TestHosts.install(nil)
        Resolver.main.register { SMTPMailer() as any Mailer }
        let outbox = withOverrides(until: .endOfTest) {
          $0.register { MailerSpy() as any Mailer }
        } operation: {
          Outbox()
        }
        guard outbox.mailer is MailerSpy else { fatalError("Production answered.") }
      }
    }

    @Test func `a model has production's answer without it`() async {
      await #expect(processExitsWith: .success) {
        TestHosts.install(nil)
        Resolver.main.register { SMTPMailer() as any Mailer }
        let outbox = withOverrides {
          $0.register { MailerSpy() as any Mailer }
        } operation: {
          Outbox()
        }
        guard outbox.mailer is SMTPMailer else { fatalError("A double answered.") }
      }
    }
  }
#endif

enum ShopProfiles {
  static let all = [
    OverrideProfile("rehearsal") { $0.install(ShopDoubles()) }
  ]

  static func start() throws {
    var words = Array(CommandLine.arguments.dropFirst())
    try OverrideProfile.start(oneOf: ShopProfiles.all, arguments: &words)
  }
}
