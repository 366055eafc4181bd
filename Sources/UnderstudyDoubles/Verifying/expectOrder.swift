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
/// - Returns: The violation, if any.
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

/// Expects that the doubles that the steps name were called exactly so, in this order, and not
/// once more.
///
/// ```swift
/// expectCalls { removes.called(with: 7, true); removes.called(with: 8, .any) }
/// ```
///
/// A violation is reported as one of `expectOrder`. For a double that must not have been called,
/// write `#expect(removes.calls.isEmpty)`.
///
/// - Returns: The violation, if any.
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

/// Verifies that the doubles that the steps name were called exactly so, in this order, and not
/// once more.
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
      ? [] : [violation(of: steps, calls, reached: reached, areAll: true, at: callSite)]
  }
  var reached: [UInt64] = []
  for step in steps {
    let last = reached.last ?? 0
    guard let tick = step.ticks.first(where: { $0 > last }) else {
      return [violation(of: steps, calls, reached: reached, at: callSite)]
    }
    reached.append(tick)
  }
  return []
}

/// The number of calls that a message shows. A difference takes quadratic memory.
private let shownLimit = 100

/// The violation of the first step that was not reached, or of all steps.
private func violation(
  of steps: [OrderStep], _ calls: [UInt64], reached: [UInt64], areAll: Bool = false,
  at callSite: CallSite
) -> Violation {
  // All steps may be reached, and calls be left.
  let step = steps[min(reached.count, steps.count - 1)]
  let unkept = areAll ? steps.reduce(0) { max($0, $1.unkept) } : step.unkept
  let doubles = NumberedDoubles(steps)
  let place = reached.isEmpty ? "" : " after \(doubles.text(of: steps[reached.count - 1]))"
  // The calls around the last reached step.
  let next = calls.firstIndex { $0 > reached.last ?? 0 } ?? calls.count
  let shown = calls[max(0, min(next - shownLimit / 2, calls.count - shownLimit))...]
    .prefix(shownLimit)
  // A call that matches a step has the step's token. Every other call has its own.
  let isShown = Set(shown)
  var (texts, tokens): ([UInt64: String], [UInt64: String]) = ([:], [:])
  var differences: [String] = []
  let matched = Set(steps.flatMap(\.ticks))
  for (index, step) in steps.enumerated().reversed() {
    for (tick, text, difference) in step.calls.texts(isShown) {
      texts[tick] = doubles.text(text, of: step.calls.double)
      guard areAll ? index >= reached.count : index == reached.count, let difference,
        !matched.contains(tick)
      else { continue }
      differences.append(difference())
    }
    let token = step.token
    for tick in step.ticks where isShown.contains(tick) { tokens[tick] = token }
  }
  for (step, tick) in zip(steps, reached) where isShown.contains(tick) {
    tokens[tick] = step.token
  }
  let actual = shown.map { tick in
    CallDiff.Line(token: tokens[tick] ?? "\(tick)", text: texts[tick] ?? "a forgotten call")
  }
  // The calls of the first steps may be too old to be shown, and those of the last steps too new.
  let hidden = reached.count { $0 < shown.first ?? 0 }
  var last = reached.last ?? 0
  let later = steps.dropFirst(reached.count + 1).prefix { step in
    guard let tick = step.ticks.first(where: { $0 > last }) else { return true }
    last = tick
    return tick <= shown.last ?? 0
  }
  let shownSteps = steps[hidden..<min(reached.count + 1, steps.count)] + later.prefix(shownLimit)
  let expected = shownSteps.map { CallDiff.Line(token: $0.token, text: doubles.text(of: $0)) }
  let diff = CallDiff(expected: expected, actual: actual, differences: differences)
  var facts = [Message.Fact("Expected at", "\(callSite)")] + diff.facts + doubles.facts
  if shown.count < calls.count {
    facts.append(Message.Fact("Not shown", counted(calls.count - shown.count, "call")))
  }
  // The call may have been dropped because of `keepsLast`.
  if unkept > 0 {
    facts.append(Message.Fact("Not kept", counted(unkept, "call")))
  }
  let text = doubles.text(of: step)
  let headline =
    areAll
    ? "The calls are not exactly the expected ones."
    : step.unkept > 0
      ? "\(text) is not among the calls that are kept\(place)."
      : step.ticks.isEmpty ? "\(text) was never called." : "\(text) was not called\(place)."
  return Violation(Message(headline, facts: facts), at: callSite)
}

/// Tells the doubles of each name apart, by numbers in the order of the steps.
private struct NumberedDoubles {
  private var doubles: [(calls: OrderedCalls, number: Int)] = []

  init(_ steps: [OrderStep]) {
    for calls in steps.map(\.calls)
    where !doubles.contains(where: { $0.calls.double == calls.double }) {
      doubles.append((calls, 1 + doubles.count { $0.calls.name == calls.name }))
    }
    let repeated = Set(doubles.filter { $0.number > 1 }.map(\.calls.name))
    doubles.removeAll { !repeated.contains($0.calls.name) }
  }

  func text(_ text: String, of double: ObjectIdentifier) -> String {
    doubles.first { $0.calls.double == double }.map { "\(text) of double \($0.number)" } ?? text
  }

  func text(of step: OrderStep) -> String { text(step.description, of: step.calls.double) }

  var facts: [Message.Fact] {
    guard !doubles.isEmpty else { return [] }
    // The spies of one type are made in the same line.
    let areDistinct =
      Set(doubles.map { "\($0.calls.name) \($0.calls.madeAt)" }).count == doubles.count
    let places = doubles.map { "\($0.number): \($0.calls.name), made at \($0.calls.madeAt)" }
    return [
      Message.Fact(
        "Doubles",
        areDistinct
          ? places.joined(separator: "\n") : "numbered as the steps first name them")
    ]
  }
}

/// A step of `expectOrder` or `expectCalls`: a call, in prose, and when it was made.
public struct OrderStep: Hashable, Sendable, CustomStringConvertible {
  /// The expected call: `fetch(7)`.
  public let description: String

  /// The ticks of the matching calls, oldest first.
  let ticks: [UInt64]
  /// All recorded calls of the same double.
  let calls: OrderedCalls
  /// The number of calls of the double that are not stored.
  let unkept: Int

  /// Distinguishes equal calls of two doubles.
  fileprivate var token: String { "\(calls.double) \(description)" }
}

/// The calls of a double, by their positions among the calls of all doubles. Only the calls that a
/// message shows are described.
struct OrderedCalls: Hashable, Sendable {
  let double: ObjectIdentifier
  let name: CallName
  let madeAt: CallSite
  let ticks: [UInt64]
  /// The texts of those calls that the double still has, and how one that prints like the step
  /// differs from it.
  let texts: @Sendable (Set<UInt64>) -> [(tick: UInt64, text: String, difference: (() -> String)?)]

  static func == (one: OrderedCalls, other: OrderedCalls) -> Bool { one.ticks == other.ticks }

  func hash(into hasher: inout Hasher) { hasher.combine(ticks) }
}
