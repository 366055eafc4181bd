// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

/// Brings receipts to patrons.
public protocol Mailer: Sendable {
  /// Sends a receipt.
  func send(_ receipt: Receipt) throws
}
