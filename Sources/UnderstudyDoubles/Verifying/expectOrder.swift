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
/// Violations are reported in the same way as those of `expectOrder`. For a double that must not
/// have been called, write `#expect(removes.calls.isEmpty)`.
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
          remedies: ["Name the calls in their order:  fetches.called(with: 7)"]), at: callSite)
    ]
  }
  let calls = Set(steps.flatMap(\.calls.ticks)).sorted()
  if areAll {
    let reached = zip(steps, calls).prefix { $0.ticks.contains($1) }.map(\.1)
    let areExact = reached.count == steps.count && calls.count == steps.count
    return areExact && steps.allSatisfy { $0.unkept == 0 }
      ? [] : [UnmetOrder(steps, calls, reached: reached, areAll: true).violation(at: callSite)]
  }
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
