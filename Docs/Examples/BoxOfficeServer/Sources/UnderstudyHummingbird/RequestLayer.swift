// Part of Understudy: a bridge to Hummingbird.
// SPDX-License-Identifier: MIT

import Hummingbird
import Understudy

/// Pushes a layer for each request.
///
/// The code that serves the request sees the layer, and no other request does. The layer stands on
/// those of the server's task: on none in production, and on the test's layer in a test. It ends
/// when the response is made, so a body that is written later resolves nothing. Pass it values.
///
/// ```swift
/// router.add(
///   middleware: RequestLayer { layer, request, context in
///     layer.register(Trace(id: context.id))
///   })
/// ```
public struct RequestLayer<Context: RequestContext>: RouterMiddleware {
  private let configure: @Sendable (OverrideLayer, Request, Context) throws -> Void

  /// Creates the middleware. `configure` registers the values of a request. A request for which it
  /// throws is not served.
  public init(_ configure: @escaping @Sendable (OverrideLayer, Request, Context) throws -> Void) {
    self.configure = configure
  }

  /// Serves a request under its layer.
  public func handle(
    _ request: Request, context: Context,
    next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    // A request need not use all values of its layer.
    try await withOverrides(.check(.unusedOverride, .off), named: "request \(context.id)") {
      try configure($0, request, context)
    } operation: {
      try await next(request, context)
    }
  }
}
