// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

/// Expects that a call was made a number of times: `.once`, `3`, `.never`.
///
/// ```swift
/// expectCalled(removes.called(with: 7, .any), 2)
/// ```
///
/// It looks back, where `expects` looks forward: write it after the calls. The violation shows the
/// calls of the double. It is reported on the test of the current layer. Without a layer or a test
/// it is written to standard error, so use the result, or `verifyCalled`.
///
/// - Parameters:
///   - call: The call: `removes.called(with: 7, .any)`.
///   - count: The number of times, or `.once`, which is the default.
/// - Returns: An array with the violation, or an empty one.
@discardableResult
public func expectCalled(
  _ call: OrderStep, _ count: CallCount = .once, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
) -> [Violation] {
  let violations = violations(of: call, count, at: CallSite(fileID, filePath, line, column))
  for violation in violations { violation.report() }
  return violations
}

/// Expects that a call was made a number of times that a variable holds.
///
/// - Parameters:
///   - call: The call: `removes.called(with: 7, .any)`.
///   - count: The number of times.
/// - Returns: An array with the violation, or an empty one.
@discardableResult
public func expectCalled(
  _ call: OrderStep, _ count: Int, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
) -> [Violation] {
  expectCalled(
    call, .exactly(count), fileID: fileID, filePath: filePath, line: line, column: column)
}

/// Expects that a call was made as often as a range says: `2...`, `1...3`.
///
/// - Parameters:
///   - call: The call: `removes.called(with: 7, .any)`.
///   - range: The accepted numbers of times.
/// - Returns: An array with the violation, or an empty one.
@discardableResult
public func expectCalled(
  _ call: OrderStep, _ range: some RangeExpression<Int>, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
) -> [Violation] {
  expectCalled(
    call, .between(range), fileID: fileID, filePath: filePath, line: line, column: column)
}

/// Verifies that a call was made a number of times: `.once`, `3`, `.never`.
///
/// - Parameters:
///   - call: The call: `removes.called(with: 7, .any)`.
///   - count: The number of times, or `.once`, which is the default.
/// - Throws: `VerificationError`, with the calls of the double.
public func verifyCalled(
  _ call: OrderStep, _ count: CallCount = .once, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
) throws(VerificationError) {
  let violations = violations(of: call, count, at: CallSite(fileID, filePath, line, column))
  if !violations.isEmpty { throw VerificationError(violations) }
}

/// Verifies that a call was made a number of times that a variable holds.
///
/// - Parameters:
///   - call: The call: `removes.called(with: 7, .any)`.
///   - count: The number of times.
/// - Throws: `VerificationError`, with the calls of the double.
public func verifyCalled(
  _ call: OrderStep, _ count: Int, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
) throws(VerificationError) {
  try verifyCalled(
    call, .exactly(count), fileID: fileID, filePath: filePath, line: line, column: column)
}

/// Verifies that a call was made as often as a range says: `2...`, `1...3`.
///
/// - Parameters:
///   - call: The call: `removes.called(with: 7, .any)`.
///   - range: The accepted numbers of times.
/// - Throws: `VerificationError`, with the calls of the double.
public func verifyCalled(
  _ call: OrderStep, _ range: some RangeExpression<Int>, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
) throws(VerificationError) {
  try verifyCalled(
    call, .between(range), fileID: fileID, filePath: filePath, line: line, column: column)
}

private func violations(
  of call: OrderStep, _ count: CallCount, at callSite: CallSite
) -> [Violation] {
  if let impossible = call.impossibleViolation(at: callSite) { return [impossible] }
  let unmet = UnmetCount(call, count)
  return unmet.isMet ? [] : [unmet.violation(at: callSite)]
}
