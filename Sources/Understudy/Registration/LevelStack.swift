// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The levels that a request sees: a layer with all layers below it, then the asked resolver with
/// its parents.
package struct LevelStack: Sendable {
  let top: LevelStore?
  let production: LevelStore

  package init(top: LevelStore?, production: LevelStore) {
    self.top = top
    self.production = production
  }

  /// Locks all levels, always in the same order, so that two requests cannot deadlock.
  @available(*, noasync)
  func lock() {
    top?.lock.lock()
    production.lockWithParents()
  }

  @available(*, noasync)
  func unlock() {
    production.unlockWithParents()
    top?.lock.unlock()
  }

  func nextLayer(below level: LevelStore) -> LevelStore? { level.isOfLayer ? level.outer : nil }

  /// The next level below a level: a layer, or the asked resolver or a parent of it.
  func nextLevel(below level: LevelStore) -> LevelStore? {
    if let outer = level.outer { return outer }
    return level.isOfLayer ? production : nil
  }

  /// True if a layer overrides the asked resolver or one of its parents.
  package func isOverridden(by layer: LevelStore) -> Bool {
    var level: LevelStore? = production
    while let next = level {
      if layer.overridden === next { return true }
      level = next.outer
    }
    return false
  }

  /// The home of an instance that this stack can get: the asked resolver or a parent.
  func home(of instance: AnyInstance) -> LevelStore {
    var home = production
    while home.number != instance.home, let outer = home.outer { home = outer }
    return home
  }

  func contains(_ level: LevelStore) -> Bool {
    var next = level.isOfLayer ? top : production
    while let candidate = next {
      if candidate === level { return true }
      next = candidate.outer
    }
    return false
  }

  var boundary: LevelStore? { top?.boundary }

  /// True if one of the layers has ended. The levels are locked.
  var isAfterEnd: Bool {
    var next = top
    while let layer = next {
      if layer.state.value.isEnded { return true }
      next = layer.outer
    }
    return false
  }
}

extension LevelStore {
  @available(*, noasync)
  fileprivate func lockWithParents() {
    lock.lock()
    outer?.lockWithParents()
  }

  @available(*, noasync)
  fileprivate func unlockWithParents() {
    outer?.unlockWithParents()
    lock.unlock()
  }
}

/// The registration that answers a request, and the level that has it.
package struct Answer: Sendable {
  package let registration: AnyRegistration
  package let level: LevelStore
  /// The level that stores a claim instead of the registration's own level: a boundary between the
  /// caller and the registration. So no test takes anything from production or from another test.
  var claimant: LevelStore?
  /// True if the registration is requested at its own place, even if another one shadows it.
  var isMember = false
  /// True if a layer answers.
  package var isOfLayer: Bool { level.isOfLayer }
}

/// A claimed registration whose value is not handed out yet. It is put back if the value cannot be.
package struct Claim: Sendable {
  let answer: Answer
  let stack: LevelStack
  let callSite: CallSite
  /// True if the registration has a stored instance, which is forgotten with it.
  var wasCached = false
}

/// The types with an override in a live layer, so that no request searches layers for other types.
/// Types of one hash share a count: "no" is certain, "yes" is not. Relaxed order is enough, since
/// work that must know of an override starts, or is notified, after it was added.
enum OverriddenTypes {
  static func add(_ key: AnyKey) { count(of: key).add(1) }
  static func remove(_ key: AnyKey) { count(of: key).subtract(1) }

  /// False if nothing of the key's type is overridden anywhere.
  static func mayHave(_ key: AnyKey) -> Bool { count(of: key).relaxedValue != 0 }

  private static func count(of key: AnyKey) -> AtomicInt {
    let bits = UInt64(UInt(bitPattern: ObjectIdentifier(key.type))) &* 0x9E37_79B9_7F4A_7C15
    return AtomicInt.overrides(UInt8(bits >> 56))
  }
}
