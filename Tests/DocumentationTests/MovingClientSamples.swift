// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

// The samples of Docs/MovingHere about clients, sessions and mocks with variables.

struct PlayerClient: Sendable {
  var play: @Sendable () -> String
  var stop: @Sendable () -> String

  static let noop = PlayerClient(play: { "" }, stop: { "" })
}

extension Dependencies {
  static var player: Dependency<PlayerClient> {
    Dependency { PlayerClient(play: { "music" }, stop: { "end" }) }
  }

  static var basket: Dependency<Basket> {
    Dependency {
      Basket(
        store: Resolver.current.resolve(\.prices), mailer: Resolver.current.resolve(\.courier))
    }
  }
}

struct Offer {
  let store: any Store
  let discount: Discount?
}

struct NamedInjection {
  @Inject(named: Name.real) var mailer: any Mailer
}

@MainActor protocol Screening: Sendable {
  var title: String { get }
}

@MainActor final class TitleScreen: Screening {
  let title = "Title"
}

protocol Forecast {
  func degrees() -> Int
}

final class ForecastMock: Forecast {
  var calls = 0

  func degrees() -> Int {
    calls += 1
    return 20
  }
}

struct MovingClientSamples {
  @Test func `one closure of a client`() {
    withOverrides {
      $0.override(\.player, with: .noop)
      $0.decorate(\.player) { client in
        var client = client
        client.play = { "silence" }
        return client
      }
    } operation: {
      let client = Resolver.current.resolve(\.player)
      #expect(client.play() == "silence")
      #expect(client.stop() == "")
    }
  }

  @Test func `a declared dependency that needs others`() throws {
    let total = try withOverrides {
      $0.override(\.prices, with: MemoryStore())
    } operation: {
      try Resolver.current.resolve(\.basket).total(of: ["tea"])
    }
    #expect(total == 3)
  }

  @Test func `requests without a wrapper`() throws {
    let resolver = Resolver()
    resolver.register { MemoryStore() as any Store }
    resolver.register((any Mailer).self, named: Name.real) { SMTPMailer() }
    resolver.register { MailerSpy() as any Mailer }
    resolver.register { r in Offer(store: try r.resolve(), discount: try r.resolve()) }
    #expect(try resolver.resolve(Offer.self).discount == nil)
    try withResolver(resolver) {
      #expect(NamedInjection().mailer is SMTPMailer)
      let mailer: any Mailer = try Resolver.current.resolve()
      #expect(mailer is MailerSpy)
      let discount: Discount? = try Resolver.current.resolve()
      #expect(discount == nil)
    }
  }

  @Test func `a session`() throws {
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { Prices() }
    let prices = try resolver.resolve(Prices.self)
    let session = Resolver(parent: resolver)
    session.register(lifecycle: .cached) { User() }
    let user = try session.resolve(User.self)
    try withResolver(session) {
      let found = try (Resolver.current.resolve(User.self), Resolver.current.resolve(Prices.self))
      #expect(found.0 === user)
      #expect(found.1 === prices)
    }
    let outside = try resolver.resolve(User?.self)
    #expect(outside == nil)
    resolver.reset(.instances)
    let next = try resolver.resolve(Prices.self)
    #expect(next !== prices)
  }

  @Test func `a mock with variables`() throws {
    let resolver = Resolver()
    let mock = Unchecked(ForecastMock())
    try withOverrides(of: resolver) {
      $0.register { mock.value as any Forecast }
    } operation: {
      let forecast: any Forecast = try resolver.resolve()
      #expect(forecast.degrees() == 20)
    }
    #expect(mock.value.calls == 1)
  }

  @MainActor @Test func `a screen with a protocol`() throws {
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { @MainActor in TitleScreen() as any Screening }
    let screen: any Screening = try resolver.resolve()
    #expect(screen.title == "Title")
  }

  @Test(.overrides { $0.override(\.courier, with: MailerSpy()) })
  func `a double that the first request creates`() throws {
    #expect(Resolver.current.existing(\.courier, as: MailerSpy.self) == nil)
    let mailer = try #require(Resolver.current.resolve(\.courier) as? MailerSpy)
    #expect(Resolver.current.existing(\.courier, as: MailerSpy.self) === mailer)
  }
}
