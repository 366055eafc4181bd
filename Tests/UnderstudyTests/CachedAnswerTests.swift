// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyCompatibility
@testable import Understudy

private final class Furnishing: Sendable {
  let number: Int

  init(_ number: Int) {
    self.number = number
  }
}

extension Dependencies {
  fileprivate static let prop = Dependency<Furnishing>(lifecycle: .cached) { Furnishing(0) }
}

/// A request sees each earlier change, whatever the fast path has cached. `.ci/run` runs these
/// tests with the cache and without it.
@Suite struct `An answer that is cached under layers` {
  private let resolver = Resolver()

  init() {
    resolver.register(lifecycle: .cached) { Furnishing(0) }
  }

  /// Three requests: one through the slow path, one that fills the cache, one that the cache
  /// answers.
  private func asked() throws -> [Int] {
    try (0..<3).map { _ in try resolver.resolve(Furnishing.self).number }
  }

  @Test func `is off where the environment says so`() {
    let setting = ProcessInfo.processInfo.environment["UNDERSTUDY_CACHE"]
    #expect(ResolutionCache.isEnabled == (setting != "off"))
  }

  @Test func `is used by the next request, unless the cache is off`() throws {
    try withLayer(of: resolver) { _ in
    } operation: {
      #expect(!resolver.cacheAnswers(Furnishing.self))
      // The first request creates the instance, and the second finds it.
      for _ in 0..<2 { _ = try resolver.resolve(Furnishing.self) }
      #expect(resolver.cacheAnswers(Furnishing.self) == ResolutionCache.isEnabled)
    }
  }

  @Test(arguments: [false, true])
  func `does not hide a new or a removed override`(isBoundary: Bool) throws {
    try withLayer(of: resolver, isBoundary: isBoundary) { _ in
    } operation: {
      let layer = try #require(OverrideLayer.current)
      try #expect(asked() == [0, 0, 0])
      let key = layer.register(Furnishing(1))
      try #expect(asked() == [1, 1, 1])
      layer.register(Furnishing(2))
      try #expect(asked() == [2, 2, 2])
      try withLayer(of: resolver) {
        $0.register(Furnishing(3))
      } operation: {
        try #expect(asked() == [3, 3, 3])
      }
      try #expect(asked() == [2, 2, 2])
      layer.unregister(key)
      try #expect(asked() == [0, 0, 0])
    }
  }

  @Test(arguments: [false, true])
  func `does not hide a change in production`(isBoundary: Bool) throws {
    try withLayer(of: resolver, isBoundary: isBoundary) { _ in
    } operation: {
      try #expect(asked() == [0, 0, 0])
      resolver.register(lifecycle: .cached) { Furnishing(4) }
      try #expect(asked() == [4, 4, 4])
      resolver.reset(.instances)
      let before = try resolver.resolve(Furnishing.self)
      try #expect(resolver.resolve(Furnishing.self) === before)
      resolver.reset()
      #expect(throws: ResolutionError.self) { _ = try asked() }
    }
  }

  @Test func `does not hide an override of a dependency`() throws {
    resolver.register { 5 }
    resolver.register(lifecycle: .cached) { r in Furnishing(try r.resolve(Int.self)) }
    try #expect(asked() == [5, 5, 5])
    try withLayer(of: resolver) { _ in
    } operation: {
      let layer = try #require(OverrideLayer.current)
      try #expect(asked() == [5, 5, 5])
      layer.register { 6 }
      try #expect(asked() == [6, 6, 6])
    }
    try #expect(asked() == [5, 5, 5])
  }

  @Test func `does not belong to another layer at the same address`() throws {
    try withLayer(of: resolver) { _ in
    } operation: {
      for number in 1...100 {
        try withLayer(of: resolver) {
          if number % 2 == 0 { $0.register(Furnishing(number)) }
        } operation: {
          try #expect(resolver.resolve(Furnishing.self).number == (number % 2 == 0 ? number : 0))
        }
      }
    }
  }

  @Test func `is counted and logged like other answers`() throws {
    try withLayer(of: resolver, named: "counted") {
      $0.register(Furnishing(1))
    } operation: {
      _ = try (asked(), asked())
      let log = try #require(OverrideLayer.current).log
      let counts = log.counts(of: Key<Furnishing>())
      #expect((counts.made, counts.reused) == (1, 5))
      #expect(log.events.map(\.outcome) == [.made] + Array(repeating: .reused, count: 5))
      #expect(
        log.events.allSatisfy { $0.layer == "counted" && $0.key == AnyKey(Key<Furnishing>()) })
    }
  }

  @Test func `of a declared dependency is its override`() throws {
    try withLayer {
      $0.override(\.prop, lifecycle: .cached) { Furnishing(1) }
    } operation: {
      #expect((0..<3).map { _ in Resolver.current.resolve(\.prop).number } == [1, 1, 1])
      try #require(OverrideLayer.current).register(Furnishing(2))
      #expect((0..<3).map { _ in Resolver.current.resolve(\.prop).number } == [1, 1, 1])
      try #require(OverrideLayer.current).override(\.prop, lifecycle: .cached) { Furnishing(3) }
      #expect((0..<3).map { _ in Resolver.current.resolve(\.prop).number } == [3, 3, 3])
    }
  }

  @Test func `of a declared dependency does not hide a later registration`() {
    let key = Dependencies.prop.key.erased
    withLayer(of: resolver) { _ in
    } operation: {
      #expect((0..<3).map { _ in resolver.resolve(\.prop).number } == [0, 0, 0])
      var traits = RegistrationTraits(key: key, at: CallSite())
      traits.lifecycle = .cached
      resolver.add(Registration(traits, sharing: SendableType()) { _ in Furnishing(1) })
      #expect((0..<3).map { _ in resolver.resolve(\.prop).number } == [1, 1, 1])
      #expect(resolver.unregister(key))
      #expect((0..<3).map { _ in resolver.resolve(\.prop).number } == [0, 0, 0])
    }
    #expect(resolver.resolve(\.prop).number == 0)
    var traits = RegistrationTraits(key: key, at: CallSite())
    traits.lifecycle = .cached
    resolver.add(Registration(traits, sharing: SendableType()) { _ in Furnishing(2) })
    #expect(resolver.resolve(\.prop).number == 2)
  }

  @Test func `does not hide a claim of a boundary`() throws {
    try withLayer(of: resolver, isBoundary: true) { _ in
    } operation: {
      try #expect(asked() == [0, 0, 0])
      try #expect(resolver.resolve(Furnishing.self, lifecycle: .once).number == 0)
      #expect(throws: ResolutionError.self) { _ = try asked() }
    }
    try #expect(asked() == [0, 0, 0])
  }

  @Test func `does not hide a claim of another request`() throws {
    try withLayer(of: resolver) {
      $0.register(lifecycle: .cached) { Furnishing(1) }
    } operation: {
      try #expect(asked() == [1, 1, 1])
      try withLayer(of: resolver) { _ in
      } operation: {
        try #expect(asked() == [1, 1, 1])
        try #expect(resolver.resolve(Furnishing.self, lifecycle: .once).number == 1)
        try #expect(asked() == [0, 0, 0])
      }
      try #expect(asked() == [0, 0, 0])
    }
  }

  @Test func `does not hide a later decorator`() throws {
    try withLayer(of: resolver) { _ in
    } operation: {
      try #expect(asked() == [0, 0, 0])
      try #require(OverrideLayer.current).decorate(Furnishing.self) { Furnishing($0.number + 10) }
      try #expect(asked() == [10, 10, 10])
      try withLayer(of: resolver) { _ in
      } operation: {
        try #expect(asked() == [10, 10, 10])
        try #require(OverrideLayer.current).decorate(Furnishing.self) {
          Furnishing($0.number + 100)
        }
        try #expect(asked() == [110, 110, 110])
      }
      try #expect(asked() == [10, 10, 10])
    }
  }

  @Test(arguments: [1, 2, 40])
  func `does not hide an override of a child, at any depth`(depth: Int) throws {
    resolver.register(lifecycle: .cached) { 5 }
    resolver.register(lifecycle: .cached) { r in Furnishing(try r.resolve(Int.self)) }
    func under(_ depth: Int, _ body: () throws -> Void) throws {
      guard depth > 0 else { return try body() }
      try withLayer(of: resolver) { _ in
      } operation: {
        try #expect(asked() == [5, 5, 5])
        try under(depth - 1, body)
        try #expect(asked() == [7, 7, 7])
      }
    }
    try under(depth) {
      let outermost = try #require(OverrideLayer.current).root
      try withLayer(of: resolver) {
        $0.register(6)
      } operation: {
        try #expect(asked() == [6, 6, 6])
      }
      try #expect(asked() == [5, 5, 5])
      outermost.register(7)
      try #expect(asked() == [7, 7, 7])
    }
  }

  @Test func `does not outlive its layer`() throws {
    let context = try withLayer(of: resolver) {
      $0.register(Furnishing(1))
    } operation: {
      try #expect(asked() == [1, 1, 1])
      return OverrideContext.current
    }
    withKnownIssue {
      #expect(throws: ResolutionError.self) {
        try context.run { try resolver.resolve(Furnishing.self) }
      }
    } matching: { issue in
      "\(issue)".contains("of the test")
    }
  }

  @Test func `does not hide that a weak object is gone`() throws {
    try withLayer(of: resolver) { _ in
    } operation: {
      let layer = try #require(OverrideLayer.current)
      var held: Furnishing? = Furnishing(1)
      layer.register(weak: try #require(held))
      try #expect(asked() == [1, 1, 1])
      held = nil
      #expect(throws: ResolutionError.self) { _ = try asked() }
    }
  }

  /// A replaced instance is released while the change is in progress, and outside every lock.
  @Test func `can be requested in the deinit of the instance that it replaces`() throws {
    resolver.register(lifecycle: .cached) { Guest() }
    try withLayer(of: resolver) { _ in
    } operation: {
      let layer = try #require(OverrideLayer.current)
      let seen = Transcript<Int>()
      let context = OverrideContext.current
      let outcome = try Threads.run(1) { [resolver] _ in
        try context.run {
          layer.register(lifecycle: .cached) {
            Guest {
              if let next = try? resolver.resolve(Guest.self) { seen.say(next.number) }
            }
          }
          for _ in 0..<3 { _ = try resolver.resolve(Guest.self) }
          layer.register(Guest(2))
          for _ in 0..<3 { try seen.say(resolver.resolve(Guest.self).number) }
        }
      }
      try outcome[0].get()
      #expect(seen.all == [2, 2, 2, 2])
    }
  }

  @Test func `retains nothing`() throws {
    var made: [Witness] = []
    try withLayer(of: resolver) { _ in
    } operation: {
      let layer = try #require(OverrideLayer.current)
      let key = layer.register(lifecycle: .cached) { Furnishing(1) }
      made.append(Witness(try resolver.resolve(Furnishing.self)))
      _ = try asked()
      layer.unregister(key)
      #expect(made[0].isGone)
      made.append(Witness(try resolver.resolve(Furnishing.self)))
      _ = try asked()
      resolver.register(lifecycle: .cached) { Furnishing(2) }
      #expect(made[1].isGone)
      layer.register(Furnishing(3))
      made.append(Witness(try resolver.resolve(Furnishing.self)))
      _ = try asked()
    }
    #expect(made[2].isGone)
  }
}

private final class Guest: Sendable {
  let number: Int
  private let leaving: @Sendable () -> Void

  init(_ number: Int = 0, leaving: @escaping @Sendable () -> Void = {}) {
    self.number = number
    self.leaving = leaving
  }

  deinit { leaving() }
}
