// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyTesting

@testable import Understudy

#if os(Linux) || os(macOS)
  @Suite struct `A long wait` {
    @Test(.timeLimit(.minutes(20))) func `of a task that is cancelled leaves nothing`() async {
      let latch = Latch()
      let task = Task { await latch.opened() }
      while latch.taskCount == 0 { await Task.yield() }
      task.cancel()
      await task.value
      #expect(latch.taskCount == 0)
    }

    /// The place is that of the request which has waited for so long first.
    @Test func `is reported once for many waiters, with the place and the block`() async throws {
      let result = await #expect(
        processExitsWith: .success, observing: [\.standardErrorContent]
      ) {
        LongWait.limit.store(0)
        let resolver = Resolver()
        let (hasBegun, mayEnd) = (Latch(), Latch())
        resolver.register(lifecycle: .cached, line: 1101) {
          hasBegun.open()
          mayEnd.wait()
          return 7
        }
        let values = try Threads.run(5) { number in
          if number == 0 { return try resolver.resolve(Int.self) }
          hasBegun.wait()
          Thread.detachNewThread {
            try? Threads.spin(until: { LongWait.toldCount.relaxedValue > 0 })
            mayEnd.open()
          }
          return try resolver.resolve(Int.self, line: 1102)
        }
        guard try values.allSatisfy({ try $0.get() == 7 }) else { fatalError("\(values)") }
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      let place = "UnderstudyTests/LongWaitTests.swift"
      #expect(
        text.contains(
          """
          A thread has waited for 'Int' for 0 seconds: another request creates it.
            Waiting at  \(place):1102
            Created by  the block registered at \(place):1101
          """), "\(text)")
      #expect(text.components(separatedBy: "A thread has waited").count == 2)
    }

    @Test func `for the completion of an instance is reported, too`() async throws {
      let result = await #expect(
        processExitsWith: .success, observing: [\.standardErrorContent]
      ) {
        final class Whole: Sendable {
          let part: Part
          init(_ part: Part) { self.part = part }
        }
        final class Part: Sendable {}
        LongWait.limit.store(0)
        let resolver = Resolver()
        let (hasBegun, mayEnd) = (Latch(), Latch())
        resolver.register(lifecycle: .cached, line: 1103) {
          Part()
        } then: { _, _ in
          hasBegun.open()
          mayEnd.wait()
        }
        resolver.register { r in Whole(try r.resolve(line: 1104)) }
        let parts = try Threads.run(2) { number in
          if number == 0 { return try resolver.resolve(Part.self) }
          hasBegun.wait()
          Thread.detachNewThread {
            try? Threads.spin(until: { LongWait.toldCount.relaxedValue > 0 })
            mayEnd.open()
          }
          return try resolver.resolve(Whole.self).part
        }
        guard try parts[0].get() === parts[1].get() else { fatalError("\(parts)") }
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      let place = "UnderstudyTests/LongWaitTests.swift"
      #expect(
        text.contains(
          """
          A thread has waited for 'Part' for 0 seconds: another request creates it.
            Waiting at  \(place):1104
            Created by  the block registered at \(place):1103
          """), "\(text)")
    }

    @Test func `of a task is reported, also if it cannot end`() async throws {
      let result = await #expect(
        processExitsWith: .success, observing: [\.standardErrorContent]
      ) {
        LongWait.limit.store(0)
        let resolver = Resolver()
        resolver.register(lifecycle: .cached, line: 1105) {
          (resolver: Resolver) async throws -> Int in
          try await Task.detached { try await resolver.resolveAsync(Int.self, line: 1106) }.value
        }
        let task = Task { try await resolver.resolveAsync(Int.self) }
        while LongWait.toldCount.relaxedValue == 0 { await Task.yield() }
        task.cancel()
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      let place = "UnderstudyTests/LongWaitTests.swift"
      #expect(
        text.contains(
          """
          A task has waited for 'Int' for 0 seconds: another request creates it.
            Waiting at  \(place):1106
            Created by  the block registered at \(place):1105
          """), "\(text)")
    }
  }
#endif
