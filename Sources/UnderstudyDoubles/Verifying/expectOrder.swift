// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

/// Collects the steps of `expectOrder`.
@resultBuilder
public enum OrderBuilder {
  /// The steps in the order in which they are written.
  public static func buildBlock(_ steps: OrderStep...) -> [OrderStep] { steps }
}

/// Expects that calls were made in an order, across doubles; other calls may lie between them.
///
/// ```swift
/// expectOrder { fetches.called(with: 7); removes.called() }
/// ```
///
/// A violation goes to the current layer, which reports it at its end. Without a layer use the
/// result, or `verifyOrder`.
///
/// - Returns: The violation, if any.
@discardableResult
public func expectOrder(
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
  column: Int = #column, @OrderBuilder _ steps: () -> [OrderStep]
) -> [Violation] {
  let violations = violations(of: steps(), at: CallSite(fileID, filePath, line, column))
  for violation in violations {
    if let layer = OverrideLayer.ofCaller {
      layer.record(violation)
    } else {
      StrayViolations.listener?(violation)
    }
  }
  return violations
}

/// Verifies that calls were made in an order, across doubles; other calls may lie between them.
///
/// - Throws: The first step that was not made in its place.
public func verifyOrder(
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
  column: Int = #column, @OrderBuilder _ steps: () -> [OrderStep]
) throws(VerificationError) {
  let violations = violations(of: steps(), at: CallSite(fileID, filePath, line, column))
  if !violations.isEmpty { throw VerificationError(violations) }
}

private func violations(of steps: [OrderStep], at callSite: CallSite) -> [Violation] {
  var reached: UInt64 = 0
  var previous: OrderStep?
  for step in steps {
    guard let tick = step.ticks.first(where: { $0 > reached }) else {
      return [violation(of: step, after: previous, in: steps, at: callSite)]
    }
    reached = tick
    previous = step
  }
  return []
}

private func violation(
  of step: OrderStep, after previous: OrderStep?, in steps: [OrderStep], at callSite: CallSite
) -> Violation {
  let place = previous.map { " after \($0)" } ?? ""
  let calls = Set(steps.flatMap(\.calls)).sorted { $0.tick < $1.tick }
  // A call that one of the steps means, has that step's token; every other call its own.
  let actual = calls.map { call in
    let meant = steps.first { $0.ticks.contains(call.tick) }
    return CallDiff.Line(token: meant?.description ?? "\(call.tick)", text: call.text)
  }
  let expected = steps.map { CallDiff.Line(token: $0.description, text: $0.description) }
  var facts = [
    Message.Fact("Expected at", "\(callSite)"),
    Message.Fact("Calls", "\(CallDiff(expected: expected, actual: actual))"),
  ]
  // What `keepsLast` has dropped may have been the call.
  if step.unkept > 0 {
    facts.append(Message.Fact("Not kept", CallCount.calls(step.unkept)))
  }
  let headline =
    step.unkept > 0
    ? "\(step) is not among the calls that are kept\(place)."
    : step.ticks.isEmpty ? "\(step) was never called." : "\(step) was not called\(place)."
  return Violation(Message(headline, facts: facts), at: callSite)
}
