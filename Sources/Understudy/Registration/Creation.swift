// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// An in-flight creation: an instance whose block runs, while other requests may wait for it.
///
/// `state` is used only while the levels of `stack` are locked. A caller that finds the creation in
/// a level has locked that level, and every change that it can see needs that lock.
final class Creation: Sendable {
  /// False if no instance is being created: one relaxed load.
  static var areAny: Bool { AtomicInt.creations.relaxedValue != 0 }

  let registration: AnyRegistration
  /// The registration whose value is decorated, for a decorator.
  let decorated: AnyRegistration?
  let stack: LevelStack
  /// The creation on whose behalf this one runs.
  let parent: Creation?
  /// True if a task runs the block: a thread must not wait for it.
  let isAsynchronous: Bool
  /// True if a level is to store the instance. False if it is for one request alone.
  let isStored: Bool
  /// The serial number of the newest instance when the creation began.
  let begun = AtomicInt.lastInstance.relaxedValue
  /// The state, while the levels are locked.
  let state: GuardedState<Progress>

  struct Progress {
    /// What is known of the instance so far.
    var outcome: Outcome
    /// The value before it is complete, for requests from blocks.
    var early: (any AnyObject & Sendable)?
    /// The creations whose early values became a part of the instance.
    var earlyParts: [Creation] = []
    /// False once the instance is created, or creating it failed.
    var isOpen = true
    /// Opened when nothing is left to wait for. Made for the first waiter.
    var latch: Latch?
    var isListed = false
    /// True once it is written that a request waits for long. Many may wait for one instance.
    var isLongWaitTold = false
  }

  init(
    of registration: AnyRegistration, decorating decorated: AnyRegistration? = nil,
    owner: LevelStore, home: LevelStore, in stack: LevelStack, for parent: Creation?,
    isAsynchronous: Bool = false, isStored: Bool = false
  ) {
    self.isAsynchronous = isAsynchronous
    self.isStored = isStored
    self.registration = registration
    self.decorated = decorated
    self.stack = stack
    self.parent = parent
    state = GuardedState(Progress(outcome: Outcome(owner: owner, home: home)))
    AtomicInt.creations.add(1)
  }

  deinit { AtomicInt.creations.subtract(1) }

  /// Uses the state while the levels are locked.
  func withState<Result>(_ body: (inout Progress) -> Result) -> Result {
    stack.lock()
    defer { stack.unlock() }
    return body(&state.value)
  }

  var home: LevelStore { withState { $0.outcome.home } }

  /// What is known of the instance when its block has returned.
  struct Outcome {
    /// The level that stores the instance; it moves inwards with every layer that contributes.
    var owner: LevelStore
    /// The production level that would store the instance without layers.
    var home: LevelStore
    var dependencies: [Provenance] = []
    /// The objects that the owner layer is to finish, each a `LayerParticipant`.
    var participants: [any AnyObject & Sendable] = []
    /// The state that all contexts captured during the creation share.
    var context: (any AnyObject & Sendable)?
    /// True once a layer contributed that is not among the levels of the creating request. Such an
    /// instance is handed out and stored nowhere.
    var isTransient = false

    /// A copy that leaves the locks: its array is its own (see `LayerState`).
    var copied: Outcome {
      var copy = self
      copy.dependencies = dependencies.map(\.self)
      return copy
    }
  }

  /// The outcome of a creation that still waits for completions.
  var outcomeSoFar: Outcome { withState { $0.outcome.copied } }

  /// Ends the creation, and returns its outcome. From now on the creation takes no participant
  /// and no context, since nothing would tell them where the instance is stored.
  func close() -> Outcome {
    withState { state in
      let outcome = state.outcome.copied
      state.isOpen = false
      state.outcome.participants = []
      state.outcome.context = nil
      return outcome
    }
  }

  func add(_ dependency: Provenance) { withState { $0.outcome.dependencies.append(dependency) } }

  /// Takes a participant that was created for the instance. Returns `false` if the instance is
  /// created already, or if its owner cannot be the layer that the participant was created under.
  func take(_ participant: any AnyObject & Sendable, createdUnder layer: LevelStore) -> Bool {
    withState { state in
      guard state.isOpen, stack.contains(layer) else { return false }
      state.outcome.participants.append(participant)
      return true
    }
  }

  /// Notes at once that a level has a part in the instance, so that no request waits for an
  /// instance that it could not use. The owner is that level or one further in, and so is the home.
  func contribute(_ contributor: LevelStore, at home: LevelStore) {
    // No further step is needed for the enclosing creation: it already has this owner and home, or
    // more inner ones.
    var garbage = Garbage()
    let (isNews, latch) = withState { state -> (Bool, Latch?) in
      guard stack.contains(contributor) else {
        // Another resolver's production raises only the owner of an instance that it is a level of.
        guard contributor.isOfLayer else { return (true, nil) }
        defer { state.outcome.isTransient = true }
        return (!state.outcome.isTransient, nil)
      }
      let (oldOwner, oldHome) = (state.outcome.owner, state.outcome.home)
      let isOwner = contributor.rank > oldOwner.rank
      let isHome = home.rank > oldHome.rank && stack.contains(home)
      guard isOwner || isHome else { return (false, nil) }
      if state.isListed { oldOwner.state.value.end(self, at: oldHome.number, &garbage) }
      if isOwner { state.outcome.owner = contributor }
      if isHome { state.outcome.home = home }
      guard state.isListed else { return (true, nil) }
      let (owner, home) = (state.outcome.owner, state.outcome.home)
      if owner.state.value.creation(of: registration, at: home.number) == nil {
        owner.state.value.begin(self, at: home.number, &garbage)
      } else {
        state.isListed = false
      }
      return (true, state.endWaits(for: self))
    }
    garbage.release()
    latch?.open()
    if isNews { parent?.contribute(contributor, at: home) }
  }
}

extension Creation.Progress {
  /// Ends all waits for the creation, while the levels are locked. The caller then opens the latch.
  /// A wait that ended only when its thread wakes would look like a part of a cycle until then.
  mutating func endWaits(for creation: Creation) -> Latch? {
    guard let latch else { return nil }
    self.latch = nil
    Waiting.end(for: creation, at: latch)
    return latch
  }
}

/// All waits of creations for others in the process, to find a wait that would never end.
enum Waiting {
  private struct Wait {
    let other: Creation
    let waiter: Creation
    let latch: Latch
  }

  /// The waits by the creation that is waited for. Thousands may wait for one, or each for another.
  private static let waits = Lock<[ObjectIdentifier: [Wait]]>([:])

  /// The creations from one that is waited for to the waiter, each waiting for the next or creating
  /// it; `nil` if there is no such route, and then the wait is noted.
  static func begin(for other: Creation, by waiter: Creation, at latch: Latch) -> [Creation]? {
    waits.withLock { waits in
      var seen: Set<ObjectIdentifier> = []
      var routes = [[waiter]]
      while let route = routes.popLast(), let first = route.first {
        if first === other { return route }
        guard seen.insert(ObjectIdentifier(first)).inserted else { continue }
        routes += (waits[ObjectIdentifier(first)] ?? []).map { [$0.waiter] + route }
        if let parent = first.parent { routes.append([parent] + route) }
      }
      waits[ObjectIdentifier(other), default: []].append(
        Wait(other: other, waiter: waiter, latch: latch))
      return nil
    }
  }

  static func isWaiting(_ creation: Creation) -> Bool {
    waits.withLock { $0.values.contains { $0.contains { $0.waiter === creation } } }
  }

  static func end(for other: Creation, by waiter: Creation, at latch: Latch) {
    change(for: other) { waits in
      // Two tasks of one block may wait for the same instance.
      let index = waits.firstIndex { $0.waiter === waiter && $0.latch === latch }
      if let index { waits.remove(at: index) }
    }
  }

  /// Ends all waits for a creation that a latch ends.
  static func end(for other: Creation, at latch: Latch) {
    change(for: other) { $0.removeAll { $0.latch === latch } }
  }

  private static func change(for other: Creation, _ body: (inout [Wait]) -> Void) {
    waits.withLock { all in
      guard var waits = all.removeValue(forKey: ObjectIdentifier(other)) else { return }
      body(&waits)
      if !waits.isEmpty { all[ObjectIdentifier(other)] = waits }
    }
  }
}
