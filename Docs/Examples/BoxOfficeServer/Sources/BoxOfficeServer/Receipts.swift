// Part of an example of Understudy: a server.
// SPDX-License-Identifier: MIT

import Logging
import NIOCore
import Understudy
import UnderstudyNIO

/// Sends a receipt to the buyer.
public protocol Mailer: Sendable {
  /// Sends it.
  func send(_ sale: Sale, trace: Trace) throws
}

/// Production's mailer: writes to the log.
struct LogMailer: Mailer {
  func send(_ sale: Sale, trace: Trace) {
    Logger(label: "box-office").info("Sold", metadata: ["sale": "\(sale)", "trace": "\(trace.id)"])
  }
}

/// Sends receipts from a callback of an event loop.
///
/// The mailer is requested in the callback. The callback carries the context of its request, so it
/// sees the request's layer and, in a test, the test's doubles.
public struct Receipts: Sendable {
  private let eventLoops: any EventLoopGroup

  /// Sends from the event loops of a group.
  public init(eventLoops: any EventLoopGroup) {
    self.eventLoops = eventLoops
  }

  /// Sends a receipt. The future completes when it is sent.
  ///
  /// Wait for it: a request's layer ends with the request, and a later request under it is an
  /// error.
  public func send(_ sale: Sale) -> EventLoopFuture<Void> {
    eventLoops.any().submitCarrying {
      let mailer = try Resolver.current.resolve((any Mailer).self)
      try mailer.send(sale, trace: Resolver.current.resolve())
    }
  }
}
