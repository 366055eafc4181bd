// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyDoubles

/// Waits until tasks have arrived at a fake.
@Suite struct WaitingForTasksTests {
  @Test func `a sleeper that never comes is reported with its number and the clock`() async {
    let line = #line
    let found = await asyncViolations { _ in
      let clock = ManualClock()
      let task = Task { try await clock.sleep(for: .seconds(1)) }
      #expect(await clock.sleepers(reach: 1))
      #expect(await !clock.sleepers(reach: 2, within: .milliseconds(1)))
      clock.advance(by: .seconds(1))
      await #expect(throws: Never.self) { try await task.value }
    }
    #expect(
      found == [
        """
        1 of 2 tasks sleeps on the manual clock after 0.001 seconds.
          Waited at  UnderstudyDoublesTests/WaitingForTasksTests.swift:\(line + 5)
          Made at    UnderstudyDoublesTests/WaitingForTasksTests.swift:\(line + 2)
          Clock      0.0 seconds
        To fix, do one of these:
          • Start the tasks that sleep, with this clock, before you wait for them.
          • Wait longer:  within: .seconds(30)
        """
      ])
  }

  @Test func `a task that never comes to a gate is reported`() async {
    let line = #line
    let found = await asyncViolations { _ in
      let gate = Gate()
      await gate.waiters(reach: 1, within: .zero)
    }
    #expect(
      found == [
        """
        0 of 1 task waits at the gate after 0.0 seconds.
          Waited at  UnderstudyDoublesTests/WaitingForTasksTests.swift:\(line + 3)
          Made at    UnderstudyDoublesTests/WaitingForTasksTests.swift:\(line + 2)
        To fix, do one of these:
          • Start the tasks that call 'wait()' before you wait for them.
          • Wait longer:  within: .seconds(30)
        """
      ])
  }

  @Test func `a consumer that never comes is reported`() async {
    let found = await asyncViolations { _ in
      let prices = ScriptedSequence<Int, Never>(1)
      await prices.consumers(reach: 3, within: .zero)
    }
    #expect(
      found.map(\.firstLine) == [
        "0 of 3 tasks wait for more of the scripted sequence after 0.0 seconds."
      ])
  }

  @Test func `tasks that are there already need no time`() async {
    let gate = Gate()
    let task = Task { try await gate.wait() }
    await gate.waiters(reach: 1)
    #expect(await gate.waiters(reach: 1, within: .zero))
    gate.open()
    await #expect(throws: Never.self) { try await task.value }
  }

  typealias Wait = @Sendable () async -> Bool

  @Test(
    arguments: [
      { await ManualClock().sleepers(reach: 1) }, { await Gate().waiters(reach: 1) },
      { await ScriptedSequence<Int, Never>().consumers(reach: 1) },
      { await ManualClock().run(for: .seconds(1), sleepers: 1) },
    ] as [Wait])
  func `a cancelled wait ends without a violation`(wait: @escaping Wait) async {
    let found = await asyncViolations { _ in
      let waiting = Task { await wait() }
      waiting.cancel()
      #expect(await !waiting.value)
    }
    #expect(found == [])
  }
}

/// A clock that runs for a while.
@Suite struct ManualClockRunTests {
  private let clock = ManualClock()
  private let ticks = Spy<Duration, Void, Never>("tick(at:)")

  private func timer(every period: Duration) -> Task<Void, any Error> {
    Task {
      while true {
        try await clock.sleep(for: period)
        ticks(clock.now.offset)
      }
    }
  }

  private func stop(_ tasks: Task<Void, any Error>...) async {
    for task in tasks {
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test func `a timer gets each of its ticks, and the last one is done`() async {
    let timer = timer(every: .seconds(1))
    #expect(await clock.run(for: .seconds(5), sleepers: 1))
    #expect(ticks.calls == (1...5).map { Duration.seconds($0) })
    #expect(clock.now.offset == .seconds(5))
    await stop(timer)
  }

  @Test func `a run ends at its end, between two deadlines, and the next one goes on`() async {
    let timer = timer(every: .seconds(2))
    #expect(await clock.run(for: .seconds(3), sleepers: 1))
    #expect(clock.now.offset == .seconds(3))
    #expect(ticks.calls == [.seconds(2)])
    #expect(await clock.run(for: .seconds(1), sleepers: 1))
    #expect(ticks.calls == [.seconds(2), .seconds(4)])
    await stop(timer)
  }

  @Test func `two timers get their ticks in the order of their deadlines`() async {
    let (slow, fast) = (timer(every: .seconds(3)), timer(every: .seconds(2)))
    #expect(await clock.run(for: .seconds(8), sleepers: 2))
    #expect(ticks.calls == [2, 3, 4, 6, 6, 8].map { Duration.seconds($0) })
    await stop(slow, fast)
  }

  @Test func `without sleepers the clock moves to the end`() async {
    #expect(await clock.run(for: .seconds(3), sleepers: 0))
    #expect(clock.now.offset == .seconds(3))
  }

  @Test func `a run in a cancelled task returns false, and leaves the clock where it is`() async {
    let timer = timer(every: .seconds(1))
    await clock.sleepers(reach: 1)
    let run = Task { [clock] in
      withUnsafeCurrentTask { $0?.cancel() }
      return await clock.run(for: .seconds(5), sleepers: 1)
    }
    #expect(await !run.value)
    #expect(clock.now.offset == .zero)
    await stop(timer)
  }

  @Test func `a task that ends is missing, and the clock stays at its deadline`() async {
    let line = #line
    let found = await asyncViolations { _ in
      let clock = ManualClock()
      let task = Task { try await clock.sleep(for: .seconds(1)) }
      await clock.sleepers(reach: 1)
      #expect(await !clock.run(for: .seconds(2), sleepers: 1, within: .milliseconds(1)))
      #expect(clock.now.offset == .seconds(1))
      await #expect(throws: Never.self) { try await task.value }
    }
    #expect(
      found == [
        """
        0 of 1 task sleeps on the manual clock after 0.001 seconds.
          Waited at  UnderstudyDoublesTests/WaitingForTasksTests.swift:\(line + 5)
          Made at    UnderstudyDoublesTests/WaitingForTasksTests.swift:\(line + 2)
          Clock      1.0 seconds
        To fix, do one of these:
          • Start the tasks that sleep, with this clock, before you wait for them.
          • Move the clock over the last sleep of a task that ends:  advance(by:)
          • Wait longer:  within: .seconds(30)
        """
      ])
  }

  @Test func `it does not run backwards`() async {
    let found = await asyncViolations { _ in
      #expect(await !clock.run(for: .seconds(-1), sleepers: 0))
    }
    #expect(found.map(\.firstLine) == ["A manual clock cannot be moved back."])
    #expect(clock.now.offset == .zero)
  }

  @Test func `a wait for calls may be as long as can be said`() async {
    let pings = Spy<Int, Void, Never>("ping(_:)")
    let forEver = Duration.seconds(Int64.max)
    let waits: [@Sendable () async -> Bool] = [
      { await pings.calls(reach: 1, within: forEver) },
      { await pings.when(7).calls(reach: 1, within: forEver) },
      { await pings.calls(reach: 1, within: forEver, of: SuspendingClock()) },
      { await pings.when(7).calls(reach: 1, within: forEver, of: SuspendingClock()) },
    ]
    for wait in waits {
      let task = Task { await wait() }
      task.cancel()
      #expect(await !task.value)
    }
  }
}
