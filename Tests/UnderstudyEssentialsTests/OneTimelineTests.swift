// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyEssentials
import UnderstudyTesting

/// A clock, a date and a scheduler that show one time.
@Suite struct `A scheduler on a clock` {
  private let clock = ManualClock()
  private let ran = Spy<String, Void, Never>("ran(_:)")

  @Test func `runs its work when the clock is moved, and wakes sleepers when it moves itself`()
    async throws
  {
    let queue = ManualScheduler(on: clock)
    let date = ManualDate(following: clock, since1970: 0)
    queue.schedule(after: .seconds(2)) { ran("at \(date.sinceEpoch)") }
    clock.advance(by: .seconds(1))
    #expect(ran.calls == [])
    clock.advance(by: .seconds(9))
    #expect(ran.calls == ["at 2.0 seconds"])
    let task = Task { try await clock.sleep(for: .seconds(1)) }
    await clock.sleepers(reach: 1)
    queue.advance(by: .seconds(1))
    try await task.value
    #expect(date.now == Date(timeIntervalSince1970: 11))
  }

  @Test func `runs the work of two schedulers in the order of the times`() {
    let (first, second) = (ManualScheduler(on: clock), ManualScheduler(on: clock))
    first.schedule(after: .seconds(2)) { ran("first") }
    second.schedule(after: .seconds(1)) {
      ran("second")
      second.schedule(after: .seconds(2)) { ran("nested") }
    }
    #expect(first.pendingCount == 1)
    #expect(second.pendingCount == 1)
    first.advance(by: .seconds(3))
    #expect(ran.calls == ["second", "first", "nested"])
    #expect(first.pendingCount == 0)
    #expect(second.pendingCount == 0)
  }

  @Test func `runs each piece of work between the sleeps of a run`() async {
    let queue = ManualScheduler(on: clock)
    for seconds in 1...3 { queue.schedule(after: .seconds(seconds)) { ran("\(seconds)") } }
    let timer = Task {
      while true {
        try await clock.sleep(for: .seconds(2))
        ran("tick")
      }
    }
    await clock.run(for: .seconds(4), sleepers: 1)
    #expect(ran.callCount == 5)
    #expect(ran.calls.filter { $0 != "tick" } == ["1", "2", "3"])
    timer.cancel()
    await #expect(throws: CancellationError.self) { try await timer.value }
  }

  @Test func `is checked at the end of its layer for itself alone`() async {
    let issues = await issues {
      await underLayer { _ in
      } operation: {
        let clock = ManualClock()
        let (first, second) = (ManualScheduler(on: clock), ManualScheduler(on: clock))
        first.schedule {}
        second.schedule(after: .seconds(1)) {}
        clock.advance(by: .zero)
        #expect(first.pendingCount == 0)
        #expect(second.pendingCount == 1)
      }
    }
    #expect(issues == ["1 piece of scheduled work never ran."])
  }
}
