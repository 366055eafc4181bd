// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A block that is being run by the calling thread, and those whose blocks led to it.
///
/// The frames form a list through the stacks of the running blocks; the innermost is found through a
/// thread-local pointer. So whatever asks for something while a block runs is known to ask on its
/// behalf: the block's own resolver, `Resolver.main` or an `@Inject` in an initialiser. Below the
/// outermost frame of a thread lie the asynchronous blocks of its task.
///
/// Safety: a synchronous block runs on one thread from beginning to end. `run`, and `leave` for what
/// `enter` began, put the previous pointer back before the frame that it points to goes out of scope, on
/// every exit, so a thread's pointer is always nil or points to a frame of a block that has not returned on
/// that same thread. The references of a frame are unretained, so that a frame is trivial; the caller of `run` or
/// `enter` holds them until the block has returned, and the asynchronous block is held by the task that runs it, as
/// long as anything runs within it. A copy that `current` returns is used within the call that reads it; who
/// needs one for longer takes `lasting`, which points to no stack and is retained.
@safe
@usableFromInline
struct Construction {
  @usableFromInline let parent: UnsafePointer<Construction>?
  /// Where the pointer to this frame is; `nil` for what is no frame.
  @usableFromInline let place: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
  /// What the outermost frame of a thread lies upon.
  private let unmanagedBase: Unmanaged<AsyncConstruction>?
  private let unmanagedRegistration: Unmanaged<AnyRegistration>
  private let unmanagedTracker: Unmanaged<DependencyTracker>?
  /// How many blocks run below this one, this one included.
  @usableFromInline let depth: Int
  /// True if the block runs on the main actor.
  let isOnMainActor: Bool
  /// The event of the log that this is, or 0 if none is kept.
  let order: Int

  fileprivate static let thread = ThreadLocalPointer()

  /// The innermost block that the calling thread, or its task, is running, for the call that asks.
  static var current: Construction? {
    if let frame = unsafe frame { return unsafe frame.pointee }
    guard let base = AsyncConstruction.current else { return nil }
    return Construction(base)
  }

  /// On whose behalf the calling code asks, to be logged within the call that reads it; `nil` if what is being made is
  /// to be kept, since then more is to be noted than that.
  static var untrackedAsker: LogEntry.Asker? {
    if let frame = unsafe frame { return unsafe frame.pointee.untrackedAsker }
    guard let base = AsyncConstruction.current else { return LogEntry.Asker() }
    return Construction(base).untrackedAsker
  }

  private var untrackedAsker: LogEntry.Asker? { unsafe unmanagedTracker == nil ? asker : nil }

  /// On whose behalf the calling code asks, to be logged within the call that reads it.
  static var asker: LogEntry.Asker {
    if let frame = unsafe frame { return unsafe frame.pointee.asker }
    return AsyncConstruction.current.map { Construction($0).asker } ?? LogEntry.Asker()
  }

  private var asker: LogEntry.Asker { LogEntry.Asker(order: order, requester: requester) }

  /// What collects the dependencies of what is being made to be kept, if the calling code asks on behalf of that.
  static var tracker: DependencyTracker? {
    guard DependencyTracker.areAnyOpen else { return nil }
    if let frame = unsafe frame { return unsafe frame.pointee.tracker }
    return AsyncConstruction.current?.tracker
  }

  /// True if what is asked for now is a dependency of something that is to be kept.
  static var isTracked: Bool {
    guard DependencyTracker.areAnyOpen else { return false }
    if let frame = unsafe frame { return unsafe frame.pointee.unmanagedTracker != nil }
    return AsyncConstruction.current?.tracker != nil
  }

  private static var frame: UnsafePointer<Construction>? { unsafe frame(at: thread.place) }

  private static func frame(at place: ThreadLocalPointer.Place) -> UnsafePointer<Construction>? {
    guard let frame = unsafe place.pointee else { return nil }
    return unsafe UnsafePointer(frame.assumingMemoryBound(to: Construction.self))
  }

  /// The same for a resolution that may outlive the calling block, as one does that an immediate task of
  /// the block begins on its thread: what lies on the stack is copied.
  static var lasting: AsyncConstruction? {
    unsafe frame?.pointee.lasting ?? AsyncConstruction.current
  }

  private var lasting: AsyncConstruction {
    unsafe AsyncConstruction(
      registration, tracker: tracker, order: order, within: parent?.pointee.lasting ?? base)
  }

  /// The asynchronous block itself, as if it were a frame. Its task holds it, or whoever made it.
  init(_ construction: AsyncConstruction) {
    unsafe parent = nil
    unsafe place = nil
    unsafe unmanagedBase = construction.outer.map { unsafe .passUnretained($0) }
    unsafe unmanagedRegistration = .passUnretained(construction.registration)
    unsafe unmanagedTracker = construction.tracker.map { unsafe .passUnretained($0) }
    depth = construction.depth
    isOnMainActor = false
    order = construction.order
  }

  @inline(__always)
  fileprivate init(
    _ registration: Unmanaged<AnyRegistration>, tracker: Unmanaged<DependencyTracker>?,
    order: Int, isOnMainActor: Bool, at place: ThreadLocalPointer.Place
  ) {
    unsafe parent = Construction.frame(at: place)
    unsafe self.place = place
    unsafe unmanagedRegistration = registration
    unsafe unmanagedTracker = tracker
    self.order = order
    if let parent = unsafe parent {
      unsafe unmanagedBase = nil
      depth = unsafe parent.pointee.depth + 1
      self.isOnMainActor = unsafe isOnMainActor || parent.pointee.isOnMainActor
    } else {
      unsafe unmanagedBase = AsyncConstruction.unmanagedCurrent
      depth = unsafe (unmanagedBase?._withUnsafeGuaranteedRef { $0.depth } ?? 0) + 1
      self.isOnMainActor = isOnMainActor
    }
  }

  private var base: AsyncConstruction? { unsafe unmanagedBase?.takeUnretainedValue() }

  var registration: AnyRegistration { unsafe unmanagedRegistration.takeUnretainedValue() }

  /// What the block makes a value for: who asks for what is asked meanwhile.
  var requester: AnyKey { unsafe unmanagedRegistration._withUnsafeGuaranteedRef { $0.key } }

  /// What collects the dependencies of the innermost instance that is being made to be kept.
  var tracker: DependencyTracker? { unsafe unmanagedTracker?.takeUnretainedValue() }

  /// The registrations whose blocks are running, outermost first.
  var path: [AnyRegistration] {
    var path: [AnyRegistration] = []
    visit { registration in
      path.append(registration)
      return true
    }
    return path.reversed()
  }

  /// True if the block of a registration is among those that are running.
  func isMaking(_ candidate: AnyRegistration) -> Bool {
    let candidate = unsafe Unmanaged.passUnretained(candidate).toOpaque()
    return unsafe unmanagedRegistration.toOpaque() == candidate || isWithin(candidate)
  }

  /// True if the block of a registration is among those that this one is run within. Nothing is retained
  /// for that: it is asked for every block that is run within another.
  private func isWithin(_ candidate: UnsafeMutableRawPointer) -> Bool {
    guard let parent = unsafe parent else {
      return base?.isMaking(UInt(bitPattern: candidate)) ?? false
    }
    var frame = unsafe parent
    while unsafe frame.pointee.unmanagedRegistration.toOpaque() != candidate {
      guard let next = unsafe frame.pointee.parent else {
        return unsafe frame.pointee.base?.isMaking(UInt(bitPattern: candidate)) ?? false
      }
      unsafe frame = next
    }
    return true
  }

  /// Visits the registrations whose blocks are running, innermost first, until `body` returns false.
  private func visit(_ body: (AnyRegistration) -> Bool) {
    guard body(registration) else { return }
    var base = base
    var frame = unsafe parent
    while let next = unsafe frame?.pointee {
      guard body(next.registration) else { return }
      unsafe frame = next.parent
      base = next.base
    }
    while let next = base {
      guard body(next.registration) else { return }
      base = next.outer
    }
  }

  /// Runs a registration's block as the innermost one of the calling thread.
  static func run<Result, Failure: Error>(
    _ registration: AnyRegistration, tracker: DependencyTracker?, order: Int,
    isOnMainActor: Bool = false, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let place = unsafe thread.place
    let previous = unsafe place.pointee
    var frame = unsafe Construction(
      .passUnretained(registration), tracker: tracker.map { unsafe .passUnretained($0) },
      order: order, isOnMainActor: isOnMainActor, at: place)
    defer { withExtendedLifetime((registration, tracker)) {} }
    return try unsafe withUnsafeMutablePointer(to: &frame) { (pointer) throws(Failure) -> Result in
      unsafe place.pointee = UnsafeMutableRawPointer(pointer)
      defer { unsafe place.pointee = previous }
      return try body()
    }
  }

  // MARK: The same in steps, for callers that are specialised in other modules

  /// Begins to run the block of a frame where it lies; false where it may not be run: within itself, or too deep.
  /// After true, `leave` has to follow on every exit.
  @inlinable @inline(__always)
  static func enter(_ frame: UnsafeMutablePointer<Construction>) -> Bool {
    guard unsafe frame.pointee.depth == 1 || frame.pointee.mayRun else { return false }
    unsafe frame.pointee.place?.pointee = UnsafeMutableRawPointer(frame)
    return true
  }

  @usableFromInline
  var mayRun: Bool {
    unsafe depth <= Resolver.maximumDepth && !isWithin(unmanagedRegistration.toOpaque())
  }

  /// Ends what `enter` began.
  @inlinable @inline(__always)
  static func leave(_ frame: UnsafeMutablePointer<Construction>) {
    unsafe frame.pointee.place?.pointee = UnsafeMutableRawPointer(
      mutating: frame.pointee.parent)
  }
}

extension AnyRegistration {
  /// The frame of its plain block. Whoever uses the frame keeps this meanwhile.
  @unsafe
  @usableFromInline
  final func frame(_ isolation: (any Actor)?, order: Int = 0) -> Construction {
    unsafe Construction(
      .passUnretained(self), tracker: nil, order: order, isOnMainActor: isolation.isMain,
      at: Construction.thread.place)
  }
}

extension Optional where Wrapped == any Actor {
  /// True for the main actor.
  var isMain: Bool {
    guard let self else { return false }
    return self === MainActor.shared
  }
}
