// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy

/// The model with one promise broken. The check must find a difference to the package. Then it
/// would also find a package that breaks the promise.
enum Mutation: String, CaseIterable {
  case onceIsNotTaken, onceIsLost, onceIsTakenFromProduction, unregisteredStays, cachedIsMadeAgain
  case outermostWins, boundaryIsNone, layerIsBoundary, productionOwnsAll, overrideDoesNotBite
  case overrideBitesDirectlyOnly, decoratorIsCached, decoratorSeesItself, reuseIsNotCounted

  var model: ReferenceModel {
    switch self {
    case .onceIsNotTaken: OnceIsNotTaken()
    case .onceIsLost: OnceIsLost()
    case .onceIsTakenFromProduction: OnceIsTakenFromProduction()
    case .unregisteredStays: UnregisteredStays()
    case .cachedIsMadeAgain: CachedIsMadeAgain()
    case .outermostWins: OutermostWins()
    case .boundaryIsNone: BoundaryIsNone()
    case .layerIsBoundary: LayerIsBoundary()
    case .productionOwnsAll: ProductionOwnsAll()
    case .overrideDoesNotBite: OverrideDoesNotBite()
    case .overrideBitesDirectlyOnly: OverrideBitesDirectlyOnly()
    case .decoratorIsCached: DecoratorIsCached()
    case .decoratorSeesItself: DecoratorSeesItself()
    case .reuseIsNotCounted: ReuseIsNotCounted()
    }
  }
}

@Suite struct `A mutation of the model` {
  @Test(arguments: Mutation.allCases)
  func `is found within the programs of the check`(mutation: Mutation) throws {
    let seed = (0..<100_000 as Range<UInt64>).first { seed in
      Comparison.difference(.random(seed: seed), from: mutation.model) != nil
    }
    let found = try #require(seed, "\(mutation) is never found")
    let shrunk = [Step].random(seed: found).shrunk {
      Comparison.difference($0, from: mutation.model) != nil
    }
    // A short program shows the promise. A page of it would explain nothing.
    #expect(shrunk.count <= 12, "\(mutation), seed \(found):\n\(shrunk.listing)")
  }
}

@Suite struct `A mutation of a part of the model` {
  @Test func `of child resolvers is found`() throws {
    try expectFound {
      .random(seed: $0)
    } difference: {
      Comparison.difference($0, from: ChildOverridesNothing(), children: 1)
    }
  }

  @Test func `of captured contexts is found`() throws {
    try expectFound {
      .randomWithContexts(seed: $0, completions: false)
    } difference: {
      Comparison.difference($0, from: ContextIsOfCaller())
    }
  }

  @Test func `of completions is found`() throws {
    try expectFound {
      .randomWithContexts(seed: $0, completions: true)
    } difference: {
      Comparison.difference($0, from: EarlyPartsAreForgotten())
    }
  }

  @Test func `of arrays is found`() throws {
    try expectFound {
      .randomWithArrays(seed: $0)
    } difference: {
      Comparison.difference($0, from: MembersAreForgotten())
    }
  }

  private func expectFound(
    _ program: (UInt64) -> [Step], difference: ([Step]) -> String?
  ) throws {
    let seed = (0..<40_000 as Range<UInt64>).first { difference(program($0)) != nil }
    let found = try #require(seed, "It is never found.")
    let shrunk = program(found).shrunk { difference($0) != nil }
    #expect(shrunk.count <= 12, "Seed \(found):\n\(shrunk.listing)")
  }
}

private final class MembersAreForgotten: ReferenceModel {
  override func newMember(besides members: Set<Int>) -> Int? { nil }
}

private final class ContextIsOfCaller: ReferenceModel {
  override func settle(_ making: Making, isKept: Bool) {}
}

private final class EarlyPartsAreForgotten: ReferenceModel {
  override func whole(_ making: Making) -> [Making] { [making] }
}

private final class ChildOverridesNothing: ReferenceModel {
  override func overrides(_ level: Int, _ dependency: Dependency) -> Bool {
    level >= resolverCount && super.overrides(level, dependency)
  }
}

private final class OnceIsNotTaken: ReferenceModel {
  override func claim(_ registration: Registration, at level: Int) {}
}

private final class OnceIsLost: ReferenceModel {
  override func restore(_ registration: Registration, at level: Int) {}
}

private final class OnceIsTakenFromProduction: ReferenceModel {
  override func claim(_ registration: Registration, at level: Int) {
    levels[level].registrations[registration.key] = nil
  }
}

private final class UnregisteredStays: ReferenceModel {
  override func unregister(_ key: Int, at level: Int) -> Bool {
    levels[level].registrations[key] != nil
  }
}

private final class CachedIsMadeAgain: ReferenceModel {
  override func share(
    _ found: Registration, _ question: Question, _ level: Int
  ) throws(Failure) -> Part? {
    forget(found)
    return try super.share(found, question, level)
  }
}

private final class OutermostWins: ReferenceModel {
  override func answer(to key: Int, below ceiling: Int) -> (Registration, level: Int)? {
    for level in levels.indices where level < ceiling {
      if let found = levels[level].registrations[key], !isClaimed(found, at: level) {
        return (found, level)
      }
    }
    return nil
  }
}

private final class BoundaryIsNone: ReferenceModel {
  override func push(isBoundary: Bool) { super.push(isBoundary: false) }
}

private final class LayerIsBoundary: ReferenceModel {
  override func push(isBoundary: Bool) { super.push(isBoundary: true) }
}

private final class ProductionOwnsAll: ReferenceModel {
  override func contribute(_ level: Int) {}
}

private final class OverrideDoesNotBite: ReferenceModel {
  override func override(of dependencies: [Dependency]) -> Int? { nil }
}

private final class OverrideBitesDirectlyOnly: ReferenceModel {
  override func override(of dependencies: [Dependency]) -> Int? {
    super.override(
      of: dependencies.map {
        Dependency(
          key: $0.key, registration: $0.registration, level: $0.level, ceiling: $0.ceiling,
          members: $0.members)
      })
  }
}

private final class DecoratorIsCached: ReferenceModel {
  override func lifecycle(of registration: Registration, at level: Int) -> Lifecycle {
    registration.lifecycle
  }
}

private final class DecoratorSeesItself: ReferenceModel {
  override func answer(to key: Int, below ceiling: Int) -> (Registration, level: Int)? {
    super.answer(to: key, below: ceiling == .max ? ceiling : ceiling + 1)
  }

  override func lifecycle(of registration: Registration, at level: Int) -> Lifecycle {
    registration.lifecycle
  }
}

private final class ReuseIsNotCounted: ReferenceModel {
  override func count(_ question: Question, _ outcome: WritableKeyPath<Counts, Int>) {
    if outcome != \.reused { super.count(question, outcome) }
  }
}
