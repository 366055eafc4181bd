// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The completions (`then:`) that the outermost request of a thread still has to run. A request
/// that creates no value with a completion has no session.
///
/// Until the end of a session, its instances are in-flight creations with an early value. A request
/// from a block gets the early value, also on another thread, where the outermost request then
/// waits at its end until the value is complete. Every other request waits for the creation.
final class CompletionSession: Sendable {
  /// A value and its completion.
  fileprivate struct Step {
    let registration: AnyRegistration
    /// The step whose completion created this value.
    let outer: Int?
    let run: () throws -> Void
  }

  /// An early instance of another session, and the levels of the request that got it.
  fileprivate struct Awaited {
    let session: CompletionSession
    let creation: Creation
    let stack: LevelStack
    let callSite: CallSite

    /// Waits until the completions of the instance's session have run, or have failed.
    func wait() {
      LongWait.wait(at: session.latch, for: creation, creation.registration.key, at: callSite)
    }

    /// False if the completion of the instance failed, or if its owner is a layer that the request
    /// does not see, such as a layer of another test.
    var isUsable: Bool {
      let (_, owner, home) = creation.withEarlyParts
      return !session.hasFailed && stack.contains(owner) && stack.contains(home)
    }
  }

  /// Only the thread of the outermost request uses it, except for `hasFailed` and `awaited`.
  fileprivate struct State {
    var steps: [Step] = []
    /// The steps that have not begun, in the order of creation.
    var waiting: ArraySlice<Int> = []
    var isNewestFirst = false
    var running: Int?
    /// The number of values of each registration that are or were to be completed.
    var counts: [ObjectIdentifier: Int] = [:]
    var creations: [Creation] = []
    /// Stores the instances, or abandons the creations.
    var deferred: [(_ isComplete: Bool) -> Void] = []
    /// The early instances of other sessions that requests of this one got.
    var awaited: [Awaited] = []
    var hasFailed = false
  }

  private let state = Lock(State())
  private let latch = Latch()

  /// The sessions of the process, by the outermost block of their thread. A block only says that it
  /// has one: few blocks do, and a mutable reference would make every block slower.
  private static let sessions = Lock<[ObjectIdentifier: CompletionSession]>([:])

  static func opened(by root: Construction) -> CompletionSession {
    sessions.withLock { sessions in
      let session = sessions[ObjectIdentifier(root)] ?? CompletionSession()
      sessions[ObjectIdentifier(root)] = session
      return session
    }
  }

  static func close(_ root: ObjectIdentifier) {
    let old = sessions.withLock { $0.removeValue(forKey: root) }
    withExtendedLifetime(old) {}
  }

  private var hasFailed: Bool { state.withLock { $0.hasFailed } }
  private var awaited: [Awaited] { state.withLock { $0.awaited.map(\.self) } }

  /// Adds a value of a registration. Returns the cycle if each value would create another one.
  func add(
    _ registration: AnyRegistration, _ run: @escaping () throws -> Void
  ) -> [AnyRegistration]? {
    state.withLock { state in
      let identity = ObjectIdentifier(registration)
      state.counts[identity, default: 0] += 1
      if state.counts[identity, default: 0] > Resolver.maximumDepth,
        let cycle = state.endlessCycle(of: registration)
      {
        return cycle
      }
      state.waiting.append(state.steps.count)
      state.steps.append(Step(registration: registration, outer: state.running, run: run))
      return nil
    }
  }

  func add(_ creation: Creation) { state.withLock { $0.creations.append(creation) } }

  /// Lets a creation finish when everything is complete, or when that has failed.
  func finishLater(_ finish: @escaping (_ isComplete: Bool) -> Void) {
    state.withLock { $0.deferred.append(finish) }
  }

  /// Notes that a request of this session got an early instance of another session.
  func wait(
    for other: CompletionSession, of creation: Creation, in stack: LevelStack, at callSite: CallSite
  ) {
    if other === self { return }
    let part = Awaited(session: other, creation: creation, stack: stack, callSite: callSite)
    state.withLock { $0.awaited.append(part) }
  }

  /// Completes everything, including what is created in the meantime: the oldest value first, and
  /// the newest first if the session looks endless.
  ///
  /// - Returns: False if an early instance of another session failed, or belongs to a layer that
  /// this request does not see. Then nothing is stored, and the outermost request starts again.
  func complete() throws -> Bool {
    while let step = state.withLock({ $0.nextStep() }) {
      do {
        try step.run()
      } catch {
        fail()
        throw error is ResolutionError
          ? error : FailedCompletion(registration: step.registration, error: error)
      }
    }
    // Its own completions have run. It may still wait for those of other sessions.
    latch.open()
    let isComplete = waitForOthers()
    if !isComplete { state.withLock { $0.hasFailed = true } }
    finish(isComplete: isComplete)
    return isComplete
  }

  /// Ends a session whose outermost request failed.
  func fail() {
    state.withLock { $0.hasFailed = true }
    latch.open()
    finish(isComplete: false)
  }

  private func finish(isComplete: Bool) {
    let ended = state.withLock { state in
      let ended = state
      state = State(hasFailed: ended.hasFailed)
      return ended
    }
    // An instance depends on all values that completed its early parts. It belongs to the innermost
    // owner and home of these. From now on, no creation refers to another one.
    let ends = ended.creations.map(\.withEarlyParts)
    for (creation, (dependencies, owner, home)) in zip(ended.creations, ends) {
      creation.contribute(owner, at: home)
      // The old ones may hold the last references to other creations.
      let old = creation.withState { state in
        (
          exchange(&state.outcome.dependencies, with: dependencies),
          exchange(&state.earlyParts, with: [])
        )
      }
      withExtendedLifetime(old) {}
    }
    for finish in ended.deferred { finish(isComplete) }
  }

  /// Waits until all early instances of other sessions are complete, and those that these sessions
  /// wait for.
  ///
  /// This cannot deadlock: each session opens its latch before it waits.
  private func waitForOthers() -> Bool {
    var parts: [Awaited] = []
    var seen: Set = [ObjectIdentifier(self)]
    var open = awaited
    while let part = open.popLast() {
      parts.append(part)
      guard seen.insert(ObjectIdentifier(part.session)).inserted else { continue }
      part.wait()
      open += part.session.awaited
    }
    return parts.allSatisfy(\.isUsable)
  }
}

extension CompletionSession.State {
  /// The number of values of one registration that are completed in the order of creation.
  private var mostInOrder: Int { 16 * Resolver.maximumDepth }

  fileprivate mutating func nextStep() -> CompletionSession.Step? {
    running = isNewestFirst ? waiting.popLast() : waiting.popFirst()
    return running.map { steps[$0] }
  }

  /// The registrations of a cycle without a cached value, starting after the previous value of a
  /// registration.
  fileprivate mutating func endlessCycle(of registration: AnyRegistration) -> [AnyRegistration]? {
    var cycle: [AnyRegistration] = []
    var rounds = 0
    var next = running
    while let index = next, rounds < Resolver.maximumDepth {
      let step = steps[index]
      if rounds == 0 { cycle.append(step.registration) }
      if step.registration === registration { rounds += 1 }
      next = step.outer
    }
    // Where each round has several values, a deep round comes only after too many of them.
    if rounds > 0, counts[ObjectIdentifier(registration), default: 0] > mostInOrder {
      isNewestFirst = true
    }
    return rounds < Resolver.maximumDepth - 1 ? nil : cycle.reversed()
  }
}

/// The completion of a value threw.
struct FailedCompletion: Error {
  let registration: AnyRegistration
  let error: any Error
}

/// Another thread creates a part of the value, and this request cannot use it.
struct UnfinishedElsewhere: Error {}

/// The value of an in-flight creation before it is complete.
final class EarlyInstance: Sendable {
  let instance: AnyInstance
  let session: CompletionSession

  init(_ instance: AnyInstance, in session: CompletionSession) {
    self.instance = instance
    self.session = session
  }
}

extension Creation {
  /// The dependencies of the instance and its early parts, and the innermost of their owners and
  /// homes.
  var withEarlyParts: (dependencies: [Provenance], owner: LevelStore, home: LevelStore) {
    var all: [Provenance] = []
    var (innermost, innermostHome) = withState { ($0.outcome.owner, $0.outcome.home) }
    var seen: Set<ObjectIdentifier> = []
    var open = [self]
    while let next = open.popLast() {
      guard seen.insert(ObjectIdentifier(next)).inserted else { continue }
      let (outcome, early) = next.withState { ($0.outcome.copied, $0.earlyParts.map(\.self)) }
      all += outcome.dependencies
      open += early
      if outcome.owner.rank > innermost.rank { innermost = outcome.owner }
      if outcome.home.rank > innermostHome.rank { innermostHome = outcome.home }
    }
    return (all, innermost, innermostHome)
  }
}

extension Construction {
  /// Runs the remaining completions after the outermost block of the thread has returned.
  ///
  /// - Throws: The error of a completion, or `UnfinishedElsewhere`.
  func complete() throws {
    guard isOutermost, let session else { return }
    guard try session.complete() else { throw UnfinishedElsewhere() }
  }

  /// Ends the session of an outermost block that threw.
  func failToComplete() {
    if isOutermost { session?.fail() }
  }
}

extension Resolution {
  var session: CompletionSession? { construction?.root.session }

  /// Lets the completions of a created value run later, in a frame of their own.
  func completeLater<Value>(
    _ registration: Registration<Value>, _ stored: Creation?, _ answer: Answer,
    within construction: Construction, _ box: CompletedValue<Value>
  ) throws {
    let session = construction.root.openSession()
    let cycle = session.add(registration) { [self, unowned session] in
      let frame = Construction(
        registration, of: resolver, creation: stored ?? construction.creation, order: order,
        isOnMainActor: construction.isOnMainActor, isCompletion: true, within: nil)
      try OverrideLayer.binding(top) {
        try frame.run {
          try registration.completion?(&box.value, resolver)
          box.value = try box.finish(box.value)
        }
      }
      // The completion may have replaced the value.
      if let stored { handOutEarly(box.value, of: stored, in: session, answer) }
    }
    guard let cycle else { return }
    // The argument may end the recursion.
    let isEndless = request.argument == nil || registration.ignoresArguments
    throw resolver.error(
      isEndless ? .cycle : .tooDeep, request,
      path: (cycle + construction.pathOfCompletion).map(\.key), registration: registration, levels,
      from: start, isEndless: isEndless)
  }

  /// Lets requests from values that are completed together with this one get it. It is held
  /// strongly, since nothing else may hold it yet.
  func handOutEarly<Value>(
    _ value: Value, of stored: Creation, in session: CompletionSession, _ answer: Answer
  ) {
    guard
      let early = instance(of: value, from: [], at: stored.home, held: .strong, answer)
    else { return }
    let fresh = EarlyInstance(early, in: session)
    let (old, latch) = stored.withState { state in
      let old = exchange(&state.early, with: fresh)
      return (old, old == nil ? state.endWaits(for: stored) : nil)
    }
    latch?.open()
    withExtendedLifetime(old) {}
  }

  /// Returns an instance before it is complete, to a request from a value that is completed
  /// together with it.
  func reusedEarly(
    _ early: EarlyInstance, of other: Creation, owner: LevelStore, _ answer: Answer
  ) {
    construction?.root.openSession().wait(
      for: early.session, of: other, in: levels, at: request.callSite)
    creation?.withState { $0.earlyParts.append(other) }
    reused(early.instance, owner: owner, isNew: false, answer)
  }
}

/// A value that a completion may replace.
final class CompletedValue<Value> {
  var value: Value
  /// Turns the completed value into the value that is handed out.
  let finish: (Value) throws -> Value

  init(_ value: Value, finish: @escaping (Value) throws -> Value = { $0 }) {
    self.value = value
    self.finish = finish
  }
}
