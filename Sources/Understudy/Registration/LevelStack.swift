// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The levels that a request sees: a layer with all layers below it, then the asked resolver with
/// its parents.
struct LevelStack: Sendable {
  let top: LevelStore?
  let production: LevelStore

  /// Locks all levels, always in the same order, so that two requests cannot deadlock.
  @available(*, noasync)
  func lock() {
    top?.lock.lock()
    production.lock.lock()
    production.outer?.lockWithParents()
  }

  @available(*, noasync)
  func unlock() {
    production.outer?.unlockWithParents()
    production.lock.unlock()
    top?.lock.unlock()
  }

  /// The innermost layer below a level.
  func layer(below level: LevelStore) -> LevelStore? { level.isOfLayer ? level.outer : nil }

  /// True if a layer overrides the asked resolver or one of its parents.
  func isOverridden(by layer: LevelStore) -> Bool {
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
