// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting
import XCTest

// The samples of Docs/FirstTest.md.

struct CheckoutTests {
  @Test func `a confirmed order is mailed once`() throws {
    let mailer = MailerSpy()
    try withOverrides {
      $0.register { mailer as any Mailer }
    } operation: {
      try Checkout().confirm()
    }
    #expect(mailer.sends.calls == ["Thank you."])
  }

  @Test(.overrides { $0.register { MailerSpy() as any Mailer } })
  func `a confirmed order asks for one mailer`() throws {
    try Checkout().confirm()
    assertResolved((any Mailer).self, count: 1)
  }
}

final class CheckoutCase: OverridesTestCase {
  private let mailer = MailerSpy()

  override func overrides(_ layer: OverrideLayer) {
    layer.register { [mailer] in mailer as any Mailer }
  }

  func testAConfirmedOrderIsMailedOnce() throws {
    try Checkout().confirm()
    XCTAssertEqual(mailer.sends.calls, ["Thank you."])
    assertResolved((any Mailer).self, count: 1)
  }
}

enum Start {
  static func registerProduction() {
    Resolver.main.register { SMTPMailer() as any Mailer }
  }

  static func tryInside() throws {
    try withOverrides {
      $0.register { MailerSpy() as any Mailer }
    } operation: {
      try #expect(Resolver.main.resolve((any Mailer).self) is MailerSpy)
    }
  }
}

extension CheckoutTests {
  @Test func `a throwing macro has its try before it`() throws { try Start.tryInside() }
}
