// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

private protocol Usher: AnyObject, Sendable {
  var number: Int { get }
}

private final class Attendant: Usher {
  let number: Int

  init(_ number: Int) { self.number = number }
}

private final class LoudUsher: Usher {
  let inner: any Usher
  var number: Int { inner.number }

  init(_ inner: any Usher) { self.inner = inner }
}

/// Rules O7 and L1 of `Docs/Guarantees.md`: the decorator of an alias lives as long as the aliased
/// instance.
@Suite struct `A decorator of an alias` {
  private let resolver = Resolver()
  private let made = Tally()

  /// The place of the decorated alias.
  enum Place: CaseIterable {
    case production, layerBelow, sameLayer
  }

  private func register(_ lifecycle: Lifecycle, in registering: some Registering) {
    let made = made
    registering.register(as: (any Usher).self, lifecycle: lifecycle) { _ in
      Attendant(made.next())
    }
  }

  private func decorated(
    _ lifecycle: Lifecycle, at place: Place, _ operation: () async throws -> Void
  ) async throws {
    if place == .production { register(lifecycle, in: resolver) }
    try await withLayer(of: resolver) {
      if place == .layerBelow { register(lifecycle, in: $0) }
    } operation: {
      try await withLayer(of: resolver) {
        if place == .sameLayer { register(lifecycle, in: $0) }
        $0.decorate((any Usher).self) { LoudUsher($0) }
      } operation: {
        try await operation()
      }
    }
  }

  @Test(arguments: Place.allCases)
  func `of a cached registration is cached`(place: Place) async throws {
    try await decorated(.cached, at: place) {
      let wrapper = try resolver.resolve((any Usher).self)
      #expect(wrapper is LoudUsher)
      try #expect(resolver.resolve((any Usher).self) === wrapper)
      try await #expect(resolver.resolveAsync((any Usher).self) === wrapper)
      #expect(resolver.existing((any Usher).self) === wrapper)
      try withLayer(of: resolver) {
        $0.register { Attendant(100) }
      } operation: {
        try #expect(resolver.resolve((any Usher).self).number == 100)
      }
      try #expect(resolver.resolve((any Usher).self) === wrapper)
    }
    #expect(made.count == 1)
  }

  @Test(arguments: Place.allCases)
  func `of a registration that is not cached is not cached`(place: Place) async throws {
    try await decorated(.notCached, at: place) {
      let wrapper = try resolver.resolve((any Usher).self)
      try await #expect(resolver.resolveAsync((any Usher).self) !== wrapper)
    }
    #expect(made.count == 2)
  }

  @Test func `is created again if the aliased registration is replaced or removed`() throws {
    register(.cached, in: resolver)
    try withLayer(of: resolver) {
      $0.decorate((any Usher).self) { LoudUsher($0) }
    } operation: {
      try #expect(resolver.resolve((any Usher).self).number == 1)
      resolver.register(lifecycle: .cached) { Attendant(100) }
      try #expect(resolver.resolve((any Usher).self).number == 100)
      resolver.unregister(Key<Attendant>())
      try #expect(resolver.resolve((any Usher)?.self) == nil)
    }
  }

  @Test func `retains a weak object no longer than other requests do`() throws {
    var attendant: Attendant? = Attendant(1)
    try resolver.alias(resolver.register(weak: #require(attendant)), as: (any Usher).self)
    let witness = try Witness(#require(attendant))
    try withLayer(of: resolver) {
      $0.decorate((any Usher).self) { LoudUsher($0) }
    } operation: {
      try #expect(resolver.resolve((any Usher).self).number == 1)
      attendant = nil
      #expect(witness.isGone)
    }
  }

  /// L1: a one-time registration is not lost.
  @Test(arguments: Place.allCases, [false, true])
  func `leaves a one-time registration unclaimed if it fails`(place: Place, isAwaited: Bool)
    async throws
  {
    let fails = Box(true)
    let made = made
    if place == .production {
      resolver.register(as: (any Usher).self, lifecycle: .once) { _ in Attendant(made.next()) }
    }
    try await withLayer(of: resolver) {
      if place == .layerBelow { register(.once, in: $0) }
    } operation: {
      try await withLayer(of: resolver) {
        if place == .sameLayer { register(.once, in: $0) }
        $0.decorate((any Usher).self) { usher in
          if fails.value { throw Mishap() }
          return usher
        }
      } operation: {
        func ask() async throws -> any Usher {
          if isAwaited { return try await resolver.resolveAsync((any Usher).self) }
          return try resolver.resolve((any Usher).self)
        }
        await #expect(throws: ResolutionError.self) { try await ask() }
        fails.value = false
        _ = try await ask()
        try #expect(resolver.resolve((any Usher)?.self) == nil)
      }
    }
  }

  @Test func `of a registration on the main actor runs there`() async throws {
    resolver.alias(
      resolver.register(lifecycle: .cached) { @MainActor in Attendant(1) }, as: (any Usher).self)
    resolver.register(named: "other") { @MainActor in Attendant(2) }
    try await withLayer(of: resolver) {
      $0.decorate((any Usher).self) { [resolver] usher in
        // This would be refused off the main actor.
        _ = try resolver.resolve(Attendant.self, named: "other")
        return LoudUsher(usher)
      }
    } operation: {
      let wrapper = try await resolver.resolveAsync((any Usher).self)
      try await #expect(resolver.resolveAsync((any Usher).self) === wrapper)
    }
  }

  /// Rule O11: a layer disposes of values that were created for it, under the requested key.
  @Test func `is disposed of, but an earlier instance or another key's is not`()
    throws
  {
    let steps = Transcript<String>()
    resolver.register(lifecycle: .cached) { Attendant(1) }
    _ = try resolver.resolve(Attendant.self)
    try withLayer(of: resolver) {
      $0.alias(Key<Attendant>(), as: (any Usher).self)
      $0.decorate((any Usher).self) { LoudUsher($0) }
      $0.onDispose(of: Key<any Usher>()) { steps.say("\(type(of: $0)) \($0.number)") }
    } operation: {
      _ = try resolver.resolve((any Usher).self)
      let made = OverrideLayer.current?.log.counts(of: AnyKey(Key<any Usher>())).made
      #expect(made == 1)
    }
    #expect(steps.all == ["LoudUsher 1"])
  }

  @Test
  func `that returns its input has it disposed of under the alias's key`()
    throws
  {
    let steps = Transcript<String>()
    register(.notCached, in: resolver)
    try withLayer(of: resolver) {
      $0.decorate(Attendant.self) { $0 }
      $0.onDispose(of: Key<any Usher>()) { steps.say("\(type(of: $0)) \($0.number)") }
    } operation: {
      _ = try resolver.resolve((any Usher).self)
    }
    #expect(steps.all == ["Attendant 1"])
  }
}
