// Part of Understudy: a bridge to gRPC.
// SPDX-License-Identifier: MIT

import GRPCCore
import GRPCInProcessTransport
import Greeter
import Testing
import UnderstudyGRPC
import UnderstudyTesting

private struct Politeness: Phrases {
  func words(for name: String) throws -> String { "Good evening, \(name)" }
}

private final class PhrasesDouble: Phrases {
  let words = Spy<String, String, any Error>("words(for:)")
  func words(for name: String) throws -> String { try words(name) }
}

/// Serves calls in this process, and calls `body` with a client.
private func withGreeter(
  _ service: some RegistrableRPCService = GreeterService(),
  _ body: (any Theatre_Greeter.ClientProtocol) async throws -> Void
) async throws {
  let transport = InProcessTransport()
  try await withGRPCServer(
    transport: transport.server, services: [service],
    interceptors: [CallLayer { layer, metadata, _ in layer.register(try Caller(metadata)) }]
  ) { _ in
    try await withGRPCClient(transport: transport.client) { client in
      try await body(Theatre_Greeter.Client(wrapping: client))
    }
  }
}

@Suite struct `A layer for each call` {
  /// Sixteen tests at a time, eight calls of each kind at a time in each.
  @Test(
    .overrides {
      let phrases = PhrasesDouble()
      phrases.words.does { "Hi \($0)" }
      $0.register(phrases as any Phrases)
    }, arguments: 0..<16)
  func `stands on the layer of the test, and belongs to that call`(round: Int) async throws {
    try await withGreeter { client in
      let doorman = Doorman(greeter: client)
      try await withThrowingTaskGroup(of: [String].self) { group in
        for id in 0..<8 {
          group.addTask { [try await doorman.receive("u\(id)")] }
          group.addTask { try await doorman.programme(acts: 2, for: "u\(id)") }
        }
        let words = try await group.reduce(into: Set()) { $0.formUnion($1) }
        #expect(words == Set((0..<8).flatMap { ["Hi u\($0)", "Act 1, u\($0)", "Act 2, u\($0)"] }))
      }
    }
    assertResolved((any Phrases).self, count: 8)
    assertResolved(Caller.self, count: 8)
  }

  @Test(.overrides { $0.register { Politeness() as any Phrases } })
  func `ends with the call`() async throws {
    try await withGreeter { client in
      try await #expect(Doorman(greeter: client).receive("Ada") == "Good evening, Ada")
      #expect(throws: ResolutionError.self) { try Resolver.current.resolve(Caller.self) }
    }
  }

  @Test(.overrides(.check(.unusedOverride, .off)) { $0.register { Politeness() as any Phrases } })
  func `that cannot be made refuses the call`() async throws {
    try await withGreeter { client in
      let error = await #expect(throws: RPCError.self) {
        try await client.greet(.with { $0.name = "Ada" })
      }
      #expect(error?.code == .unauthenticated)
    }
    assertNeverResolved((any Phrases).self)
  }
}

/// The double is generated from the protocol that `protoc-gen-grpc-swift-2` wrote.
@Suite struct `A generated client double` {
  @Test func `answers in place of the server`() async throws {
    let client = Theatre_GreeterClientProtocolDouble()
    client.spy.greet.does { call -> Theatre_GreetReply in
      .with { $0.words = "Hi \(call.0.message.name)" }
    }
    let doorman = Doorman(greeter: client)
    try await #expect(doorman.receive("Ada") == "Hi Ada")
    #expect(client.spy.greet.calls.map(\.0.message.name) == ["Ada"])
  }

  @Test func `answers a stream with the result of the caller's closure`() async throws {
    let client = Theatre_GreeterClientProtocolDouble()
    client.spy.announce.returns(["Act 1", "Act 2"])
    try await #expect(Doorman(greeter: client).programme(acts: 2, for: "Ada").count == 2)
    #expect(client.spy.announce.calls.map(\.0.message.acts) == [2])
    let callers = client.spy.announce.calls.map { Array($0.0.metadata[stringValues: "caller"]) }
    #expect(callers == [["Ada"]])
  }

  @Test func `fails as a server does`() async throws {
    let client = Theatre_GreeterClientProtocolDouble()
    client.spy.greet.throws(RPCError(code: .notFound, message: "No such guest"))
    try await #expect(Doorman(greeter: client).receive("Ada") == "Good evening")
  }
}
