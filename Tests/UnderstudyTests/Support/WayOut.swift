// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A way for work to leave the function that starts it. On a system that is too old for an actor's
/// way, a task or a queue stands in.
enum WayOut: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case task, asyncLet, taskGroup, actorExecutor, dispatchSync, cCallback
  case detachedTask, dispatchAsync, concurrentPerform, thread, cThread, runLoopTimer
  case executorThread, operationQueue, cancellationHandler, streamTermination, isolatedDeinit

  var testDescription: String { rawValue }

  /// The line number that the way passes to its call, unique in the table.
  var line: Int { 1000 + (WayOut.allCases.firstIndex(of: self) ?? 0) }

  /// The result of work that has left its function.
  struct Arrival<Value: Sendable>: Sendable {
    let value: Value
    /// True if the work ran in the starting task, or on its very thread.
    let keptContext: Bool
  }

  /// Starts work, waits for it, and returns its results: one, or several for `concurrentPerform`.
  func send<Value: Sendable>(
    _ work: @escaping @Sendable () -> Value
  ) async -> [Arrival<Value>] {
    switch self {
    case .task: return await [Arrival(value: Task { work() }.value, keptContext: true)]
    case .asyncLet:
      async let value = work()
      return await [Arrival(value: value, keptContext: true)]
    case .taskGroup:
      return await withTaskGroup(of: Value.self) { group in
        group.addTask { work() }
        return await group.reduce(into: []) { $0.append(Arrival(value: $1, keptContext: true)) }
      }
    case .actorExecutor:
      guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) else {
        return await WayOut.task.send(work)
      }
      return await [Arrival(value: Postroom().run(work), keptContext: true)]
    case .dispatchSync:
      return [Arrival(value: DispatchQueue(label: "post").sync(execute: work), keptContext: true)]
    case .cCallback: return [Arrival(value: calledByC(work), keptContext: true)]
    case .detachedTask:
      return await [Arrival(value: Task.detached { work() }.value, keptContext: false)]
    case .dispatchAsync:
      return await lost { done in DispatchQueue.global().async { done(work()) } }
    case .concurrentPerform: return performedConcurrently(work)
    case .thread: return await lost { done in Thread { done(work()) }.start() }
    case .cThread: return await lost { done in startCThread { done(work()) } }
    case .runLoopTimer: return await lost { done in fireTimer { done(work()) } }
    case .executorThread:
      guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) else {
        return await WayOut.dispatchAsync.send(work)
      }
      let room = Postroom()
      return await lost { done in
        room.executor.queue.async { room.assumeIsolated { done($0.run(work)) } }
      }
    case .operationQueue:
      return await lost { done in OperationQueue().addOperation { done(work()) } }
    case .cancellationHandler: return await lost { done in cancelElsewhere { done(work()) } }
    case .streamTermination:
      return await lost { done in
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        continuation.onTermination = { _ in done(work()) }
        DispatchQueue.global().async {
          continuation.finish()
          withExtendedLifetime(stream) {}
        }
      }
    case .isolatedDeinit:
      guard #available(macOS 15.4, iOS 18.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *) else {
        return await WayOut.dispatchAsync.send(work)
      }
      return await lost { done in _ = Farewell { done(work()) } }
    }
  }

  private func lost<Value>(
    _ start: (@escaping @Sendable (Value) -> Void) -> Void
  ) async -> [Arrival<Value>] {
    let value = await withCheckedContinuation { continuation in
      start { continuation.resume(returning: $0) }
    }
    return [Arrival(value: value, keptContext: false)]
  }
}

/// Some iterations run on the calling thread, and others on any thread of the pool.
private func performedConcurrently<Value: Sendable>(
  _ work: @escaping @Sendable () -> Value
) -> [WayOut.Arrival<Value>] {
  let caller = ObjectIdentifier(Thread.current)
  let arrivals = Transcript<WayOut.Arrival<Value>>()
  DispatchQueue.concurrentPerform(iterations: 16) { _ in
    let isCaller = ObjectIdentifier(Thread.current) == caller
    arrivals.say(WayOut.Arrival(value: work(), keptContext: isCaller))
  }
  return arrivals.all
}

private final class Errand {
  let run: () -> Void
  init(_ run: @escaping () -> Void) { self.run = run }
}

/// The C library's search calls the work on the calling thread.
private func calledByC<Value>(_ work: () -> Value) -> Value {
  var value: Value?
  withoutActuallyEscaping(work) { work in
    let errand = Errand { value = work() }
    _ = bsearch(Unmanaged.passUnretained(errand).toOpaque(), [0] as [Int32], 1, 4) { errand, _ in
      Unmanaged<Errand>.fromOpaque(errand!).takeUnretainedValue().run()
      return 0
    }
    withExtendedLifetime(errand) {}
  }
  return value!
}

private func startCThread(_ work: @escaping @Sendable () -> Void) {
  let errand = Unmanaged.passRetained(Errand(work)).toOpaque()
  #if canImport(Darwin)
    var thread: pthread_t?
    let result = pthread_create(
      &thread, nil,
      { errand in
        Unmanaged<Errand>.fromOpaque(errand).takeRetainedValue().run()
        return nil
      }, errand)
  #else
    var thread = pthread_t()
    let result = pthread_create(
      &thread, nil,
      { errand in
        Unmanaged<Errand>.fromOpaque(errand!).takeRetainedValue().run()
        return nil
      }, errand)
  #endif
  precondition(result == 0)
  #if canImport(Darwin)
    pthread_detach(thread!)
  #else
    pthread_detach(thread)
  #endif
}

private func fireTimer(_ work: @escaping @Sendable () -> Void) {
  Thread {
    let hasFired = Transcript<Bool>()
    let timer = Timer(timeInterval: 0, repeats: false) { _ in
      work()
      hasFired.say(true)
    }
    RunLoop.current.add(timer, forMode: .default)
    while hasFired.all.isEmpty, RunLoop.current.run(mode: .default, before: .distantFuture) {}
  }.start()
}

/// Runs `handler` as the cancellation handler of a child task, which a queue cancels.
private func cancelElsewhere(_ handler: @escaping @Sendable () -> Void) {
  let (begun, begin) = AsyncStream<Never>.makeStream()
  let task = Task {
    await withTaskCancellationHandler {
      // The handler is installed, so the queue may cancel.
      begin.finish()
      let (endless, continuation) = AsyncStream<Never>.makeStream()
      for await _ in endless {}
      continuation.finish()
    } onCancel: {
      handler()
    }
  }
  Task {
    for await _ in begun {}
    DispatchQueue.global().async { task.cancel() }
  }
}

/// An actor whose isolated `deinit` runs on its executor, outside any task.
@available(macOS 15.4, iOS 18.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
private actor Farewell {
  private let words: @Sendable () -> Void

  init(_ words: @escaping @Sendable () -> Void) {
    self.words = words
  }

  isolated deinit { words() }
}

/// An actor with a queue of its own.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
private actor Postroom {
  nonisolated let executor = QueueExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func run<Value: Sendable>(_ work: @Sendable () -> Value) -> Value {
    dispatchPrecondition(condition: .onQueue(executor.queue))
    return work()
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
private final class QueueExecutor: SerialExecutor {
  let queue = DispatchQueue(label: "postroom")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
