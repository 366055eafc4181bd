// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import Testing
import UnderstudyEssentials
import UnderstudyTesting

/// Each form runs its work outside the task tree of the test. The work must still see the doubles.
@Suite struct `A form that carries the context` {
  /// Starts work, which calls `done`.
  struct Form: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let send: @Sendable (@escaping @Sendable () -> Void) -> Void

    init(_ name: String, send: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
      testDescription = name
      self.send = send
    }
  }

  private static let queue = DispatchQueue(label: "carrying")
  private static let operations = OperationQueue()

  static let forms = [
    Form("queue.asyncCarrying") { work in queue.asyncCarrying { work() } },
    Form("queue.asyncCarrying(after:)") { work in
      queue.asyncCarrying(after: .milliseconds(1)) { work() }
    },
    Form("operations.addOperationCarrying") { work in operations.addOperationCarrying { work() } },
    Form("Thread.detachNewThreadCarrying") { work in Thread.detachNewThreadCarrying { work() } },
    Form("Task.detachedCarrying") { work in Task.detachedCarrying { work() } },
    Form("Task.detachedCarrying, throwing") { work in
      Task.detachedCarrying { () async throws in work() }
    },
    Form("context.wrap") { work in
      let wrapped = OverrideContext.current.wrap(work)
      queue.async { wrapped() }
    },
    Form("context.wrap, with arguments") { work in
      let wrapped = OverrideContext.current.wrap { (_: Int, _: String) in work() }
      queue.async { wrapped(1, "") }
    },
    Form("context.wrap, throwing") { work in
      let wrapped = OverrideContext.current.wrap { (_: Int) throws in work() }
      queue.async { try? wrapped(1) }
    },
    Form("context.wrap, asynchronous") { work in
      let wrapped = OverrideContext.current.wrap { () async in work() }
      Task.detached { await wrapped() }
    },
    Form("context.wrap, asynchronous and throwing") { work in
      let wrapped = OverrideContext.current.wrap { () async throws in work() }
      Task.detached { try await wrapped() }
    },
    Form("stream.onTerminationCarrying") { work in
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      continuation.onTerminationCarrying { _ in work() }
      queue.async {
        continuation.finish()
        withExtendedLifetime(stream) {}
      }
    },
    Form("throwing stream.onTerminationCarrying") { work in
      let (stream, continuation) = AsyncThrowingStream<Int, any Error>.makeStream()
      continuation.onTerminationCarrying { _ in work() }
      queue.async {
        continuation.finish()
        withExtendedLifetime(stream) {}
      }
    },
  ]

  @Test(arguments: forms)
  func `sees the caller's doubles`(form: Form) async {
    await underLayer {
      $0.override(\.date) { .constant(since1970: 0) }
    } operation: {
      let isDouble = await withCheckedContinuation { done in
        form.send { done.resume(returning: Resolver.main.resolve(\.date) is ManualDate) }
      }
      #expect(isDouble)
    }
  }

  @Test
  func `of a cancellation handler sees the doubles of the task, not those of the cancelling code`()
    async
  {
    let gate = Gate()
    let seen = Spy<Bool, Void, Never>("seen(_:)")
    await underLayer {
      $0.override(\.date) { .constant(since1970: 0) }
    } operation: {
      let task = Task {
        await withTaskCancellationHandlerCarrying {
          try? await gate.wait()
        } onCancel: {
          seen(Resolver.main.resolve(\.date) is ManualDate)
        }
      }
      await gate.waiters(reach: 1)
      await withCheckedContinuation { done in
        Self.queue.async {
          task.cancel()
          done.resume()
        }
      }
      await task.value
    }
    #expect(seen.calls == [true])
  }

  @Test
  func `is needed by a cancellation handler, which runs in the context of the cancelling code`()
    async
  {
    let gate = Gate()
    let seen = Spy<String?, Void, Never>("seen(_:)")
    await underLayer { _ in
    } operation: {
      let task = Task {
        await withTaskCancellationHandler {
          try? await gate.wait()
        } onCancel: {
          seen(OverrideLayer.current?.name)
        }
      }
      await gate.waiters(reach: 1)
      withOverrides(named: "the canceller's") { _ in
      } operation: {
        task.cancel()
      }
      await task.value
    }
    #expect(seen.calls == ["the canceller's"])
  }

  @available(macOS 15.4, iOS 18.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
  private actor Keeper {
    private let seen: Spy<String?, Void, Never>

    init(_ seen: Spy<String?, Void, Never>) {
      self.seen = seen
    }

    isolated deinit { seen(OverrideLayer.current?.name) }
  }

  @available(macOS 15.4, iOS 18.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
  @Test func `cannot help an isolated deinit, which never sees the layer`() async {
    let seen = Spy<String?, Void, Never>("seen(_:)")
    await underLayer { _ in
    } operation: {
      _ = Keeper(seen)
    }
    _ = await seen.calls(reach: 1, within: .seconds(600))
    #expect(seen.calls == [nil])
  }
}
