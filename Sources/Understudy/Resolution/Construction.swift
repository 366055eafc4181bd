// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A block that is being run by the calling thread, and those whose blocks led to it.
///
/// The frames form a list through the stacks of the running blocks; the innermost is found through a
/// thread-local pointer. So whatever asks for something while a block runs is known to ask on its
/// behalf: the block's own resolver, `Resolver.main` or an `@Inject` in an initialiser.
///
/// Safety: a synchronous block runs on one thread from beginning to end. `run` puts the previous
/// pointer back before the frame that it points to goes out of scope, on every exit, so a thread's
/// pointer is always nil or points to a frame of a `run` that has not returned on that same thread.
/// The references of a frame are unretained; `run`'s caller holds them until it returns.
struct Construction {
  private let parent: UnsafePointer<Construction>?
  private let unmanagedRegistration: Unmanaged<AnyRegistration>
  private let unmanagedTracker: Unmanaged<DependencyTracker>?
  /// How many blocks run below this one, this one included.
  let depth: Int
  /// The event of the log that this is, or 0 if none is kept.
  let order: Int

  private static let thread = ThreadLocalPointer()

  /// The innermost block that the calling thread is running.
  ///
  /// - Important: Do not let the frame escape the call that reads it.
  static var current: Construction? {
    thread.value?.assumingMemoryBound(to: Construction.self).pointee
  }

  var registration: AnyRegistration { unmanagedRegistration.takeUnretainedValue() }

  /// What collects the dependencies of the innermost instance that is being made to be kept.
  var tracker: DependencyTracker? { unmanagedTracker?.takeUnretainedValue() }

  /// The registrations whose blocks are running, outermost first.
  var path: [AnyRegistration] {
    var path = [registration]
    var frame = parent
    while let next = frame?.pointee {
      path.append(next.registration)
      frame = next.parent
    }
    return path.reversed()
  }

  /// True if the block of a registration is among those that are running.
  func isMaking(_ candidate: AnyRegistration) -> Bool {
    if registration === candidate { return true }
    var frame = parent
    while let next = frame?.pointee {
      if next.registration === candidate { return true }
      frame = next.parent
    }
    return false
  }

  /// Runs a registration's block as the innermost one of the calling thread.
  static func run<Result, Failure: Error>(
    _ registration: AnyRegistration, tracker: DependencyTracker?, order: Int,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let previous = thread.value
    let parent = previous.map { UnsafePointer($0.assumingMemoryBound(to: Construction.self)) }
    var frame = Construction(
      parent: parent, unmanagedRegistration: .passUnretained(registration),
      unmanagedTracker: tracker.map { .passUnretained($0) },
      depth: (parent?.pointee.depth ?? 0) + 1, order: order)
    defer { withExtendedLifetime((registration, tracker)) {} }
    return try withUnsafeMutablePointer(to: &frame) { (pointer) throws(Failure) -> Result in
      thread.value = UnsafeMutableRawPointer(pointer)
      defer { thread.value = previous }
      return try body()
    }
  }
}
