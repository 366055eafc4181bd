// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

private protocol Greeter: AnyObject, Sendable {}

private protocol Seater: AnyObject, Sendable {}

private final class Usher: Greeter, Seater {}

private final class LoudGreeter: Greeter {
  let inner: any Greeter

  init(_ inner: any Greeter) { self.inner = inner }
}

/// A registration that answers to other types, too.
@Suite struct `An alias` {
  private let resolver = Resolver()

  /// Why there is no registration for the aliased type.
  enum Absence: CaseIterable {
    case isUsedUp
    case isGone
    case isNot
  }

  @Test func `of an asynchronous value names the request to wait for`() throws {
    resolver.alias(resolver.register { () async in Usher() }, as: (any Greeter).self)
    func awaits<Value>(_ type: Value.Type, _ argument: String) throws -> Bool {
      let error = try #require(resolutionError { try resolver.resolve(type) })
      return error.description.contains(
        "• Wait for it:  try await resolver.resolveAsync(\(argument))\n")
    }
    try #expect(awaits((any Greeter).self, "(any Greeter).self"))
    try #expect(awaits([any Greeter].self, "([any Greeter]).self"))
    try #expect(awaits((any Greeter)?.self, "((any Greeter)?).self"))
    try #expect(awaits([any Greeter]?.self, "([any Greeter]?).self"))
    resolver.register { r in [try r.resolve((any Greeter).self)].count }
    resolver.register(named: "a") { r in try r.resolve(String.self, named: "b") }
    resolver.register(named: "b") { () async in "b" }
    let part = try #require(resolutionError { try resolver.resolve([String].self) })
    #expect(
      part.description.contains(
        "in an asynchronous block for 'String' named \"a\":  try await resolver.resolveAsync(String.self, named: \"b\")"
      ))
    let error = try #require(resolutionError { try resolver.resolve(Int.self) })
    #expect(
      error.description.contains(
        "• Wait for it, in an asynchronous block for 'Int':  try await resolver.resolveAsync((any Greeter).self)"
      ))
  }

  @Test(arguments: Absence.allCases, [false, true])
  func `of a missing registration counts as missing`(absence: Absence, isDecorated: Bool)
    async throws
  {
    switch absence {
    case .isUsedUp:
      resolver.register(as: (any Greeter).self, lifecycle: .once) { _ in Usher() }
      _ = try resolver.resolve((any Greeter).self)
    case .isGone: resolver.alias(resolver.register(weak: Usher()), as: (any Greeter).self)
    case .isNot: resolver.alias(Key<Usher>(), as: (any Greeter).self)
    }
    try await withLayer(of: resolver) {
      if isDecorated { $0.decorate((any Greeter).self) { LoudGreeter($0) } }
    } operation: {
      try #expect(resolver.resolve((any Greeter)?.self) == nil)
      try #expect(resolver.resolve([any Greeter].self).isEmpty)
      try #expect(resolver.resolve(all: [Key<any Greeter>()]).isEmpty)
      try #expect(await resolver.resolveAsync((any Greeter)?.self) == nil)
      try #expect(await resolver.resolveAsync([any Greeter].self).isEmpty)
      let injected = withResolver(resolver) { WeakInject<any Greeter>().wrappedValue }
      #expect(injected == nil)
      let error = resolutionError { try resolver.resolve((any Greeter).self) }
      #expect(error?.key == Key<Usher>().erased)
    }
  }

  /// A missing dependency of the aliased registration is an error, as in any other block.
  @Test func `of a registration that cannot be created is an error`() throws {
    resolver.register(as: (any Greeter).self, lifecycle: .once) { r in
      _ = try r.resolve(Int.self)
      return Usher()
    }
    let error = resolutionError { try resolver.resolve((any Greeter)?.self) }
    #expect(error?.key == Key<Int>().erased)
  }

  /// A claimed registration is invisible to its own block, under each of its keys.
  @Test(arguments: [false, true], [false, true])
  func `of a one-time registration leads its block to the registration below`(
    isOther: Bool, isAnswered: Bool
  ) throws {
    let below = Usher()
    if isAnswered { resolver.register(lifecycle: .cached) { below } }
    try withLayer(of: resolver) {
      let key = $0.register(lifecycle: .once) { r throws -> Usher in
        let found: AnyObject? =
          isOther ? try r.resolve((any Seater)?.self) : try r.resolve((any Greeter)?.self)
        #expect(found === (isAnswered ? below : nil))
        return Usher()
      }
      $0.alias(key, as: (any Greeter).self, (any Seater).self)
    } operation: {
      try #expect(resolver.resolve((any Greeter).self) !== below)
      try #expect(resolver.resolve((any Greeter)?.self) === (isAnswered ? below : nil))
    }
  }

  @Test(arguments: [Lifecycle.cached, .notCached], [false, true])
  func `that its own registration requests is a cycle`(lifecycle: Lifecycle, isAwaited: Bool)
    async throws
  {
    resolver.register(as: (any Greeter).self, lifecycle: lifecycle) { r in
      _ = try r.resolve((any Greeter).self)
      return Usher()
    }
    let error = await #expect(throws: ResolutionError.self) {
      isAwaited
        ? try await resolver.resolveAsync((any Greeter).self) : try resolver.resolve()
    }
    #expect(error?.kind == "cycle")
    #expect(error?.steps == ["any Greeter", "Usher", "any Greeter", "Usher"])
  }

  @Test func `of a later registration is resolved again`() throws {
    resolver.alias(Key<Usher>(), as: (any Greeter).self)
    resolver.register(lifecycle: .cached) { r in try r.resolve((any Greeter)?.self) == nil }
    try #expect(resolver.resolve(Bool.self))
    try withLayer(of: resolver) {
      $0.register { Usher() }
    } operation: {
      try #expect(!resolver.resolve(Bool.self))
    }
    try #expect(resolver.resolve(Bool.self))
  }

  /// The alias itself creates nothing.
  @Test(arguments: [false, true])
  func `is disposed of and counted as the aliased registration`(isOwn: Bool) async throws {
    let disposed = Tally()
    if !isOwn { resolver.register(as: (any Greeter).self, lifecycle: .cached) { _ in Usher() } }
    try await withLayer(of: resolver) {
      if isOwn { $0.register(as: (any Greeter).self, lifecycle: .cached) { Usher() } }
      $0.onDispose(of: Key<any Greeter>()) { _ in disposed.next() }
    } operation: {
      for _ in 0..<2 {
        _ = try resolver.resolve((any Greeter).self)
        _ = try await resolver.resolveAsync((any Greeter).self)
      }
      let counts = OverrideLayer.current?.log.counts(of: Key<any Greeter>())
      #expect(counts?.made == 1)
      #expect(counts?.reused == 3)
      assertCreated((any Greeter).self, of: resolver, count: 1)
    }
    #expect(disposed.count == (isOwn ? 1 : 0))
  }

  @Test func `exists if the aliased instance does`() throws {
    resolver.register(as: (any Greeter).self, lifecycle: .cached) { _ in Usher() }
    #expect(resolver.existing((any Greeter).self) == nil)
    let usher = try resolver.resolve(Usher.self)
    #expect(resolver.existing((any Greeter).self) === usher)
    try withLayer(of: resolver) {
      $0.register(lifecycle: .cached) { Usher() }
    } operation: {
      #expect(resolver.existing((any Greeter).self) == nil)
      let double = try resolver.resolve(Usher.self)
      #expect(resolver.existing((any Greeter).self) === double)
    }
  }

  @Test func `of a registration that is not cached is disposed of once for each request`() throws {
    let disposed = Tally()
    resolver.register(as: (any Greeter).self) { _ in Usher() }
    try withLayer(of: resolver) {
      $0.fault((any Greeter).self, .throwing(Mishap()), on: .sequence([]))
      $0.fault(Usher.self, .throwing(Mishap()), on: .sequence([]))
      $0.onDispose(of: Key<any Greeter>()) { _ in disposed.next() }
    } operation: {
      for _ in 0..<2 { _ = try resolver.resolve((any Greeter).self) }
      let counts = OverrideLayer.current?.log.counts(of: Key<any Greeter>())
      #expect(counts?.made == 2)
    }
    #expect(disposed.count == 2)
  }
}
