// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

// README: a first test, Swift Testing
import BoxOffice
import Testing
import UnderstudyTesting

@Suite(
  .overrides {
    $0.register { SeasonStub() as any SeasonSource }
    $0.register(lifecycle: .cached) { MemoryStore() as any SalesStore }
    $0.override(\.clock) { StoppedClock(at: .dayBefore) }
  })
struct FirstTest {
  @Test func `a sale is mailed once`() throws {
    let mailer = MailerSpy()
    try withOverrides {
      $0.register { mailer as any Mailer }
    } operation: {
      _ = try Till().sell([.a1], for: "godot", to: "Ada")
    }
    #expect(mailer.sends.calls.map(\.patron) == ["Ada"])
    assertResolved((any Mailer).self, count: 1)
    assertResolved(\.clock, count: 1)
  }
}
// README: end
