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
private func withGreeter(_ body: (any GreeterClient) async throws -> Void) async throws {
  let transport = InProcessTransport()
  try await withGRPCServer(
    transport: transport.server, services: [GreeterService()],
    interceptors: [CallLayer { layer, metadata, _ in layer.register(try Caller(metadata)) }]
  ) { _ in
    try await withGRPCClient(transport: transport.client) { client in
      try await body(RemoteGreeter(client))
    }
  }
}

@Suite struct `A layer for each call` {
  /// Sixteen tests at a time, eight calls at a time in each.
  @Test(
    .overrides {
      let phrases = PhrasesDouble()
      phrases.words.does { "Hi \($0)" }
      $0.register(phrases as any Phrases)
    }, arguments: 0..<16)
  func `stands on the layer of the test, and belongs to that call`(round: Int) async throws {
    try await withGreeter { client in
      try await withThrowingTaskGroup(of: String.self) { group in
        for id in 0..<8 { group.addTask { try await client.greet("u\(id)") } }
        let words = try await group.reduce(into: Set()) { $0.insert($1) }
        #expect(words == Set((0..<8).map { "Hi u\($0)" }))
      }
    }
    assertResolved((any Phrases).self, count: 8)
    assertResolved(Caller.self, count: 8)
  }

  @Test(.overrides { $0.register { Politeness() as any Phrases } })
  func `ends with the call`() async throws {
    try await withGreeter { client in
      try await #expect(client.greet("Ada") == "Good evening, Ada")
      #expect(throws: ResolutionError.self) { try Resolver.current.resolve(Caller.self) }
    }
  }
}

@Suite struct `A generated client double` {
  @Test func `answers in place of the server`() async throws {
    let client = GreeterClientDouble()
    client.spy.greet.when("Ada").returns("Hi Ada")
    let greeter: any GreeterClient = client
    try await #expect(greeter.greet("Ada") == "Hi Ada")
    #expect(client.spy.greet.calls == ["Ada"])
  }
}
