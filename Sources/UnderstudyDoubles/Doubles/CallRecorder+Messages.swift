// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

// The only place with the messages of doubles.
extension CallRecorder {
  func unstubbedViolation(
    _ call: Unanswered, isGet: Bool, hasLastResort: Bool, isTrapping: Bool, isReported: Bool
  ) -> Violation {
    let every = isGet ? "Stub every get:   .gets.returns(…)" : "Stub every call:  .returns(…)"
    let one =
      isGet
      ? "Set a value:      .value = …"
      : Self.areNone(call.arguments) ? nil : "Stub this call:   .when(…).returns(…)"
    let placeholder =
      "placeholder: …, where you write the spy yourself, or conform the returned type to HasPlaceholder"
    let remedy =
      switch (hasLastResort, isTrapping) {
      case (true, false): "Allow it:         unstubbed(.relaxed, double)"
      case (true, true): "Let it go on:     unstubbed(.report, double)"
      case (false, false): "Let it go on:     \(placeholder)"
      case (false, true): "Let it go on:     unstubbed(.report, double), and \(placeholder)"
      }
    let twin =
      call.hasNoStubs
      ? twin("has stubs", in: state.withLock { $0.owner.layer } ?? .ofCaller) {
        !$0.stubs.stubs.isEmpty
      } : .none
    return violation(
      "No stub answers \(name.call(call.arguments)).",
      facts: [
        Message.Fact("Stubs", call.misses.isEmpty ? "none" : Self.list(call.misses))
      ] + twin.facts,
      remedies: twin.remedies + [one, every, remedy].compactMap(\.self), ofCallAt: call.callSite,
      namesDouble: true, isReported: isReported)
  }

  /// The newest stubs, which are the last ones.
  private static func list(_ stubs: [String]) -> String {
    let limit = 20
    guard stubs.count > limit else { return stubs.joined(separator: "\n") }
    return (stubs.suffix(limit) + ["and \(stubs.count - limit) older ones"]).joined(separator: "\n")
  }

  /// The double whose stubs or calls this one lacks, as a part of a message.
  private struct Twin {
    var facts: [Message.Fact] = []
    var remedies: [String] = []
    static var none: Twin { Twin() }
  }

  /// Another double of the layer that the same line has made, if that one has what this one lacks.
  private func twin(
    _ advantage: String, in layer: OverrideLayer?,
    where isBetter: (inout RecorderState<Arguments, Answer>) -> Bool
  ) -> Twin {
    let twins = (layer?.participants ?? []).lazy.compactMap { $0 as? CallRecorder }
      .filter { $0 !== self && $0.madeAt == self.madeAt && $0.name == self.name }
    guard twins.contains(where: { $0.state.withLock(isBetter) }) else { return .none }
    let place = "\(twins.count + 1) made at \(madeAt)"
    // Each instance of the double's class is made at that place, by one block or by several.
    let isOfOneBlock = block.map { block in twins.contains { $0.block == block } } ?? false
    return Twin(
      facts: [Message.Fact("Doubles", "\(place): another \(advantage)")],
      remedies: [
        isOfOneBlock
          ? "One block made both, so share one double:  lifecycle: .cached"
          : "The code under test has another double: look where its key is overridden, and when."
      ])
  }

  private func calledTwin(insteadOf calls: Int, in layer: OverrideLayer?) -> Twin {
    calls > 0 ? .none : twin("was called", in: layer) { $0.history.count > 0 }
  }

  /// True if the calls have no arguments that a stub could choose.
  private static func areNone(_ arguments: Arguments) -> Bool {
    ((arguments as? any ArgumentsHolder)?.heldArguments ?? arguments) is Void
  }

  func unmetViolation(
    _ expectation: ExpectedCalls<Arguments>, diff: CallDiff, in layer: OverrideLayer?
  ) -> Violation {
    let (made, others) = (expectation.made, expectation.madeForOthers)
    let calls =
      switch (made, others) {
      case (0, 0): "was never called."
      case (_, 0): "was called \(CallCount.times(made))."
      default: "\(made) of \(made + others) matching calls counted for it."
      }
    let twin = calledTwin(insteadOf: made + others, in: layer)
    return Violation(
      Message(
        "\(expectation.text) was expected \(expectation.count), and \(calls)",
        facts: [Message.Fact("Expected at", "\(expectation.madeAt)")] + diff.facts + twin.facts,
        remedies: twin.remedies),
      ofExpectation: true, at: expectation.madeAt)
  }

  func excessiveViolation(
    _ expectation: ExpectedCalls<Arguments>, call: String, diff: CallDiff, at callSite: CallSite
  ) -> Violation {
    let made =
      CallCount.times(expectation.made)
      + (expectation.madeForOthers > 0 ? " beyond the calls of other expectations" : "")
    let expected = "\(expectation.text) \(expectation.count.expectation)"
    let headline =
      if expectation.forbidsMore {
        "\(call) is one call too many: no more calls were expected."
      } else if call == expectation.text {
        "\(call) was called \(made), and "
          + (expectation.count == .never ? "no call was expected." : "\(expected).")
      } else {
        // The count includes all calls that match the expectation. This may be the first with its
        // arguments.
        "\(call) is one call too many: \(expected), and was called \(made)."
      }
    return violation(
      headline, facts: [Message.Fact("Expected at", "\(expectation.madeAt)")] + diff.facts,
      ofCallAt: callSite)
  }

  func disorderedViolation(
    _ expectation: ExpectedCalls<Arguments>, call: String, problem: String, at callSite: CallSite
  ) -> Violation {
    violation(
      "\(call) was called out of order: \(problem).",
      facts: [Message.Fact("Expected at", "\(expectation.madeAt)")], ofCallAt: callSite)
  }

  func releasedViolation(_ count: Int) -> Violation {
    let owner = state.withLock { $0.owner }
    let isOne = count == 1
    return Violation(
      Message(
        "\(counted(count, "call")) of \(name) \(isOne ? "was" : "were") released at the end of"
          + " the test, with the objects in \(isOne ? "its" : "their") arguments.",
        facts: [Message.Fact("Made at", "\(madeAt)")]
          + (owner.finisher.map { [Message.Fact("Finished by", $0.description)] } ?? []),
        remedies: [
          "Read the calls before the test ends.", "Read callCount, which stays exact.",
        ]),
      at: madeAt)
  }

  func unusedViolation(
    _ stub: Stub<Arguments, Answer>, hiddenBy: Stub<Arguments, Answer>?, calls: Int,
    in layer: OverrideLayer? = nil
  ) -> Violation? {
    let text = name.call(texts: stub.matcher.texts)
    var facts = [
      Message.Fact("Stubbed at", "\(stub.madeAt)"),
      Message.Fact("Calls", calls == 0 ? "none" : counted(calls, "call")),
    ]
    let twin = calledTwin(insteadOf: calls, in: layer)
    facts += twin.facts
    var remedies = twin.remedies + ["Remove it, or make the call that it is for."]
    if let hiddenBy {
      let hiding = name.call(texts: hiddenBy.matcher.texts)
      facts.append(
        Message.Fact("Hidden by", "the newer stub of \(hiding), made at \(hiddenBy.madeAt)"))
      remedies =
        twin.remedies + [
          hiddenBy.matcher.isSame(as: stub.matcher)
            ? "Remove it, or write both as one stub:  .returns(…, then: …)"
            : "Stub any arguments first and special arguments after that: the newest stub wins."
        ]
    }
    if let impossible = stub.matcher.impossible {
      facts.append(Message.Fact("Never matches", impossible.reason))
      remedies = twin.remedies + [impossible.remedy]
    }
    return Violation(
      Message(
        "The stub of \(text) answered no call.", facts: facts,
        remedies: remedies + ["Allow it:  .optional()"]),
      of: .unusedStub, under: layer?.options ?? .processDefault, at: stub.madeAt)
  }

  func unfinishedViolation(_ stub: Stub<Arguments, Answer>) -> Violation {
    let (left, all) = (stub.unaskedAnswers, counted(stub.answerCount, "answer"))
    return Violation(
      Message(
        "\(left) of \(all) of the stub of \(name.call(texts: stub.matcher.texts)) "
          + (left == 1 ? "was" : "were") + " not asked for.",
        facts: [Message.Fact("Stubbed at", "\(stub.madeAt)")],
        remedies: ["Remove them, or make the calls that they are for.", "Allow it:  .optional()"]),
      ofOmission: true, at: stub.madeAt)
  }

  func uselessStubViolation(
    _ matcher: ArgumentsMatcher<Arguments>, _ times: Int, at callSite: CallSite
  ) -> Violation {
    Violation(
      Message(
        "The stub of \(name.call(texts: matcher.texts)) can answer no call: it is for \(times).",
        facts: [Message.Fact("Stubbed at", "\(callSite)")],
        remedies: ["Stub a number of calls from 1, or leave it out."]),
      at: callSite)
  }

  func changedTypeViolation(
    _ type: Any.Type?, to matcher: ArgumentsMatcher<Arguments>, at callSite: CallSite
  ) -> Violation {
    let new = matcher.requestedType.map { "\($0)" } ?? "any"
    return Violation(
      Message(
        "A chain of stubs of \(name.call(texts: matcher.argumentTexts)) changes its type from "
          + "\(type.map { "\($0)" } ?? "any") to \(new).",
        facts: [Message.Fact("Stubbed at", "\(callSite)")],
        remedies: [
          "Stub each type in a statement of its own.",
          "Say the type of an error:  .throws(…, as: \(new).self)",
        ]),
      at: callSite)
  }

  func thrownViolation(
    _ error: any Error, by arguments: Arguments, at callSite: CallSite
  ) -> Violation {
    violation(
      "The stub of \(name.call(arguments)) threw an error, and the call cannot throw.",
      facts: [Message.Fact("Error", "\(error)")],
      remedies: [
        "Stub this call:  " + (Self.areNone(arguments) ? ".returns(…)" : ".when(…).returns(…)")
      ], ofCallAt: callSite)
  }

  func suspendedViolation(_ call: SuspendedCall) -> Violation {
    Violation(
      Message(
        "\(call.text) had not returned when its double was finished.",
        facts: [Message.Fact("Double", "\(name), made at \(madeAt)")]
          + (call.stubbedAt.map { [Message.Fact("Stubbed at", "\($0)")] } ?? []),
        remedies: ["Open its gate, cancel its task, or wait for it before the test ends."]),
      at: madeAt)
  }

  /// The finding about a call after the end of the double.
  ///
  /// - Parameters:
  ///   - isTrapping: Whether the call ends the process.
  ///   - hasPolicy: Whether the policy of the double is the reason for that.
  func lateViolation(
    _ arguments: Arguments, isTrapping: Bool = false, hasPolicy: Bool = false,
    at callSite: CallSite
  ) -> Violation {
    let call = name.call(arguments)
    let (owner, hasReleased) = state.withLock { ($0.owner, $0.hasReleasedHandlers) }
    var facts = [Message.Fact("Double", "\(name), made at \(madeAt)")]
    facts += owner.finisher.map { [Message.Fact("Finished by", $0.description)] } ?? []
    if isTrapping, hasReleased {
      facts.append(
        Message.Fact("Released", "its handlers and predicates, when it was finished"))
    }
    var remedies = Self.remediesAfterEnd(by: owner.finisher)
    if isTrapping {
      // A late call keeps values, which a placeholder is, too.
      remedies.append(
        "For a late call:  .returns(…)" + (hasPolicy ? "" : ", or placeholder: …"))
    }
    return violation(
      "\(call) was called after its double was finished.", facts: facts, remedies: remedies,
      ofCallAt: callSite)
  }

  /// The remedies for the use of a double after its end.
  static func remediesAfterEnd(by finisher: Finisher?) -> [String] {
    guard let finisher else {
      return [
        "To check it and go on using it:  try verify(double)", "Make a new double for each test.",
      ]
    }
    let layerOfTest = "@Test(.overrides()), or OverridesTestCase"
    let inTime = "Use it before the layer that finished it ends."
    switch finisher.caller {
    case .test where finisher.isOfOlder:
      return [
        "Have the test finish it, not the layer that it was first used under:  \(layerOfTest)",
        "Make a new double for each layer.",
      ]
    case .test:
      return [
        inTime, "Make it before that layer, and have the test finish it:  \(layerOfTest)",
      ]
    case .layerOfTest:
      return [inTime, "Make it before that layer: an outer layer finishes it then."]
    case .unknown:
      return [inTime, "Make a new double for each test."]
    case .otherTest:
      return [
        "Resolve it when it is needed: a static or a global keeps the double of an earlier test.",
        "Make a new double for each test.",
      ]
    case .workAfterTest:
      return [
        "Wait for the work that uses it before the test ends.", "Make a new double for each test.",
      ]
    }
  }

  func reportUnexpectedCall(_ arguments: Arguments, misses: [String], at callSite: CallSite) {
    let call = name.call(arguments)
    let (expected, diff, isOfProperty, returnsNothing) = state.withLock { state in
      (
        state.expectations.expectations.map { "\($0.text) \($0.count)" }, state.expectations.diff,
        state.property != nil, state.free != nil
      )
    }
    var facts = [
      Message.Fact("Expected", expected.isEmpty ? "none" : expected.joined(separator: "\n"))
    ]
    if !misses.isEmpty {
      facts.append(Message.Fact("Stubs", Self.list(misses)))
    }
    if !expected.isEmpty { facts += diff.facts }
    let areNone = Self.areNone(arguments)
    let part = isOfProperty ? (areNone ? ".gets" : ".sets") : ""
    let chosen = part + (areNone ? "" : ".when(…)")
    let answer = returnsNothing ? ".returns()" : ".returns(…)"
    report(
      violation(
        "\(call) is unexpected: the double is strict.", facts: facts,
        remedies: ["Expect it:  \(chosen).expects(.once)", "Stub it:    \(chosen)\(answer)"],
        ofCallAt: callSite))
  }

  /// The violation of a call in progress that a cassette cannot answer.
  func violation(_ error: CassetteError) -> Violation {
    let caller = TestHosts.current?.callerOfDouble()
    var message = error.message
    if let caller { message.facts.insert(Message.Fact("Called at", "\(caller)"), at: 0) }
    return Violation(message, at: madeAt, calledFrom: caller)
  }

  /// A violation of the call in progress, at the place of the code that calls the double. If that
  /// is unknown, the place is that of the call in the double, or of the double itself.
  private func violation(
    _ headline: String, facts: [Message.Fact] = [], remedies: [String] = [],
    ofCallAt callSite: CallSite, namesDouble: Bool = false, isReported: Bool = true
  ) -> Violation {
    // The stack is read for a report alone.
    let caller = isReported ? TestHosts.current?.callerOfDouble() : nil
    let isPlaceOfDouble = caller == nil && callSite == madeAt
    let label = isPlaceOfDouble ? "Made at" : "Called at"
    var places = [Message.Fact(label, caller.map { "\($0)" } ?? "\(callSite)")]
    // Several types may have a requirement of this name. A line of the double's own file names it.
    if namesDouble, caller != nil || callSite.fileID != madeAt.fileID {
      places.append(Message.Fact("Double", "\(name), made at \(madeAt)"))
    }
    return Violation(
      Message(headline, facts: places + facts, remedies: remedies), at: callSite,
      calledFrom: caller)
  }
}
