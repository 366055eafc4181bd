// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

package import Understudy

/// Connects a fake to the layer that owns it: the layer that stores the instance the fake was
/// created for, or the layer that was current when the fake was created, or else the outermost
/// layer under which the fake is first used, if that ends with its test.
///
/// The layer calls `check` at its end. The fake reports its misuse here, from any thread.
package final class LayerEnd: LayerParticipant {
  private let check: @Sendable () -> [Violation]
  private let isCheckedWithoutLayer: Bool
  private let owner = Lock<Owner?>(nil)
  /// True if the test framework runs `check` at the end of a test that has no layer.
  private let isAwaitingTest = Lock(false)

  private struct Owner {
    var layer: WeakLayer
    /// True if the fake existed before it got the layer.
    var isOlder = false
    /// Describes the layer, once its test has ended.
    var finisher: String?
  }

  init(checkedWithoutLayer: Bool = false, _ check: @escaping @Sendable () -> [Violation]) {
    self.check = check
    isCheckedWithoutLayer = checkedWithoutLayer
  }

  deinit {
    if isCheckedWithoutLayer { checkWithoutLayer(isSkipped: false) }
  }

  /// Makes the layer call `check` at its end. With `checkedWithoutLayer`, `check` also runs without
  /// a layer: at the end of the case of XCTest that creates the fake or uses it first, or when the
  /// fake is released.
  @discardableResult
  package static func adopt(
    checkedWithoutLayer: Bool = false, _ check: @escaping @Sendable () -> [Violation] = { [] }
  ) -> LayerEnd {
    let end = LayerEnd(checkedWithoutLayer: checkedWithoutLayer, check)
    OverrideLayer.adoptMade(end)
    // Work that lost its context creates it, too.
    if let layer = OverrideLayer.rootOfCaller { end.adopt(by: layer, isOlder: false) }
    end.awaitEndOfTest()
    return end
  }

  /// Has the running case of XCTest call `check` at its end. No case runs yet if the fake is a
  /// property of one.
  private func awaitEndOfTest() {
    guard isCheckedWithoutLayer, StrayViolations.listener != nil, let host = TestHosts.current,
      isAwaitingTest.withLock({ !exchange(&$0, with: true) })
    else { return }
    let isKnown = host.atEndOfTest { [weak self] in self?.checkWithoutLayer(isSkipped: $0) }
    if !isKnown { isAwaitingTest.withLock { $0 = false } }
  }

  /// Calls `check` in place of a layer, unless there is one. After that, no layer adopts the fake.
  private func checkWithoutLayer(isSkipped: Bool) {
    let isFirst = owner.withLock { owner in
      if owner != nil { return false }
      owner = Owner(layer: WeakLayer(layer: nil), isOlder: true)
      return true
    }
    guard isFirst, let tell = StrayViolations.listener else { return }
    // It may also remove what the fake made.
    let violations = check()
    if !isSkipped { for violation in violations { tell(violation) } }
  }

  /// Has the outermost layer of the caller call `check` at its end, unless the fake has a layer. A
  /// fake calls this at each use that `check` is about.
  ///
  /// The test may still use the fake after a scope within the test.
  ///
  /// - Returns: False if that layer calls no check any more, since it is ending.
  @discardableResult
  package func adoptIfNeeded() -> Bool {
    guard let layer = OverrideLayer.rootOfCaller, !layer.isOfScopeInTest, !layer.isEnded else {
      awaitEndOfTest()
      return true
    }
    return adopt(by: layer, isOlder: true)
  }

  /// Has a layer call `check` at its end, unless the fake has a layer. False if it refuses.
  @discardableResult
  private func adopt(by layer: OverrideLayer, isOlder: Bool) -> Bool {
    let isAdopted = owner.withLock { owner in
      if owner != nil { return false }
      owner = Owner(layer: WeakLayer(layer: layer), isOlder: isOlder)
      return true
    }
    return !isAdopted || layer.adopt(self)
  }

  /// Reports misuse of the fake: on the test of its layer, else on the caller's test, else to
  /// standard error.
  package func report(_ message: Message, at callSite: CallSite) {
    Violation(message, at: callSite).report(to: layer)
  }

  private var layer: OverrideLayer? { owner.withLock { $0?.layer.layer } }

  package func willBeFinished(by layer: OverrideLayer) {
    owner.withLock { $0 = Owner(layer: WeakLayer(layer: layer)) }
  }

  package func willNotBeFinished(by layer: OverrideLayer) {
    owner.withLock { if $0?.layer.layer === layer { $0 = nil } }
  }

  /// Reports tasks that still wait at a fake.
  static func adopt(
    _ fake: String, madeAt: CallSite, remedy: String, waiting: @escaping @Sendable () -> Int
  ) -> LayerEnd {
    adopt {
      let count = waiting()
      guard count > 0 else { return [] }
      let tasks = count == 1 ? "1 task still waits" : "\(count) tasks still wait"
      return [
        Violation(
          Message(
            "\(tasks) for a \(fake) at the end of the test.",
            facts: [Message.Fact("Made at", "\(madeAt)")], remedies: [remedy]),
          at: madeAt)
      ]
    }
  }

  /// Reports tasks that did not arrive at a fake before the limit of a wait for them.
  ///
  /// - Returns: True if all of them arrived.
  func judge(_ arrival: Arrival, of wait: WaitForTasks) -> Bool {
    switch arrival {
    case .all: return true
    case .cancelled: return false
    case .some(let count):
      report(wait.message(arrived: count), at: wait.callSite)
      return false
    }
  }

  package func finish() -> [Violation] {
    // Set first: a task that `check` does not see waiting then sees the end. After a scope within
    // the test, the test may still use the fake.
    let finisher = layer.flatMap { $0.isOfScopeInTest ? nil : $0.ownerDescription }
    owner.withLock { $0?.finisher = finisher }
    return check()
  }

  /// Describes the layer whose test has ended: the caller's outermost layer `root`, or the layer of
  /// the fake. A fake that is older than its layer may go on in other tests.
  private func finisher(under root: OverrideLayer?, isRefused: Bool) -> String? {
    // In a preview, no test ends with a layer.
    guard TestHosts.areAny else { return nil }
    if let root, !root.isOfScopeInTest, root.isEnded || isRefused { return root.ownerDescription }
    return owner.withLock { owner in
      guard let owner, !owner.isOlder || root != nil && owner.layer.layer === root else {
        return nil
      }
      return owner.finisher
    }
  }
}

extension LayerEnd {
  /// Suspends a task at a fake until it passes, or is cancelled.
  ///
  /// If the test of the task or of the fake has ended, nothing may wake the task. It is reported
  /// and cancelled, so that its loops end.
  ///
  /// - Parameters:
  ///   - deed: What the task does, for the message: `slept on a manual clock`.
  ///   - passes: True if the task need not wait. Runs under the lock.
  /// - Returns: False if the task was cancelled.
  func wait<State, Place>(
    at waiting: any WritableKeyPath<State, Waiting<Place>> & Sendable, of state: Lock<State>,
    for place: Place, doing deed: String, madeAt: CallSite,
    unless passes: @Sendable (State) -> Bool
  ) async -> Bool where Place: Sendable {
    let root = OverrideLayer.rootOfCaller
    let isRefused = !adoptIfNeeded()
    let hasPassed = await state.wait(at: waiting) { state, id, wake in
      if passes(state) { return .passes }
      let isLate = self.finisher(under: root, isRefused: isRefused) != nil
      return isLate ? .refuses : state[keyPath: waiting].add(id, at: place, wake)
    }
    if hasPassed || Task.isCancelled { return hasPassed }
    if let finisher = finisher(under: root, isRefused: isRefused) {
      let message = Message(
        "A task \(deed) whose test has ended.",
        facts: [Message.Fact("Made at", "\(madeAt)"), Message.Fact("Finished by", finisher)],
        remedies: [
          "Wait for the task before the test ends, or cancel it.", "Make a new one for each test.",
        ])
      Violation(message, at: madeAt).report()
    }
    Task.cancelCaller()
    return false
  }
}

/// A wait for tasks at a fake, as a part of a message.
struct WaitForTasks {
  /// The number of tasks that were expected.
  let count: Int
  let limit: Duration
  /// The verb for one task, and for several: `sleeps` and `sleep`.
  let verbs: (one: String, several: String)
  /// The place of the tasks: `on the manual clock`.
  let place: String
  /// How to bring the tasks there.
  let remedies: [String]
  let madeAt: CallSite
  let callSite: CallSite
  var facts: [Message.Fact] = []

  func message(arrived: Int) -> Message {
    let verb = arrived == 1 || count == 1 ? verbs.one : verbs.several
    return Message(
      "\(arrived) of \(counted(count, "task")) \(verb) \(place) after \(limit).",
      facts: [Message.Fact("Waited at", "\(callSite)"), Message.Fact("Made at", "\(madeAt)")]
        + facts,
      remedies: remedies + ["Wait longer:  within: .seconds(30)"])
  }
}
