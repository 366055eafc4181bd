// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import UnderstudyDoubles

/// Makes doubles outside a layer keep their violations, as they do without an adapter. The tests
/// with this trait read them.
struct StrayViolationsKept: SuiteTrait, TestTrait, TestScoping {
  let isRecursive = true

  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    try await StrayViolations.$areKept.withValue(true) { try await function() }
  }
}

extension Trait where Self == StrayViolationsKept {
  static var strayViolationsKept: StrayViolationsKept { StrayViolationsKept() }
}
