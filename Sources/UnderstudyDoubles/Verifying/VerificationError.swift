// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

/// What `verify` throws: everything that a double has to complain about.
///
/// Its description is the whole message; both test frameworks print it.
public struct VerificationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong, in the order in which it was found.
  public let violations: [Violation]

  /// The messages of the violations.
  public var description: String {
    violations.map(\.description).joined(separator: "\n")
  }

  init(_ violations: [Violation]) {
    self.violations = violations
  }
}
