import Testing
import UnderstudyTesting
import XCTest

@testable import Stalls

private final class MailerSpy: Mailer {
  let sends = Spy<String, Void, Never>("send(_:)")
  func send(_ text: String) { sends(text) }
}

private final class HalfPrices: Prices {
  func price(of seat: String) -> Int { 10 }
}

/// The code under test, the doubles and the tests are on the main actor.
struct `A module on the main actor` {
  private let mailer = MailerSpy()
  private let resolver = Resolver()

  @Test func `resolves the app's registrations, with its live prices`() throws {
    registerLive(on: resolver)
    let live = try resolver.resolve((any Mailer).self)
    #expect(live is SMTPMailer)
    let model = withResolver(resolver) { CheckoutModel() }
    model.sell("A1")
    #expect(model.message == "A1: 20")
    #expect(resolver.resolve(\.prices) === resolver.resolve(\.prices))
  }

  @Test func `injects doubles into a class`() throws {
    let prices = HalfPrices()
    withOverrides(of: resolver) {
      $0.register(mailer as any Mailer)
      $0.override(\.prices, with: prices)
    } operation: {
      withResolver(resolver) { CheckoutModel() }.sell("A1")
    }
    #expect(mailer.sends.calls == ["A1: 10"])
  }

  @Test func `injects doubles that a block creates into an observable class`() throws {
    withOverrides(of: resolver) {
      $0.register { @MainActor in MailerSpy() as any Mailer }
    } operation: {
      let model = withResolver(resolver) { SeatsModel() }
      model.sellFirst()
      #expect(model.seats == ["A2"])
    }
  }

  @Test func `waits for a value of the main actor from elsewhere`() async throws {
    registerLive(on: resolver)
    let resolver = resolver
    let isLive = try await Task.detached {
      try await resolver.resolveAsync((any Mailer).self) is SMTPMailer
    }
    .value
    #expect(isLive)
    await Task.detached {
      _ = #expect(throws: ResolutionError.self) { try resolver.resolve((any Mailer).self) }
    }
    .value
  }
}

nonisolated final class CheckoutCase: OverridesTestCase {
  override func overrides(_ layer: OverrideLayer) {
    layer.register { @MainActor in MailerSpy() as any Mailer }
  }

  @MainActor func testSellsThroughTheDouble() async throws {
    let model = CheckoutModel()
    model.sell("A1")
    XCTAssertEqual(model.message, "A1: 20")
  }
}
