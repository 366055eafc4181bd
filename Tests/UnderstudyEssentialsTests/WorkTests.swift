// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import Testing
import UnderstudyEssentials
import UnderstudyTesting

@Suite struct `A scheduler` {
  @Test func `that is manual runs due work in the order of the times`() async {
    let queue = ManualScheduler()
    let ran = Spy<String, Void, Never>("ran(_:)")
    await underLayer {
      $0.override(\.mainQueue, with: queue)
    } operation: {
      let scheduler = Resolver.main.resolve(\.mainQueue)
      scheduler.schedule(after: .seconds(2)) { ran("late") }
      scheduler.schedule(after: .seconds(1)) {
        ran("early")
        scheduler.schedule(after: .seconds(1)) { ran("nested") }
      }
      scheduler.schedule { ran("now") }
      #expect(ran.calls == [])
      queue.advance()
      #expect(ran.calls == ["now"])
      queue.advance(by: .milliseconds(999))
      #expect(ran.calls == ["now"])
      queue.advance(by: .seconds(2))
      #expect(ran.calls == ["now", "early", "late", "nested"])
      #expect(queue.pendingCount == 0)
    }
  }

  @Test func `that is manual lets go of the work that is left when its layer ends`() async {
    final class Model: Sendable {}
    weak var lost: Model?
    let issues = await issues {
      await underLayer { _ in
      } operation: {
        let (queue, model) = (ManualScheduler(), Model())
        lost = model
        queue.schedule(after: .seconds(1)) { [queue, model] in
          queue.schedule { withExtendedLifetime(model) {} }
        }
      }
    }
    #expect(issues.count == 1)
    #expect(lost == nil)
  }

  @Test func `that is manual is checked by the layer that uses it, also if it is older`() async {
    let queue = ManualScheduler()
    let issues = await issues {
      await underLayer {
        $0.override(\.mainQueue, with: queue)
      } operation: {
        Resolver.main.resolve(\.mainQueue).schedule {}
      }
    }
    #expect(issues == ["1 piece of scheduled work never ran."])
    #expect(queue.pendingCount == 0)
  }

  @Test func `that is manual runs what is due now if its own work says so`() {
    let (queue, ran) = (ManualScheduler(), Spy<String, Void, Never>("ran(_:)"))
    queue.schedule {
      queue.advance()
      ran("first")
      queue.schedule(after: .seconds(1)) { ran("soon") }
    }
    queue.schedule(after: .seconds(3)) { ran("second") }
    queue.advance(by: .seconds(5))
    #expect(ran.calls == ["first", "soon", "second"])
  }

  /// The test goes on after the scope.
  @Test func `that is manual keeps its work if a scope within the test ends`() {
    let (queue, ran) = (ManualScheduler(), Spy<String, Void, Never>("ran(_:)"))
    withOverrides {
      $0.override(\.mainQueue, with: queue)
    } operation: {
      Resolver.main.resolve(\.mainQueue).schedule(after: .seconds(1)) { ran("later") }
    }
    queue.advance(by: .seconds(1))
    #expect(ran.calls == ["later"])
  }

  @Test func `that is immediate runs everything at once`() {
    let scheduler: any Scheduling = .immediate
    let ran = Spy<Int, Void, Never>("ran(_:)")
    scheduler.schedule(after: .seconds(60)) { ran(1) }
    ran(2)
    #expect(ran.calls == [1, 2])
  }

  @Test func `of a queue runs work that sees the caller's doubles`() async {
    let scheduler = QueueScheduler(DispatchQueue(label: "scheduler"))
    await underLayer {
      $0.override(\.date) { .constant(since1970: 0) }
    } operation: {
      for delay in [Duration.zero, .milliseconds(1)] {
        let isDouble = await withCheckedContinuation { done in
          scheduler.schedule(after: delay) {
            done.resume(returning: Resolver.main.resolve(\.date) is ManualDate)
          }
        }
        #expect(isDouble)
      }
    }
  }

  @Test func `that has work left when its layer ends is an issue`() async {
    let issues = await issues {
      await underLayer {
        $0.override(\.mainQueue, with: .manual())
      } operation: {
        Resolver.main.resolve(\.mainQueue).schedule {}
      }
    }
    #expect(issues == ["1 piece of scheduled work never ran."])
  }
}

@Suite struct `Work in the background` {
  private let resolver = Resolver.main

  @Test func `sees the caller's doubles, and can be waited for`() async {
    let seen = Spy<Bool, Void, Never>("seen(_:)")
    await underLayer {
      $0.override(\.date) { .constant(since1970: 0) }
    } operation: {
      let start = resolver.resolve(\.fireAndForget)
      start {
        seen(resolver.resolve(\.date) is ManualDate)
        start { seen(resolver.resolve(\.date) is ManualDate) }
      }
      await resolver.resolve(\.fireAndForget).finished()
      #expect(start.runningCount == 0)
    }
    #expect(seen.calls == [true, true])
  }

  @Test func `of an instance has the context of the layer that owns the instance`() async throws {
    final class Owner: Sendable {}
    let (gate, seen) = (Gate(), Spy<Int, Void, Never>("seen(_:)"))
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) {
      Resolver.main.resolve(\.fireAndForget)() {
        try? await gate.wait()
        seen((try? resolver.resolve(Int.self)) ?? -1)
      }
      return Owner()
    }
    try await withOverrides(of: resolver, isBoundary: true) {
      $0.register(7)
    } operation: {
      try withOverrides(.check(.unusedOverride, .off), of: resolver) {
        $0.register("unrelated")
      } operation: {
        _ = try resolver.resolve(Owner.self)
      }
      gate.open()
      await Resolver.main.resolve(\.fireAndForget).finished()
    }
    #expect(seen.calls == [7])
  }

  @Test func `that outlives its layer is an issue`() async {
    let gate = Gate()
    let issues = await issues {
      await underLayer { _ in
      } operation: {
        resolver.resolve(\.fireAndForget)(priority: .low) { try? await gate.wait() }
        await gate.waiters(reach: 1)
      }
    }
    gate.open()
    #expect(
      issues == [
        "Work that was started under the layer still runs at its end.",
        "1 task still waits for a gate at the end of the test.",
      ])
  }

  @Test func `is not cancelled with its caller`() async {
    let seen = Spy<Bool, Void, Never>("seen(_:)")
    await underLayer { _ in
    } operation: {
      let start = resolver.resolve(\.fireAndForget)
      await Task {
        withUnsafeCurrentTask { $0?.cancel() }
        start { seen(Task.isCancelled) }
      }
      .value
      #expect(await start.finished())
    }
    #expect(seen.calls == [false])
  }

  /// A test at its time limit is cancelled, and must end.
  @Test func `is not awaited by a cancelled task`() async {
    let (start, gate) = (BackgroundWork(), Gate())
    start { try? await gate.wait() }
    let early = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await start.finished()
    }
    #expect(await early.value == false)
    let late = Task { await start.finished() }
    late.cancel()
    #expect(await late.value == false)
    #expect(start.runningCount == 1)
    gate.open()
    #expect(await start.finished())
  }

  @Test func `is separate for each test`() async {
    let ofProduction = resolver.resolve(\.fireAndForget)
    await underLayer { _ in
    } operation: {
      #expect(resolver.resolve(\.fireAndForget) === resolver.resolve(\.fireAndForget))
      #expect(resolver.resolve(\.fireAndForget) !== ofProduction)
    }
  }
}
