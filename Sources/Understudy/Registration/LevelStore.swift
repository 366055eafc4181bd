// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A level of a stack: its place, and its state, which is used between `lock` and `unlock` alone.
///
/// The layers of one tree share a lock, and each resolver has its own. `LevelStack` locks the
/// levels that a request can see: the layers first, then the resolver and its parents.
package final class LevelStore: Sendable {
  /// The level below: of a layer the layer that it was pushed on, of a resolver its parent.
  let outer: LevelStore?
  /// The place in a stack. Resolvers have ranks from 0, in the order of their descent. Layers lie
  /// above them.
  package let rank: Int
  package let isBoundary: Bool
  /// The production level that a layer overrides; `nil` for production itself.
  let overridden: LevelStore?
  let lock: LevelLock
  /// The name of a layer in messages; `nil` for production.
  package let label: LayerLabel?
  /// Tells a resolver's level from the level of any other resolver, also of one that is gone.
  package let number: Int
  /// The numbers of a resolver's parents, the outermost first, and its own.
  let lineage: [Int]
  let observers: Observers
  private let innermostBoundary: LevelStore?
  /// The state, while `lock` is held.
  let state = GuardedState(Level())

  /// The rank of the outermost layers.
  static var firstLayerRank: Int { 1 << 30 }

  /// Makes the level of a layer that overrides `production`; `nil` makes the level of a resolver.
  init(
    on outer: LevelStore?, overriding production: LevelStore? = nil, isBoundary: Bool = false,
    named label: LayerLabel? = nil, sharing lock: LevelLock = LevelLock()
  ) {
    self.label = label
    self.outer = outer
    self.isBoundary = isBoundary
    self.lock = lock
    overridden = production
    innermostBoundary = outer?.boundary
    if let production {
      rank = outer.map { $0.rank + 1 } ?? LevelStore.firstLayerRank
      number = 0
      lineage = []
      observers = production.observers
    } else {
      rank = (outer?.rank ?? -1) + 1
      number = AtomicInt.lastLevel.next()
      lineage = (outer?.lineage ?? []) + [number]
      observers = Observers(parent: outer?.observers)
    }
  }

  // Layers forget the instances of a resolver when the resolver is released.
  deinit {
    if isOfLayer { return }
    for layer in state.value.hosts { layer.changing { $0.forgetHome(number, &$1) } }
    var garbage = Garbage()
    _ = state.value.forgetAll(&garbage)
    // Cached answers retain instances, in no order. What is added last is released first.
    lock.lock()
    lock.noteChange(&garbage)
    lock.unlock()
    release(consume garbage)
  }

  /// The production level that belongs to this one: itself, or the one that a layer overrides.
  var production: LevelStore { overridden ?? self }

  var isOfLayer: Bool { rank >= LevelStore.firstLayerRank }

  /// The innermost boundary at or below this level.
  var boundary: LevelStore? { isBoundary ? self : innermostBoundary }

  /// Counts the changes of a resolver's level and of its parents'. It grows before a change is
  /// visible.
  package var generation: Int {
    guard let outer else { return lock.generation }
    return lock.generation + outer.generation
  }

  /// Makes a cache forget the answers of this resolver and its parents when one of these changes.
  /// The locks are held.
  func addDependent(_ cache: LevelLock, _ garbage: inout Garbage) {
    lock.addDependent(cache, &garbage)
    outer?.addDependent(cache, &garbage)
  }

  /// Has other caches forget the answers of this resolver and of its parents.
  func flushDependents(_ garbage: inout Garbage) {
    lock.flushDependents(&garbage)
    outer?.flushDependents(&garbage)
  }

  /// Stores an instance. When its home is gone, the home makes this level forget it. The locks of
  /// both are held.
  func store(_ instance: AnyInstance, at home: LevelStore, _ garbage: inout Garbage) {
    if production !== home, !state.value.knows(home: home.number) {
      home.state.value.addHost(self, &garbage)
    }
    state.value.store(instance, &garbage)
  }

  /// Reads the state. No user code runs in `body`.
  package func reading<Result>(_ body: (borrowing Level) -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body(state.value)
  }

  /// Changes the state. No user code runs in `body`. The released objects are destroyed after it.
  @discardableResult
  package func changing<Result>(_ body: (inout Level, inout Garbage) -> Result) -> Result {
    var garbage = Garbage()
    lock.lock()
    lock.noteChange(&garbage)
    let result = body(&state.value, &garbage)
    lock.unlock()
    release(consume garbage)
    return result
  }

  /// Destroys what a change released, and tells the observers of it.
  private func release(_ garbage: consuming Garbage) {
    if !isOfLayer { lock.flushDependents(&garbage) }
    guard observers.areAny else { return garbage.release() }
    var disposals = Disposals()
    disposals.add(garbage.newestFirst, of: self)
    garbage.release()
    disposals.send()
  }
}

// MARK: For callers outside the engine

extension LevelStore {
  package var all: [AnyRegistration] { reading { $0.all } }

  package func registration(for key: AnyKey) -> AnyRegistration? {
    reading { $0.registration(for: key) }
  }

  /// In the order of registration. `nil` is the default container.
  package func registrations(in container: KeyName?) -> [AnyRegistration] {
    reading { $0.visible.filter { $0.key.container == container } }.ordered { $0.serial }
  }

  package func add(_ registration: AnyRegistration) { _ = add(registration) { _, _ in true } }

  /// Adds a registration if a condition holds for the one that it replaces. The condition runs no
  /// user code. A displaced registration keeps its instance.
  package func add(
    _ registration: AnyRegistration, displacing: Bool = false,
    if holds: (AnyRegistration?, borrowing Level) -> Bool
  ) -> Bool {
    let isAdded = changing { level, garbage in
      guard holds(level.registration(for: registration.key), level) else { return false }
      level.add(registration, displacing: displacing, &garbage)
      return true
    }
    if isAdded, observers.areAny {
      observers.send(ResolverEvent(.registered, registration, in: self))
    }
    return isAdded
  }

  /// Removes the registration of a key, and returns it.
  package func remove(_ key: AnyKey) -> AnyRegistration? { changing { $0.remove(key, &$1) } }

  /// Removes a registration. Returns `false` if it does not answer its key.
  package func remove(_ registration: AnyRegistration) -> Bool {
    changing { $0.answers(registration) && $0.remove(registration.key, &$1) != nil }
  }

  /// A registration as it is now, perhaps renewed.
  package func current(_ registration: AnyRegistration) -> AnyRegistration {
    reading { level in
      level.answers(registration) ? level.registration(for: registration.key) : nil
    } ?? registration
  }

  package func forget(_ instance: AnyInstance) -> Bool { changing { $0.forget(instance, &$1) } }

  /// True if a registration was claimed that this level does not list.
  package func hasClaimed(_ registration: AnyRegistration) -> Bool {
    reading { $0.listed(registration.key) !== registration && $0.hasClaimed(registration) }
  }

  /// Registrations by their stored instances, the newest first. A newer instance may use an older
  /// one, so the newer one is released before.
  package func newestFirst(_ registrations: [AnyRegistration]) -> [AnyRegistration] {
    let newest = reading { level in
      registrations.map { level.instances(of: $0).first?.serial ?? 0 }
    }
    return zip(newest, registrations).ordered { -$0.0 }.map { $0.1 }
  }

  /// The instances that blocks created for this level, the newest last.
  package var made: [AnyInstance] {
    reading { $0.instances }.filter { $0.isMade }.oldestFirst
  }

  /// Retains no instance after it returns: the search for the layer of an object reads those of
  /// other tests.
  ///
  /// - Complexity: O(instances).
  func stores(_ object: AnyObject) -> Bool {
    reading { level in level.instances.contains { $0.stores(object) } }
  }

  /// False if no instance that a block created was ever stored.
  package var hasStoredMade: Bool { reading { $0.hasStoredMade } }

  /// The objects among the created instances, held weakly, and their keys.
  package var heldObjects: [(key: AnyKey, object: WatchedObject)] { made.compactMap(\.held) }

  package var objectsOfGoneHomes: [(key: AnyKey, object: WatchedObject)] {
    reading { $0.objectsOfGoneHomes }
  }

  /// Releases everything, the newest instance first, and stores nothing from now on.
  package func end() { changing { $0.end(&$1) } }
}
