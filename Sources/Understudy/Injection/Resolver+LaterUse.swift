// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A key that an instance in creation, or one of its later requests, will request later.
private struct LaterUse: Hashable {
  let key: AnyKey
  /// True if the results of a function are requested, too, with its parameter as the argument.
  var isProvided = false
}

extension Resolver {
  /// Notes that the instance in creation will make a request later. It counts as a dependency at
  /// once. So do the known dependencies of the key, and the keys that `T?`, `[T]` and a provider
  /// stand for.
  ///
  /// - Parameter isProvided: True if a value that a function returns may be requested, with its
  ///   parameter as the argument.
  /// - Complexity: O(n) in the number of direct and indirect known dependencies.
  package func noteLaterUse(of key: AnyKey, isProvided: Bool = false) {
    guard let creation = Construction.current?.creation else { return }
    let levels = LevelStack(top: OverrideLayer.current?.store, production: store)
    var seen: Set<LaterUse> = []
    var open = [LaterUse(key: key, isProvided: isProvided)]
    while let next = open.popLast() {
      guard seen.insert(next).inserted else { continue }
      open += noteLaterUse(next, levels, for: creation)
    }
  }

  /// Notes one of these requests, and returns the keys that it stands for and its known
  /// dependencies.
  private func noteLaterUse(
    _ use: LaterUse, _ levels: LevelStack, for creation: Creation
  ) -> [LaterUse] {
    let key = use.key
    var others: [LaterUse] = []
    if use.isProvided, let made = key.madeByFunction { others.append(LaterUse(key: made)) }
    if noteAnswers(to: key, levels, for: creation, { others.append(LaterUse(key: $0)) }) {
      return others
    }
    guard let implied = key.implied else { return others }
    guard key.type is any AskingForAll.Type else {
      return others + [LaterUse(key: implied, isProvided: key.type is any AskingLater.Type)]
    }
    for element in key.elements {
      let members = levels.reading { levels.registrations(of: element, from: levels.top) }
      creation.add(Provenance(of: element, answer: .every(members), rank: 0, production: store))
      if !members.isEmpty { return others + members.map { LaterUse(key: $0.key) } }
    }
    return others
  }

  /// Notes the registration that would answer now, with those that it shadows, and passes the known
  /// dependencies of their blocks to `need`. Returns `false` if there is none, or only decorators.
  private func noteAnswers(
    to key: AnyKey, _ levels: LevelStack, for creation: Creation, _ need: (AnyKey) -> Void
  ) -> Bool {
    var start = levels.top
    while true {
      let found = levels.reading { levels.answer(to: key, from: start) }
      if let found { creation.contribute(found.level, at: found.level.production) }
      creation.add(
        Provenance(
          of: key, answer: found.map { .registration($0.registration) } ?? .nothing,
          rank: found?.level.rank ?? 0, production: store, ceiling: levels.ceiling(from: start),
          isForLater: true))
      guard let found else { return false }
      var registration: AnyRegistration? = found.registration
      while let next = registration {
        next.needs.forEach(need)
        next.traits.statedNeeds.forEach(need)
        guard next.isDecoration else { return true }
        registration = next.replaced
      }
      start = levels.nextLayer(below: found.level)
    }
  }
}
