// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

@testable import Understudy

private struct Postal: Assembly {
  func assemble(into registrar: some Registering) {
    registrar.register(line: 1006) { RealPostman() as any Postman }
  }
}

private let file = #fileID

@Suite struct `The message about an override that another registration hides` {
  private let resolver = Resolver()

  private func expectIssue(
    _ text: String, line: Int, _ body: @Sendable @escaping @concurrent () async throws -> Void
  ) async throws {
    try await expect(issues: [Caught(text, isError: false, line: line, file: file)], body)
  }

  private func replaced(_ remedy: String) -> String {
    """
    The override of 'any Postman' was replaced before it was resolved.
      Replaced    \(file):1006
      Overridden  \(file):1004
      Layer       'test'
    To fix, do one of these:
      • \(remedy)
      • Allow it:  withOverrides(.check(.unusedOverride, .off)) { … } operation: { … }
    """
  }

  @Test func `says to install the assembly first`() async throws {
    let resolver = resolver
    try await expectIssue(replaced("Install 'Postal' first, and override after it."), line: 1004) {
      try withOverrides(of: resolver, named: "test") {
        $0.register(line: 1004) { PostmanDouble() as any Postman }
        $0.install(Postal())
      } operation: {
        _ = try resolver.resolve((any Postman).self)
      }
    }
  }

  @Test func `says to decorate after the registration`() async throws {
    let resolver = resolver
    resolver.register { RealPostman() as any Postman }
    try await expectIssue(replaced("Decorate after the registration."), line: 1004) {
      try withOverrides(of: resolver, named: "test") {
        $0.decorate((any Postman).self, line: 1004) { $0 }
        $0.register(line: 1006) { PostmanDouble() as any Postman }
      } operation: {
        _ = try resolver.resolve((any Postman).self)
      }
    }
  }

  /// A server, for example, that creates its resolver itself.
  @Test func `names a resolver that was created under the layer`() async throws {
    let resolver = resolver
    try await expectIssue(
      """
      The override of 'any Postman' was never resolved.
        Asked of    the resolver 'server', at \(file):1007
        Overridden  \(file):1004
        Layer       'test'
      To fix, do one of these:
        • Override that resolver:  withOverrides(of: …) { … } operation: { … }
        • Remove it, or let the code under test ask for 'any Postman'.
        • Allow it:  withOverrides(.check(.unusedOverride, .off)) { … } operation: { … }
      """, line: 1004
    ) {
      try withOverrides(of: resolver, named: "test") {
        $0.register(line: 1004) { PostmanDouble() as any Postman }
      } operation: {
        let server = Resolver(named: "server")
        server.install(Postal())
        _ = try server.resolve((any Postman).self, line: 1007)
      }
    }
  }

  @Test func `is not there if a test need not use the override and has a resolver of its own`()
    async throws
  {
    let resolver = resolver
    try await expect(issues: []) {
      try withOverrides(of: resolver, named: "test") {
        $0.register { PostmanDouble() as any Postman }
        $0.markShared()
      } operation: {
        let own = Resolver(named: "own")
        own.install(Postal())
        _ = try own.resolve((any Postman).self)
      }
    }
  }

  @Test func `names a similar key that an outer layer answered`() async throws {
    let resolver = resolver
    try await expectIssue(
      """
      The override of 'PostmanDouble' was never resolved.
        Outer layer  'suite' answered 'any Postman'
        Overridden   \(file):1009
        Layer        'test'
      To fix, do one of these:
        • Override that:  $0.register { … as any Postman }
        • Remove it, or let the code under test ask for 'PostmanDouble'.
        • Allow it:  withOverrides(.check(.unusedOverride, .off)) { … } operation: { … }
      """, line: 1009
    ) {
      try withOverrides(of: resolver, named: "suite") {
        $0.register { PostmanDouble() as any Postman }
      } operation: {
        try withOverrides(of: resolver, named: "test") {
          $0.register(line: 1009) { PostmanDouble() }
        } operation: {
          _ = try resolver.resolve((any Postman).self)
        }
      }
    }
  }

  @Test func `names another resolver for which an outer layer answered`() async throws {
    let resolver = resolver
    try await expectIssue(
      """
      The override of 'any Postman' was never resolved.
        Asked of    the resolver 'main shop', at \(file):1011
        Overridden  \(file):1010
        Layer       'test'
      To fix, do one of these:
        • Override that resolver:  withOverrides(of: …) { … } operation: { … }
        • Remove it, or let the code under test ask for 'any Postman'.
        • Allow it:  withOverrides(.check(.unusedOverride, .off)) { … } operation: { … }
      """, line: 1010
    ) {
      let asked = Resolver(named: "main shop")
      try withOverrides(of: asked, named: "suite") {
        $0.register { PostmanDouble() as any Postman }
      } operation: {
        try withOverrides(of: resolver, named: "test") {
          $0.register(line: 1010) { PostmanDouble() as any Postman }
        } operation: {
          _ = try asked.resolve((any Postman).self, line: 1011)
        }
      }
    }
  }

  @Test func `of a value that was handed out once says how to ask again`() throws {
    let resolver = resolver
    resolver.register(7, lifecycle: .once)
    _ = try resolver.resolve(Int.self)
    let error = resolutionError { try resolver.resolve(Int.self) }
    #expect(
      error?.message.remedies == [
        "Ask for 'Int?', which is nil once the value is handed out.",
        "Register it for more than one request, without 'lifecycle: .once'.",
      ])
  }
}
