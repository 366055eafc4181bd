// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What an instance was made from: which registration answered which key, at which level.
///
/// Level 0 is production; a layer's level is its depth above the resolver.
package final class Provenance: Sendable {
  package enum Answer: Sendable {
    /// This registration answered.
    case registration(AnyRegistration)
    /// Nothing did, and the requester could live with that (`T?`).
    case nothing
    /// These registrations did, all of one type (`[T]`).
    case every([AnyRegistration])
  }

  package let key: AnyKey
  package let answer: Answer
  /// The level of the layer that answered; 0 for production.
  package let level: Int
  /// The resolver that was asked, by identity: an instance does not keep its resolver alive.
  package let resolver: ObjectIdentifier
  /// Only layers below this level were asked: what a decorator wraps was asked below its layer.
  package let ceiling: Int
  private let ownDependencies: [Provenance]
  /// What it was completed with after it was made: without what is below, so that a cycle holds
  /// nothing. Only for what is completed later.
  private let laterDependencies: Lock<[Provenance]>?

  package var dependencies: [Provenance] {
    guard let laterDependencies else { return ownDependencies }
    return ownDependencies + laterDependencies.withLock { $0.map(\.self) }
  }

  package init(
    of key: AnyKey, answer: Answer, level: Int, resolver: Resolver,
    ceiling: Int = .max, dependencies: [Provenance] = []
  ) {
    self.key = key
    self.answer = answer
    self.level = level
    self.resolver = ObjectIdentifier(resolver)
    self.ceiling = ceiling
    ownDependencies = dependencies
    laterDependencies =
      if case .registration(let registration) = answer, registration.isCompletedLater {
        Lock([])
      } else {
        nil
      }
  }

  /// Adds what it was completed with, and all that this was made from.
  package func complete(with dependencies: [Provenance]) {
    var leaves: [Provenance] = []
    for dependency in dependencies {
      dependency.visit { provenance in
        leaves.append(Provenance(leaf: provenance))
        return true
      }
    }
    laterDependencies?.withLock { $0 += leaves }
  }

  private init(leaf other: Provenance) {
    key = other.key
    answer = other.answer
    level = other.level
    resolver = other.resolver
    ceiling = other.ceiling
    ownDependencies = []
    laterDependencies = nil
  }

  /// Visits this and everything below it, each once, until `body` returns false.
  ///
  /// - Complexity: O(n) in the number of distinct dependencies.
  package func visit(_ body: (Provenance) -> Bool) {
    var seen: Set<ObjectIdentifier> = []
    var open = [self]
    while let next = open.popLast() {
      guard seen.insert(ObjectIdentifier(next)).inserted else { continue }
      guard body(next) else { return }
      open += next.dependencies
    }
  }
}
