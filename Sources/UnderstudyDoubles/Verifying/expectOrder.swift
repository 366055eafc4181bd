// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

/// Collects the steps of `expectOrder` and `expectCalls`.
@resultBuilder
public enum OrderBuilder {
  /// One step.
  public static func buildExpression(_ step: OrderStep) -> [OrderStep] { [step] }
  /// The steps in the order in which they are written.
  public static func buildBlock(_ steps: [OrderStep]...) -> [OrderStep] { steps.flatMap(\.self) }
  /// The steps of a condition that holds, or no steps.
  public static func buildOptional(_ steps: [OrderStep]?) -> [OrderStep] { steps ?? [] }
  /// The steps of the first branch.
  public static func buildEither(first steps: [OrderStep]) -> [OrderStep] { steps }
  /// The steps of the second branch.
  public static func buildEither(second steps: [OrderStep]) -> [OrderStep] { steps }
  /// The steps of a loop.
  public static func buildArray(_ steps: [[OrderStep]]) -> [OrderStep] { steps.flatMap(\.self) }
}

/// Expects that calls of several doubles were made in an order. Other calls may lie between them.
///
/// ```swift
/// expectOrder { fetches.called(with: 7); removes.called() }
/// ```
///
/// A violation is reported on the test of the current layer. Without a layer or a test it is
/// written to standard error, so use the result, or `verifyOrder`. An order without a step is a
/// violation, too.
///
/// - Returns: An array with the violation, or an empty one.
@discardableResult
public func expectOrder(
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
  column: Int = #column, @OrderBuilder _ steps: () -> [OrderStep]
) -> [Violation] {
  let violations = violations(of: steps(), at: CallSite(fileID, filePath, line, column))
  for violation in violations { violation.report() }
  return violations
}

/// Verifies that calls of several doubles were made in an order. Other calls may lie between them.
///
/// - Throws: `VerificationError`, with the first step that was not made in its place.
public func verifyOrder(
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
  column: Int = #column, @OrderBuilder _ steps: () -> [OrderStep]
) throws(VerificationError) {
  let violations = violations(of: steps(), at: CallSite(fileID, filePath, line, column))
  if !violations.isEmpty { throw VerificationError(violations) }
}

/// Expects that the doubles named in the steps got exactly these calls, in this order, and no
/// others.
///
/// ```swift
/// expectCalls { removes.called(with: 7, true); removes.called(with: 8, .any) }
/// ```
///
/// Violations are reported in the same way as those of `expectOrder`. Calls of other doubles do not
/// count. `expectCalls(of:)` names the doubles, also those that must not have been called.
///
/// - Returns: An array with the violation, or an empty one.
@discardableResult
public func expectCalls(
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
  column: Int = #column, @OrderBuilder _ steps: () -> [OrderStep]
) -> [Violation] {
  let violations = violations(
    of: steps(), areAll: true, at: CallSite(fileID, filePath, line, column))
  for violation in violations { violation.report() }
  return violations
}

/// Expects that some doubles got exactly these calls, in this order, and no others. All spies of
/// the doubles count, and the gets and sets of their properties. Without a step, no call is
/// expected.
///
/// ```swift
/// expectCalls(of: store, mailer) {
///   store.spy.save.called(with: 7, .any)
///   mailer.spy.send.called(with: "saved")
/// }
/// ```
///
/// A step may name a spy of another double, whose calls then count, too. Violations are reported in
/// the same way as those of `expectOrder`. A double without a spy is a violation.
///
/// - Parameters:
///   - double: A spy, or an object or a value that has spies, as for `verify(_:_:)`.
///   - others: More doubles.
///   - steps: The calls, in their order.
/// - Returns: The violations, or an empty array.
@discardableResult
public func expectCalls(
  of double: Any, _ others: Any..., fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
  @OrderBuilder _ steps: () -> [OrderStep]
) -> [Violation] {
  let violations = violations(
    of: steps(), by: [double] + others, at: CallSite(fileID, filePath, line, column))
  for violation in violations { violation.report() }
  return violations
}

/// Verifies that some doubles got exactly these calls, in this order, and no others. All spies of
/// the doubles count, and the gets and sets of their properties. Without a step, no call is
/// expected.
///
/// - Parameters:
///   - double: A spy, or an object or a value that has spies, as for `verify(_:_:)`.
///   - others: More doubles.
///   - steps: The calls, in their order.
/// - Throws: `VerificationError`, with the difference.
public func verifyCalls(
  of double: Any, _ others: Any..., fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
  @OrderBuilder _ steps: () -> [OrderStep]
) throws(VerificationError) {
  let violations = violations(
    of: steps(), by: [double] + others, at: CallSite(fileID, filePath, line, column))
  if !violations.isEmpty { throw VerificationError(violations) }
}

/// Verifies that the doubles named in the steps got exactly these calls, in this order, and no
/// others.
///
/// - Throws: `VerificationError`, with the difference between the expected and the actual calls.
public func verifyCalls(
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
  column: Int = #column, @OrderBuilder _ steps: () -> [OrderStep]
) throws(VerificationError) {
  let violations = violations(
    of: steps(), areAll: true, at: CallSite(fileID, filePath, line, column))
  if !violations.isEmpty { throw VerificationError(violations) }
}

private func violations(
  of steps: [OrderStep], areAll: Bool = false, at callSite: CallSite
) -> [Violation] {
  guard !steps.isEmpty else {
    return [
      Violation(
        Message(
          "No \(areAll ? "call" : "order") is expected: there are no steps.",
          facts: [Message.Fact("Expected at", "\(callSite)")],
          remedies: [
            "Name the calls in their order:  fetches.called(with: 7)",
            "Name the doubles that expect no call:  expectCalls(of: store) {}",
          ]), at: callSite)
    ]
  }
  if areAll { return exactCallViolations(steps, at: callSite) }
  let impossible = steps.compactMap { $0.impossibleViolation(at: callSite) }
  if !impossible.isEmpty { return impossible }
  let calls = Set(steps.flatMap(\.calls.ticks)).sorted()
  var reached: [UInt64] = []
  for step in steps {
    let last = reached.last ?? 0
    guard let tick = step.ticks.first(where: { $0 > last }) else {
      return [UnmetOrder(steps, calls, reached: reached, areAll: false).violation(at: callSite)]
    }
    reached.append(tick)
  }
  return []
}

/// The findings about exact calls of whole doubles.
private func violations(
  of steps: [OrderStep], by doubles: [Any], at callSite: CallSite
) -> [Violation] {
  var violations: [Violation] = []
  var spies: [OrderStep] = []
  for double in doubles {
    let found = SpySearch(double)
    violations += found.errors(in: double, at: callSite)
    spies += found.spies.flatMap(\.parts).map(\.recorder.anyCall)
  }
  return violations + exactCallViolations(steps, of: spies, at: callSite)
}

private func exactCallViolations(
  _ steps: [OrderStep], of spies: [OrderStep] = [], at callSite: CallSite
) -> [Violation] {
  let impossible = steps.compactMap { $0.impossibleViolation(at: callSite) }
  if !impossible.isEmpty { return impossible }
  let named = spies + steps
  let calls = Set(named.flatMap(\.calls.ticks)).sorted()
  let reached = zip(steps, calls).prefix { $0.ticks.contains($1) }.map(\.1)
  let areExact = reached.count == steps.count && calls.count == steps.count
  if areExact, named.allSatisfy({ $0.unkept == 0 }) { return [] }
  return [
    UnmetOrder(steps, calls, reached: reached, areAll: true, spies: spies).violation(at: callSite)
  ]
}
