// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Synchronization

/// Values that are completed after they are made: when the outermost resolution of the thread has made
/// all, and before it returns. So a cycle can be closed, and whoever asked gets what is complete.
enum Completions {
  private static let areAny = Atomic<Bool>(false)
  private static let thread = ThreadLocalPointer()
  /// Instances that are kept, and are not complete yet or hold one that is not.
  private static let pending = Lock<[ObjectIdentifier: CompletionSession]>([:])
  private static let openCount = Atomic<Int>(0)

  /// True if any registration of the process is completed later.
  static var areAnyRegistered: Bool { areAny.load(ordering: .relaxed) }

  static func noteRegistered() {
    areAny.store(true, ordering: .relaxed)
  }

  /// The session of the calling thread.
  ///
  /// The pointer is set by `outermost` alone, which keeps the session alive until it has put the
  /// pointer back.
  private static var session: CompletionSession? {
    thread.value.map { Unmanaged<CompletionSession>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Runs a resolution; if it is the outermost of the thread, completes what it made.
  static func outermost<Value>(
    _ request: Request, _ body: () throws(ResolutionError) -> Value
  ) throws(ResolutionError) -> Value {
    guard session == nil else { return try body() }
    let own = CompletionSession()
    thread.value = Unmanaged.passUnretained(own).toOpaque()
    let outcome: Result<Value, ResolutionError>
    do throws(ResolutionError) {
      let value = try body()
      try own.completeAll(request)
      outcome = .success(own.result(as: Value.self) ?? value)
    } catch {
      own.abandon()
      outcome = .failure(error)
    }
    thread.value = nil
    if own.isOpen {
      pending.withLock { pending in pending = pending.filter { $0.value !== own } }
      openCount.subtract(1, ordering: .releasing)
      own.finish()
    }
    for other in own.awaited { other.latch?.wait() }
    return try outcome.get()
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
    if session.open() { openCount.add(1, ordering: .relaxed) }
    // What holds what a layer answered must not outlive the layer.
    construction.tracker?.contribute(.current)
    let context = OverrideContext.current
    let isOutermost = construction.depth == 1
    let step = CompletionSession.Step(registration, resolver)
    step.run = { [unowned step] in
      let tracker = DependencyTracker(
        Flight(of: registration, under: .current, ownedBy: .current, in: resolver.store),
        within: nil)
      var completed = value
      try context.run {
        try Construction.run(registration, tracker: tracker, order: 0) {
          try complete(&completed, resolver)
        }
      }
      tracker.close()
      step.complete(with: tracker.dependencies)
      guard !WeakReference(completed).isObject else { return }
      if isOutermost { session.setResult(completed) }
      guard let sharing = registration.sharing else { return }
      for store in step.stores(under: context.layer) {
        guard let kept = store.instance(of: registration) else { continue }
        _ = store.keep(sharing.instance(completed, kept.provenance), of: registration)
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
    _ provenance: Provenance, publish: @escaping @Sendable () -> Void
  ) -> Bool {
    guard areAnyRegistered, let session, session.isOpen else { return true }
    session.add(publish)
    pending.withLock { $0[ObjectIdentifier(provenance)] = session }
    return false
  }

  /// Notes that an instance was reused: if another thread has not completed it, the outermost
  /// resolution of this one waits until it has.
  static func noteReused(_ provenance: Provenance) {
    guard openCount.load(ordering: .acquiring) > 0, let session else { return }
    let owner = pending.withLock { $0[ObjectIdentifier(provenance)] }
    if let owner, owner !== session { session.wait(for: owner) }
  }
}

/// What the outermost resolution of a thread has to complete.
///
/// Safety of `@unchecked Sendable`: everything is touched by the thread alone that made it, but for
/// `latch`, which is set before another thread can find the session in `Completions.pending`, whose
/// lock orders the two, and never again.
final class CompletionSession: @unchecked Sendable {
  /// One value, and how it is completed.
  final class Step {
    let registration: AnyRegistration
    let resolver: Resolver
    private var provenances: [Provenance] = []
    private var isComplete = false
    var run: () throws -> Void = {}

    init(_ registration: AnyRegistration, _ resolver: Resolver) {
      self.registration = registration
      self.resolver = resolver
    }

    /// Says that a provenance is of what is completed, as long as it is not.
    func attach(_ provenance: Provenance) {
      if !isComplete { provenances.append(provenance) }
    }

    func complete(with dependencies: [Provenance]) {
      isComplete = true
      for provenance in provenances { provenance.complete(with: dependencies) }
    }

    /// Where an instance may be kept.
    func stores(under layer: OverrideLayer?) -> [RegistrationStore] {
      (layer?.stack.map(\.store) ?? []) + [resolver.store]
    }
  }

  /// Open once everything is complete.
  private(set) var latch: Latch?
  private(set) var isOpen = false
  private(set) var awaited: [CompletionSession] = []
  private var steps: [Step] = []
  private var done = 0
  private var publishing: [@Sendable () -> Void] = []
  private var result: Any?

  /// True the first time.
  func open() -> Bool {
    guard !isOpen else { return false }
    isOpen = true
    latch = Latch()
    return true
  }

  func add(_ step: Step) {
    steps.append(step)
  }

  func add(_ publish: @escaping @Sendable () -> Void) {
    publishing.append(publish)
  }

  func attach(_ provenance: Provenance, of registration: AnyRegistration) {
    steps.last { $0.registration === registration }?.attach(provenance)
  }

  func wait(for other: CompletionSession) {
    if !awaited.contains(where: { $0 === other }) { awaited.append(other) }
  }

  func setResult<Value>(_ value: Value) {
    result = Completed(value: value)
  }

  func result<Value>(as type: Value.Type) -> Value? { (result as? Completed<Value>)?.value }

  /// Completes everything in the order of making, also what is made meanwhile.
  func completeAll(_ request: Request) throws(ResolutionError) {
    while done < steps.count {
      let step = steps[done]
      do {
        try step.run()
      } catch let error as ResolutionError {
        throw error
      } catch {
        throw ResolutionError(
          .failed(error), key: step.registration.key,
          path: [request.key, step.registration.key], callSite: request.callSite,
          registeredAt: step.registration.callSite)
      }
      done += 1
    }
  }

  /// Keeps nothing that is not complete.
  func abandon() {
    for step in steps[done...] {
      for store in step.stores(under: .current) { store.forget(step.registration) }
    }
    publishing = []
  }

  func finish() {
    for publish in publishing { publish() }
    steps = []
    latch?.open()
  }

  private struct Completed<Value> {
    let value: Value
  }
}
