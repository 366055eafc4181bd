// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

// README: a first test, XCTest
import BoxOffice
import UnderstudyTesting
import XCTest

final class FirstCase: OverridesTestCase {
  override func overrides(_ layer: OverrideLayer) {
    layer.register { SeasonStub() as any SeasonSource }
    layer.register(lifecycle: .cached) { MemoryStore() as any SalesStore }
    layer.override(\.clock) { StoppedClock(at: .dayBefore) }
  }

  func testASaleIsMailedOnce() throws {
    let mailer = MailerSpy()
    overrides.register { mailer as any Mailer }
    _ = try Till().sell([.a1], for: "godot", to: "Ada")
    XCTAssertEqual(mailer.sends.calls.map(\.patron), ["Ada"])
    assertResolved((any Mailer).self, count: 1)
    assertResolved(\.clock, count: 1)
  }
}
// README: end
