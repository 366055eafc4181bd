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
}
