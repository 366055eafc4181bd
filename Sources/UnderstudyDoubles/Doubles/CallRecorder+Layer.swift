// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

extension CallRecorder: LayerParticipant {
  /// Makes the outermost layer finish this double, unless that has ended or the double already has
  /// a layer.
  func adoptIfNeeded() {
    guard let layer = OverrideLayer.rootOfCaller, !layer.isEnded else { return }
    let adopted = state.withLock { state in
      if state.owner.goesOn(in: layer.test) { state.owner = .none }
      guard case .none = state.owner else { return false }
      state.belong(to: layer, isOlder: true)
      return true
    }
    if adopted { layer.adopt(self) }
  }

  /// The same for the test's own preparation of the double, which may be between two scopes.
  func adoptForPreparing() {
    if state.withLock({ $0.owner.isLeft }), let host = TestHosts.current {
      let test = host.testOfCallingTask() ?? host.runningCase()
      state.withLock { if $0.owner.goesOn(in: test) { $0.owner = .none } }
    }
    adoptIfNeeded()
  }

  package func willBeFinished(by layer: OverrideLayer) {
    state.withLock { state in
      if !state.owner.isFinished { state.belong(to: layer, isOlder: false) }
    }
  }

  package func willNotBeFinished(by layer: OverrideLayer) {
    state.withLock { state in
      guard state.owner.layer === layer else { return }
      state.owner = .none
      state.refresh()
    }
  }

  /// Reports a violation to the layer that owns this double, or else to the caller's layer. Without
  /// a layer, keeps it for `finish`.
  func report(_ violation: Violation) {
    let owner = self.owner
    let isStray = owner == nil && OverrideLayer.ofCaller == nil && StrayViolations.listener != nil
    (isStray ? naming(madeIn, in: violation) : violation).report(to: owner) { violation in
      state.withLock { $0.untold.append(violation) }
    }
  }

  /// The calling test, if it has no layer.
  static var testWithoutLayer: RunningTest? {
    guard let host = TestHosts.current, OverrideLayer.ofCaller == nil else { return nil }
    return host.testOfCallingTask() ?? host.runningCase()
  }

  /// Names the test that has made the double in a violation which another test or the run gets,
  /// since the calling work does not know its test.
  func naming(_ test: RunningTest?, in violation: Violation) -> Violation {
    guard let test, let host = TestHosts.current,
      (host.testOfCallingTask() ?? host.runningCase())?.isSameTest(as: test) != true
    else { return violation }
    return violation.adding(Message.Fact("Made in", "test '\(test.name)'"))
  }

  var owner: OverrideLayer? {
    state.withLock { $0.owner.layer }
  }

  /// The policy of the double's layer, or of the caller's. A layer without a policy has that of the
  /// next layer below.
  var layerPolicy: UnstubbedPolicy? {
    guard let layer = owner ?? .ofCaller else { return nil }
    for layer in layer.stack {
      if let policy = layer.unstubbedPolicy { return policy }
    }
    return nil
  }

  /// Ends the double, and returns every violation that was not yet reported.
  package func finish() -> [Violation] { finish(isOfLayer: true) }

  /// The same, either by a layer at its end or by `finish()`.
  func finish(isOfLayer: Bool) -> [Violation] {
    HeldObjects.releasing { finishReleasing(isOfLayer: isOfLayer) }
  }

  private func finishReleasing(isOfLayer: Bool) -> [Violation] {
    let layer = owner
    let isStrict = layer?.reportsUnaskedAnswers ?? false
    let (ending, mustGiveAllAnswers) = state.withLock { state in
      if isStrict { state.mustGiveAllAnswers = true }
      return (state.end(isOfLayer: isOfLayer), state.mustGiveAllAnswers)
    }
    defer { withExtendedLifetime(ending.released) {} }
    let unused = ending.unused.filter { !isMissed($0.stub, by: ending.unmet) }
    return ending.untold
      + unmetViolations(ending.unmet, diff: ending.diff, in: layer)
      + unused.compactMap {
        unusedViolation($0.stub, hiddenBy: $0.hiddenBy, calls: ending.calls, in: layer)
      }
      + (mustGiveAllAnswers ? ending.unfinished.map(unfinishedViolation) : [])
      + ending.suspended.map(suspendedViolation)
  }

  /// The findings about missing expected calls. These can no longer be made, so no order waits for
  /// them.
  private func unmetViolations(
    _ unmet: [ExpectedCalls<Arguments>], diff: CallDiff, in layer: OverrideLayer?
  ) -> [Violation] {
    for case let place? in unmet.map(\.place) { place.order.excuse(place.index) }
    return unmet.map { unmetViolation($0, diff: diff, in: layer) }
  }

  /// True if the finding about a missing expected call already covers the unused stub.
  private func isMissed(
    _ stub: Stub<Arguments, Answer>, by unmet: [ExpectedCalls<Arguments>]
  ) -> Bool {
    unmet.contains { expectation in
      let (expected, stubbed) = (expectation.matcher, stub.matcher)
      // The texts of predicates and objects may be equal although these are not.
      let isComparable =
        expectation.madeAt == stub.madeAt || expected.hasExactTexts && stubbed.hasExactTexts
      return isComparable && expected.argumentTexts == stubbed.argumentTexts
    }
  }

  package func call(thatRecorded object: AnyObject) -> String? {
    let calls = state.withLock { $0.history.calls }
    return calls.first { isHeld(object, in: $0.arguments) }.map { name.call($0.arguments) }
  }

  /// Checks the expectations at the end of the test if no layer finishes the double, and the stubs
  /// if no call reaches it. Where that end is not known, the double is checked when it is released,
  /// or when the process ends.
  func checkAtEndOfTest() {
    guard StrayViolations.listener != nil, let host = TestHosts.current else { return }
    let isFirst = state.withLock { state in
      guard state.owner.isMissing, !state.isCheckedLater else { return false }
      state.isCheckedLater = true
      return true
    }
    guard isFirst else { return }
    let isKnown = host.atEndOfTest { [weak self] wasSkipped in
      guard let self, state.withLock({ $0.owner.isMissing }) else { return }
      if wasSkipped {
        // Nor is anything missing when the double is released.
        return state.withLock { $0.owner = .finished(by: nil) }
      }
      for violation in violationsWithoutLayer() { report(violation) }
    }
    if isKnown { return }
    checkAtExit(for: ObjectIdentifier(self)) { [weak self] in
      guard let self, state.withLock({ $0.owner.isMissing }) else { return [] }
      let found = violationsWithoutLayer()
      for violation in found {
        // The standard error of an exit test is hidden from its parent.
        if host.expectsExit { host.report(violation) }
        if violation.severity != .error { writeToStandardError(violation.line) }
      }
      return found.filter { $0.severity == .error }.map(\.line)
    }
  }

  /// The findings about a double that no layer finishes. Each is found once.
  func violationsWithoutLayer() -> [Violation] {
    verify() + unusedWithoutLayer() + unfinishedAfterScopes()
  }

  /// The findings about answers that no scope of the test has asked for.
  private func unfinishedAfterScopes() -> [Violation] {
    let unfinished = state.withLock { state in
      state.refresh()
      return state.mustGiveAllAnswers ? state.stubs.unfinished : []
    }
    for stub in unfinished { excuse(stub.id) }
    return unfinished.map(unfinishedViolation)
  }

  /// The findings about the stubs of a double that no call has reached, and so no layer either.
  private func unusedWithoutLayer() -> [Violation] {
    let (unused, wasCalled) = state.withLock {
      ($0.stubs.unused, $0.history.count > 0 || $0.hasForgottenCalls)
    }
    if wasCalled { return [] }
    for (stub, _) in unused { excuse(stub.id) }
    return unused.compactMap {
      unusedViolation($0.stub, hiddenBy: $0.hiddenBy, calls: 0)
    }
  }

  /// Checks the expectations now, forgets them, and returns every violation that was not yet
  /// reported.
  func verify() -> [Violation] {
    let (untold, expectations, stubs, isCheckedLater) = state.withLock { state in
      defer {
        state.untold = []
        // The calls so far are not too early for a later expectation.
        state.earlierCalls = state.history.count
        state.expectations.removeAll()
        state.isCheckedLater = false
      }
      return (state.untold, state.expectations, state.stubs.stubs, state.isCheckedLater)
    }
    if isCheckedLater { forgetCheckAtExit(for: ObjectIdentifier(self)) }
    // The expectations' matchers are user code, and are released here.
    defer { withExtendedLifetime(expectations) {} }
    let unmet = expectations.unmet
    for stub in stubs where isMissed(stub, by: unmet) { excuse(stub.id) }
    return untold + unmetViolations(unmet, diff: expectations.diff, in: owner)
  }
}

extension OverrideLayer {
  /// True if the layer reports answers of a sequence that were not given.
  var reportsUnaskedAnswers: Bool { options.weight(of: .unusedOverride) == .error }
}
