// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

/// Verifies every spy of some doubles: the spies themselves, or the stored properties of a double
/// and of its superclasses.
///
/// - Throws: What the spies complain about, all at once.
public func verify(_ doubles: Any...) throws(VerificationError) {
  var violations: [Violation] = []
  for spy in doubles.flatMap({ spies(of: $0) }) {
    do throws(VerificationError) {
      try spy.verify()
    } catch {
      violations += error.violations
    }
  }
  if !violations.isEmpty { throw VerificationError(violations) }
}

/// Finishes every spy of some doubles: the spies themselves, or the stored properties of a double
/// and of its superclasses.
///
/// - Returns: What the spies have to say; empty if all is well.
public func finish(_ doubles: Any...) -> [Violation] {
  doubles.flatMap { spies(of: $0) }.flatMap { $0.finish() }
}

private func spies(of double: Any) -> [any Verifiable] {
  if let spy = double as? any Verifiable { return [spy] }
  var found: [any Verifiable] = []
  var mirror: Mirror? = Mirror(reflecting: double)
  while let level = mirror {
    found += level.children.compactMap { $0.value as? any Verifiable }
    mirror = level.superclassMirror
  }
  return found
}
