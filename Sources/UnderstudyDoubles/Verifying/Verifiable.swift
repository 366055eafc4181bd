// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

/// A double that is checked at its end.
///
/// You do not conform to it: the global functions `verify`, `finish`, `reset`, `strict`,
/// `unstubbed` and `expectNoMoreCalls` take a double of yours and find the spies in it.
public protocol Verifiable {
  /// The recorded requirements of the double: one, or the gets and the sets of a property.
  var parts: [DoubleControls] { get }
}

extension Verifiable {
  /// Ends the use of the double, in a test that has no layer.
  ///
  /// - Returns: Unmet expectations, unused stubs, calls that have not returned, and every violation
  ///   that was not reported when it happened. A second call returns only later violations.
  public func finish() -> [Violation] {
    parts.flatMap { $0.recorder.finish(isOfLayer: false) }
  }

  /// Checks the expectations now. They are not checked again at the end, and you can go on using
  /// the double. The check ends all expectations, even those that forbid calls.
  ///
  /// - Throws: Unmet expectations, and every violation that was not reported when it happened.
  public func verify() throws(VerificationError) {
    let violations = parts.flatMap { $0.recorder.verify() }
    if !violations.isEmpty { throw VerificationError(violations) }
  }

  /// Forgets the calls, the stubs, the side effects, the expectations, the forwarding and the
  /// strictness, without a report. The policy for unstubbed calls, the limit of `keepsLast`, the
  /// snapshots of `recording` and the value of a property stay.
  public func reset() {
    for part in parts { part.recorder.reset() }
  }
}

/// The spies of the static requirements of a generated double, for the functions that take a whole
/// double: `strict(ClockDouble.spy)`.
public protocol StaticSpyList {
  /// All of them. A spy may have any name, so this is a subscript.
  subscript(all _: Void) -> [any Verifiable] { get }
}

/// The error of `verify`: every violation of a double.
///
/// Its description is the whole message; both test frameworks print it.
public struct VerificationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The violations, in the order in which they were found.
  public let violations: [Violation]

  /// The messages of the violations.
  public var description: String {
    violations.map(\.description).joined(separator: "\n")
  }

  init(_ violations: [Violation]) {
    self.violations = violations
  }
}
