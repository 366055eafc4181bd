// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
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

@Suite struct `A recollection` {
  private let recollection = Recollection<Int>()
  private let key = Recollection<Int>.Key(asker: 1, subject: 2, type: ObjectIdentifier(Int.self))

  @Test func `has what was found out since the last change`() {
    recollection.keep(7, for: key, since: recollection.generation)
    #expect(recollection[key] == 7)
    recollection.changeBegins()
    #expect(recollection[key] == nil)
    recollection.changeEnds()
    #expect(recollection[key] == nil)
    recollection.keep(8, for: key, since: recollection.generation)
    #expect(recollection[key] == 8)
  }

  @Test func `takes in nothing that was found out before or during a change`() {
    let before = recollection.generation
    recollection.changeBegins()
    let during = recollection.generation
    recollection.keep(1, for: key, since: before)
    recollection.keep(2, for: key, since: during)
    #expect(recollection[key] == nil)
    recollection.changeBegins()
    recollection.changeEnds()
    recollection.keep(3, for: key, since: recollection.generation)
    #expect(recollection[key] == nil, "the first change is still under way")
    recollection.changeEnds()
    recollection.keep(4, for: key, since: before)
    #expect(recollection[key] == nil)
  }

  @Test func `tells askers, subjects and types apart, whatever shares a place`() {
    let generation = recollection.generation
    for asker in 0..<40 {
      for subject in 0..<40 {
        let key = Recollection<Int>.Key(
          asker: asker, subject: subject, type: ObjectIdentifier(Int.self))
        recollection.keep(asker * 100 + subject, for: key, since: generation)
        #expect(recollection[key] == asker * 100 + subject)
        let other = Recollection<Int>.Key(
          asker: asker, subject: subject, type: ObjectIdentifier(String.self))
        #expect(recollection[other] == nil)
      }
    }
  }
}

/// Whatever was asked for before, a change is seen by the next resolution.
@Suite struct `What is remembered under layers` {
  private let resolver = Resolver()

  init() {
    resolver.register(lifecycle: .cached) { Furnishing(0) }
  }

  /// Three times: found out, remembered, recalled.
  private func asked() throws -> [Int] {
    try (0..<3).map { _ in try resolver.resolve(Furnishing.self).number }
  }

  @Test(arguments: [false, true])
  func `is not what was overridden anew or uncovered`(isBoundary: Bool) throws {
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
  func `is not what production no longer has`(isBoundary: Bool) throws {
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

  @Test func `is not what was made of something else`() throws {
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

  @Test func `is not what another layer answers, though it lies where that one was`() throws {
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

  @Test func `is counted and logged like the rest`() throws {
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

  @Test func `keeps nothing alive`() throws {
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
