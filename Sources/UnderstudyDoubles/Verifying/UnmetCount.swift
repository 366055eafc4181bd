// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// A number of calls that is not the expected one, and its message.
struct UnmetCount {
  private let call: OrderStep
  private let count: CallCount
  /// The number of matching calls. Calls that are not kept may match, too.
  private let made: ClosedRange<Int>
  /// The calls around the last matching one, which the message shows.
  private let shown: ArraySlice<UInt64>

  init(_ call: OrderStep, _ count: CallCount) {
    self.call = call
    self.count = count
    let all = call.ticks.count + call.unkept
    made = (call.isCatchAll ? all : call.ticks.count)...all
    shown = UnmetOrder.shown(of: call.calls.ticks, around: call.ticks.last)
  }

  /// Whether the count is the expected one, even if every call that is not kept matches.
  var isMet: Bool {
    !count.isImpossible && count.allows(made.lowerBound) && count.allows(made.upperBound)
  }

  func violation(at callSite: CallSite) -> Violation {
    if count.isImpossible {
      return Violation(
        Message(
          "The expectation of \(call) \(count) cannot be met: \(CallCount.impossible.reason).",
          facts: [Message.Fact("Expected at", "\(callSite)")],
          remedies: [CallCount.impossible.remedy]), at: callSite)
    }
    var facts = [
      Message.Fact("Expected at", "\(callSite)"),
      Message.Fact("Double", "\(call.calls.name), made at \(call.calls.madeAt)"),
    ]
    facts += diff.facts
    if shown.count < call.calls.ticks.count {
      let hidden = call.calls.ticks.count - shown.count
      facts.append(Message.Fact("Not shown", counted(hidden, "call")))
    }
    if call.unkept > 0 { facts.append(Message.Fact("Not kept", counted(call.unkept, "call"))) }
    return Violation(Message(headline, facts: facts), at: callSite)
  }

  private var headline: String {
    let expected = "\(call) \(count.expectation), and was"
    let isKnown = made.lowerBound == made.upperBound
    if isKnown, made.lowerBound == 0 { return "\(expected) never called." }
    return "\(expected) called \(CallCount.times(made.lowerBound))"
      + (isKnown ? "." : " among the calls that are kept.")
  }

  /// The calls of the double. The missing ones come after the last matching one.
  private var diff: CallDiff {
    let isShown = Set(shown)
    let matching = Set(call.ticks.prefix(count.most ?? .max))
    let all = Set(call.ticks)
    let missing = min(max(0, count.least - made.upperBound), UnmetOrder.shownLimit)
    var texts: [UInt64: String] = [:]
    var differences: [String] = []
    for (tick, text, difference) in call.calls.texts(isShown) {
      texts[tick] = text
      if missing > 0, let difference, !all.contains(tick) { differences.append(difference()) }
    }
    let actual = shown.map { tick in
      CallDiff.Line(token: "\(tick)", text: texts[tick] ?? "a forgotten call")
    }
    return CallDiff(
      expected: zip(shown, actual).filter { matching.contains($0.0) }.map(\.1)
        + (0..<missing).map { CallDiff.Line(token: "missing \($0)", text: call.description) },
      actual: actual, differences: differences)
  }
}
