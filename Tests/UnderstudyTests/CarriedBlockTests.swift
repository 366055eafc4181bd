// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import Understudy

/// The context of a block, carried to a thread that runs no block of its own.
@Suite struct `A carried block` {
  private final class Part: Sendable {
    private let completions = Lock(0)
    var completionCount: Int { completions.withLock { $0 } }
    func complete() { completions.withLock { $0 += 1 } }
  }

  private final class Whole: Sendable {
    let part: Part
    init(_ part: Part) { self.part = part }
  }

  @MainActor private final class Screen {}

  /// Runs `body` in the calling block's context on a thread of its own, and waits for it.
  private static func elsewhere<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) throws -> Value {
    let context = OverrideContext.current
    let result = Lock<Result<Value, any Error>?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    Thread {
      let value = context.run { Result { try body() } }
      result.withLock { $0 = value }
      isDone.signal()
    }.start()
    isDone.wait()
    return try #require(result.withLock { $0 }).get()
  }

  @Test(arguments: [Lifecycle.cached, .notCached])
  func `completes the value that it requests`(lifecycle: Lifecycle) throws {
    let resolver = Resolver()
    resolver.register(lifecycle: lifecycle) {
      Part()
    } then: { part, _ in
      part.complete()
    }
    resolver.register(lifecycle: .cached) { r in
      Whole(try Self.elsewhere { try r.resolve() })
    }
    let whole: Whole = try resolver.resolve()
    #expect(whole.part.completionCount == 1)
    let again: Part = try Self.elsewhere { try resolver.resolve() }
    #expect((again === whole.part) == (lifecycle == .cached))
    #expect(again.completionCount == 1)
  }

  @Test @MainActor func `is not on the main actor because its block is`() throws {
    let resolver = Resolver()
    let error = Lock<ResolutionError?>(nil)
    resolver.register { @MainActor in Screen() }
    resolver.register(lifecycle: .cached) { r in
      _ = try? Self.elsewhere {
        do { _ = try r.resolve(Screen.self) } catch let failure as ResolutionError {
          error.withLock { $0 = failure }
        }
      }
      return Part()
    }
    resolver.register { @MainActor in Whole(try resolver.resolve()) }
    let _: Whole = try resolver.resolve()
    guard case .mainActorOnly? = error.withLock({ $0?.reason }) else {
      Issue.record("\(String(describing: error.withLock { $0 }))")
      return
    }
  }

  /// Each block waits for a thread that carries its context. Without an error, each round would
  /// start two threads.
  @Test(arguments: [Lifecycle.cached, .notCached], [false, true])
  func `that needs itself on another thread is a cycle`(lifecycle: Lifecycle, isLayered: Bool)
    throws
  {
    let resolver = Resolver()
    let rounds = Tally()
    resolver.register(lifecycle: lifecycle) { r in
      guard rounds.next() < 50 else { throw Mishap() }
      return Whole(try Self.elsewhere { try r.resolve() })
    }
    resolver.register(lifecycle: lifecycle) { r in
      _ = try Self.elsewhere { try r.resolve(Whole.self) }
      return Part()
    }
    let error = try withLayer(of: resolver) {
      if isLayered { $0.register(1) }
    } operation: {
      try #require(resolutionError { try resolver.resolve(Whole.self) })
    }
    #expect(error.kind == "cycle")
    #expect(error.steps == ["Whole", "Part", "Whole"])
    #expect(rounds.count == 1)
  }

  @Test(arguments: [Lifecycle.cached, .notCached])
  func `that needs itself in another task is a cycle`(lifecycle: Lifecycle) async throws {
    let resolver = Resolver()
    let rounds = Tally()
    resolver.register(lifecycle: lifecycle) { (r: Resolver) async throws -> Whole in
      guard rounds.next() < 50 else { throw Mishap() }
      let context = OverrideContext.current
      return Whole(
        try await Task.detached { try await context.run { try await r.resolveAsync() } }.value)
    }
    resolver.register(lifecycle: lifecycle) { (r: Resolver) async throws -> Part in
      let context = OverrideContext.current
      _ = try await Task.detached {
        try await context.run { try await r.resolveAsync(Whole.self) }
      }.value
      return Part()
    }
    let error = await #expect(throws: ResolutionError.self) {
      try await resolver.resolveAsync(Whole.self)
    }
    #expect(error?.kind == "cycle")
    #expect(error?.steps == ["Whole", "Part", "Whole"])
    #expect(rounds.count == 1)
  }

  /// A thread that outlives its block, such as an event loop, may request the value again.
  @Test(arguments: [Lifecycle.cached, .notCached], [Lifecycle.cached, .notCached])
  func `that has ended is no cycle for the work that it began`(
    whole: Lifecycle, part: Lifecycle
  ) throws {
    let resolver = Resolver()
    let isMade = Gate("the first request")
    let isFirst = FirstTime()
    let outcome = Box<Result<Whole, any Error>?>(nil)
    let isAnswered = Gate("the thread's request")
    resolver.register(lifecycle: whole) { r in Whole(try r.resolve()) }
    resolver.register(lifecycle: part) { r in
      guard isFirst() else { return Part() }
      let context = OverrideContext.current
      let isRunning = Gate("the thread")
      Threads.start {
        context.run {
          isRunning.open()
          outcome.value = Result {
            try isMade.pass()
            return try r.resolve(Whole.self, lifecycle: .notCached)
          }
        }
        isAnswered.open()
      }
      try isRunning.pass()
      return Part()
    }
    _ = try resolver.resolve(Whole.self)
    isMade.open()
    try isAnswered.pass()
    _ = try #require(outcome.value).get()
  }

  @Test(arguments: [Lifecycle.cached, .notCached])
  func `that needs itself two threads away is a cycle`(lifecycle: Lifecycle) throws {
    let resolver = Resolver()
    resolver.register(lifecycle: lifecycle) { r in
      Whole(try Self.elsewhere { try Self.elsewhere { try r.resolve(Whole.self).part } })
    }
    let error = try #require(resolutionError { try resolver.resolve(Whole.self) })
    #expect(error.steps == ["Whole", "Whole"])
  }

  /// The block in between has ended, and the outer one waits for the work that it began.
  @Test func `that waits for the work of a block within it is in its cycle`() throws {
    let resolver = Resolver()
    let rounds = Tally()
    resolver.register(lifecycle: .cached) { r in [try r.resolve(Whole.self)] }
    resolver.register { r in
      guard rounds.next() < 50 else { throw Mishap() }
      let wait = try r.resolve((@Sendable () throws -> Part).self)
      return Whole(try wait())
    }
    resolver.register { r -> @Sendable () throws -> Part in
      let context = OverrideContext.current
      let (isRunning, isOver) = (Gate("the thread"), Gate("the request"))
      let outcome = Box<Result<Whole, any Error>?>(nil)
      let isReturned = Gate("the block")
      Threads.start {
        context.run {
          isRunning.open()
          outcome.value = Result {
            try isReturned.pass()
            return try r.resolve()
          }
        }
        isOver.open()
      }
      try isRunning.pass()
      return {
        isReturned.open()
        try isOver.pass()
        return try #require(outcome.value).get().part
      }
    }
    _ = resolutionError { try resolver.resolve([Whole].self) }
    #expect(rounds.count == 1)
  }

  @Test(.timeLimit(.minutes(20)), arguments: [false, true])
  func `that has ended is no cycle for the task that it began`(isCompleted: Bool) async throws {
    let resolver = Resolver()
    let isMade = Box(false)
    let isFirst = FirstTime()
    let outcome = Box<Result<(Whole, String), any Error>?>(nil)
    let isAnswered = Gate("the task's request")
    resolver.register { r in Whole(try r.resolve()) }
    resolver.register(lifecycle: .cached) { "cached" }
    let makePart: @Sendable (Resolver) throws -> Part = { r in
      guard isFirst() else { return Part() }
      let context = OverrideContext.current
      let isRunning = Gate("the task")
      Task.detached {
        await context.run {
          isRunning.open()
          while !isMade.value { await Task.yield() }
          outcome.value = Result { (try r.resolve(), try r.resolve()) }
        }
        isAnswered.open()
      }
      try isRunning.pass()
      return Part()
    }
    if isCompleted {
      resolver.register { r in
        try makePart(r)
      } then: { part, _ in
        part.complete()
      }
    } else {
      resolver.register { r in try makePart(r) }
    }
    // The threads of tasks stay free for the task.
    try await withCheckedThrowingContinuation { continuation in
      Threads.start {
        continuation.resume(
          with: Result {
            _ = try resolver.resolve(Whole.self)
            isMade.value = true
            try isAnswered.pass()
          })
      }
    }
    try #expect(#require(outcome.value).get().1 == "cached")
    let again: String = try await resolver.resolveAsync()
    #expect(again == "cached")
  }

  /// As a connection does that is made anew whenever it is lost.
  @Test func `is no part of the path of the work that outlives it`() throws {
    let resolver = Resolver()
    let (isMade, isOver) = (DispatchSemaphore(value: 0), Gate("the last connection"))
    let rounds = Tally()
    let error = Box<ResolutionError?>(nil)
    resolver.register { r in
      guard rounds.next() < 300 else {
        isOver.open()
        return Part()
      }
      let context = OverrideContext.current
      let isRunning = Gate("the connection")
      Threads.start {
        context.run {
          isRunning.open()
          isMade.wait()
          if let failure = resolutionError({ try r.resolve(Part.self) }) {
            error.value = failure
            isOver.open()
          }
          isMade.signal()
        }
      }
      try isRunning.pass()
      return Part()
    }
    _ = try resolver.resolve(Part.self)
    isMade.signal()
    try isOver.pass()
    #expect(error.value == nil)
    #expect(rounds.count >= 300)
  }

  @Test(arguments: [Lifecycle.cached, .notCached])
  func `keeps the resolver that was bound within it`(lifecycle: Lifecycle) throws {
    let (resolver, shop) = (Resolver(), Resolver())
    resolver.register(lifecycle: lifecycle) {
      let bound = try withResolver(shop) { try Self.elsewhere { Resolver.current } }
      #expect(bound === shop)
      let own = try Self.elsewhere { Resolver.current }
      #expect(own === resolver)
      return Part()
    }
    _ = try resolver.resolve(Part.self)
  }
}
