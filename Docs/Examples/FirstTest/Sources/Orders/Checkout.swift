// Part of an example of Understudy: a first test.
// SPDX-License-Identifier: MIT

import Understudy

protocol Mailer: Sendable {
  func send(_ text: String) throws
}

final class Checkout {
  @Inject var mailer: any Mailer

  func confirm() throws {
    try mailer.send("Thank you.")
  }
}
