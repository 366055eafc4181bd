// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

#if canImport(FoundationNetworking)
  internal import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// An HTTP client on a `URLSession`.
public struct URLSessionClient: HTTPSending {
  private let session: URLSession

  /// Makes a client.
  public init(session: URLSession = .shared) {
    self.session = session
  }

  /// Sends a request and waits for the response.
  ///
  /// - Throws: The session's error, or `URLError(.badServerResponse)` for a response that is not an
  ///   HTTP response.
  public func send(_ request: HTTPExchange.Request) async throws -> HTTPExchange.Response {
    var sent = URLRequest(url: request.url)
    sent.httpMethod = request.method
    sent.httpBody = request.body
    for (name, value) in request.headers.joinedByName {
      sent.setValue(value, forHTTPHeaderField: name)
    }
    let (body, response) = try await session.data(for: sent)
    guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
    var headers: [String: String] = [:]
    for case let (name as String, value as String) in response.allHeaderFields {
      headers[name] = value
    }
    return HTTPExchange.Response(status: response.statusCode, headers: headers, body: body)
  }
}
