// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A block that is running, and the blocks that led to it. Every request from it is made on its
/// behalf, through whatever resolver.
///
/// A synchronous block is found through its thread, an asynchronous one through its task. An
/// unstructured task inherits the block of its creator, and a context carries one to other threads.
/// Both may outlive it: an ended block is ignored.
final class Construction: Sendable {
  // The first stored property: `progress` looks for it there.
  private let word = AtomicWord()
  let registration: AnyRegistration
  /// The resolver that was asked: the current one while the block runs.
  let resolver: Resolver
  /// The innermost creation that the block has a part in, if it runs on behalf of one.
  let creation: Creation?
  /// The order of the resolution in the log, or 0 if none is kept.
  let order: Int
  let outer: Construction?
  /// How many blocks led to this one, itself included.
  let depth: Int
  /// True if the block, or one that led to it on the same thread, runs on the main actor.
  let isOnMainActor: Bool
  /// The resolver that the task was bound to when the block began.
  let bound: Resolver.Current?
  /// The block that runs elsewhere, if a context carried it here.
  private let origin: Construction?
  /// True for the completion of a value, which may create another value of its registration.
  private let isCompletion: Bool
  /// The outermost block that the thread runs.
  var root: Construction { threadRoot ?? self }
  private let threadRoot: Construction?
  /// Bit 0 says that the block has ended, and bit 1 that there is a session.
  private var progress: Int { AtomicInt(in: self).value }
  private static var closed: Int { 0b01 }
  private static var hasSession: Int { 0b10 }
  /// The completions that are left when the outermost block ends.
  var session: CompletionSession? {
    progress & Construction.hasSession == 0 ? nil : .opened(by: self)
  }

  private static let thread = ThreadLocal<Construction>()
  @TaskLocal private static var task: BlockOfTask?

  let isAsynchronous: Bool

  init(
    _ registration: AnyRegistration, of resolver: Resolver, creation: Creation?, order: Int,
    isOnMainActor: Bool = false, isAsynchronous: Bool = false, origin: Construction? = nil,
    isCompletion: Bool = false, within outer: Construction?
  ) {
    self.registration = registration
    self.resolver = resolver
    self.creation = creation
    self.order = order
    self.outer = outer
    depth = (outer?.depth ?? 0) + 1
    self.isOnMainActor = isOnMainActor || origin == nil && outer?.isOnMainActor ?? false
    self.isAsynchronous = isAsynchronous
    self.origin = origin
    self.isCompletion = isCompletion
    // An alias hands on the value of another request, which is the outermost then. So is one in a
    // context that was carried to a thread without a block.
    threadRoot = isAsynchronous ? nil : Construction.rootOfThread
    bound = .bound
    if isAsynchronous { AtomicInt.asynchronousConstructions.add(1) }
  }

  deinit {
    if progress & Construction.hasSession != 0 { CompletionSession.close(ObjectIdentifier(self)) }
    if isAsynchronous { AtomicInt.asynchronousConstructions.subtract(1) }
  }

  /// The innermost block that the calling thread, or its task, runs.
  static var current: Construction? {
    guard let construction = thread.current else { return ofTask }
    return construction.origin == nil ? construction : construction.innermostActive
  }

  private static var rootOfThread: Construction? {
    guard let inner = thread.current else { return nil }
    guard inner.isOutermost else { return inner.root }
    return inner.registration.isAlias || inner.origin != nil ? nil : inner.root
  }

  /// The innermost asynchronous block of the calling task. One relaxed load if there is none.
  static var ofTask: Construction? {
    AtomicInt.asynchronousConstructions.relaxedValue == 0 ? nil : task?.innermostActive
  }

  /// Runs an asynchronous block, in the caller's isolation.
  func run<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    let block = BlockOfTask(self, outer: Construction.task)
    defer {
      close()
      block.end()
    }
    return try await Construction.$task.binding(block, operation: body)
  }

  fileprivate var innermostActive: Construction? {
    var candidate: Construction? = self
    while let next = candidate, !next.isActive { candidate = next.outer }
    return candidate
  }

  /// False for a block that has ended, and for a carried one whose block has ended. Takes no lock.
  var isActive: Bool { progress & Construction.closed == 0 && origin?.isActive ?? true }

  /// Says that the block has ended.
  func close() { AtomicInt(in: self).bitwiseOr(Construction.closed) }

  func run<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    defer { close() }
    return try Construction.thread.binding(self, body)
  }

  var isOutermost: Bool { threadRoot == nil }

  /// The session of this outermost block.
  func openSession() -> CompletionSession {
    let session = CompletionSession.opened(by: self)
    AtomicInt(in: self).bitwiseOr(Construction.hasSession)
    return session
  }

  /// The registrations whose blocks are running, outermost first.
  var path: [AnyRegistration] { path { _ in true } }

  /// The registrations whose blocks the running completion has led to, outermost first.
  var pathOfCompletion: [AnyRegistration] { path { !$0.isCompletion } }

  private func path(while holds: (Construction) -> Bool) -> [AnyRegistration] {
    var path: [AnyRegistration] = []
    var next: Construction? = self
    while let construction = next, holds(construction) {
      path.append(construction.registration)
      next = construction.outer
    }
    return path.reversed()
  }

  /// True if the block of a registration is among those that are running.
  ///
  /// A decorator may wrap the values of several resolvers, one within the block of another.
  func isCreating(_ candidate: AnyRegistration, for resolver: Resolver) -> Bool {
    var next: Construction? = self
    while let construction = next {
      if construction.registration.isSame(as: candidate), !construction.isCompletion,
        !candidate.isDecoration || construction.resolver === resolver, leadsBack(to: construction)
      {
        return true
      }
      next = construction.outer
    }
    return false
  }

  /// True if a request for the registration of an outer block would run that block within itself.
  ///
  /// An alias requests its target, and that request finds the cycle if there is one. The target may
  /// be another registration than before, since a claimed `.once` is invisible to its own block.
  /// Only aliases of each other form a cycle by themselves.
  private func leadsBack(to outer: Construction) -> Bool {
    guard outer.isActive else { return false }
    var next: Construction? = self
    while let inner = next, inner !== outer {
      if outer.registration.isAlias, !inner.registration.isAlias { return false }
      next = inner.outer
    }
    return true
  }
}

/// An asynchronous block, for its task and for the tasks that it begins. These may outlive it, so
/// it is retained only while it runs.
private final class BlockOfTask: Sendable {
  private typealias State = (construction: Construction?, outer: BlockOfTask?)

  private let state: Lock<State>

  init(_ construction: Construction, outer: BlockOfTask?) {
    let outer = outer?.innermostRunning
    outer?.skipEnded()
    state = Lock((construction, outer))
  }

  var innermostActive: Construction? {
    var next: BlockOfTask? = self
    while let block = next {
      let (construction, outer) = block.state.withLock { $0 }
      if let active = construction?.innermostActive { return active }
      next = outer
    }
    return nil
  }

  func end() {
    let ended = state.withLock { exchange(&$0.construction, with: nil) }
    // It may hold the last reference to a resolver.
    withExtendedLifetime(ended) {}
  }

  /// This block, or the innermost one around it, that has not ended.
  private var innermostRunning: BlockOfTask? {
    var next: BlockOfTask? = self
    while let block = next {
      let (construction, outer) = block.state.withLock { $0 }
      if construction != nil { return block }
      next = outer
    }
    return nil
  }

  /// Lets go of the blocks around this one that have ended. A task that begins a task, and so on,
  /// would keep all of them.
  private func skipEnded() {
    guard let outer = state.withLock({ $0.outer }) else { return }
    let running = outer.innermostRunning
    if running !== outer { state.withLock { $0.outer = running } }
    withExtendedLifetime(outer) {}
  }
}

extension Resolver {
  /// The registrations whose blocks the calling code runs in, outermost first.
  package static var blocksOfCaller: [AnyRegistration] { Construction.current?.path ?? [] }
}

extension AnyRegistration {
  /// True if this is the other registration, or if both are the default of one declared dependency.
  /// Each access of a computed static makes another registration of its default.
  fileprivate final func isSame(as other: AnyRegistration) -> Bool {
    if self === other { return true }
    // The types come first, since nearly every two registrations differ in them.
    return valueType == other.valueType && isDeclaredDefault && other.isDeclaredDefault
      && key.declaration != nil && key == other.key
  }
}

extension Optional where Wrapped == any Actor {
  var isMain: Bool {
    guard let self else { return false }
    return self === MainActor.shared
  }
}
