// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

/// Verifies every spy of some doubles: the spies themselves, or the stored properties of a double
/// and of its superclasses, structures of spies among them.
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
/// and of its superclasses, structures of spies among them.
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
    found += level.children.flatMap { spies(inProperty: $0.value) }
    mirror = level.superclassMirror
  }
  return found
}

/// A property that is a spy, or a structure of spies, as generated doubles have one.
private func spies(inProperty value: Any) -> [any Verifiable] {
  if let spy = value as? any Verifiable { return [spy] }
  let mirror = Mirror(reflecting: value)
  guard mirror.displayStyle == .struct else { return [] }
  return mirror.children.flatMap { spies(inProperty: $0.value) }
}
