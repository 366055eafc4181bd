// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting
import XCTest

// The samples of Docs/WiringYourApp.md.

protocol Feed: Sendable { func latest() async throws -> [String] }
protocol Rates: Sendable { func rate(of currency: String) -> Double }
protocol Plugin: Sendable {}

struct RemoteFeed: Feed {
  func latest() async throws -> [String] { ["Sold out"] }
}

struct FixedRates: Rates {
  func rate(of currency: String) -> Double { 1 }
}

struct BankRates: Rates {
  func rate(of currency: String) -> Double { 1.2 }
}

struct Spelling: Plugin {}
struct Grammar: Plugin {}

final class Pool: Sendable {
  let address: String
  init(address: String) { self.address = address }
  static func connected(to address: String) async throws -> Pool { Pool(address: address) }
}

final class Account: Sendable {}

@MainActor final class Theme {}

struct Session: Sendable {
  let user: String
  let pool: Pool
}

extension Dependencies {
  static var rates: Dependency<any Rates> { Dependency { BankRates() } }
}

enum App {
  static func registerProduction(on resolver: Resolver = .main) {
    resolver.install(NewsAssembly())
  }

  static func main() async throws {
    App.registerProduction()
    try Resolver.main.graph.validate()
    let feed: any Feed = try Resolver.main.resolve()
    _ = try await feed.latest()
  }
}

struct NewsAssembly: Assembly {
  func assemble(into registrar: some Registering) {
    registrar.register { RemoteFeed() as any Feed }
    registrar.register(lifecycle: .cached) { try await Pool.connected(to: "news.example") }
    registrar.register(lifecycle: .cached) { @MainActor in Theme() }
    registrar.register(autowiring: Headlines.init(feed:rates:))
    registrar.register { BankRates() as any Rates }
  }
}

struct NewsDoubles: Assembly {
  func assemble(into registrar: some Registering) {
    registrar.register { FixedRates() as any Rates }
  }
}

struct Headlines: Sendable {
  let feed: any Feed
  let rates: any Rates
}

final class Window: Sendable {}

struct Editor {
  @Inject(\.rates) var rates
  @Inject var feed: any Feed
  @Inject(named: "backup") var backup: any Feed
  @Inject var legacy: Discount?
  @InjectAll var plugins: [any Plugin]
  @LazyInject var headlines: Headlines
  @WeakInject(Signup.self) var account: Account?
  @WeakLazyInject var window: Window?
  @Inject var newFeed: Provider<any Feed>
}

@Suite(
  .overrides {
    $0.install(NewsAssembly())
    $0.install(NewsDoubles())
  })
struct HeadlineTests {
  @Test func `headlines use fixed rates`() throws {
    let headlines: Headlines = try Resolver.current.resolve()
    #expect(headlines.rates is FixedRates)
  }
}

final class HeadlineCase: OverridesTestCase {
  override func overrides(_ layer: OverrideLayer) {
    layer.install(NewsAssembly())
    layer.install(NewsDoubles())
  }

  func testHeadlinesUseFixedRates() throws {
    let headlines: Headlines = try Resolver.current.resolve()
    XCTAssertTrue(headlines.rates is FixedRates)
  }
}

struct WiringSamples {
  private let resolver = Resolver()

  @Test func `registering and declaring`() throws {
    resolver.register { RemoteFeed() as any Feed }
    let feed: any Feed = try resolver.resolve()
    #expect(feed is RemoteFeed)
    let rates = resolver.resolve(\.rates)
    #expect(rates is BankRates)
  }

  @Test func `lifecycles`() throws {
    resolver.register { RemoteFeed() as any Feed }
    resolver.register(lifecycle: .cached) { Pool(address: "news.example") }
    resolver.register(Discount(percent: 10), lifecycle: .once)
    resolver.register(scopedTo: Signup.self) { Account() }
    let first: Account = try resolver.resolve(scopedTo: Signup.self)
    try #expect(resolver.resolve(Account.self, scopedTo: Signup.self) === first)
    try #expect(resolver.resolve(Pool.self) === resolver.resolve(Pool.self))
  }

  @Test func `asynchronous blocks and the main actor`() async throws {
    resolver.register(lifecycle: .cached) { try await Pool.connected(to: "news.example") }
    resolver.register(lifecycle: .cached) { @MainActor in Theme() }
    let pool = try await resolver.resolveAsync(Pool.self)
    let theme = try await resolver.resolveAsync(Theme.self)
    #expect(pool.address == "news.example")
    _ = theme
    let other = Resolver()
    other.register(lifecycle: .cached) { try await Pool.connected(to: "news.example") }
    let error = #expect(throws: ResolutionError.self) { try other.resolve(Pool.self) }
    #expect(error?.description.contains("resolveAsync") == true)
  }

  @Test func `a child resolver`() throws {
    let resolver = Resolver(named: "app")
    resolver.register(lifecycle: .cached) { Pool(address: "news.example") }

    let session = Resolver(named: "session", parent: resolver)
    session.register { r in Session(user: "Ada", pool: try r.resolve()) }
    let ada: Session = try session.resolve()
    try #expect(ada.pool === resolver.resolve(Pool.self))
  }

  @Test func `another current resolver`() throws {
    resolver.register { RemoteFeed() as any Feed }
    try withResolver(resolver) {
      let feed: any Feed = try Resolver.current.resolve()
      #expect(feed is RemoteFeed)
    }
  }

  @Test func `every wrapper`() throws {
    resolver.register { RemoteFeed() as any Feed }
    resolver.register((any Feed).self, named: "backup") { RemoteFeed() }
    resolver.register((any Plugin).self, named: "spelling") { Spelling() }
    resolver.register((any Plugin).self, named: "grammar") { Grammar() }
    resolver.register { BankRates() as any Rates }
    resolver.register(autowiring: Headlines.init(feed:rates:))
    resolver.register(scopedTo: Signup.self) { Account() }
    try withResolver(resolver) {
      let editor = Editor()
      #expect(editor.plugins.count == 2)
      #expect(editor.legacy == nil && editor.account == nil && editor.window == nil)
      #expect(editor.$feed.isAvailable)
      try #expect(editor.$headlines.get().rates is BankRates)
      #expect(editor.headlines.rates is BankRates)
      try #expect(editor.newFeed() is RemoteFeed)
      _ = (editor.rates, editor.feed, editor.backup)
    }
  }

  @Test func `singletons at the start of a server`() async throws {
    resolver.install(NewsAssembly())

    let pool = try await resolver.resolveAsync(Pool.self)
    for user in ["Ada", "Grace"] {
      try await withOverrides(of: resolver, named: "request") {
        $0.register { r in Session(user: user, pool: try await r.resolveAsync()) }
      } operation: {
        let session = try await resolver.resolveAsync(Session.self)
        #expect(session.user == user && session.pool === pool)
      }
    }
  }

  @Test func `composing in a test`() async throws {
    App.registerProduction(on: resolver)
    try resolver.graph.validate()
    try #expect(resolver.resolve(Headlines.self).rates is BankRates)
  }
}
