// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyTesting

private let resolver = Resolver(named: "traits")
private let file = "UnderstudyTests/TraitTests.swift"

/// One trait that suites and tests share.
private let shared: OverridesTrait = .overrides(of: resolver) { $0.register(line: 701) { 1 } }

private func unused(in test: String, line: Int = 701) -> Caught {
  .warning(
    """
    The override of 'Int' was never resolved.
      Overridden  \(file):\(line)
      Layer       '\(test)' of the resolver 'traits'
    To fix, do one of these:
      • Remove it, or let the code under test ask for 'Int'.
      • Allow it:  .overrides(.check(.unusedOverride, .off)) { … }
    """, line: line)
}

/// Expects that later traits throw an error.
private struct ThrowingTrait: TestTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    await #expect(throws: Mishap()) { try await function() }
  }
}

@Suite(shared) struct `A trait of a suite and a test` {
  @Test(.catching()) func `need not be used by each test of the suite`() {}

  @Test(.catching(unused(in: "has to be used by the test")), shared)
  func `has to be used by the test`() {}

  @Test(
    .catching(unused(in: "has to be used by each case of the test")), shared, arguments: 1...2)
  func `has to be used by each case of the test`(index: Int) {}

  @Suite struct `of an inner suite` {
    @Test(.catching()) func `need not be used by each test of the inner suite`() {}

    @Test(.catching(unused(in: "has to be used by an inner test")), shared)
    func `has to be used by an inner test`() {}
  }

  @Suite(shared) struct `that has it, too` {
    @Test(.catching()) func `need not be used by each test of either suite`() throws {
      #expect(OverrideLayer.current?.stack.map(\.store.isBoundary) == [false, true])
    }

    @Test(.catching(unused(in: "has to be used by a test of both")), shared)
    func `has to be used by a test of both`() {}
  }
}

@Suite struct `A trait` {
  @Test(.catching(unused(in: "that other suites have, too, has to be used by a test")), shared)
  func `that other suites have, too, has to be used by a test`() {}

  /// No test could use the overrides.
  @Test(
    .catching(), ThrowingTrait(), .overrides(.strict, of: resolver) { $0.register { 1 } },
    .overrides(.strict, of: resolver) { $0.register { "unused" } },
    .overrides(of: resolver) { _ in throw Mishap() })
  func `reports no unused override if a later trait throws`() {
    Issue.record("It was run.")
  }

  /// An error of the test itself is different, since the test has run.
  @Test(
    .catching(unused(in: "reports unused overrides if the test throws", line: 702)),
    ThrowingTrait(),
    .overrides(of: resolver) { $0.register(line: 702) { 1 } })
  func `reports unused overrides if the test throws`() throws {
    throw Mishap()
  }
}
