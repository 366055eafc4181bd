// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Understudy

/// The rules of the package, for one thread: no locks, no types, no speed. Their numbers are those
/// of `Docs/Guarantees.md`.
///
/// The mutations of `MutationTests` replace single methods of it.
class ReferenceModel {
  struct Registration {
    indirect enum Block {
      case making(Recipe)
      case decorating(id: Int)
      case wrapping(Block, id: Int)
    }
    let id: Int
    let key: Int
    let lifecycle: Lifecycle
    let block: Block
  }
  /// Which registration answered, at which level, when only levels below the ceiling were asked.
  struct Dependency {
    let key: Int
    let registration: Int?
    let level: Int
    let ceiling: Int
    var dependencies: [Dependency] = []
  }
  struct Instance {
    let part: Part
    let dependencies: [Dependency]
  }
  struct Level {
    var isBoundary = false
    var registrations: [Int: Registration] = [:]
    var instances: [Int: Instance] = [:]
    /// Registrations of lower levels that are gone for those above this boundary.
    var claimed: Set<Int> = []
    var counts: [Int: Counts] = [:]
    var faults: [Int: Fault] = [:]
  }
  struct Question {
    let key: Int
    let lifecycle: Lifecycle
    var ceiling = Int.max
    /// The level of the fault that left the question to what stands behind it there.
    var leftAt: Int?
    /// True if it is counted though it is asked below a level, since a fault left it.
    var isCounted = false
  }

  /// Production, the children of it, then the layers, the innermost last.
  var levels = [Level()]
  /// How many of the levels are resolvers.
  var resolverCount = 1
  /// The instances that are being made to be kept, the innermost last.
  private var makings: [(owner: Int, dependencies: [Dependency])] = []
  private var running: [Registration] = []
  private var failuresSoFar: [Int: Int] = [:]
  private var lastSerial = 0
  var lastRegistration = 0

  var boundary: Int { levels.lastIndex { $0.isBoundary } ?? 0 }

  /// Puts a child resolver on top of production.
  func addChild() {
    levels.append(Level())
    resolverCount += 1
  }

  func push(isBoundary: Bool) { levels.append(Level(isBoundary: isBoundary)) }
  func pop() { if levels.count > resolverCount { levels.removeLast() } }

  func add(_ block: Registration.Block, _ lifecycle: Lifecycle, for key: Int, at level: Int) {
    _ = unregister(key, at: level)
    lastRegistration += 1
    levels[level].registrations[key] = Registration(
      id: lastRegistration, key: key, lifecycle: lifecycle, block: block)
  }

  func decorate(_ key: Int, id: Int) {
    let level = levels.count - 1
    guard level >= resolverCount else { return }
    let fault = levels[level].faults[key]
    defer { putInFront(fault, of: key, at: level) }
    if let own = levels[level].registrations[key] {
      add(.wrapping(own.block, id: id), own.lifecycle, for: key, at: level)
    } else {
      add(.decorating(id: id), .cached, for: key, at: level)
    }
  }

  /// L6: what is registered anew or no more is forgotten, with its instance.
  func unregister(_ key: Int, at level: Int) -> Bool {
    let hadFault = levels[level].faults.removeValue(forKey: key) != nil
    guard let old = levels[level].registrations.removeValue(forKey: key) else { return hadFault }
    forget(old)
    return true
  }

  func forget(_ registration: Registration) {
    for level in levels.indices { levels[level].instances[registration.id] = nil }
  }

  /// O1, O2: the innermost level that has a registration, unless that was claimed further in.
  func answer(to key: Int, below ceiling: Int = .max) -> (Registration, level: Int)? {
    for level in levels.indices.reversed() where level < ceiling {
      if let found = levels[level].registrations[key], !isClaimed(found, at: level) {
        return (found, level)
      }
    }
    return nil
  }

  func isClaimed(_ registration: Registration, at level: Int) -> Bool {
    levels[(level + 1)...].contains { $0.claimed.contains(registration.id) }
  }

  /// A decorator of what is cached is cached; of anything else, called each time.
  func lifecycle(of registration: Registration, at level: Int) -> Lifecycle {
    guard isDecorator(registration.block) else { return registration.lifecycle }
    guard let (below, itsLevel) = answer(to: registration.key, below: level) else {
      return .notCached
    }
    return lifecycle(of: below, at: itsLevel) == .cached ? .cached : .notCached
  }

  func isDecorator(_ block: Registration.Block) -> Bool {
    switch block {
    case .making: false
    case .decorating: true
    case .wrapping(let inner, _): isDecorator(inner)
    }
  }

  func resolve(_ question: Question) throws(Failure) -> Part? {
    if let level = try faultInFront(of: question) {
      var left = question
      left.isCounted = isCounted(question)
      left.ceiling = level
      left.leftAt = level
      return try resolve(left)
    }
    guard let (found, level) = answer(to: question) else {
      count(question, \.missed)
      depend(on: nil, question, 0, [])
      return nil
    }
    contribute(level)
    do throws(Failure) {
      switch (lifecycle(of: found, at: level), question.lifecycle) {
      case (.once, _), (.notCached, .once):
        claim(found, at: level)
        do throws(Failure) { return try make(found, question, level) } catch {
          restore(found, at: level)
          throw error
        }
      case (.notCached, _), (.cached, .notCached): return try make(found, question, level)
      case (.cached, _):
        if let part = try share(found, question, level) { return part }
      }
    } catch {
      count(question, \.failed)
      throw error
    }
    // Its own block took it: the question is asked again, of what is left.
    return try resolve(question)
  }

  /// L1; under a boundary, for those above it alone.
  func claim(_ registration: Registration, at level: Int) {
    if boundary > level {
      levels[boundary].claimed.insert(registration.id)
    } else {
      levels[level].registrations[registration.key] = nil
    }
  }

  func restore(_ registration: Registration, at level: Int) {
    if levels[max(level, boundary)].claimed.remove(registration.id) != nil { return }
    levels[level].registrations[registration.key] = registration
  }

  /// A value for this question alone.
  func make(_ found: Registration, _ question: Question, _ level: Int) throws(Failure) -> Part {
    defer { depend(on: found, question, level, []) }
    let part = try call(found, question, level)
    count(question, \.made)
    return part
  }

  /// The instance that is kept, made first if there is none that can be used.
  func share(_ found: Registration, _ question: Question, _ level: Int) throws(Failure) -> Part? {
    var owner = max(level, boundary)
    for holder in (owner..<levels.count).reversed() {
      guard let instance = levels[holder].instances[found.id],
        !isDecorator(found.block) || isThere(wrapped: instance.dependencies, question.key)
      else { continue }
      guard let culprit = override(of: instance.dependencies) else {
        guard take(found, question, level) else { return nil }
        contribute(holder)
        depend(on: found, question, level, instance.dependencies)
        count(question, \.reused)
        return instance.part
      }
      owner = max(owner, culprit)
    }
    makings.append((owner, []))
    let result = Result { () throws(Failure) in try call(found, question, level) }
    let making = makings.removeLast()
    contribute(making.owner)
    let isTaken = (try? result.get()) == nil || take(found, question, level)
    if isTaken { depend(on: found, question, level, making.dependencies) }
    let part = try result.get()
    guard isTaken else { return nil }
    if question.lifecycle != .once, isThere(found, level) {
      levels[making.owner].instances[found.id] = Instance(
        part: part, dependencies: making.dependencies)
    }
    count(question, \.made)
    return part
  }

  /// O7: what is wrapped is what would be answered now, if it is there at all.
  func isThere(wrapped dependencies: [Dependency], _ key: Int) -> Bool {
    dependencies.allSatisfy { dependency in
      guard dependency.key == key, let id = dependency.registration else { return true }
      if levels[dependency.level].faults[key]?.id == id { return true }
      let now = levels[dependency.level].registrations[key]
      guard let now, now.id == id, !isClaimed(now, at: dependency.level) else { return false }
      return isThere(wrapped: dependency.dependencies, key)
    }
  }

  /// Claims what is to be resolved once, with its instance; false if it is gone already.
  private func take(_ found: Registration, _ question: Question, _ level: Int) -> Bool {
    guard question.lifecycle == .once else { return true }
    guard isThere(found, level) else { return false }
    claim(found, at: level)
    for upper in max(level, boundary)..<levels.count {
      levels[upper].instances[found.id] = nil
    }
    return true
  }

  private func isThere(_ found: Registration, _ level: Int) -> Bool {
    levels[level].registrations[found.key]?.id == found.id && !isClaimed(found, at: level)
  }

  /// O6: the innermost level that now answers something otherwise than it was answered.
  func override(of dependencies: [Dependency]) -> Int? {
    dependencies.flatMap { dependency -> [Int?] in
      let now = inFront(of: dependency.key, below: dependency.ceiling)
      let isOverride = now.map {
        overrides($0.level, dependency) && $0.id != dependency.registration
      }
      return [isOverride == true ? now?.level : nil, override(of: dependency.dependencies)]
    }.compactMap(\.self).max()
  }

  /// A layer overrides what it answered itself, too; a resolver only its parents.
  func overrides(_ level: Int, _ dependency: Dependency) -> Bool {
    level < resolverCount ? level > dependency.level : level >= dependency.level
  }

  /// O5: an instance belongs to the innermost layer that contributed to it.
  func contribute(_ level: Int) {
    for index in makings.indices { makings[index].owner = max(makings[index].owner, level) }
  }

  func depend(
    on found: Registration?, _ question: Question, _ level: Int, _ dependencies: [Dependency]
  ) {
    guard !makings.isEmpty else { return }
    makings[makings.count - 1].dependencies.append(
      Dependency(
        key: question.key, registration: found?.id, level: level, ceiling: question.ceiling,
        dependencies: dependencies))
  }

  func count(_ question: Question, _ outcome: WritableKeyPath<Counts, Int>) {
    guard isCounted(question) else { return }
    for level in levels.indices {
      levels[level].counts[question.key, default: Counts()][keyPath: outcome] += 1
    }
  }

  private func call(_ found: Registration, _ question: Question, _ level: Int) throws(Failure)
    -> Part
  {
    guard !running.contains(where: { $0.id == found.id }) else {
      throw failure(.cycle, question.key)
    }
    running.append(found)
    let result = Result { () throws(Failure) in try run(found.block, question, level) }
    running.removeLast()
    return try result.get()
  }

  private func run(
    _ block: Registration.Block, _ question: Question, _ level: Int
  ) throws(Failure) -> Part {
    switch block {
    case .wrapping(let inner, let id): return part(id, [try run(inner, question, level).serial])
    case .decorating(let id):
      // What is used up is the decorator alone.
      let lifecycle = question.lifecycle == .once ? .cached : question.lifecycle
      let below = Question(key: question.key, lifecycle: lifecycle, ceiling: level)
      guard let inner = try resolve(below) else {
        throw Failure(reason: .nothingToDecorate, path: running.map(\.key), isVacant: true)
      }
      return part(id, [inner.serial])
    case .making(let recipe):
      var parts: [Int] = []
      for need in recipe.needs { parts.append(try answerOfPart(need)?.serial ?? -1) }
      failuresSoFar[recipe.id, default: 0] += 1
      if failuresSoFar[recipe.id, default: 0] <= recipe.failures { throw outerFailure(.broken) }
      return part(recipe.id, parts)
    }
  }

  func answer(to need: Need) throws(Failure) -> Part? {
    do throws(Failure) {
      let part = try resolve(Question(key: need.key, lifecycle: need.lifecycle))
      if part == nil, need.form != .optional { throw failure(.missing, need.key) }
      return part
    } catch {
      if need.form == .attempted || need.form == .optional && error.isVacant { return nil }
      throw error
    }
  }

  /// What a part fails with is more than that nothing answers the whole.
  private func answerOfPart(_ need: Need) throws(Failure) -> Part? {
    do throws(Failure) { return try answer(to: need) } catch {
      throw Failure(reason: error.reason, path: error.path)
    }
  }

  func failure(_ reason: Failure.Reason, _ key: Int) -> Failure {
    Failure(reason: reason, path: running.map(\.key) + [key])
  }

  private func outerFailure(_ reason: Failure.Reason) -> Failure {
    Failure(reason: reason, path: running.map(\.key))
  }

  private func part(_ id: Int, _ parts: [Int]) -> Part {
    lastSerial += 1
    return Part(lastSerial, of: id, from: parts)
  }
}
