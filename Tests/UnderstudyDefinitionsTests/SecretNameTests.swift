// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyDefinitions
import UnderstudyTesting

private struct Chosen {
  @Inject(namedBy: "store.kind") var number: Int
}

/// A secret property that holds the name of a service.
@Suite struct `A secret that is a name` {
  let resolver = Resolver()

  init() throws {
    resolver.install(
      try Properties(
        [.values(["store": ["kind": "hunter1", "plain": "open"]])], secrets: ["kind"]))
    resolver.register(1, named: "hunter1")
    resolver.register(2, named: "open")
  }

  @Test func `is refused, since names are shown in errors and in the log`() throws {
    let error = try #require(throws: DefinitionError.self) {
      try resolver.resolve(Int.self, namedBy: "store.kind")
    }
    #expect(
      error.description == """
        Refused: a secret as a name, which is seen in errors.
          Property  'store.kind'
        """)
    try #expect(resolver.resolve(Int.self, namedBy: "store.plain") == 2)
    withOverrides(.check(.unusedOverride, .off), of: resolver) {
      $0.set("store.kind", "hunter2")
      $0.set("store.plain", .secret("hunter3"))
    } operation: {
      for path in ["store.kind", "store.plain"] {
        #expect(throws: DefinitionError.self) {
          try resolver.resolve(Int.self, namedBy: path)
        }
      }
    }
  }

  @Test func `ends the process where the injected value is read, and is not shown`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let resolver = Resolver()
      resolver.install(
        try Properties([.values(["store": ["kind": "hunter1"]])], secrets: ["kind"]))
      _ = withResolver(resolver) { Chosen() }.number
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("Refused: a secret as a name") && !text.contains("hunter"))
  }
}
