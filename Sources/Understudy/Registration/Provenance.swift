// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// One dependency of an instance: the registration that answered a key, and its level.
package final class Provenance: Sendable {
  package enum Answer: Sendable {
    case registration(AnyRegistration)
    /// No registration answered, and the requester could continue without one (`T?`).
    case nothing
    /// These registrations of one type answered (`[T]`).
    case every([AnyRegistration])
  }

  package let key: AnyKey
  package let answer: Answer
  /// The rank of the level whose registration answered.
  package let rank: Int
  /// The numbers of the asked resolver and its parents, so that an instance does not keep its
  /// resolver alive.
  let lineage: [Int]
  /// The number of the one among them that answered, or the outermost one's if a layer or nothing
  /// answered.
  let production: Int
  /// Only levels below this rank were asked, since a decorator asks below its own layer.
  package let ceiling: Int
  /// True if the instance may resolve the dependency later, and did not while it was created.
  let isForLater: Bool
  package let dependencies: [Provenance]
  /// Where the instance is stored that has these dependencies, if it is one.
  let place: InstancePlace?

  init(
    of key: AnyKey, answer: Answer, rank: Int, production: LevelStore,
    ceiling: Int = .max, isForLater: Bool = false, dependencies: [Provenance] = [],
    at place: InstancePlace? = nil
  ) {
    self.key = key
    self.answer = answer
    self.rank = rank
    lineage = production.lineage
    self.production = lineage[rank < lineage.count ? rank : 0]
    self.ceiling = ceiling
    self.isForLater = isForLater
    self.dependencies = dependencies
    self.place = place
  }
}

/// The ranks of the level that stores an instance, and of its home.
struct InstancePlace {
  let owner: Int
  let home: Int

  init(_ owner: LevelStore, _ home: LevelStore) {
    self.owner = owner.rank
    self.home = home.rank
  }
}

extension [Provenance] {
  /// Visits these dependencies and everything below them, each once: O(distinct dependencies).
  func visit(_ body: (Provenance) -> Void) {
    var seen: Set<ObjectIdentifier> = []
    var open = self
    while let next = open.popLast() {
      guard seen.insert(ObjectIdentifier(next)).inserted else { continue }
      body(next)
      open += next.dependencies
    }
  }
}
