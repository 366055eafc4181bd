// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyDoubles

/// A task that comes to a fake after the layer of the fake has ended. Nothing may wake it.
@Suite struct `A fake whose test has ended` {
  typealias Wait = @Sendable () async throws -> Void

  /// A fake, as a task waits at it.
  struct Fake: CustomTestStringConvertible {
    let deed: String
    let make: @Sendable () -> Wait
    var testDescription: String { deed }
  }

  static let line = #line + 4
  static let fakes = [
    Fake(deed: "slept on a manual clock") {
      // Each is made in the third line after its name.
      let clock = ManualClock()
      return { try await clock.sleep(for: .seconds(1)) }
    },
    Fake(deed: "waited at a gate") {

      let gate = Gate()
      return { try await gate.wait() }
    },
    Fake(deed: "waited for a scripted sequence") {

      let sequence = ScriptedSequence<Int, Never>()
      return {
        for await _ in sequence {}
        try Task.checkCancellation()
      }
    },
  ]

  @Test(arguments: Array(fakes.indices))
  func `reports a task that would wait, and cancels it`(index: Int) async throws {
    let fake = Self.fakes[index]
    let made = Lock<Wait?>(nil)
    _ = await asyncViolations { _ in made.withLock { $0 = fake.make() } }
    let wait = try #require(made.withLock { $0 })
    let found = await asyncViolations { _ in
      let isCancelled = await Task {
        await #expect(throws: CancellationError.self) { try await wait() }
        return Task.isCancelled
      }.value
      #expect(isCancelled)
    }
    let line = Self.line + [0, 5, 10][index]
    #expect(
      found == [
        """
        A task \(fake.deed) whose test has ended.
          Made at      UnderstudyDoublesTests/LateWaitTests.swift:\(line)
          Finished by  layer 'doubles'
        To fix, do one of these:
          • Wait for the task before the test ends, or cancel it.
          • Make a new one for each test.
        """
      ])
  }

  @Test func `lets a task pass that need not wait`() async {
    let made = Lock<(Gate, ManualClock, ScriptedSequence<Int, Never>)?>(nil)
    let found = await asyncViolations { _ in
      made.withLock { $0 = (Gate(), ManualClock(), ScriptedSequence(1)) }
    }
    let later = await asyncViolations { _ in
      guard let (gate, clock, sequence) = made.withLock({ $0 }) else { return }
      gate.open()
      clock.advance(by: .seconds(1))
      await #expect(throws: Never.self) {
        try await gate.wait()
        try await clock.sleep(until: ManualClock.Instant(offset: .seconds(1)))
      }
      var elements = sequence.makeAsyncIterator()
      #expect(await elements.next() == 1)
      sequence.finish()
      #expect(await elements.next() == nil)
      #expect(!Task.isCancelled)
    }
    #expect(found + later == [])
  }

  @Test func `says nothing about a task that was cancelled before`() async throws {
    let made = Lock<ManualClock?>(nil)
    _ = await asyncViolations { _ in made.withLock { $0 = ManualClock() } }
    let clock = try #require(made.withLock { $0 })
    let found = await asyncViolations { _ in
      let sleeper = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await clock.sleep(for: .seconds(1))
      }
      await #expect(throws: CancellationError.self) { try await sleeper.value }
    }
    #expect(found == [])
  }

  @Test func `goes on if it belongs to no test`() async {
    let clock = ManualClock()
    @Sendable func tick() async throws {
      let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
      await clock.sleepers(reach: 1)
      clock.advance(by: .seconds(1))
      try await sleeper.value
    }
    for _ in 1...2 {
      let found = await asyncViolations { _ in
        await #expect(throws: Never.self) { try await tick() }
      }
      #expect(found == [])
    }
    await #expect(throws: Never.self) { try await tick() }
    await Task.detached { await #expect(throws: Never.self) { try await tick() } }.value
  }

  @Test func `goes on after a scope within its test`() async {
    let clock = withOverrides { _ in
    } operation: {
      ManualClock()
    }
    let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
    await clock.sleepers(reach: 1)
    clock.advance(by: .seconds(1))
    await #expect(throws: Never.self) { try await sleeper.value }
  }

  @Test func `goes on after its layer in a process without tests`() async {
    await #expect(processExitsWith: .success) {
      TestHosts.install(nil)
      let (clock, context) = withOverrides(isBoundary: true) { _ in
      } operation: {
        (ManualClock(), OverrideContext.current)
      }
      let tasks = [
        Task { try await clock.sleep(for: .seconds(1)) },
        context.run { Task { try await clock.sleep(for: .seconds(1)) } },
      ]
      await clock.sleepers(reach: 2)
      clock.advance(by: .seconds(1))
      for task in tasks { try await task.value }
    }
  }

  /// Either the end of the layer finds the task, or the task finds the end.
  @Test func `leaves no task asleep that comes while it ends`() async {
    for _ in 1...300 {
      let layer = OverrideLayer.outermost()
      let clock = OverrideLayer.binding(layer) { ManualClock() }
      let later = await asyncViolations { _ in
        let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
        let found = await Task.detached { layer.end() }.value
        if found.isEmpty {
          await #expect(throws: CancellationError.self) { try await sleeper.value }
        } else {
          clock.advance(by: .seconds(1))
          await #expect(throws: Never.self) { try await sleeper.value }
        }
      }
      #expect(later.count <= 1)
    }
  }

  /// Runs in its own process, since the work belongs to no test then.
  @Test func `reports work that the test never awaits`() async {
    let found = Lock<[String]>([])
    await withKnownIssue {
      await #expect(processExitsWith: .success) {
        let (ends, end) = AsyncStream<Void>.makeStream()
        let work = withOverrides(isBoundary: true) { _ in
        } operation: {
          let clock = ManualClock()
          return Task.detached {
            for await _ in ends {}
            try? await clock.sleep(for: .seconds(1))
            return Task.isCancelled
          }
        }
        end.finish()
        let isCancelled = await work.value
        precondition(isCancelled)
      }
    } matching: { issue in
      found.withLock { $0.append(issue.comments.map(\.rawValue).joined().firstLine) }
      return true
    }
    #expect(found.withLock { $0 } == ["A task slept on a manual clock whose test has ended."])
  }

  /// Runs in its own process, since an ended layer can report to the run alone.
  @Test func `reports work of its test, though it is older than that`() async {
    let found = Lock<[String]>([])
    await withKnownIssue {
      await #expect(processExitsWith: .success) {
        let clock = ManualClock()
        @Sendable func test() async -> OverrideContext {
          await withOverrides(isBoundary: true) { _ in
          } operation: {
            let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
            await clock.sleepers(reach: 1)
            clock.advance(by: .seconds(1))
            _ = await sleeper.result
            return OverrideContext.current
          }
        }
        // The first test has it for good.
        _ = await test()
        let context = await test()
        let late = context.run { Task { try await clock.sleep(for: .seconds(1)) } }
        guard case .failure = await late.result else { preconditionFailure("It slept.") }
      }
    } matching: { issue in
      found.withLock { $0.append(issue.comments.map(\.rawValue).joined().firstLine) }
      return true
    }
    #expect(found.withLock { $0 } == ["A task slept on a manual clock whose test has ended."])
  }
}
