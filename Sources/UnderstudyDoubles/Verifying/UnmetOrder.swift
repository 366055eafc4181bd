// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// An order of steps that the calls did not keep, and its message.
struct UnmetOrder {
  /// The number of calls that a message shows. A difference takes quadratic memory.
  static let shownLimit = 100

  private let steps: [OrderStep]
  /// A step for each spy whose calls count, also without another step.
  private let spies: [OrderStep]
  /// The ticks of all calls of the doubles that the steps name, oldest first.
  private let calls: [UInt64]
  /// The ticks of the calls that reached the first steps.
  private let reached: [UInt64]
  /// True for `expectCalls`: no other calls may lie between the steps.
  private let areAll: Bool
  private let doubles: NumberedDoubles
  /// The calls around the last reached step, which the message shows.
  private let shown: ArraySlice<UInt64>

  init(
    _ steps: [OrderStep], _ calls: [UInt64], reached: [UInt64], areAll: Bool,
    spies: [OrderStep] = []
  ) {
    self.steps = steps
    self.spies = spies
    self.calls = calls
    self.reached = reached
    self.areAll = areAll
    doubles = NumberedDoubles(spies + steps, areGiven: !spies.isEmpty)
    shown = UnmetOrder.shown(of: calls, around: reached.last)
  }

  /// The calls around one of them that a message shows. All calls are in their order.
  static func shown(of calls: [UInt64], around tick: UInt64?) -> ArraySlice<UInt64> {
    let next = calls.firstIndex { $0 > tick ?? 0 } ?? calls.count
    return calls[max(0, min(next - shownLimit / 2, calls.count - shownLimit))...]
      .prefix(shownLimit)
  }

  func violation(at callSite: CallSite) -> Violation {
    let (actual, differences) = actualCalls
    let diff = CallDiff(expected: expectedCalls, actual: actual, differences: differences)
    var facts = [Message.Fact("Expected at", "\(callSite)")] + diff.facts + doubles.facts
    if shown.count < calls.count {
      facts.append(Message.Fact("Not shown", counted(calls.count - shown.count, "call")))
    }
    if unkept > 0 { facts.append(Message.Fact("Not kept", counted(unkept, "call"))) }
    return Violation(Message(headline, facts: facts), at: callSite)
  }

  /// The first step that was not reached. If all are reached, and calls are left, the last one.
  private var step: OrderStep { steps[min(reached.count, steps.count - 1)] }

  /// The number of calls that a double dropped because of `keepsLast`: one of them may be missing.
  private var unkept: Int {
    areAll ? (spies + steps).reduce(0) { max($0, $1.unkept) } : step.unkept
  }

  private var headline: String {
    if areAll { return "The calls are not exactly the expected ones." }
    let text = doubles.text(of: step)
    let place = reached.isEmpty ? "" : " after \(doubles.text(of: steps[reached.count - 1]))"
    if unkept > 0 { return "\(text) is not among the calls that are kept\(place)." }
    return step.ticks.isEmpty ? "\(text) was never called." : "\(text) was not called\(place)."
  }

  /// The shown steps. The calls of the first steps may be too old to be shown, and those of the
  /// last steps too new.
  private var expectedCalls: [CallDiff.Line] {
    let hidden = reached.count { $0 < shown.first ?? 0 }
    var last = reached.last ?? 0
    let later = steps.dropFirst(reached.count + 1).prefix { step in
      guard let tick = step.ticks.first(where: { $0 > last }) else { return true }
      last = tick
      return tick <= shown.last ?? 0
    }
    let shownSteps = steps[hidden..<min(reached.count + 1, steps.count)]
    return (shownSteps + later.prefix(UnmetOrder.shownLimit)).map {
      CallDiff.Line(token: $0.token, text: doubles.text(of: $0))
    }
  }

  /// The shown calls, and how those that print like an unreached step differ from it. A call that
  /// matches a step has the step's token. Every other call has its own.
  private var actualCalls: (lines: [CallDiff.Line], differences: [String]) {
    let isShown = Set(shown)
    let matched = Set(steps.flatMap(\.ticks))
    var (texts, tokens): ([UInt64: String], [UInt64: String]) = ([:], [:])
    var differences: [String] = []
    for spy in spies {
      for (tick, text, _) in spy.calls.texts(isShown) {
        texts[tick] = doubles.text(text, of: spy.calls.double)
      }
    }
    for (index, step) in steps.enumerated().reversed() {
      let isUnreached = areAll ? index >= reached.count : index == reached.count
      for (tick, text, difference) in step.calls.texts(isShown) {
        texts[tick] = doubles.text(text, of: step.calls.double)
        if isUnreached, let difference, !matched.contains(tick) {
          differences.append(difference())
        }
      }
      for tick in step.ticks where isShown.contains(tick) { tokens[tick] = step.token }
    }
    for (step, tick) in zip(steps, reached) where isShown.contains(tick) {
      tokens[tick] = step.token
    }
    let lines = shown.map { tick in
      CallDiff.Line(token: tokens[tick] ?? "\(tick)", text: texts[tick] ?? "a forgotten call")
    }
    return (lines, differences)
  }
}

/// Tells the doubles of each name apart, by numbers in the order of the steps.
private struct NumberedDoubles {
  private var doubles: [(calls: OrderedCalls, number: Int)] = []
  /// Whether the steps begin with the doubles that the caller has passed.
  private let areGiven: Bool

  init(_ steps: [OrderStep], areGiven: Bool) {
    self.areGiven = areGiven
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
          ? places.joined(separator: "\n")
          : areGiven
            ? "numbered in the order of the arguments" : "numbered as the steps first name them")
    ]
  }
}
