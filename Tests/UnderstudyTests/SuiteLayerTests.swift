// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

@testable import Understudy

private struct Seat: Sendable {
  let number: Int
  init(_ number: Int) { self.number = number }
}

/// A trait that pushes a layer around a whole suite, or around each of its tests.
private struct Layered: SuiteTrait, TestTrait, TestScoping {
  let isRecursive: Bool

  @concurrent func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    if isRecursive {
      return try await withOverrides(.check(.unusedOverride, .off), { $0.register(Seat(1)) }) {
        try await function()
      }
    }
    try await withKnownIssue {
      try await withOverrides(.check(.unusedOverride, .off), { $0.register(Seat(1)) }) {
        try await function()
      }
    } matching: { issue in
      issue.comments.contains {
        $0.rawValue.hasPrefix(
          "A layer around a suite belongs to none of its tests, which share its instances and "
            + "counts.\n  Suite  'A suite with a layer around it'\n  At     UnderstudyTests/SuiteLayerTests.swift:"
        )
      }
    }
  }
}

@Suite(Layered(isRecursive: false)) struct `A suite with a layer around it` {
  @Test func `has an issue of its own`() throws {
    #expect(try Resolver.main.resolve(Seat.self).number == 1)
  }
}

/// A trait that uses layers before the tests of a suite run.
private struct Prepared: SuiteTrait, TestScoping {
  @concurrent func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let number = try withOverrides {
      $0.register(Seat(1))
    } operation: {
      try Resolver.main.resolve(Seat.self).number
    }
    let other = try await withOverrides {
      $0.register(Seat(2))
    } operation: {
      await Task.yield()
      return try Resolver.main.resolve(Seat.self).number
    }
    #expect([number, other] == [1, 2])
    try await function()
  }
}

/// A trait that pushes a layer around a suite whose tests have layers of their own.
private struct Surrounded: SuiteTrait, TestScoping {
  @concurrent func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await withOverrides(.check(.unusedOverride, .off), { $0.register(Seat(1)) }) {
      try await function()
    }
  }
}

@Suite(Prepared()) struct `A suite whose scope uses layers before its tests run` {
  @Test func `has no issue`() throws {
    #expect(OverrideLayer.current == nil)
  }
}

@Suite(Surrounded()) struct `A suite with a layer around it, whose tests have layers` {
  @Test(.overrides { $0.register(Seat(3)) })
  func `has no issue`() throws {
    #expect(try Resolver.main.resolve(Seat.self).number == 3)
    assertResolved(Seat.self, count: 1)
    let layer = try #require(OverrideLayer.current)
    #expect(layer.test?.name == "has no issue")
  }
}

@Suite(Layered(isRecursive: true)) struct `A suite with a layer around each test` {
  @Test(arguments: 0..<3)
  func `counts for each test`(number: Int) throws {
    #expect(try Resolver.main.resolve(Seat.self).number == 1)
    assertResolved(Seat.self, count: 1)
  }
}

/// A test that cancels itself has no findings about omissions.
@Suite struct `A test that cancels itself` {
  private final class Owner {
    @LazyInject var seat: Seat
  }

  @Test func `has no finding about a layer that it left to an object`() throws {
    let owner = withOverrides(.strict, until: .endOfTest) {
      $0.register(Seat(2))
    } operation: {
      Owner()
    }
    defer { withExtendedLifetime(owner) {} }
    try Test.cancel("it is not for this system")
  }

  /// The owner of a layer with an override that is never used.
  private func owner(_ line: Int) -> Owner {
    withOverrides(.strict, named: "left", until: .endOfTest, line: line) {
      $0.register(Seat(2), line: line)
    } operation: {
      Owner()
    }
  }

  @Test func `is not taken for another task that was cancelled and releases the object`()
    async throws
  {
    let unused = try await unusedOverrides {
      // The closure has the only reference, and lets go of it within the task.
      let task = Task { [made = owner(940)] in
        withUnsafeCurrentTask { $0?.cancel() }
        #expect(Task.isCancelled)
        withExtendedLifetime(made) {}
      }
      await task.value
    }
    #expect(unused == 1)
  }

  @Test func `is taken for the task that pushed the layer`() async throws {
    let unused = try await unusedOverrides {
      await Task {
        var made: Owner? = owner(941)
        withUnsafeCurrentTask { $0?.cancel() }
        made = nil
        withExtendedLifetime(made) {}
      }.value
    }
    #expect(unused == 0)
  }

  private func unusedOverrides(_ body: () async throws -> Void) async throws -> Int {
    let count = Transcript<String>()
    try await withKnownIssue(isIntermittent: true) {
      try await body()
    } matching: { issue in
      let text = issue.comments.map(\.rawValue).joined()
      if text.hasPrefix("The override of 'Seat' was never resolved.") { count.say(text) }
      return true
    }
    return count.all.count
  }
}
