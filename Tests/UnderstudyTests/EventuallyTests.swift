// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting
import XCTest

private struct Unready: Error {}

/// Other tests expect that only they override a type of the main resolver.
private protocol Author: Sendable { var name: String { get } }
private struct AuthorDouble: Author { let name = "double" }

/// Loads a text in a task of its own, after its caller has gone on.
@MainActor private final class TextModel {
  @Inject var author: any Author
  private(set) var text: String?

  func load() {
    Task {
      await Task.yield()
      text = "loaded by \(author.name)"
    }
  }
}

private actor Counter {
  private(set) var count = 0
  func increment() -> Int {
    count += 1
    return count
  }
}

@Suite struct `A wait for state` {
  @Test @MainActor func `ends when a model on the main actor has changed`() async {
    await withOverrides {
      $0.register { AuthorDouble() as any Author }
    } operation: {
      let model = TextModel()
      model.load()
      #expect(await eventually { model.text != nil })
      #expect(model.text == "loaded by double")
    }
  }

  @Test func `takes an asynchronous condition and one that changes a local variable`() async {
    let counter = Counter()
    #expect(await eventually { await counter.increment() == 10 })
    #expect(await counter.count == 10)
    var checks = 0
    let isReached = await eventually {
      checks += 1
      return checks == 3
    }
    #expect(isReached && checks == 3)
  }

  @Test func `sees the layer of its caller`() async throws {
    try await withOverrides {
      $0.register { AuthorDouble() as any Author }
    } operation: {
      try await #expect(
        eventually { try Resolver.current.resolve((any Author).self).name == "double" })
    }
  }

  @Test(arguments: [Duration.zero, .seconds(-1)])
  func `checks once if there is no time`(limit: Duration) async {
    var checks = 0
    let isTrue = await eventually(within: limit) {
      checks += 1
      return false
    }
    #expect(!isTrue && checks == 1)
    #expect(await eventually(within: limit) { true })
  }

  @Test func `makes its last check when the limit has passed`() async {
    let (clock, limit) = (ContinuousClock(), Duration.milliseconds(5))
    let start = clock.now
    #expect(await eventually(within: limit) { start.duration(to: clock.now) >= limit })
    #expect(await !eventually(within: limit) { false })
  }

  /// The machine may be so busy that the limit has passed before the second check.
  @Test func `makes at least 20 checks, however slow they are`() async {
    var checks = 0
    let isTrue = await eventually(within: .nanoseconds(20)) {
      checks += 1
      return false
    }
    #expect(!isTrue && checks > 20)
  }

  @Test func `has no limit that is too long`() async {
    let longest = Duration(secondsComponent: .max, attosecondsComponent: 0)
    var checks = 0
    let isReached = await eventually(within: longest) {
      checks += 1
      return checks == 30
    }
    #expect(isReached)
  }

  @Test func `ends with the error of its condition`() async {
    await #expect(throws: Unready.self) {
      _ = try await eventually { throw Unready() }
    }
  }

  @Test func `ends with one more check if its task is cancelled`() async {
    let task = Task {
      var checks = 0
      let isTrue = await eventually {
        checks += 1
        if checks == 10 { withUnsafeCurrentTask { $0?.cancel() } }
        return false
      }
      return (isTrue, checks)
    }
    let (isTrue, checks) = await task.value
    #expect(!isTrue && checks == 11)
  }
}

/// The same in XCTest.
final class EventuallyCase: OverridesTestCase {
  override func overrides(_ layer: OverrideLayer) {
    layer.register { AuthorDouble() as any Author }
  }

  @MainActor func testAWaitEndsWhenTheModelHasChanged() async {
    let model = TextModel()
    model.load()
    let isLoaded = await eventually { model.text != nil }
    XCTAssertTrue(isLoaded)
  }
}
