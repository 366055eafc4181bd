// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import Understudy

/// The error for an event that did not happen before its deadline.
struct Hang: Error, CustomStringConvertible {
  let description: String

  init(_ what: String) { description = "It hangs: \(what)" }
}

/// A gate for threads. They continue when it is opened.
final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  private let name: String

  init(_ name: String = "gate") { self.name = name }

  func open() { semaphore.signal() }

  /// Blocks until the gate is open. Throws if that takes too long.
  func pass(within seconds: Double = 300) throws {
    guard semaphore.wait(timeout: .now() + seconds) == .success else {
      throw Hang("nobody opened \(name)")
    }
    semaphore.signal()
  }
}

/// A meeting point of threads. They continue when all have arrived.
final class Barrier: Sendable {
  private let remaining: Lock<Int>
  private let gate = Gate("the barrier")

  init(_ count: Int) { remaining = Lock(count) }

  func arrive() throws {
    let isLast = remaining.withLock { count in
      count -= 1
      return count == 0
    }
    if isLast { gate.open() }
    try gate.pass()
  }
}

/// Real threads, so that the size of a pool cannot decide a test.
enum Threads {
  /// Runs `body` on `count` threads that start together, and returns the outcomes in order.
  ///
  /// Throws `Hang` if not all have ended by the deadline.
  static func run<Value: Sendable>(
    _ count: Int, within seconds: Double = 600,
    _ body: @escaping @Sendable (Int) throws -> Value
  ) throws -> [Result<Value, any Error>] {
    let outcomes = Lock<[Int: Result<Value, any Error>]>([:])
    let barrier = Barrier(count)
    let group = DispatchGroup()
    for index in 0..<count {
      group.enter()
      start {
        let outcome = Result {
          try barrier.arrive()
          return try body(index)
        }
        outcomes.withLock { $0[index] = outcome }
        group.leave()
      }
    }
    guard group.wait(timeout: .now() + seconds) == .success else {
      let ended = outcomes.withLock { $0.keys.sorted() }
      throw Hang("of \(count) threads only \(ended) ended")
    }
    let ended = outcomes.withLock { $0 }
    return try (0..<count).map { index in
      guard let outcome = ended[index] else { throw Hang("thread \(index)") }
      return outcome
    }
  }

  /// Runs `body` on a thread of its own, and does not wait for it.
  static func start(_ body: @escaping @Sendable () -> Void) {
    let thread = Thread(block: body)
    thread.stackSize = 8 << 20
    thread.start()
  }

  /// Runs different bodies, each on a thread of its own. Throws the first error of any of them.
  static func run(
    within seconds: Double = 600, _ first: @escaping @Sendable () throws -> Void,
    _ second: @escaping @Sendable () throws -> Void,
    _ third: @escaping @Sendable () throws -> Void = {}
  ) throws {
    let bodies = [first, second, third]
    for outcome in try run(3, within: seconds, { try bodies[$0]() }) { try outcome.get() }
  }

  /// Spins until a condition holds. Throws if that takes too long.
  static func spin(
    until condition: () -> Bool, _ what: String = "a condition", within seconds: Double = 300
  ) throws {
    let deadline = DispatchTime.now() + seconds
    while !condition() {
      guard DispatchTime.now() < deadline else { throw Hang("\(what) never held") }
      sched_yield()
    }
  }
}

extension Result {
  var success: Success? { try? get() }

  var failure: Failure? {
    guard case .failure(let error) = self else { return nil }
    return error
  }
}
