// Part of an example of Understudy: a server.
// SPDX-License-Identifier: MIT

import AsyncHTTPClient
import NIOCore

/// Takes money.
public protocol Payments: Sendable {
  /// Charges a user, on behalf of a request.
  func charge(_ user: User, for order: Order, trace: Trace) async throws
}

/// The service refused the payment.
public struct PaymentRefused: Error {
  /// Makes the error.
  public init() {}
}

/// Production's payments: a service over HTTP.
struct HTTPPayments: Payments {
  let service: String

  func charge(_ user: User, for order: Order, trace: Trace) async throws {
    var request = HTTPClientRequest(url: "\(service)/charges")
    request.method = .POST
    request.headers.add(name: "X-User", value: user.name)
    request.headers.add(name: "X-Trace", value: trace.id)
    request.body = .bytes(ByteBuffer(string: "\(order.performance) \(order.seat)"))
    let response = try await HTTPClient.shared.execute(request, timeout: .seconds(10))
    guard response.status == .ok else { throw PaymentRefused() }
  }
}
