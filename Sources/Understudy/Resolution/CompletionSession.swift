// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What the outermost resolution of a thread has to complete.
///
/// Safety of `@unchecked Sendable`: until `latch` is opened, everything is touched by the thread alone
/// that made it, but for `latch` itself, which is set before another thread can find the session in
/// `Completions.pending`, whose lock orders the two. Others read `awaited` and `hasFailed` only after
/// they have seen the latch open, and those are never changed after that.
final class CompletionSession: @unchecked Sendable {
  /// One value, and how it is completed.
  final class Step {
    let registration: AnyRegistration
    let resolver: Resolver
    /// What was being completed when this was made; the session keeps both.
    fileprivate unowned var outer: Step?
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

    /// True if a provenance is of what is completed here.
    func isOf(_ provenance: Provenance) -> Bool { provenances.contains { $0 === provenance } }

    func complete(with dependencies: [Provenance]) {
      isComplete = true
      for provenance in provenances { provenance.complete(with: dependencies) }
    }

    /// Where an instance may be kept.
    func stores(under layer: OverrideLayer?) -> [RegistrationStore] {
      (layer?.stack.map(\.store) ?? []) + [resolver.store]
    }
  }

  /// An instance that is kept, and is not complete yet or holds one that is not.
  struct Kept {
    let registration: AnyRegistration
    let provenance: Provenance
    let stores: [RegistrationStore]
    let publish: @Sendable () -> Void
  }

  /// How many blocks ran when the session began.
  let depth: Int
  /// Open once everything that is this session's own is complete, or has failed.
  private(set) var latch: Latch?
  private(set) var isOpen = false
  private(set) var hasFailed = false
  private var awaited: [CompletionSession] = []
  private var steps: [Step] = []
  private var done = 0
  private var running: Step?
  /// How many values of a registration there are to complete, or were.
  private var made: [ObjectIdentifier: Int] = [:]
  private var kept: [Kept] = []
  private var result: Any?

  init(at depth: Int) {
    self.depth = depth
  }

  /// True the first time.
  func open() -> Bool {
    guard !isOpen else { return false }
    isOpen = true
    latch = Latch()
    return true
  }

  func add(_ step: Step) {
    step.outer = running
    steps.append(step)
    made[ObjectIdentifier(step.registration), default: 0] += 1
  }

  /// What is completed for the sake of what, from the last value of a registration on, if there are too many of those for
  /// which another one is to be made now: a ring that no cache ends. That which runs is not among them.
  ///
  /// - Complexity: O(1) unless very many were made.
  func ring(closedBy registration: AnyRegistration) -> [AnyRegistration]? {
    guard made[ObjectIdentifier(registration), default: 0] >= Resolver.maximumDepth else {
      return nil
    }
    var ring: [AnyRegistration] = []
    var rounds = 0
    var step = running
    while let next = step, rounds < Resolver.maximumDepth {
      if rounds == 0, next !== running { ring.append(next.registration) }
      if next.registration === registration { rounds += 1 }
      step = next.outer
    }
    return rounds < Resolver.maximumDepth ? nil : ring.reversed()
  }

  func add(_ instance: Kept) {
    kept.append(instance)
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
      running = step
      defer { running = nil }
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

  /// Says that something could not be completed, and keeps nothing of it.
  func fail() {
    hasFailed = true
    abandon()
  }

  /// Lets go of what was kept since the session is open: all of it is made again. Only that: another
  /// cache of the stack may hold an older instance, which is complete.
  func abandon() {
    for instance in kept {
      for store in instance.stores {
        guard store.instance(of: instance.registration)?.provenance === instance.provenance else {
          continue
        }
        store.forget(instance.registration)
      }
    }
  }

  /// Waits until all is complete that this was handed by others, and that they were handed; false if
  /// something of it could not be completed, here or there.
  ///
  /// No wait ever lasts for one that waits: what is waited for is what each session has to complete by
  /// itself.
  func waitForOthers() -> Bool {
    var seen: Set<ObjectIdentifier> = []
    var open = [self]
    var isComplete = true
    while let next = open.popLast() {
      guard seen.insert(ObjectIdentifier(next)).inserted else { continue }
      next.latch?.wait()
      if next.hasFailed { isComplete = false }
      open += next.awaited
    }
    return isComplete
  }

  /// Lets what is complete be read without a lock.
  func publish() {
    for instance in kept { instance.publish() }
  }

  private struct Completed<Value> {
    let value: Value
  }
}
