// Part of Understudy: a bridge to gRPC.
// SPDX-License-Identifier: MIT

import GRPCCore
import Understudy

// What `protoc-gen-grpc-swift` writes for a service has the shape of this file.

/// The name of the service and of its method.
public enum GreeterMethods {
  static let service = ServiceDescriptor(fullyQualifiedService: "Greeter")
  static let greet = MethodDescriptor(service: service, method: "Greet")
}

/// The client of the service.
///
/// - Understudy: double
public protocol GreeterClient: Sendable {
  /// Greets.
  func greet(_ name: String) async throws -> String
}

/// The client over a transport.
public struct RemoteGreeter<Transport: ClientTransport>: GreeterClient {
  private let client: GRPCClient<Transport>

  /// Makes a client.
  public init(_ client: GRPCClient<Transport>) {
    self.client = client
  }

  /// Greets.
  public func greet(_ name: String) async throws -> String {
    try await client.unary(
      request: ClientRequest(message: name, metadata: ["caller": "\(name)"]),
      descriptor: GreeterMethods.greet, serializer: TextCoder(), deserializer: TextCoder(),
      options: .defaults
    ) { try $0.message }
  }
}

/// The words of the service.
public protocol Phrases: Sendable {
  /// The words for a caller.
  func words(for name: String) throws -> String
}

/// The caller, registered in the call's layer.
public struct Caller: Sendable {
  /// The caller's name.
  public let name: String

  /// Reads the caller from the metadata of a call.
  public init(_ metadata: Metadata) throws {
    guard let name = metadata[stringValues: "caller"].first(where: { _ in true }) else {
      throw RPCError(code: .unauthenticated, message: "The call does not say who calls.")
    }
    self.name = name
  }
}

/// The server's side of the service.
public struct GreeterService: RegistrableRPCService {
  /// Makes the service.
  public init() {}

  /// Registers the method with a server.
  public func registerMethods<Transport: ServerTransport>(
    with router: inout RPCRouter<Transport>
  ) {
    router.registerHandler(
      forMethod: GreeterMethods.greet, deserializer: TextCoder(), serializer: TextCoder()
    ) { request, _ in
      _ = try await ServerRequest(stream: request)
      let caller = try Resolver.current.resolve(Caller.self)
      let phrases = try Resolver.current.resolve((any Phrases).self)
      return StreamingServerResponse(
        single: ServerResponse(message: try phrases.words(for: caller.name)))
    }
  }
}

/// Text as UTF-8, in place of a message of Protocol Buffers.
struct TextCoder: MessageSerializer, MessageDeserializer {
  func serialize<Bytes: GRPCContiguousBytes>(_ message: String) throws -> Bytes {
    Bytes(message.utf8)
  }

  func deserialize<Bytes: GRPCContiguousBytes>(_ bytes: Bytes) throws -> String {
    bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }
}
