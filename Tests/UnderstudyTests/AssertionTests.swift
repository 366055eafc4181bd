// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyTesting

extension Dependencies {
  fileprivate static var round: Dependency<any Postman> { Dependency { RealPostman() } }
}

/// Which layer an assertion reads if a task sees layers of several resolvers.
@Suite struct `An assertion` {
  /// Calls `operation` under a layer of each of two resolvers that register the same key. The inner
  /// layer is the second resolver's.
  private func withBoth(
    _ operation: @escaping @Sendable (_ first: Resolver, _ second: Resolver) throws -> Void
  ) throws {
    let first = Resolver(named: "first")
    let second = Resolver(named: "second")
    for resolver in [first, second] {
      resolver.register { 1 }
      resolver.register { RealPostman() as any Postman }
    }
    try withOverrides(of: first, named: "of the first") { _ in
    } operation: {
      try withOverrides(of: second, named: "of the second") { _ in
      } operation: {
        try operation(first, second)
      }
    }
  }

  @Test func `takes a count in words`() async throws {
    try await expect(issues: []) {
      try withBoth { first, second in
        _ = try (first.resolve(Int.self), second.resolve(Int.self), second.resolve(Int.self))
        assertResolved(Int.self, of: first, count: .once)
        assertCreated(Int.self, of: second, count: .exactly(2))
        assertResolved(Int.self, of: second, count: .between(2...))
        assertResolved(\.postman, of: first, count: .never)
      }
    }
  }

  @Test func `reads the layer of the given resolver`() async throws {
    try await expect(issues: []) {
      try withBoth { first, second in
        _ = try (first.resolve(Int.self), second.resolve(Int.self), second.resolve(Int.self))
        _ = (first.resolve(\.postman), second.resolve(\.postman), second.resolve(\.postman))
        assertResolved(Int.self, of: first, count: 1)
        assertCreated(Int.self, of: first, count: 1)
        assertResolved(Int.self, of: second, count: 2)
        assertResolved(\.postman, of: first, count: 1)
        assertCreated(\.postman, of: second, count: 2)
        assertNeverResolved((any Postman).self, of: first)
        #expect(OverrideLayer.current?.nearest(of: first)?.log.count(of: Int.self) == 1)
      }
    }
  }

  @Test func `covers the whole test, whatever layers are pushed in between`() async throws {
    let resolver = Resolver()
    resolver.register { 1 }
    let issues = [("resolved", 71), ("created", 72)].map { verb, line in
      Caught.error(
        """
        'Int' was \(verb) 3 times, not once.
          Layer   'test'
          Counts  made 3, reused 0, missed 0, failed 0
          Log     Int  made by production
                  Int  made by layer 'inner'
                  Int  made by layer 'inner'
        """, line: line)
    }
    try await expect(issues: issues) {
      try withOverrides(of: resolver, named: "test") { _ in
      } operation: {
        _ = try resolver.resolve(Int.self)
        try withOverrides(of: resolver, named: "inner") {
          $0.register { 2 }
        } operation: {
          _ = try (resolver.resolve(Int.self), resolver.resolve(Int.self))
          assertResolved(Int.self, of: resolver, count: 3)
          assertResolved(Int.self, of: resolver, count: 1, line: 71)
          assertCreated(Int.self, of: resolver, count: 1, line: 72)
          assertNeverResolved(String.self, of: resolver)
        }
        assertResolved(Int.self, of: resolver, count: 3)
      }
    }
  }

  @Test func `says that a range contains no number`() async throws {
    let resolver = Resolver()
    resolver.register { 1 }
    let issue = Caught.error(
      """
      'Int' was resolved once, and the expected range contains no number.
        Layer   'test'
        Counts  made 1, reused 0, missed 0, failed 0
        Log     Int  made by production
      To fix:  Expect a count from 0:  .never, .once, 2...
      """, line: 9)
    try await expect(issues: [issue]) {
      try withOverrides(of: resolver, named: "test") { _ in
      } operation: {
        _ = try resolver.resolve(Int.self)
        assertResolved(Int.self, of: resolver, count: 2..<2, line: 9)
      }
    }
  }

  @Test
  func `reads the layer of the task's resolver, even if another resolver's layer is further in`()
    async throws
  {
    try await expect(issues: []) {
      try withBoth { first, second in
        _ = try (first.resolve(Int.self), second.resolve(Int.self), second.resolve(Int.self))
        _ = first.resolve(\.postman)
        withResolver(first) {
          assertResolved(Int.self, count: 1)
          assertCreated(Int.self, count: 1)
          assertResolved(\.postman, count: 1)
        }
        withResolver(second) {
          assertResolved(Int.self, count: 2)
          assertNeverResolved(\.postman)
        }
      }
    }
  }

  @Test func `reads the innermost layer if the task's resolver has none`() async throws {
    try await expect(issues: []) {
      try withBoth { _, second in
        _ = try second.resolve(Int.self)
        assertResolved(Int.self, count: 1)
      }
    }
  }

  @Test func `fails if the given resolver has no layer`() async throws {
    let text = """
      'Int' cannot be counted: no layer of the resolver is live here.
      To fix, do one of these:
        • Give the test a layer:  withOverrides(of: …) { … } operation: { … }
        • Carry the context:  let context = OverrideContext.current … context.run { … }
      """
    try await expect(issues: [.error(text, line: 801)]) {
      try withBoth { _, _ in
        assertNeverResolved(Int.self, of: Resolver(), line: 801)
      }
    }
  }

  /// A short name says nothing about another type, but this is the same type.
  @Test func `proposes the requested key with its name`() async throws {
    struct DB: Sendable {}
    let resolver = Resolver()
    resolver.register(named: "real") { DB() }
    let text = """
      'DB' has no registration, so it cannot be resolved: its count is always 0.
        Resolved  'DB' named "real"
        Layer     'test'
      To fix, do one of these:
        • Count it instead:  DB.self, named: "real"
        • Remove the assertion.
      """
    try await expect(issues: [Caught(text, isError: false, line: 802, file: #fileID)]) {
      try withOverrides(of: resolver, named: "test") { _ in
      } operation: {
        _ = try resolver.resolve(DB.self, named: "real")
        assertNeverResolved(DB.self, of: resolver, line: 802)
      }
    }
  }

  /// Its own registrations count, and the layer is its parent's.
  @Test func `of a child resolver knows what is registered there`() throws {
    let app = Resolver()
    let session = Resolver(parent: app)
    session.register { Letter() }
    session.register { [1] }
    try withOverrides(of: app) {
      $0.register { LetterDouble() }
    } operation: {
      _ = try session.resolve(LetterDouble.self)
      assertNeverResolved(Letter.self, of: session)
      assertNeverResolved([Int].self, of: session)
    }
  }

  private struct Letter {}
  private struct LetterDouble {}

  /// A request for `[T]` is counted as requests for each `T`.
  @Test func `of a key that is never counted is an issue, since it could not fail`() async throws {
    let text = """
      '[any Postman]' is not counted: nothing is registered for it, and 'any Postman' is counted instead.
      To fix, do one of these:
        • Count that key instead:  (any Postman).self
        • Register it:  $0.register { … as [any Postman] }
      """
    try await expect(issues: [.error(text, line: 91)]) {
      try withBoth { first, second in
        _ = try second.resolve([any Postman].self)
        assertNeverResolved([any Postman].self, of: second, line: 91)
        assertResolved((any Postman).self, of: second, count: 1)
        try withOverrides(of: first) {
          $0.decorate(Int?.self) { $0 }
        } operation: {
          assertNeverResolved(Int?.self, of: first)
          _ = try first.resolve(Int?.self)
          assertResolved(Int?.self, of: first, count: 1)
        }
      }
    }
  }

  private static func doubt(_ subject: String, _ resolved: String, count: String, line: Int)
    -> Caught
  {
    .warning(
      """
      \(subject) has no registration, so it cannot be resolved: its count is always 0.
        Resolved  \(resolved)
        Layer     'test'
      To fix, do one of these:
        • Count it instead:  \(count)
        • Remove the assertion.
      """, line: line)
  }

  /// Two mistakes: the double's class instead of the protocol, and the type instead of the key
  /// path.
  @Test func `of a key that cannot be resolved names the similar key that was`() async throws {
    let (resolver, other) = (Resolver(), Resolver())
    try await expect(issues: [
      Self.doubt("'PostmanDouble'", "'any Postman'", count: "(any Postman).self", line: 92),
      Self.doubt("'PostmanDouble'", "'any Postman'", count: "(any Postman).self", line: 93),
      Self.doubt(
        "'any Postman'", "'any Postman' declared at UnderstudyTests/Postman.swift:7001",
        count: "\\.…", line: 94),
      Self.doubt("'PostmanDouble'", "'\\.round'", count: "\\.round", line: 95),
    ]) {
      try withOverrides(of: resolver, named: "test") {
        $0.register { PostmanDouble() as any Postman }
      } operation: {
        _ = try resolver.resolve((any Postman).self)
        assertNeverResolved(PostmanDouble.self, of: resolver, line: 92)
        assertCreated(PostmanDouble.self, of: resolver, count: 0...1, line: 93)
        // Nothing similar was requested, and a test registers less than the app.
        assertNeverResolved((any Sequence).self, of: resolver)
      }
      withOverrides(of: other, named: "test") { _ in
      } operation: {
        _ = other.resolve(\.postman)
        assertNeverResolved((any Postman).self, of: other, line: 94)
      }
      withOverrides(of: other, named: "test") { _ in
      } operation: {
        _ = other.resolve(\.round)
        assertNeverResolved(PostmanDouble.self, of: other, line: 95)
      }
    }
  }

  @Test func `of a key that could be resolved has no warning`() async throws {
    let resolver = Resolver()
    resolver.register { RealPostman() as any Postman }
    let child = Resolver(parent: resolver)
    try await expect(issues: []) {
      try withOverrides(of: child, named: "test") {
        $0.register(PostmanDouble())
      } operation: {
        _ = try child.resolve(PostmanDouble.self)
        assertNeverResolved((any Postman).self, of: child)
        _ = try? child.resolve(RealPostman.self)
        assertNeverResolved(RealPostman.self, of: child)
      }
    }
  }
}
