// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Understudy

extension ReferenceModel {
  /// A fault in front of a layer's registration for a key.
  struct Fault {
    let id: Int
    let hits: [Bool]
    var asked = 0
  }

  func fault(_ key: Int, _ hits: [Bool]) {
    guard levels.count > 1, levels[levels.count - 1].faults[key] == nil else { return }
    putInFront(Fault(id: 0, hits: hits), of: key, at: levels.count - 1)
  }

  /// Installs a fault with a new id, as registering again does.
  func putInFront(_ fault: Fault?, of key: Int, at level: Int) {
    lastRegistration += 1
    levels[level].faults[key] = fault.map {
      Fault(id: lastRegistration, hits: $0.hits, asked: $0.asked)
    }
  }

  /// The innermost fault or registration for a key, faults first: O2 of `Docs/Guarantees.md`.
  func inFront(of key: Int, below ceiling: Int) -> (id: Int, level: Int)? {
    for level in levels.indices.reversed() where level < ceiling {
      if let fault = levels[level].faults[key] { return (fault.id, level) }
      if let found = levels[level].registrations[key], !isClaimed(found, at: level) {
        return (found.id, level)
      }
    }
    return nil
  }

  /// The level of the first fault that lets the request pass, or `nil` without a fault. Throws if
  /// the fault hits.
  func faultInFront(of question: Question) throws(Failure) -> Int? {
    guard !isLeftToOwn(question),
      let (id, level) = inFront(of: question.key, below: question.ceiling),
      let fault = levels[level].faults[question.key]
    else { return nil }
    contribute(level)
    let standing = Registration(
      id: id, key: question.key, lifecycle: .notCached, block: .decorating(id: 0))
    depend(on: standing, question, level, [])
    levels[level].faults[question.key]?.asked += 1
    if fault.hits.indices.contains(fault.asked), fault.hits[fault.asked] {
      count(question, \.failed)
      throw failure(.broken, question.key)
    }
    return level
  }

  /// The answering registration. After a fault, the registration that it shadows on its own level
  /// comes first.
  func answer(to question: Question) -> (Registration, level: Int)? {
    guard let level = question.leftAt, isLeftToOwn(question),
      let own = levels[level].registrations[question.key]
    else { return answer(to: question.key, below: question.ceiling) }
    return (own, level)
  }

  private func isLeftToOwn(_ question: Question) -> Bool {
    guard let level = question.leftAt else { return false }
    return levels[level].registrations[question.key].map { !isClaimed($0, at: level) } ?? false
  }

  func isCounted(_ question: Question) -> Bool { question.ceiling == .max || question.isCounted }

  /// Releases the instances of production. Its registrations keep their position in the order.
  func reset() {
    for (key, old) in levels[0].registrations where old.lifecycle == .cached {
      forget(old)
      lastRegistration += 1
      levels[0].registrations[key] = Registration(
        id: lastRegistration, key: key, lifecycle: old.lifecycle, block: old.block)
    }
  }

  /// The cached instance that a request for the key would get.
  func kept(for key: Int) -> Part? {
    guard let (found, level) = answer(to: key), lifecycle(of: found, at: level) == .cached else {
      return nil
    }
    for holder in (max(level, boundary)..<levels.count).reversed() {
      guard let instance = levels[holder].instances[found.id],
        !isDecorator(found.block) || isThere(wrapped: instance.dependencies, key)
      else { continue }
      if override(of: instance.dependencies) == nil { return instance.part }
    }
    return nil
  }
}
