// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// An object that a thread has for itself while it runs a block.
///
/// Safety: a thread's pointer is set by `binding` alone, which keeps the object until it has put
/// the previous pointer back, on that same thread, since what it runs cannot suspend. So it is nil,
/// or points to an object of that type that is alive.
struct ThreadLocal<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  private let pointer = ThreadLocalPointer()

  var current: Object? {
    guard let object = unsafe pointer.value else { return nil }
    return unsafe Unmanaged<Object>.fromOpaque(object).takeUnretainedValue()
  }

  /// Runs `body`, for which the calling thread has the object.
  func binding<Result, Failure: Error>(
    _ object: Object, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let previous = unsafe pointer.value
    unsafe pointer.value = Unmanaged.passUnretained(object).toOpaque()
    defer {
      unsafe pointer.value = previous
      extendLifetime(object)
    }
    return try body()
  }
}

extension TaskLocal {
  /// Runs `operation` with a value bound, on the actor that the caller runs on, before and after it
  /// suspends.
  ///
  /// `withValue` by itself takes an operation that is not isolated: called from a function that
  /// runs on its caller's actor, it would leave that actor.
  func binding<Result>(
    _ value: Value, isolation: isolated (any Actor)? = #isolation,
    operation: () async throws -> Result
  ) async rethrows -> Result {
    try await withValue(
      value,
      operation: {
        // What captures the isolation has it.
        _ = isolation
        return try await operation()
      }, isolation: isolation)
  }
}
