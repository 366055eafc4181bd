// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyDoubles
import UnderstudyTesting

/// Expects two values to be equal.
func same<Value: Equatable>(
  _ value: Value, _ expected: Value, at location: SourceLocation = #_sourceLocation
) {
  #expect(value == expected, sourceLocation: location)
}

struct Plain: Error {}

extension Trait where Self == OverridesTrait {
  /// Calls without a stub are no issues: the test is about the values that they return.
  static var relaxed: Self { .overrides { $0.unstubbedPolicy = .relaxed } }
}
