// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Synchronization

/// The lock of the levels that are used together: of all layers of one tree, or of one resolver.
/// Beside it lies what the engine found out about them (`CachedAnswer`).
///
/// Safety: `state` is used only between `lock` and `unlock`. It lives until `deinit`, when no
/// reference to the lock is left. A pointer, since every access to a stored property of a class is
/// checked at run time.
@safe
final class LevelLock: Sendable {
  private struct State {
    var answers = AnswerTable()
    /// The trees of layers whose caches have instances of this resolver.
    var dependents: [ObjectIdentifier: WeakLock] = [:]
    var numbers = Numbers()
  }

  private struct WeakLock {
    weak let lock: LevelLock?
  }

  private let mutex = Lock(()).mutex
  private let changes = Atomic<Int>(0)
  private nonisolated(unsafe) let state: UnsafeMutablePointer<State>

  init() {
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: State())
  }

  deinit {
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }

  @available(*, noasync)
  func lock() { mutex.lock() }

  @available(*, noasync)
  func unlock() { mutex.unlock() }

  /// The mutex, for other state of the same levels.
  var shared: SharedMutex { mutex }

  /// Counts the changes of the levels. It grows before a change is visible.
  var generation: Int { changes.load(ordering: .acquiring) }

  // MARK: While the lock is held

  /// Forgets all cached answers, since a level changes.
  func noteChange(_ garbage: inout Garbage) {
    changes.add(1, ordering: .acquiringAndReleasing)
    unsafe state.pointee.answers.removeAll(&garbage)
  }

  /// The cached answer to a request under a layer, whose level is `top`; `nil` for production.
  @inline(__always)
  func cachedAnswer(
    _ type: ObjectIdentifier, _ discriminator: ObjectIdentifier?, under top: LevelStore?,
    of production: LevelStore
  ) -> CachedAnswer? {
    unsafe state.pointee.answers[AnswerKey(type, discriminator, top, production)]
  }

  func keep(_ answer: CachedAnswer, for key: AnyKey, in stack: LevelStack, _ garbage: inout Garbage)
  {
    let key = AnswerKey(
      ObjectIdentifier(key.type), key.discriminator?.identity, stack.top, stack.production)
    unsafe state.pointee.answers.insert(answer, for: key, &garbage)
  }

  /// Has the cache of a tree forget the answers of this resolver when it changes.
  func addDependent(_ tree: LevelLock) {
    unsafe state.pointee.dependents[ObjectIdentifier(tree)] = WeakLock(lock: tree)
  }

  /// The number of a resolution that begins. Numbers grow within a tree, and no two of the process
  /// are the same: a tree takes many at a time, so that trees do not take turns for each.
  func nextNumber() -> Int { unsafe state.pointee.numbers.next() }

  // MARK: While no lock is held

  /// Says that the answers change, though no level does.
  func invalidate() {
    var garbage = Garbage()
    lock()
    noteChange(&garbage)
    unlock()
    garbage.release()
  }

  /// Has the trees of layers forget the answers of this resolver, so that replaced instances are
  /// released at once.
  func flushDependents(_ garbage: inout Garbage) {
    lock()
    let trees = unsafe state.pointee.dependents
    unsafe state.pointee.dependents = [:]
    unlock()
    for tree in trees.values {
      guard let tree = tree.lock else { continue }
      tree.lock()
      tree.noteChange(&garbage)
      tree.unlock()
      garbage.add(tree)
    }
  }

  private struct Numbers {
    private var last = 0
    private var end = 0

    mutating func next() -> Int {
      if last == end {
        last = LevelLock.taken.add(LevelLock.takenAtOnce, ordering: .relaxed).oldValue
        end = last + LevelLock.takenAtOnce
      }
      last += 1
      return last
    }
  }

  private static let taken = Atomic<Int>(0)
  private static var takenAtOnce: Int { 1_024 }
}

/// A request as the cache finds it: the identities of the key's parts, of the innermost layer and
/// of the asked resolver. The cached answer retains the key, and an entry goes before its level
/// does.
private struct AnswerKey {
  let type: UInt
  let discriminator: UInt
  let top: UInt
  let production: UInt

  @inline(__always)
  init(
    _ type: ObjectIdentifier, _ discriminator: ObjectIdentifier?, _ top: LevelStore?,
    _ production: LevelStore
  ) {
    self.type = UInt(bitPattern: type)
    self.discriminator = discriminator.map { UInt(bitPattern: $0) } ?? 0
    self.top = top.map { UInt(bitPattern: ObjectIdentifier($0)) } ?? 0
    self.production = UInt(bitPattern: ObjectIdentifier(production))
  }

  @inline(__always)
  var hash: UInt {
    let mixed = (type ^ discriminator << 1 ^ top << 3) &* 0x9E37_79B9_7F4A_7C15
    return mixed ^ mixed >> 29
  }

  @inline(__always)
  static func == (left: AnswerKey, right: AnswerKey) -> Bool {
    left.type == right.type && left.discriminator == right.discriminator && left.top == right.top
      && left.production == right.production
  }
}

/// A hash table with open addressing: found by identities, so that no hasher runs on the way of
/// every request.
private struct AnswerTable {
  private struct Slot {
    let key: AnswerKey
    var answer: CachedAnswer
  }

  private var slots: [Slot?] = []
  private var count = 0

  @inline(__always)
  subscript(key: AnswerKey) -> CachedAnswer? {
    if count == 0 { return nil }
    let mask = UInt(slots.count - 1)
    var place = key.hash & mask
    while let slot = slots[Int(place)] {
      if slot.key == key { return slot.answer }
      place = (place + 1) & mask
    }
    return nil
  }

  mutating func insert(_ answer: CachedAnswer, for key: AnswerKey, _ garbage: inout Garbage) {
    if 2 * count >= slots.count { grow() }
    let mask = UInt(slots.count - 1)
    var place = key.hash & mask
    while let slot = slots[Int(place)], !(slot.key == key) { place = (place + 1) & mask }
    if let old = slots[Int(place)] { garbage.add(old.answer) } else { count += 1 }
    slots[Int(place)] = Slot(key: key, answer: answer)
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: nil, count: max(16, 2 * old.count))
    let mask = UInt(slots.count - 1)
    for case let slot? in old {
      var place = slot.key.hash & mask
      while slots[Int(place)] != nil { place = (place + 1) & mask }
      slots[Int(place)] = slot
    }
  }

  mutating func removeAll(_ garbage: inout Garbage) {
    if count == 0 { return }
    for case let slot? in slots { garbage.add(slot.answer) }
    self = AnswerTable()
  }
}

/// What the engine decided about a request, for the next one: an instance to hand out, or a
/// registration whose block can be called at once. It is valid until a level of the stack changes.
///
/// It retains the key, so that the identity of its name is not that of a later one.
final class CachedAnswer: Sendable {
  private let key: AnyKey
  /// `nil` for the production default of the caller's declared dependency.
  let registration: AnyRegistration?
  /// `nil` if the block is called.
  let instance: AnyInstance?
  /// The name of the layer that answers; `nil` for production.
  let label: LayerLabel?
  /// The generation of production.
  let generation: Int

  init(
    _ key: AnyKey, _ registration: AnyRegistration?, _ instance: AnyInstance?,
    by label: LayerLabel?, generation: Int
  ) {
    self.key = key
    self.registration = registration
    self.instance = instance
    self.label = label
    self.generation = generation
  }
}
