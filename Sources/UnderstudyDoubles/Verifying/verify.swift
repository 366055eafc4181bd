// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

/// Verifies every spy of some doubles: the spies themselves, or the stored properties of a double
/// and of its superclasses, structures and collections of spies among them.
///
/// - Throws: What the spies complain about, all at once; also that a double has no spy, since nothing of it could fail.
public func verify(
  _ doubles: Any..., fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: Int = #line, column: Int = #column
) throws(VerificationError) {
  var violations: [Violation] = []
  for double in doubles {
    guard let spies = spies(of: double) else {
      violations.append(
        nothingToVerify(in: double, at: CallSite(fileID, filePath, line, column)))
      continue
    }
    for spy in spies {
      do throws(VerificationError) {
        try spy.verify()
      } catch {
        violations += error.violations
      }
    }
  }
  if !violations.isEmpty { throw VerificationError(violations) }
}

/// Finishes every spy of some doubles: the spies themselves, or the stored properties of a double
/// and of its superclasses, structures and collections of spies among them.
///
/// - Returns: What the spies have to say, and which doubles have no spy; empty if all is well.
public func finish(
  _ doubles: Any..., fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: Int = #line, column: Int = #column
) -> [Violation] {
  doubles.flatMap { double in
    spies(of: double)?.flatMap { $0.finish() }
      ?? [nothingToVerify(in: double, at: CallSite(fileID, filePath, line, column))]
  }
}

private func nothingToVerify(in double: Any, at callSite: CallSite) -> Violation {
  Violation(
    Message(
      "Nothing of '\(TypeDescription.of(type(of: double)))' can be verified: it has no spy.",
      facts: [Message.Fact("Verified at", "\(callSite)")],
      remedies: ["Verify the spies themselves, or the double that has them."]),
    at: callSite)
}

/// The spies of a double; `nil` if it has no property for one.
private func spies(of double: Any) -> [any Verifiable]? {
  if let spy = double as? any Verifiable { return [spy] }
  var found: [any Verifiable]?
  var mirror: Mirror? = Mirror(reflecting: double)
  while let level = mirror {
    for property in level.children {
      if let spies = spies(inProperty: property.value) { found = (found ?? []) + spies }
    }
    mirror = level.superclassMirror
  }
  return found
}

/// The spies of a property that is a spy, a structure of spies, as generated doubles have one, or a collection or tuple
/// of them; none yet of one that is made when it is needed.
private func spies(inProperty value: Any) -> [any Verifiable]? {
  if let spy = value as? any Verifiable { return [spy] }
  if let optional = type(of: value) as? any OptionalValue.Type {
    return optional.wrapped is any Verifiable.Type ? [] : nil
  }
  let mirror = Mirror(reflecting: value)
  switch mirror.displayStyle {
  case .struct, .tuple: return spies(inChildrenOf: mirror)
  case .collection, .set, .dictionary:
    // Where the first is or has none, none is looked at: there may be many.
    guard let first = mirror.children.first, spies(inProperty: first.value) != nil else {
      return nil
    }
    return spies(inChildrenOf: mirror)
  default: return nil
  }
}

private func spies(inChildrenOf mirror: Mirror) -> [any Verifiable]? {
  let all = mirror.children.compactMap { spies(inProperty: $0.value) }
  return all.isEmpty ? nil : all.flatMap(\.self)
}
