// Part of an example of Understudy: a first test.
// SPDX-License-Identifier: MIT

import Understudy

/// Production's mailer. There is no server here, so it throws.
struct SMTPMailer: Mailer {
  struct NoServer: Error {}

  func send(_ text: String) throws { throw NoServer() }
}

enum Start {
  static func registerProduction() {
    Resolver.main.register { SMTPMailer() as any Mailer }
  }
}
