// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

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
          "A layer around a suite belongs to none of its tests, which would share its counts.\n"
            + "  Suite  'A suite with a layer around it'\n  At     UnderstudyTests/SuiteLayerTests.swift:"
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
}
