// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The lock of the levels that are used together: of all layers of one tree, or of one resolver.
/// Also stores the cached decisions for these levels (`CachedAnswer`).
final class LevelLock: Sendable {
  struct Cache: ~Copyable {
    var answers = IdentityTable<CachedAnswer>()
    /// The number of the resolver of the last answer; 0 if there is none since a change.
    var lastProduction = 0
    /// The locks of the layers and child resolvers whose caches have answers of this resolver.
    var dependents = IdentityTable<WeakLock>()
    /// When there are as many dependents, those that are gone are removed.
    var dependentLimit = 8
  }

  final class WeakLock: Sendable {
    weak let lock: LevelLock?

    init(_ lock: LevelLock) { self.lock = lock }
  }

  /// The mutex, which other state of the same levels shares.
  let mutex: SharedMutex
  /// Bit 0 says that there are disposers. The bits above count the changes of the levels.
  private let changes: AtomicInt
  let state = GuardedState(Cache())

  private static var disposers: Int { 1 }
  private static var oneChange: Int { 2 }

  init() {
    let lock = Lock(AtomicWord())
    mutex = lock.mutex
    changes = lock.integer
  }

  // The callers do not lock the mutex themselves: each would retain it for that time.
  @available(*, noasync)
  func lock() { mutex.lock() }

  @available(*, noasync)
  func unlock() { mutex.unlock() }

  /// Counts the changes of the levels. It grows before a change is visible.
  var generation: Int { changes.value }

  /// True if a layer of this tree disposes of what is created, or did.
  var hasDisposers: Bool { changes.value & LevelLock.disposers != 0 }

  // MARK: While the lock is held

  /// Forgets all cached answers, since a level changes.
  func noteChange(_ garbage: inout Garbage) {
    changes.add(LevelLock.oneChange)
    state.value.answers.removeAll(&garbage)
    state.value.lastProduction = 0
  }

  /// The cached answer to a request: a key under the level of a layer, or under none.
  func cachedAnswer(_ request: Identity, of production: LevelStore) -> CachedAnswer? {
    guard let answer = state.value.answers[request], answer.production == production.number else {
      return nil
    }
    return answer
  }

  /// Caches an answer. Returns `true` if the caller must add this cache to its resolver's
  /// dependents. If the last answer was of the same resolver, that is done already.
  func keep(_ answer: CachedAnswer, for request: Identity, _ garbage: inout Garbage) -> Bool {
    state.value.answers.insert(answer, for: request, &garbage)
    if answer.production == state.value.lastProduction { return false }
    state.value.lastProduction = answer.production
    return true
  }

  /// Makes another cache forget the answers of this resolver when the resolver changes.
  func addDependent(_ other: LevelLock, _ garbage: inout Garbage) {
    let identity = Identity(of: other, number: 0)
    // A lock that is gone may have had the same address.
    if state.value.dependents[identity]?.lock === other { return }
    if state.value.dependents.count >= state.value.dependentLimit { removeDependents(&garbage) }
    state.value.dependents.insert(WeakLock(other), for: identity, &garbage)
  }

  /// Removes the dependents that are gone.
  private func removeDependents(_ garbage: inout Garbage) {
    let all = state.value.dependents.objects
    state.value.dependents.removeAll(&garbage)
    for dependent in all {
      guard let lock = dependent.lock else { continue }
      state.value.dependents.insert(dependent, for: Identity(of: lock, number: 0), &garbage)
      // This access may hold the last reference to the lock.
      garbage.add(lock)
    }
    state.value.dependentLimit = max(8, 2 * state.value.dependents.count)
  }

  // MARK: While no lock is held

  /// Notes that a layer disposes of values created from now on. The caller must then note a change,
  /// since no cached answer is valid any more.
  func noteDisposer() { changes.bitwiseOr(LevelLock.disposers) }

  /// Has other caches forget the answers of this resolver, so that replaced instances are released
  /// at once.
  func flushDependents(_ garbage: inout Garbage) {
    mutex.lock()
    let dependents = state.value.dependents.objects
    state.value.dependents.removeAll(&garbage)
    mutex.unlock()
    for dependent in dependents {
      guard let other = dependent.lock else { continue }
      other.lock()
      other.noteChange(&garbage)
      other.unlock()
      garbage.add(other)
    }
  }
}

/// The engine's decision for equal requests: an instance to hand out, or a registration whose block
/// can be called at once. It is valid until a level of the stack changes.
///
/// It retains the key: a computed static makes its `Dependency` for each access, and its interned
/// discriminator is found again only while something retains it.
final class CachedAnswer: Sendable {
  private let key: AnyKey
  /// The number of the asked resolver's level.
  let production: Int
  /// `nil` for the production default of the caller's declared dependency.
  let registration: AnyRegistration?
  /// `nil` if the block is called.
  let instance: AnyInstance?
  /// The name of the layer that answers; `nil` for production.
  let label: LayerLabel?
  let generation: Int

  init(
    _ key: AnyKey, of production: LevelStore, _ registration: AnyRegistration?,
    _ instance: AnyInstance?, by label: LayerLabel?, generation: Int
  ) {
    self.key = key
    self.production = production.number
    self.registration = registration
    self.instance = instance
    self.label = label
    self.generation = generation
  }
}
