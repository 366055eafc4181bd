// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyDoubles

/// A call of an `AsyncSpy` that runs when its double is finished.
@Suite struct `A call that has not returned` {
  private typealias Loads = AsyncSpy<Int, Int, any Error>

  @Test func `is reported with the place of its stub`() async throws {
    let gate = Gate()
    let line = #line
    var task: Task<Int, any Error>?
    let found = await asyncViolations { _ in
      let loads = Loads("load(_:)")
      loads.does { id in
        try await gate.wait()
        return id
      }
      task = Task.detached { try await loads(7) }
      await gate.waiters(reach: 1)
    }
    gate.open()
    _ = try await task?.value
    #expect(
      found == [
        """
        load(7) had not returned when its double was finished.
          Double      load(_:), made at UnderstudyDoublesTests/UnreturnedCallTests.swift:\(line + 3)
          Stubbed at  UnderstudyDoublesTests/UnreturnedCallTests.swift:\(line + 4)
        To fix:  Open its gate, cancel its task, or wait for it before the test ends.
        """
      ])
  }

  /// The effect runs when the waits for calls are woken, and the answer has not begun.
  @Test(arguments: ["does", "forwards", "returns"])
  func `is found as soon as a wait for calls has ended`(answer: String) async throws {
    let found = Lock<[String]>([])
    let layer = OverrideLayer.outermost()
    let value = try await OverrideLayer.binding(layer) {
      let loads = Loads("load(_:)")
      if answer == "forwards" { loads.forwards { $0 } } else { loads.does { $0 }.optional() }
      if answer == "returns" { loads.when(7).returns(7) }
      loads.when(.any).onCall { _ in
        let texts = layer.end().map(\.description.firstLine)
        found.withLock { $0 = texts }
      }
      return try await loads(7)
    }
    #expect(value == 7)
    // A value is there at once.
    let finding = "load(7) had not returned when its double was finished."
    #expect(found.withLock { $0 } == (answer == "returns" ? [] : [finding]))
  }

  @Test func `is found in each of many races`() async throws {
    for round in 1...300 { try await race(round) }
  }

  private func race(_ round: Int) async throws {
    let gate = Gate()
    var task: Task<Int, any Error>?
    let found = await asyncViolations { _ in
      let loads = Loads("load(_:)")
      loads.does { id in
        if id > 0 { try await gate.wait() }
        return id
      }
      // A later call need only be recorded and answered.
      await #expect(throws: Never.self) { _ = try await loads(0) }
      task = Task.detached { try await loads(round) }
      #expect(await loads.calls(reach: 2))
    }
    gate.open()
    _ = try await task?.value
    #expect(
      found.map(\.firstLine) == ["load(\(round)) had not returned when its double was finished."])
  }
}
