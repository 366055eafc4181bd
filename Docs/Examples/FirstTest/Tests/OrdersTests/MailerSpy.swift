// Part of an example of Understudy: a first test.
// SPDX-License-Identifier: MIT

import UnderstudyTesting

@testable import Orders

final class MailerSpy: Mailer {
  let sends = Spy<String, Void, any Error>("send(_:)")
  func send(_ text: String) throws { try sends(text) }
}
