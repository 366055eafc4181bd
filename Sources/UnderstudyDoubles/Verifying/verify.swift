// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

// These functions take whole doubles: the spies themselves, or objects and values that have spies.
// The spies are found in the stored properties of a double and of its superclasses: in nested
// objects, structures, tuples, collections, optionals and payloads of enumerations. So a property
// must not change meanwhile. The spies of static requirements belong to no double: `StaticSpyList`
// has those of a generated double.

/// Checks the expectations of every spy of some doubles now. You can go on using the doubles. The
/// check ends all expectations, even those that forbid calls.
///
/// The stored properties of the doubles are read. So if a double changes a property of its own
/// while it is called, wait for its calls first.
///
/// - Throws: The violations of all spies. A double without a spy is a violation, too. A property
///   that cannot be searched, such as a mutex, is reported as a warning.
public func verify(
  _ double: Any, _ others: Any..., fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: Int = #line, column: Int = #column
) throws(VerificationError) {
  var violations: [Violation] = []
  for double in [double] + others {
    let found = SpySearch(double)
    violations += found.errors(in: double, at: CallSite(fileID, filePath, line, column))
    for spy in found.spies {
      do throws(VerificationError) {
        try spy.verify()
      } catch {
        violations += error.violations
      }
    }
  }
  if !violations.isEmpty { throw VerificationError(violations) }
}

/// Finishes every spy of some doubles, in a test that has no layer.
///
/// - Returns: The violations of the spies. A double without a spy is a violation, too. A property
///   that cannot be searched, such as a mutex, is reported as a warning.
public func finish(
  _ double: Any, _ others: Any..., fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: Int = #line, column: Int = #column
) -> [Violation] {
  ([double] + others).flatMap { double in
    let found = SpySearch(double)
    return found.errors(in: double, at: CallSite(fileID, filePath, line, column))
      + found.spies.flatMap { $0.finish() }
  }
}

/// Makes each call of some doubles that is neither expected nor stubbed a violation.
public func strict(
  _ double: Any, _ others: Any..., fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: Int = #line, column: Int = #column
) {
  change([double] + others, at: CallSite(fileID, filePath, line, column)) { $0.beStrict() }
}

/// Makes each further call of some doubles that no expectation allows a violation.
public func expectNoMoreCalls(
  _ double: Any, _ others: Any..., fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: Int = #line, column: Int = #column
) {
  let callSite = CallSite(fileID, filePath, line, column)
  change([double] + others, at: callSite) { $0.expectNoMoreCalls(at: callSite) }
}

/// Forgets the calls, the stubs, the side effects, the expectations, the forwarding and the
/// strictness of some doubles, without a report.
public func reset(
  _ double: Any, _ others: Any..., fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: Int = #line, column: Int = #column
) {
  change([double] + others, at: CallSite(fileID, filePath, line, column)) { $0.reset() }
}

/// Forgets the calls of some doubles. The stubs and the expectations stay.
public func forgetCalls(
  _ double: Any, _ others: Any..., fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
) {
  change([double] + others, at: CallSite(fileID, filePath, line, column)) { $0.forgetCalls() }
}

/// Sets the policy of some doubles for calls that no stub answers. `nil` leaves it to their layer.
public func unstubbed(
  _ policy: UnstubbedPolicy?, _ double: Any, _ others: Any..., fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
) {
  change([double] + others, at: CallSite(fileID, filePath, line, column)) { $0.setPolicy(policy) }
}

private func change(
  _ doubles: [Any], at callSite: CallSite, _ body: (any RecorderControls) -> Void
) {
  for double in doubles {
    let found = SpySearch(double)
    for violation in found.problems(in: double, at: callSite) { violation.report() }
    for part in found.spies.flatMap(\.parts) { body(part.recorder) }
  }
}

/// The spies of a double.
private struct SpySearch {
  private(set) var spies: [any Verifiable] = []
  /// True if a spy is possible, even if none was created yet.
  private var hasPlace = false
  /// The places that reflection cannot see.
  private var hidden: [String] = []
  // The objects that were visited, since they may refer to each other.
  private var known: Set<ObjectIdentifier> = []

  // A graph of objects may be large, but the spies of a double are near its root.
  private static var depthLimit: Int { 16 }
  // If the first elements of a collection have no spy, the others have none either.
  private static var sampleCount: Int { 64 }

  init(_ double: Any) {
    search(double, at: "", depth: 0)
  }

  func problems(in double: Any, at callSite: CallSite) -> [Violation] {
    let name = TypeDescription.of(type(of: double))
    let hidden = hidden.map { path in
      Violation(
        Message(
          "'\(name)' may have a spy in '\(path)', which cannot be inspected.",
          facts: [Message.Fact("Verified at", "\(callSite)")],
          remedies: ["Verify that spy itself."]),
        severity: .warning, at: callSite)
    }
    guard spies.isEmpty, !hasPlace else { return hidden }
    return hidden + [
      Violation(
        Message(
          "'\(name)' cannot be verified: it has no spy.",
          facts: [Message.Fact("Verified at", "\(callSite)")],
          remedies: ["Verify the spies themselves, or the double that has them."]),
        at: callSite)
    ]
  }

  /// The problems that are errors. Reports the warnings.
  func errors(in double: Any, at callSite: CallSite) -> [Violation] {
    problems(in: double, at: callSite).filter { problem in
      if problem.severity == .error { return true }
      problem.report()
      return false
    }
  }

  /// Adds the spies of a value. Returns false if it cannot have any.
  @discardableResult
  private mutating func search(_ value: Any, at path: String, depth: Int) -> Bool {
    if let spy = value as? any Verifiable {
      spies.append(spy)
      return true
    }
    if let list = value as? any StaticSpyList {
      spies += list[all: ()]
      return true
    }
    if let optional = type(of: value) as? any OptionalValue.Type,
      optional.wrapped is any Verifiable.Type
    {
      hasPlace = true
    }
    guard depth < SpySearch.depthLimit else { return false }
    var mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .class {
      guard known.insert(ObjectIdentifier(value as AnyObject)).inserted else { return false }
    }
    var found = false
    if [.collection, .set, .dictionary].contains(mirror.displayStyle) {
      for (position, element) in mirror.children.enumerated() {
        if position >= SpySearch.sampleCount, !found { break }
        if search(element.value, at: "\(path)[\(position)]", depth: depth + 1) { found = true }
      }
      return found
    }
    while true {
      for child in mirror.children {
        let path = path.isEmpty ? child.label ?? "" : "\(path).\(child.label ?? "")"
        // Reflection shows an empty tuple for a noncopyable value such as a mutex.
        if child.value is Void, mirror.displayStyle != .tuple, depth < 2 { hidden.append(path) }
        if search(child.value, at: path, depth: depth + 1) { found = true }
      }
      guard let superclass = mirror.superclassMirror else { return found }
      mirror = superclass
    }
  }
}
