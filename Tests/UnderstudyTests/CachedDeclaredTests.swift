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

  /// Declares a dependency with another block for each number.
  fileprivate static func meal(_ number: Int) -> Dependency<Meal> { Dependency { Meal(number) } }

  /// Declares a dependency that requests another one with the same place of declaration.
  fileprivate static func sum(_ number: Int) -> Dependency<Int> {
    Dependency { number == 0 ? 0 : Resolver.current.resolve { $0.sum(number - 1) } + number }
  }
}

/// Like `A block that is cached under layers`. A declared dependency has its own block, and one
/// place may declare several.
@Suite struct `A declared block that is cached under layers` {
  private let resolver = Resolver()

  /// Four requests: the first one teaches the fast path.
  private func asked() -> [Int] {
    (0..<4).map { _ in resolver.resolve(\.meal).number }
  }

  @Test func `is the override's, also after that has failed`() throws {
    try withLayer(of: resolver) { _ in
    } operation: {
      let (layer, calls) = (try #require(OverrideLayer.current), Tally())
      #expect(asked() == [0, 0, 0, 0])
      layer.override(\.meal) { Meal(1) }
      #expect(asked() == [1, 1, 1, 1])
      layer.override(\.meal) {
        if calls.next() == 5 { throw Burnt() }
        return Meal(2)
      }
      #expect(asked() == [2, 2, 2, 2])
      let error = #expect(throws: ResolutionError.self) {
        try resolver.resolve(Dependencies.meal.key)
      }
      #expect(error?.kind == "failed")
      #expect(asked() == [2, 2, 2, 2])
      let counts = layer.log.counts(of: Dependencies.meal.key)
      #expect(counts == ResolutionCounts(made: 16, failed: 1))
    }
  }

  @Test func `from a function that declares is the block of that call`() throws {
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

  @Test func `of a released dependency is missing`() throws {
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
