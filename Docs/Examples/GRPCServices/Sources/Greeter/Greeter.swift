// Part of Understudy: a bridge to gRPC.
// SPDX-License-Identifier: MIT

import GRPCCore
import Understudy

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
      throw RPCError(code: .unauthenticated, message: "The call names no caller.")
    }
    self.name = name
  }
}

/// The server's side of the service.
public struct GreeterService: Theatre_Greeter.SimpleServiceProtocol {
  /// Makes the service.
  public init() {}

  /// Greets the guest in the words of the house.
  public func greet(
    request: Theatre_GreetRequest, context: ServerContext
  ) async throws -> Theatre_GreetReply {
    let phrases = try Resolver.current.resolve((any Phrases).self)
    return try .with { $0.words = try phrases.words(for: request.name) }
  }

  /// Announces each act to the caller.
  public func announce(
    request: Theatre_AnnounceRequest, response: RPCWriter<Theatre_AnnounceReply>,
    context: ServerContext
  ) async throws {
    let caller = try Resolver.current.resolve(Caller.self)
    for act in 0..<request.acts {
      try await response.write(.with { $0.words = "Act \(act + 1), \(caller.name)" })
    }
  }
}

/// Receives the guests. It knows the greeter's client, and no server.
public struct Doorman: Sendable {
  private let greeter: any Theatre_Greeter.ClientProtocol

  /// Makes a doorman.
  public init(greeter: any Theatre_Greeter.ClientProtocol) {
    self.greeter = greeter
  }

  /// The words for a guest. An unknown guest is greeted, too.
  public func receive(_ name: String) async throws -> String {
    do {
      return try await greeter.greet(.with { $0.name = name }, metadata: ["caller": "\(name)"])
        .words
    } catch let error as RPCError where error.code == .notFound {
      return "Good evening"
    }
  }

  /// All announcements of a performance.
  public func programme(acts: Int, for name: String) async throws -> [String] {
    try await greeter.announce(.with { $0.acts = Int32(acts) }, metadata: ["caller": "\(name)"]) {
      response in
      try await response.messages.reduce(into: []) { $0.append($1.words) }
    }
  }
}
