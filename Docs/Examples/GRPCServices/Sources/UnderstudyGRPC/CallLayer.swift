// Part of Understudy: a bridge to gRPC.
// SPDX-License-Identifier: MIT

import GRPCCore
import Understudy

/// Pushes a layer for each call.
///
/// The method that serves the call sees the layer, and no other call does. The layer stands on
/// those of the server's task: on none in production, and on the test's layer in a test. It ends
/// when the method returns its response. The producer of the response runs after that, under
/// another layer with the same values.
///
/// ```swift
/// GRPCServer(
///   transport: transport, services: [greeter],
///   interceptors: [CallLayer { layer, metadata, _ in layer.register(Caller(metadata)) }])
/// ```
public struct CallLayer: ServerInterceptor {
  private let configure: @Sendable (OverrideLayer, Metadata, ServerContext) throws -> Void

  /// Creates the interceptor. `configure` registers the values of a call: once for the method, and
  /// once for the producer of its response. A call for which it throws is not served.
  public init(
    _ configure: @escaping @Sendable (OverrideLayer, Metadata, ServerContext) throws -> Void
  ) {
    self.configure = configure
  }

  /// Serves a call under its layer.
  public func intercept<Input: Sendable, Output: Sendable>(
    request: StreamingServerRequest<Input>, context: ServerContext,
    next:
      @Sendable (StreamingServerRequest<Input>, ServerContext) async throws ->
      StreamingServerResponse<Output>
  ) async throws -> StreamingServerResponse<Output> {
    let push = CallPush(configure: configure, metadata: request.metadata, context: context)
    var response = try await push { try await next(request, context) }
    guard case .success(var contents) = response.accepted else { return response }
    let producer = contents.producer
    contents.producer = { writer in try await push { try await producer(writer) } }
    response.accepted = .success(contents)
    return response
  }
}

/// The layer of a call, to be pushed.
private struct CallPush: Sendable {
  let configure: @Sendable (OverrideLayer, Metadata, ServerContext) throws -> Void
  let metadata: Metadata
  let context: ServerContext

  func callAsFunction<Result>(_ operation: () async throws -> Result) async throws -> Result {
    // A call need not use everything that could belong to one.
    try await withOverrides(
      .check(.unusedOverride, .off), named: "call \(context.descriptor.fullyQualifiedMethod)"
    ) {
      try configure($0, metadata, context)
    } operation: {
      try await operation()
    }
  }
}
