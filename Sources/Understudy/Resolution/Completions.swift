// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Synchronization

/// Values that are completed after they are made: when the outermost resolution of the thread has made
/// all, and before it returns. So a cycle can be closed, and whoever asked gets what is complete.
enum Completions {
  private static let areAny = Atomic<Bool>(false)
  private static let thread = ThreadLocal<CompletionSession>()
  /// Instances that are kept, and are not complete yet or hold one that is not.
  private static let pending = Lock<[ObjectIdentifier: CompletionSession]>([:])
  private static let openCount = Atomic<Int>(0)

  /// True if any registration of the process is completed later.
  static var areAnyRegistered: Bool { areAny.load(ordering: .relaxed) }

  /// The session of the calling thread.
  private static var session: CompletionSession? { thread.current }

  static func noteRegistered() {
    // First, so that nobody who sees the flag can miss the reason.
    Attention.begin()
    if areAny.exchange(true, ordering: .acquiringAndReleasing) { Attention.end() }
  }

  /// Runs a resolution; if it is the outermost of the thread, completes what it made, and waits for
  /// what others complete of that.
  ///
  /// If somebody else could not complete what this one was handed, nothing of it is kept, and it
  /// begins anew.
  static func outermost<Value>(
    _ request: Request, _ body: () throws(ResolutionError) -> Value?
  ) throws(ResolutionError) -> Value? {
    guard session == nil else { return try body() }
    while true {
      let own = CompletionSession(at: Construction.current?.depth ?? 0)
      let outcome = run(own, request, body)
      guard own.isOpen else { return try outcome.get() }
      own.latch?.open()
      let isComplete = own.waitForOthers()
      if !isComplete { own.abandon() }
      pending.withLock { pending in pending = pending.filter { $0.value !== own } }
      openCount.subtract(1, ordering: .releasing)
      if isComplete { own.publish() }
      if case .success = outcome, !isComplete { continue }
      return try outcome.get()
    }
  }

  private static func run<Value>(
    _ own: CompletionSession, _ request: Request, _ body: () throws(ResolutionError) -> Value?
  ) -> Result<Value?, ResolutionError> {
    thread.binding(own) {
      do throws(ResolutionError) {
        let value = try body()
        try own.completeAll(request)
        return .success(own.result(as: Value.self) ?? value)
      } catch {
        own.fail()
        return .failure(error)
      }
    }
  }

  /// Hands out a value that is completed later, or completes it at once if nobody can.
  static func later<Value: Sendable>(
    _ value: Value, of resolver: Resolver,
    _ complete: @escaping @Sendable (inout Value, Resolver) throws -> Void
  ) throws -> Value {
    guard let session, let construction = Construction.current,
      let registration = construction.registration as? Registration<Value>
    else {
      var value = value
      try complete(&value, resolver)
      return value
    }
    if let ring = session.ring(closedBy: registration) {
      let rest = construction.path.dropFirst(session.depth)
      throw EndlessCompletion(path: (ring + rest).map(\.key))
    }
    open(session)
    // What holds what a layer answered must not outlive the layer.
    construction.tracker?.contribute(.current)
    let context = OverrideContext.current
    let isOutermost = construction.depth == session.depth + 1
    let step = CompletionSession.Step(registration, resolver)
    step.run = { [unowned step] in
      let tracker = DependencyTracker(
        Flight(of: registration, under: .current, ownedBy: .current, in: resolver.store),
        within: nil)
      var completed = value
      var isObject = false
      try context.run {
        // What is asked for now may have another one made, which is no cycle: not in a block of the same registration.
        try Construction.run(registration.renewed(), tracker: tracker, order: 0) {
          try complete(&completed, resolver)
          isObject = WeakReference(completed).isObject
          // What wraps an object did so when that was made.
          if !isObject { for wrap in registration.wraps { completed = try wrap(completed) } }
        }
      }
      tracker.close()
      step.complete(with: tracker.dependencies)
      if isObject { return }
      if isOutermost { session.setResult(completed) }
      guard let sharing = registration.sharing else { return }
      for store in step.stores(under: context.layer) {
        // Another cache of the stack may hold another instance, which is none of this one's business.
        guard let kept = store.instance(of: registration), step.isOf(kept.provenance) else {
          continue
        }
        let replaced = store.keep(sharing.instance(completed, kept.provenance), of: registration)
        if let replaced { store.letGo(of: replaced) }
      }
    }
    session.add(step)
    return value
  }

  static func attach(_ provenance: Provenance, of registration: AnyRegistration) {
    session?.attach(provenance, of: registration)
  }

  /// Notes an instance that was kept; true if it may be handed to others without asking here.
  static func noteKept(
    _ provenance: Provenance, of registration: AnyRegistration,
    in stores: () -> [RegistrationStore],
    publish: @escaping @Sendable () -> Void
  ) -> Bool {
    guard areAnyRegistered, let session, session.isOpen else { return true }
    session.add(
      CompletionSession.Kept(
        registration: registration, provenance: provenance, stores: stores(), publish: publish))
    pending.withLock { $0[ObjectIdentifier(provenance)] = session }
    return false
  }

  /// Notes that an instance is to be reused: if another thread has not completed it, the outermost
  /// resolution of this one waits until it has, and so does whoever is handed what is made of it.
  /// False if it could not be completed, and was let go of since it was found.
  static func mayReuse(
    _ provenance: Provenance, of registration: AnyRegistration, in store: RegistrationStore
  ) -> Bool {
    guard areAnyRegistered, let session else { return true }
    if openCount.load(ordering: .acquiring) > 0 {
      let owner = pending.withLock { $0[ObjectIdentifier(provenance)] }
      if let owner, owner !== session {
        open(session)
        session.wait(for: owner)
      }
    }
    // What fails is let go of before it is no longer pending, so one of the two is seen.
    return store.instance(of: registration)?.provenance === provenance
  }

  private static func open(_ session: CompletionSession) {
    if session.open() { openCount.add(1, ordering: .relaxed) }
  }
}

/// What would never be complete: for each value another one would be made.
struct EndlessCompletion: Error {
  let path: [AnyKey]
}
