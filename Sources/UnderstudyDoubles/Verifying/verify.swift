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
///
/// It looks forward only, so it does not judge earlier calls. At the end of a test, write
/// `expectCalls(of:)`.
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
