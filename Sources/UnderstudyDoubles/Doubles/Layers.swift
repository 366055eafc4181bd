// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

package import Understudy

// How doubles belong to layers and tests. Except for locks, messages and call sites, this file,
// LayerDoubles and LayerEnd have all uses of the core beyond its public interface.

/// The layer to which a double reports its violations.
enum DoubleOwner {
  /// No layer yet. The outermost layer adopts the double at its first use under a layer.
  case none
  /// The layer that finishes the double, unless the instance that contains the double turns out to
  /// belong to another layer. The double may be older than the layer, which is then the outermost
  /// one.
  case layer(WeakLayer, isOlder: Bool)
  /// A scope of a test, which may have more scopes, has checked the double. A further call is late,
  /// unless a later scope of the test adopts the double.
  indirect case left(RunningTest, by: String)
  /// The double was finished, and every further call is late. The end was early if the finishing
  /// layer is a scope in a test that continues.
  case finished(isEarly: Bool, by: String?)

  var isFinishedEarly: Bool {
    switch self {
    case .none, .layer: false
    case .left: true
    case .finished(let isEarly, _): isEarly
    }
  }

  /// The description of the layer that finished the double.
  var finisher: String? {
    switch self {
    case .none, .layer: nil
    case .left(_, let layer): layer
    case .finished(_, let layer): layer
    }
  }

  var isFinished: Bool {
    switch self {
    case .none, .layer: false
    case .left, .finished: true
    }
  }

  /// True if an older double goes on under a layer of this test.
  func goesOn(in test: RunningTest?) -> Bool {
    if case .left(let owner, _) = self { test?.isSameRun(as: owner) == true } else { false }
  }

  /// True if a call under a layer makes that layer finish the double.
  var mayChange: Bool { if case .none = self { TestHosts.areAny } else { false } }

  /// The layer that will finish the double.
  var layer: OverrideLayer? {
    if case .layer(let weak, _) = self { weak.layer } else { nil }
  }
}

/// A layer that is not retained.
struct WeakLayer {
  weak var layer: OverrideLayer?
}

extension OverrideLayer {
  /// The outermost layer of the caller. `nil` under the layer of the process alone, which does not
  /// end.
  static var rootOfCaller: OverrideLayer? {
    guard let root = ofCaller?.root, root !== ProcessLayer.current else { return nil }
    return root
  }

  /// True if the layer ends before its test. A layer of the test itself would be a boundary.
  var isOfScopeInTest: Bool { test != nil && !hasBoundary }

  /// The layer and its test, for messages.
  var ownerDescription: String {
    guard let test, test.name != name else { return "layer '\(name)'" }
    return "layer '\(name)' of test '\(test.name)'"
  }
}

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
    if state.withLock({ $0.owner.isFinishedEarly }), let host = TestHosts.current {
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
    violation.report(to: owner) { violation in
      state.withLock { $0.untold.append(violation) }
    }
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
    let ending = state.withLock { $0.end(isOfLayer: isOfLayer) }
    defer { withExtendedLifetime(ending.released) {} }
    let unused = ending.unused.filter { !isMissed($0.stub, by: ending.unmet) }
    return ending.untold
      + unmetViolations(ending.unmet, diff: ending.diff, in: layer)
      + unused.compactMap {
        unusedViolation($0.stub, hiddenBy: $0.hiddenBy, calls: ending.calls, in: layer)
      }
      + (isStrict ? ending.unfinished.map(unfinishedViolation) : [])
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
    unmet.contains { $0.matcher.argumentTexts == stub.matcher.argumentTexts }
  }

  package func call(thatRecorded object: AnyObject) -> String? {
    let calls = state.withLock { $0.history.calls }
    return calls.first { isHeld(object, in: $0.arguments) }.map { name.call($0.arguments) }
  }

  /// Has the expectations checked at the end of the test, if no layer finishes the double, and the
  /// stubs if no call reaches it. Where that end is not known, the double is checked when it is
  /// released, or when the process ends.
  func checkAtEndOfTest() {
    guard StrayViolations.listener != nil, let host = TestHosts.current else { return }
    let isFirst = state.withLock { state in
      guard case .none = state.owner, !state.isCheckedLater else { return false }
      state.isCheckedLater = true
      return true
    }
    guard isFirst else { return }
    let isKnown = host.atEndOfTest { [weak self] wasSkipped in
      guard let self, case .none = state.withLock({ $0.owner }) else { return }
      if wasSkipped {
        // Nor is anything missing when the double is released.
        return state.withLock { $0.owner = .finished(isEarly: false, by: nil) }
      }
      for violation in verify() + unusedWithoutLayer() { report(violation) }
    }
    if isKnown { return }
    checkAtExit(for: ObjectIdentifier(self)) { [weak self] in
      guard let self, case .none = state.withLock({ $0.owner }) else { return [] }
      let found = verify() + unusedWithoutLayer()
      for violation in found {
        // The standard error of an exit test is hidden from its parent.
        if host.expectsExit { host.report(violation) }
        if violation.severity != .error { writeToStandardError(violation.line) }
      }
      return found.filter { $0.severity == .error }.map(\.line)
    }
  }

  /// The findings about the stubs of a double that no call has reached, and so no layer either.
  /// Each stub is found once.
  func unusedWithoutLayer() -> [Violation] {
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

/// The destination for violations of doubles without a layer.
///
/// An adapter for a test framework may listen. Without one, each double keeps its violations until
/// `finish()` or `verify()`.
package enum StrayViolations {
  package typealias Listener = @Sendable (Violation) -> Void

  /// True in a task whose doubles keep their violations even if there is a listener.
  @TaskLocal package static var areKept = false

  // A structure, since each read of a function in a lock would wrap it once more.
  private struct Current: Sendable {
    var listener: Listener?
  }

  private static let current = Lock(Current())

  /// Called for each violation of a double without a layer, on the thread that caused it.
  package static var listener: Listener? {
    get { areKept ? nil : current.withLock { $0 }.listener }
    set { current.withLock { $0 = Current(listener: newValue) } }
  }
}

// MARK: Violations

extension Violation {
  /// Reports the violation to its layer, or else to the caller's layer or test. Without these,
  /// `orElse` gets it.
  func report(
    to owner: OverrideLayer? = nil,
    orElse report: (Violation) -> Void = { writeToStandardError($0.line) }
  ) {
    if let layer = owner ?? .ofCaller {
      layer.record(self)
    } else if let tell = StrayViolations.listener {
      tell(self)
    } else {
      report(self)
    }
  }
}

/// Reports a violation to the caller's test at once, since the process is about to end. Not in an
/// exit test, which expects the end and reads the output of the process.
func reportBeforeTrap(_ violation: Violation) {
  if let host = TestHosts.current, !host.expectsExit { host.report(violation) }
}

extension OverrideLayer {
  /// True if the layer reports answers of a sequence that were not given.
  var reportsUnaskedAnswers: Bool { options.weight(of: .unusedOverride) == .error }
}
