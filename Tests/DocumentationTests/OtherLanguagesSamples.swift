// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

// The second column of Docs/MovingHere/OtherLanguages.md. The keys of UnderstudyEssentials are in
// that module's tests.

struct OtherLanguagesSamples {
  private struct Offline: Error {}
  private let mailer = MailerSpy()
  private let prices = Spy<String, Int, any Error>("price(of:)")

  @Test func `answers`() async throws {
    let loads = AsyncSpy<String, Int, any Error>("load(_:)")
    loads.returns(3)
    try await #expect(loads("tea") == 3)
    prices.when("tea").returns(1, then: 2, 3)
    try #expect([prices("tea"), prices("tea"), prices("tea"), prices("tea")] == [1, 2, 3, 3])
    prices.reset()
    prices.returns(1).throws(Offline()).returns(2)
    try #expect(prices("tea") == 1)
    #expect(throws: Offline.self) { try prices("tea") }
    prices.reset()
    prices.does { $0.count }
    prices.when(.any).onCall { item in _ = item.count }
    prices.when(.matching { $0.count > 9 }).returns(3).optional()
    try #expect(prices("tea") == 3)
    prices.reset()
    prices.throws(Offline())
    prices.returns(3, times: 1)
    try #expect(prices("tea") == 3)
    #expect(throws: Offline.self) { try prices("tea") }
    _ = Spy<String, Int, any Error>("price(of:)", placeholder: 0, unstubbed: .relaxed)
  }

  @Test func `calls`() async throws {
    prices.returns(3)
    try mailer.send("Thank you.")
    for _ in 1...2 { _ = try prices("tea") }
    #expect(prices.calls.last == "tea")
    #expect(prices.calls == ["tea", "tea"])
    #expect(prices.calls(with: "tea").count == 2)
    #expect(prices.calls(with: .any).count == 2)
    #expect(prices.calls(with: .equal("tea")).count == 2)
    #expect(prices.callCount == 2)
    #expect(mailer.sends.calls(with: "spam").isEmpty)
    #expect(await prices.calls(reach: 2, within: .seconds(1)))
    #expect(await eventually { prices.callCount == 2 })
    expectOrder {
      mailer.sends.called(with: "Thank you.")
      prices.called()
    }
    expectCalls {
      prices.called(with: "tea")
      prices.called(with: "tea")
    }
    prices.forgetCalls()
    reset(mailer)
  }

  @Test func `expectations`() throws {
    strict(mailer)
    mailer.sends.expects(.once)
    mailer.sends.when("spam").expects(.never)
    try mailer.send("Thank you.")
    try verify(mailer)
    expectNoMoreCalls(mailer)
  }

  @Test func `real objects`() throws {
    let real = Database()
    prices.forwards { try real.price(of: $0) }
    try #expect(prices("tea") == 5)
    let resolver = Resolver()
    resolver.install(ShopAssembly())
    try withOverrides(of: resolver) {
      $0.register { MailerSpy() as any Mailer }
    } operation: {
      let layer = OverrideLayer.required
      let store = try layer.spy(on: (any Store).self) { StoreSpy(forwardingTo: $0) }
      _ = try resolver.resolve(Basket.self).total(of: ["tea"])
      #expect(store.prices.calls == ["tea"])
    }
  }

  @Test func `time`() async throws {
    let clock = ManualClock()
    let reminder = Task { try await clock.sleep(for: .seconds(60)) }
    await clock.sleepers(reach: 1)
    clock.advance(by: .seconds(60))
    try await reminder.value
    let date = ManualDate()
    date.advance(by: .seconds(60))
  }

  /// Compiled, and not run: these would write files beside this one.
  private func tapes(_ token: String) throws {
    _ = try Cassette(named: "users")
    _ = try Cassette(named: "users", mode: .none)
    _ = try Cassette(named: "users", mode: .all)
    _ = try Cassette(named: "users", matching: .sequence)
    _ = try Cassette(named: "users", matching: .repeatingArguments)
    _ = try Cassette(named: "users", redact: .keys("password"), .text(token))
  }
}
