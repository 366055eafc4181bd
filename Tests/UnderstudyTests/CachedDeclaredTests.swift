// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
@testable import Understudy

private final class Meal: Sendable {
  let number: Int

  init(_ number: Int = 0) {
    self.number = number
  }
}

private struct Burnt: Error {}

extension Dependencies {
  fileprivate static let meal = Dependency<Meal> { Meal() }

  /// Another block each time.
  fileprivate static func meal(_ number: Int) -> Dependency<Meal> { Dependency { Meal(number) } }

  /// One that asks for another that is declared at the same place.
  fileprivate static func sum(_ number: Int) -> Dependency<Int> {
    Dependency { number == 0 ? 0 : Resolver.current.resolve { $0.sum(number - 1) } + number }
  }
}

/// As `A block that is cached under layers`: what is declared has its own block, which may be
/// another each time.
@Suite struct `A declared block that is cached under layers` {
  private let resolver = Resolver()

  /// Learned, and called again three times.
  private func asked() -> [Int] {
    (0..<4).map { _ in resolver.resolve(\.meal).number }
  }

  @Test func `is its override's, or production's where that fails`() throws {
    try withKnownIssue {
      try withLayer(of: resolver) { _ in
      } operation: {
        let (layer, calls) = (try #require(OverrideLayer.current), Tally())
        #expect(asked() == [0, 0, 0, 0])
        layer.override(\.meal) { Meal(1) }
        #expect(asked() == [1, 1, 1, 1])
        layer.override(\.meal) {
          if calls.next() == 4 { throw Burnt() }
          return Meal(2)
        }
        #expect(asked() == [2, 2, 2, 0])
        #expect(asked() == [2, 2, 2, 2])
        let counts = layer.log.counts(of: Dependencies.meal.key)
        // What production answered instead is no question of its own.
        #expect(counts == ResolutionCounts(made: 15, failed: 1))
      }
    } matching: { issue in
      "\(issue)".contains("threw an error: Burnt()")
    }
  }

  @Test func `of a function that declares is that call's`() throws {
    var captured: Meal? = Meal(7)
    let witness = Witness(try #require(captured))
    withResolver(resolver) {
      withLayer(of: resolver) { _ in
      } operation: {
        for number in 0..<6 { #expect(resolver.resolve { $0.meal(number) }.number == number) }
        let kept = Dependencies.meal(6)
        for _ in 0..<4 { #expect(resolver.resolve { _ in kept }.number == 6) }
        #expect(resolver.resolve { $0.meal(8) }.number == 8)
        for _ in 0..<4 { #expect(resolver.resolve { $0.sum(3) } == 6) }
        for number in 0..<4 {
          #expect(resolver.resolve { $0.sum(number) } == number * (number + 1) / 2)
        }
        for _ in 0..<4 {
          let dependency = Dependency<Int> { [captured] in captured?.number ?? 0 }
          #expect(resolver.resolve { _ in dependency } == 7)
        }
        captured = nil
        #expect(witness.isGone)
      }
    }
  }

  @Test func `of what is gone is missing`() throws {
    try withLayer(of: resolver) { _ in
    } operation: {
      var kept: Dependency<Meal>? = Dependencies.meal(1)
      let key = try #require(kept).key
      for _ in 0..<4 { try #expect(resolver.resolve(key).number == 1) }
      kept = nil
      #expect(throws: ResolutionError.self) { try resolver.resolve(key) }
    }
  }
}
