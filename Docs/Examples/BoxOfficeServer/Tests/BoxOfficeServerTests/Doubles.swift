// Part of an example of Understudy: a server.
// SPDX-License-Identifier: MIT

import BoxOfficeServer
import Foundation
import UnderstudyTesting

/// Takes no money, and refuses the users that the test names.
final class PaymentsDouble: Payments {
  let charges = AsyncSpy<(User, Order, Trace), Void, any Error>("charge(_:for:trace:)")

  func charge(_ user: User, for order: Order, trace: Trace) async throws {
    try await charges(user, order, trace)
  }
}

/// Keeps what it is told to send.
final class MailerSpy: Mailer {
  let sends = Spy<(Sale, Trace), Void, any Error>("send(_:trace:)")

  func send(_ sale: Sale, trace: Trace) throws { try sends(sale, trace) }
}

/// Stands still.
struct StoppedClock: WallClock {
  let now = Date(timeIntervalSince1970: 2_000_000_000)
}

/// The server's production. A test installs it in its own layer, below its doubles: no test shares
/// an instance with another one.
struct Production: Assembly {
  func assemble(into registrar: some Registering) { registrar.registerProduction() }
}
