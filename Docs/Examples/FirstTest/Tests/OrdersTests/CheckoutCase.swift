// Part of an example of Understudy: a first test.
// SPDX-License-Identifier: MIT

import UnderstudyTesting
import XCTest

@testable import Orders

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
