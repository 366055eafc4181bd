// Part of an example of Understudy: a server.
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import Understudy

/// Pushes a layer for each request, with its user and its trace.
///
/// The layer is seen by whatever serves the request and by no other request. It is pushed on what
/// the server's task sees: nothing in production, the layer of the test in a test. It ends when the
/// answer is made, so a body that is written later resolves nothing: hand it values.
public struct RequestLayer<Context: RequestContext>: RouterMiddleware {
  /// Makes the middleware.
  public init() {}

  /// Serves a request under its layer; one that does not say whose it is, not at all.
  public func handle(
    _ request: Request, context: Context,
    next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard let name = request.headers[.user] else { throw HTTPError(.unauthorized) }
    let trace = Trace(id: request.headers[.trace] ?? context.id)
    return try await withOverrides(.check(.unusedOverride, .off), named: "request \(trace.id)") {
      $0.register(User(name: name))
      $0.register(trace)
    } operation: {
      try await next(request, context)
    }
  }
}

extension HTTPField.Name {
  /// Who asks.
  static let user = HTTPField.Name("X-User") ?? .authorization
  /// Which request it is.
  static let trace = HTTPField.Name("X-Trace") ?? .contentLocation
}
