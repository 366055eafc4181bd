// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyTesting

private protocol Rates: Sendable {}
private final class RatesSpy: Rates {}
private struct FixedRates: Rates {}
private final class Vault: Sendable {}

private let resolver = Resolver()

extension Dependencies {
  fileprivate static let rates = Dependency<any Rates>(lifecycle: .cached, line: 811) {
    FixedRates()
  }
  fileprivate static var vault: Dependency<Vault> { Dependency(lifecycle: .cached) { Vault() } }
  fileprivate static let prepared = Dependency<Int>(lifecycle: .cached, line: 812) { 1 }
}

@Suite struct `A required layer` {
  @Test(.overrides(of: resolver))
  func `is the test's`() throws {
    OverrideLayer.required.register(7)
    #expect(try resolver.resolve(Int.self) == 7)
  }

  @Test func `is an issue at the override if there is none`() async throws {
    try await expect(issues: [
      .error(
        """
        'Int' was registered on 'OverrideLayer.required', and no layer is live here.
          Registered  \(#fileID):930
        To fix, do one of these:
          • Give the test a layer:  @Test(.overrides())
          • Carry the context:  let context = OverrideContext.current … context.run { … }
        """, line: 930)
    ]) {
      OverrideLayer.required.register(7, line: 930)
    }
  }

  @Test func `is an issue in every use if there is none`() {
    withKnownIssue { _ = OverrideLayer.required.log }
  }
}

@Suite struct `A layer without a configuration` {
  @Test(.overrides(.check(.unusedOverride, .off), of: resolver))
  func `has the checks of its trait`() {
    #expect(OverrideLayer.current?.options.weight(of: .unusedOverride) == .off)
  }

  @Test func `has the checks of its scope`() async throws {
    resolver.register { 3 }
    let isRefused = withOverrides(.strict, of: resolver) {
      withResolver(resolver) { !Inject<Int>().isAvailable }
    }
    #expect(isRefused)
    let weight = await withOverrides(.check(.unusedOverride, .error)) { () async in
      OverrideLayer.current?.options.weight(of: .unusedOverride)
    }
    #expect(weight == .error)
    #expect(throws: Mishap.self) { try withOverrides(.strict) { throw Mishap() } }
  }
}

@Suite struct `A trait that overrides one declared dependency` {
  @Test(.override(\.vault) { Vault() })
  func `makes its double in a block`() {
    #expect(Resolver.main.resolve(\.vault) === Resolver.main.resolve(\.vault))
    #expect(OverrideLayer.current?.log.count(of: \.vault) == 2)
  }
}

@Suite struct `Asynchronous configuration` {
  @Test(
    .overrides(of: resolver) { layer in
      await Task.yield()
      layer.register { 8 }
    })
  func `of a trait`() throws {
    #expect(try resolver.resolve(Int.self) == 8)
  }

  @Test func `of a scope`() async throws {
    let value = try await withOverrides(of: resolver) { layer in
      await Task.yield()
      layer.register { 9 }
    } operation: {
      try resolver.resolve(Int.self)
    }
    #expect(value == 9)
  }

  @Test func `of a scope that fails runs nothing`() async throws {
    await #expect(throws: Strike.self) {
      try await withOverrides(of: resolver) { layer in
        await Task.yield()
        layer.register { 9 }
        throw Strike()
      } operation: {
        Issue.record("it ran")
      }
    }
  }
}

@Suite struct `A double that a test gets back` {
  @Test func `is the cached one, and is not counted as a request`() throws {
    try withOverrides(of: resolver) {
      $0.register(lifecycle: .cached) { RatesSpy() as any Rates }
      $0.override(\.rates) { RatesSpy() }
    } operation: {
      #expect(resolver.existing((any Rates).self, as: RatesSpy.self) == nil)
      let made = try resolver.resolve((any Rates).self) as? RatesSpy
      #expect(resolver.existing((any Rates).self, as: RatesSpy.self) === made)
      #expect(resolver.existing((any Rates).self, as: FixedRates.self) == nil)
      let declared = resolver.resolve(\.rates) as? RatesSpy
      #expect(resolver.existing(\.rates, as: RatesSpy.self) === declared)
      #expect(OverrideLayer.current?.log.count(of: (any Rates).self) == 1)
      #expect(OverrideLayer.current?.log.count(of: \.rates) == 1)
    }
  }

  @Test func `is a value, even before it is resolved`() throws {
    let spy = RatesSpy()
    try withOverrides(of: resolver) {
      $0.register(spy as any Rates)
    } operation: {
      #expect(resolver.existing((any Rates).self, as: RatesSpy.self) === spy)
      _ = try resolver.resolve((any Rates).self)
    }
  }
}

@Suite struct `A prepared default of a declared dependency` {
  @Test func `is the value that production creates, as often as the declaration says`() {
    let (resolver, other) = (Resolver(), Resolver())
    let count = CallCounter()
    resolver.prepare(\.prepared) { 10 + count.next() }
    let first = resolver.resolve(\.prepared)
    #expect(first > 10 && resolver.resolve(\.prepared) == first)
    #expect(other.resolve(\.prepared) == 1)
    let overridden = withOverrides(of: resolver) {
      $0.override(\.prepared, with: 99)
    } operation: {
      resolver.resolve(\.prepared)
    }
    #expect(overridden == 99)
  }

  @Test func `leaves no instance of the replaced default, also after it is removed`() {
    let resolver = Resolver()
    let old = Witness(resolver.resolve(\.vault))
    #expect(old.isThere)
    let key = resolver.prepare(\.vault) { Vault() }
    #expect(old.isGone)
    let prepared = Witness(resolver.resolve(\.vault))
    #expect(resolver.unregister(key))
    #expect(prepared.isGone)
  }
}

@Suite struct `An override of a declared dependency` {
  /// Two consumers share a double exactly if they would share the live value.
  @Test func `has the lifecycle of the declaration`() {
    let count = CallCounter()
    withOverrides(of: resolver) {
      $0.override(\.prepared) { count.next() }
    } operation: {
      #expect(resolver.resolve(\.prepared) == resolver.resolve(\.prepared))
    }
    #expect(count.value == 1)
  }
}
