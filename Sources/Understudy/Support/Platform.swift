// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// The only file of this module that uses the system's C library. Each type says why it is safe.
//
// Why not the standard library's `Mutex`: it needs macOS 15 and iOS 18. On Linux it also makes
// false reports under the thread sanitizer, because its futex code is not instrumented.
// `pthread_mutex_t` is intercepted by the sanitizer.

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#else
  #error("Understudy needs POSIX threads")
#endif

/// The C library's mutex, at an address that the caller keeps.
///
/// Safety: it is the only stored property, so it lies at the address of the whole; its owner opens
/// it first, closes it last, and never moves it.
@safe
@usableFromInline
package struct Mutex {
  private var mutex = unsafe pthread_mutex_t()

  static func open(_ pointer: UnsafeMutablePointer<Mutex>) {
    let result = unsafe pthread_mutex_init(raw(pointer), nil)
    precondition(result == 0, "pthread_mutex_init failed with \(result)")
  }

  static func close(_ pointer: UnsafeMutablePointer<Mutex>) {
    unsafe pthread_mutex_destroy(raw(pointer))
  }

  @usableFromInline
  package static func lock(_ pointer: UnsafeMutablePointer<Mutex>) {
    unsafe pthread_mutex_lock(
      UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: pthread_mutex_t.self))
  }

  @usableFromInline
  package static func unlock(_ pointer: UnsafeMutablePointer<Mutex>) {
    unsafe pthread_mutex_unlock(
      UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: pthread_mutex_t.self))
  }

  // The one stored property is at offset 0, so both addresses are the same.
  private static func raw(
    _ pointer: UnsafeMutablePointer<Mutex>
  ) -> UnsafeMutablePointer<pthread_mutex_t> {
    unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: pthread_mutex_t.self)
  }
}

/// Distinguishes the running task from all other live tasks. `nil` outside of a task.
///
/// Safety: the task does not leave the closure, only its hash does.
var currentTaskIdentity: Int? { unsafe withUnsafeCurrentTask { unsafe $0?.hashValue } }

/// A latch that is opened once. Threads and tasks wait for that.
///
/// Safety of `@unchecked Sendable`: the variables are read and written under the mutex alone. Both
/// C objects live in memory that this object owns and frees after the last reference is gone.
@safe
package final class Latch: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var isOpen = false
  /// The tasks that wait, by their numbers.
  var tasks: [Int: AsyncStream<Void>.Continuation] = [:]
  private var lastTask = 0

  package init() {
    unsafe mutex = .allocate(capacity: 1)
    unsafe condition = .allocate(capacity: 1)
    unsafe precondition(pthread_mutex_init(mutex, nil) == 0, "pthread_mutex_init failed")
    unsafe precondition(pthread_cond_init(condition, nil) == 0, "pthread_cond_init failed")
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  func locked<Result>(_ body: () -> Result) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return body()
  }

  /// Lets every waiting thread go on, and every later one pass.
  package func open() {
    let waiting = locked {
      isOpen = true
      unsafe pthread_cond_broadcast(condition)
      return exchange(&tasks, with: [:])
    }
    for task in waiting.values { task.yield() }
  }

  /// Suspends the calling task until the latch is open, or the task is cancelled.
  package func opened() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    let number = locked {
      lastTask += 1
      if isOpen { continuation.yield() } else { tasks[lastTask] = continuation }
      return lastTask
    }
    // The stream has one value, or it ends because the task is cancelled.
    for await _ in stream { break }
    locked { tasks[number] = nil }
  }

  package func wait() {
    locked { while !isOpen { unsafe pthread_cond_wait(condition, mutex) } }
  }

  /// Blocks the calling thread until the latch is open. If that takes long, `note` is called once
  /// meanwhile, under no lock.
  func wait(noting note: () -> Void, after seconds: Int) {
    var deadline = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &deadline)
    deadline.tv_sec += seconds
    let isLate = locked {
      while !isOpen {
        if unsafe pthread_cond_timedwait(condition, mutex, &deadline) == ETIMEDOUT { break }
      }
      return !isOpen
    }
    guard isLate else { return }
    note()
    wait()
  }
}

/// An object that a thread has for itself while it runs a block.
///
/// Safety: a thread's pointer is set by `binding` alone, which keeps the object until it has put
/// the previous pointer back, on that same thread, since what it runs cannot suspend. So it is nil,
/// or points to an object of that type that is alive. The C library's key is never deleted: each
/// value of this type is a static one.
struct ThreadLocal<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  private let key: pthread_key_t

  init() {
    var key = pthread_key_t()
    let result = unsafe pthread_key_create(&key, nil)
    precondition(result == 0, "pthread_key_create failed with \(result)")
    self.key = key
  }

  var current: Object? {
    guard let object = unsafe pthread_getspecific(key) else { return nil }
    return unsafe Unmanaged<Object>.fromOpaque(object).takeUnretainedValue()
  }

  /// Runs `body`, for which the calling thread has the object.
  func binding<Result, Failure: Error>(
    _ object: Object, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let previous = unsafe pthread_getspecific(key)
    unsafe set(Unmanaged.passUnretained(object).toOpaque())
    defer {
      unsafe set(previous)
      extendLifetime(object)
    }
    return try body()
  }

  private func set(_ pointer: UnsafeMutableRawPointer?) {
    let result = unsafe pthread_setspecific(key, pointer)
    precondition(result == 0, "pthread_setspecific failed with \(result)")
  }
}

package func pauseThread(for duration: Duration) {
  // No clock gets further than 292 billion years.
  guard duration > .zero else { return }
  let (seconds, attoseconds) = min(duration, .seconds(Int64.max)).components
  var pause = timespec()
  pause.tv_sec = numericCast(seconds)
  pause.tv_nsec = numericCast(attoseconds / 1_000_000_000)
  var rest = timespec()
  // A signal interrupts the pause and leaves what is left of it in `rest`. Safety: both are locals.
  while unsafe nanosleep(&pause, &rest) != 0, errno == EINTR { pause = rest }
}

/// True if what the process prints is read on a terminal where colours are not declined with
/// `NO_COLOR` (no-color.org).
package var printsInColor: Bool {
  guard isatty(STDOUT_FILENO) == 1 else { return false }
  return unsafe getenv("NO_COLOR").map { unsafe $0.pointee == 0 } ?? true
}

/// Writes a line to standard error, for a process without a test. If the write fails, the line is
/// lost.
///
/// Safety: the bytes are read while the text lends them, and no further than it is long.
package func writeToStandardError(_ line: String) {
  var text = line + "\n"
  text.withUTF8 { bytes in
    var written = 0
    while written < bytes.count {
      let count = unsafe write(STDERR_FILENO, bytes.baseAddress! + written, bytes.count - written)
      guard count > 0 || errno == EINTR else { return }
      written += max(count, 0)
    }
  }
}

/// True on the process's first thread. The main actor runs there, or where the system's main queue
/// does; on Linux that moves to other threads once the first one waits for the queue.
package var isOnMainThread: Bool {
  #if canImport(Darwin)
    pthread_main_np() != 0
  #else
    threadID() == getpid()
  #endif
}

#if !canImport(Darwin)
  /// The C library has it since glibc 2.30, and Swift's importer does not show it. It takes nothing
  /// and returns a C integer, which both calling conventions pass alike.
  @_silgen_name("gettid")
  private func threadID() -> pid_t
#endif

/// Makes the process end with a failure, whatever its exit status would be.
package func failAtExit() {
  atexit {
    fflush(nil)
    _exit(EXIT_FAILURE)
  }
}

private struct ExitChecks: Sendable {
  var last = 0
  var all: [ObjectIdentifier: (number: Int, findings: @Sendable () -> [String])] = [:]
}

private let exitChecks = Lock(ExitChecks())
private let registeredExitChecks: Void = {
  atexit {
    let checks = exitChecks.withLock { $0.all.values.map(\.self) }
    let findings = checks.ordered { $0.number }.flatMap { $0.findings() }
    guard !findings.isEmpty else { return }
    for finding in findings { writeToStandardError(finding) }
    fflush(nil)
    _exit(EXIT_FAILURE)
  }
}()

/// Runs a check when the process ends. Its findings are written, and make the process fail.
package func checkAtExit(for object: ObjectIdentifier, _ check: @escaping @Sendable () -> [String])
{
  registeredExitChecks
  exitChecks.withLock {
    $0.last += 1
    $0.all[object] = ($0.last, check)
  }
}

package func forgetCheckAtExit(for object: ObjectIdentifier) {
  let forgotten = exitChecks.withLock { $0.all.removeValue(forKey: object) }
  withExtendedLifetime(forgotten) {}
}

/// The value of a variable of the process's environment.
///
/// Safety: it is copied at once. A program that calls `setenv` meanwhile on another thread takes
/// the risk that every reader of the environment has.
package func environmentValue(of name: String) -> String? {
  unsafe getenv(name).map { unsafe String(cString: $0) }
}
