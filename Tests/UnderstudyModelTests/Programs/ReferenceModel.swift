// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Understudy

/// The rules of the package for a single thread, without locks, types or speed. The comments cite
/// the numbers of `Docs/Guarantees.md`.
///
/// The mutations of `MutationTests` override single methods.
class ReferenceModel {
  /// Production, its child resolvers, then the layers, the innermost last.
  var levels = [Level(id: 0)]
  /// The number of levels that are resolvers.
  var resolverCount = 1
  /// The innermost in-flight creation of an instance that will be cached.
  var making: Making?
  var running: [Running] = []
  /// The completions that run after the outermost request.
  var session: Session?
  /// The part that the last recipe created. It is the one to complete, not its decorators.
  var lastMade: Part?
  var contexts: [Context] = []
  /// True once the completions turned out to be endless.
  var isEndless = false
  /// The claims for the values that decorators of the innermost request wrap.
  private var claimsOfParts: [(Registration, level: Int)] = []
  var failuresSoFar: [Int: Int] = [:]
  private var lastSerial = 0
  private var lastLevel = 0
  var lastRegistration = 0

  var boundary: Int { levels.lastIndex { $0.isBoundary } ?? 0 }

  /// Adds a child resolver of the last resolver.
  func addChild() {
    push(isBoundary: false)
    resolverCount += 1
  }

  func push(isBoundary: Bool) {
    lastLevel += 1
    levels.append(Level(id: lastLevel, isBoundary: isBoundary))
  }
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

  /// L6: a registration that is replaced or removed is forgotten, with its instance.
  func unregister(_ key: Int, at level: Int) -> Bool {
    let hadFault = levels[level].faults.removeValue(forKey: key) != nil
    guard let old = levels[level].registrations.removeValue(forKey: key) else { return hadFault }
    forget(old)
    return true
  }

  func forget(_ registration: Registration) {
    for level in levels.indices { levels[level].instances[registration.id] = nil }
  }

  /// O1, O2: the innermost level with a registration that no inner level has claimed.
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

  /// A decorator of a cached registration is cached. Any other decorator runs for each request.
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
      // An array's members are recorded as a dependency of their own.
      if !question.isElement { depend(on: nil, question, 0, []) }
      return nil
    }
    contribute(level)
    do throws(Failure) {
      switch (lifecycle(of: found, at: level), question.lifecycle) {
      case (.once, _), (.notCached, .once):
        claim(found, at: level)
        do throws(Failure) {
          let part = try make(found, question, level)
          if question.ceiling != .max || question.isElement {
            claimsOfParts.append((found, level))
          }
          return part
        } catch {
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
    // The registration's own block has claimed it, so the request goes to the remaining ones.
    return try resolve(question)
  }

  /// L1: the registration is claimed. Under a boundary it is claimed for the levels above only.
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

  /// Creates a value for this request alone.
  func make(_ found: Registration, _ question: Question, _ level: Int) throws(Failure) -> Part {
    defer { depend(on: found, question, level, []) }
    let part = try call(found, question, level)
    count(question, \.made)
    return part
  }

  /// Returns the cached instance, and creates it first if none can be used.
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
    guard !isRunning(found) else {
      depend(on: found, question, level, [])
      throw failure(.cycle, question.key)
    }
    if let other = session?.early(of: found) {
      guard take(found, question, level) else { return nil }
      return reuseEarly(other, of: found, question, level)
    }
    let own = Making(of: found.id, for: owner, within: making)
    making = own
    let result = Result { () throws(Failure) in try call(found, question, level, for: own) }
    making = own.outer
    contribute(own.owner)
    let isTaken = (try? result.get()) == nil || take(found, question, level)
    let isKept = isTaken && question.lifecycle != .once
    if isTaken, let part = try? result.get(), let session {
      keepLater(part, of: own, found, question, level, in: session)
      return part
    }
    if isTaken { depend(on: found, question, level, own.dependencies) }
    defer { settle(own, isKept: isKept && (try? result.get()) != nil) }
    let part = try result.get()
    guard isTaken else { return nil }
    if isKept { keep(part, of: own, found, level) }
    count(question, \.made)
    return part
  }

  /// Stores an instance at its owner if the registration still exists.
  func keep(_ part: Part, of own: Making, _ found: Registration, _ level: Int) {
    guard isThere(found, level) else { return }
    levels[own.owner].instances[found.id] = Instance(part: part, dependencies: own.dependencies)
  }

  /// O7: true if the wrapped registrations are still the ones that would answer.
  func isThere(wrapped dependencies: [Dependency], _ key: Int) -> Bool {
    dependencies.allSatisfy { dependency in
      guard dependency.key == key, let id = dependency.registration else { return true }
      if levels[dependency.level].faults[key]?.id == id { return true }
      let now = levels[dependency.level].registrations[key]
      guard let now, now.id == id, !isClaimed(now, at: dependency.level) else { return false }
      return isThere(wrapped: dependency.dependencies, key)
    }
  }

  /// Claims a `.once` registration with its instance. Returns false if it is already claimed.
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

  /// O6: the innermost level that would now give another answer to one of the dependencies.
  func override(of dependencies: [Dependency]) -> Int? {
    var innermost: Int?
    var seen: Set<ObjectIdentifier> = []
    var open = dependencies
    while let next = open.popLast() {
      guard seen.insert(ObjectIdentifier(next)).inserted else { continue }
      open += next.dependencies
      if let level = override(of: next) { innermost = max(innermost ?? level, level) }
    }
    return innermost
  }

  private func override(of dependency: Dependency) -> Int? {
    if let members = dependency.members { return newMember(besides: members) }
    guard let now = inFront(of: dependency.key, below: dependency.ceiling),
      overrides(now.level, dependency), now.id != dependency.registration
    else { return nil }
    return now.level
  }

  /// The innermost level with a registration that is not among the given ones.
  func newMember(besides members: Set<Int>) -> Int? {
    levels.indices.dropFirst().last { level in
      levels[level].registrations.values.contains { !members.contains($0.id) }
    }
  }

  /// A layer overrides also its own answers, and a resolver only those of its parents.
  func overrides(_ level: Int, _ dependency: Dependency) -> Bool {
    level < resolverCount ? level > dependency.level : level >= dependency.level
  }

  /// O5: the owner is the innermost layer that contributed to an instance.
  func contribute(_ level: Int) {
    for own in sequence(first: making, next: { $0?.outer }) {
      if let own { own.owner = max(own.owner, level) }
    }
  }

  func depend(
    on found: Registration?, _ question: Question, _ level: Int, _ dependencies: [Dependency]
  ) {
    making?.dependencies.append(
      Dependency(
        key: question.key, registration: found?.id, level: level, ceiling: question.ceiling,
        dependencies: dependencies))
  }

  /// A context that was captured for a cached instance becomes the context of the instance's owner.
  /// Otherwise it stays the context in which it was captured.
  func settle(_ making: Making, isKept: Bool) {
    guard isKept else { return }
    // The context of an instance of a resolver has no layers. A request names its resolver itself.
    let count = max(making.owner + 1, resolverCount)
    for index in making.contexts {
      contexts[index] = Context(count: count, last: levels[count - 1].id, isOfInstance: true)
    }
  }

  /// A creation, and all creations whose instances became its parts before they were complete.
  func whole(_ making: Making) -> [Making] {
    var all: [Making] = []
    var open = [making]
    while let next = open.popLast() {
      if all.contains(where: { $0 === next }) { continue }
      all.append(next)
      open += next.earlyParts
    }
    return all
  }

  func count(_ question: Question, _ outcome: WritableKeyPath<Counts, Int>) {
    guard isCounted(question) else { return }
    for level in levels.indices {
      levels[level].counts[question.key, default: Counts()][keyPath: outcome] += 1
    }
  }

  func isRunning(_ registration: Registration) -> Bool {
    running.contains { $0.registration.id == registration.id && !$0.isCompletion }
  }

  private func call(
    _ found: Registration, _ question: Question, _ level: Int, for own: Making? = nil
  ) throws(Failure) -> Part {
    guard !isRunning(found) else { throw failure(.cycle, question.key) }
    let isOutermost = running.isEmpty
    running.append(Running(registration: found))
    defer { running.removeLast() }
    do throws(Failure) {
      let part = try run(found.block, question, level)
      return try completing(part, found, question, own, isOutermost: isOutermost)
    } catch {
      if isOutermost {
        endSession(isComplete: false)
        for (claimed, level) in claimsOfParts { restore(claimed, at: level) }
      }
      throw error
    }
  }

  private func run(
    _ block: Registration.Block, _ question: Question, _ level: Int
  ) throws(Failure) -> Part {
    switch block {
    case .wrapping(let inner, let id): return part(id, [try run(inner, question, level).serial])
    case .decorating(let id):
      // Only the decorator is used up.
      let lifecycle = question.lifecycle == .once ? .cached : question.lifecycle
      let below = Question(key: question.key, lifecycle: lifecycle, ceiling: level)
      guard let inner = try resolve(below) else {
        throw Failure(reason: .nothingToDecorate, path: path, isVacant: true)
      }
      return part(id, [inner.serial])
    case .making(let recipe):
      if recipe.captures { capture() }
      var parts: [Int] = []
      for need in recipe.needs { parts += try answerOfPart(need) }
      failuresSoFar[recipe.id, default: 0] += 1
      if failuresSoFar[recipe.id, default: 0] <= recipe.failures { throw outerFailure(.broken) }
      let made = part(recipe.id, parts)
      lastMade = made
      return made
    }
  }

  /// The parts that answer: at most one, unless every part is requested.
  func answer(to need: Need) throws(Failure) -> [Part] {
    let outerClaims = claimsOfParts
    claimsOfParts = []
    defer { claimsOfParts = outerClaims }
    if need.form == .every { return try everyPart() }
    do throws(Failure) {
      let part = try resolve(Question(key: need.key, lifecycle: need.lifecycle))
      if part == nil, need.form != .optional { throw failure(.missing, need.key) }
      return part.map { [$0] } ?? []
    } catch {
      if need.form == .attempted || need.form == .optional && error.isVacant { return [] }
      throw error
    }
  }

  /// Every part that answers, in the order of registration. If one of them fails, the claims of the
  /// others are restored.
  private func everyPart() throws(Failure) -> [Part] {
    let members = levels.flatMap(\.registrations.values).sorted { $0.id < $1.id }
    making?.dependencies.append(
      Dependency(
        key: -1, registration: nil, level: 0, ceiling: .max, members: Set(members.map(\.id))))
    var parts: [Part] = []
    var claims = claimsOfParts
    var seen: Set<Int> = []
    for member in members where seen.insert(member.key).inserted {
      claimsOfParts = []
      do throws(Failure) {
        let question = Question(key: member.key, lifecycle: .cached, isElement: true)
        if let part = try resolve(question) { parts.append(part) }
        claims += claimsOfParts
      } catch {
        if error.isVacant { continue }
        for (claimed, level) in claims { restore(claimed, at: level) }
        throw error
      }
    }
    return parts
  }

  /// A failure of a part is never vacant: the requested registration itself exists.
  func answerOfPart(_ need: Need) throws(Failure) -> [Int] {
    do throws(Failure) {
      let parts = try answer(to: need).map(\.serial)
      return parts.isEmpty ? [-1] : parts
    } catch {
      throw Failure(reason: error.reason, path: error.path)
    }
  }

  func failure(_ reason: Failure.Reason, _ key: Int) -> Failure {
    Failure(reason: reason, path: path + [key])
  }

  private func outerFailure(_ reason: Failure.Reason) -> Failure {
    Failure(reason: reason, path: path)
  }

  private var path: [Int] { running.map(\.registration.key) }

  private func part(_ id: Int, _ parts: [Int]) -> Part {
    lastSerial += 1
    return Part(lastSerial, of: id, from: parts)
  }
}
