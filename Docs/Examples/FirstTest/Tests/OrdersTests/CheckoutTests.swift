// Part of an example of Understudy: a first test.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

@testable import Orders

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
}

extension CheckoutTests {
  @Test(.overrides { $0.register { MailerSpy() as any Mailer } })
  func `a confirmed order asks for one mailer`() throws {
    try Checkout().confirm()
    assertResolved((any Mailer).self, count: 1)
  }

  @Test func `production is left as it is`() throws {
    Start.registerProduction()
    try withOverrides {
      $0.register { MailerSpy() as any Mailer }
    } operation: {
      try Checkout().confirm()
    }
    #expect(throws: SMTPMailer.NoServer.self) { try Checkout().confirm() }
  }
}
