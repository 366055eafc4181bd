// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

// How doubles belong to layers and tests. Except for locks, messages and call sites, this file and
// LayerEnd have all uses of the core beyond its public interface.

/// The layer to which a double reports its violations.
enum DoubleOwner {
  /// No layer yet. The outermost layer adopts the double at its first use under a layer.
  case none
  /// The layer that finishes the double, unless the instance that contains the double turns out to
  /// belong to another layer.
  case layer(WeakLayer)
  /// The double was finished, and every further call is late. The end was early if the finishing
  /// layer is a scope in a test that continues.
  case finished(isEarly: Bool, by: String?)

  var isFinishedEarly: Bool { if case .finished(isEarly: true, _) = self { true } else { false } }

  /// The description of the layer that finished the double.
  var finisher: String? { if case .finished(_, let layer) = self { layer } else { nil } }

  var isFinished: Bool { if case .finished = self { true } else { false } }

  /// True if a call under a layer makes that layer finish the double.
  var mayChange: Bool { if case .none = self { TestHosts.areAny } else { false } }

  /// The layer that will finish the double.
  var layer: OverrideLayer? {
    if case .layer(let weak) = self { weak.layer } else { nil }
  }
}

/// A layer that is not retained.
struct WeakLayer {
  weak var layer: OverrideLayer?
}

extension OverrideLayer {
  /// True if the layer ends before its test. A layer of the test itself would be a boundary.
  var isOfScopeInTest: Bool { test != nil && boundaryLevel == 0 }

  /// The layer and its test, for messages.
  var ownerDescription: String {
    guard let test, test.name != name else { return "layer '\(name)'" }
    return "layer '\(name)' of test '\(test.name)'"
  }
}

extension CallRecorder: LayerParticipant {
  /// Makes the outermost layer of the caller finish this double, unless it already has a layer.
  func adoptIfNeeded() {
    if let layer = OverrideLayer.rootOfCaller { adopt(by: layer) }
  }

  /// Makes a layer finish this double, unless it already has a layer.
  func adopt(by layer: OverrideLayer) {
    let adopted = state.withLock { state in
      guard case .none = state.owner else { return false }
      state.belong(to: layer)
      return true
    }
    if adopted { layer.adopt(self) }
  }

  package func willBeFinished(by layer: OverrideLayer) {
    state.withLock { state in
      if !state.owner.isFinished { state.belong(to: layer) }
    }
  }

  /// Reports a violation to the layer that owns this double, or else to the caller's layer. Without
  /// a layer, keeps it for `finish`.
  func report(_ violation: Violation) {
    violation.report(to: owner) { violation in
      state.withLock { $0.untold.append(violation) }
    }
  }

  private var owner: OverrideLayer? {
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
    let layer = owner
    let isStrict = layer?.reportsUnaskedAnswers ?? false
    let options = layer?.options ?? .processDefault
    defer { if isOfLayer, let layer { releaseObjects(with: layer) } }
    let ending = state.withLock { $0.end(isOfLayer: isOfLayer) }
    defer { withExtendedLifetime(ending.released) {} }
    let unused = ending.unused.filter { !isMissed($0.stub, by: ending.unmet) }
    return ending.untold
      + unmetViolations(ending.unmet, diff: ending.diff)
      + unused.compactMap {
        unusedViolation($0.stub, hiddenBy: $0.hiddenBy, calls: ending.calls, under: options)
      }
      + (isStrict ? ending.unfinished.map(unfinishedViolation) : [])
      + ending.suspended.map(suspendedViolation)
  }

  /// The findings about missing expected calls. These can no longer be made, so no order waits for
  /// them.
  private func unmetViolations(
    _ unmet: [ExpectedCalls<Arguments>], diff: CallDiff
  ) -> [Violation] {
    for case let place? in unmet.map(\.place) { place.order.excuse(place.index) }
    return unmet.map { unmetViolation($0, diff: diff) }
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
      for violation in found where violation.severity != .error {
        writeToStandardError(violation.line)
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
      unusedViolation($0.stub, hiddenBy: $0.hiddenBy, calls: 0, under: .processDefault)
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
    return untold + unmetViolations(unmet, diff: expectations.diff)
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

/// The state that the doubles of one layer share: the policy for calls without a stub, and the
/// static doubles.
///
/// The layer retains it as a participant even after its end, so that a later call of a static
/// double is reported by the finished double. The table of all layers does not retain it.
final class LayerDoubles: LayerParticipant {
  private struct Shared {
    var policy: UnstubbedPolicy?
    var statics: [StaticKey: any Sendable] = [:]
  }

  struct StaticKey: Hashable {
    let owner: ObjectIdentifier
    let name: String
    let kind: ObjectIdentifier
  }

  struct Reference {
    weak var doubles: LayerDoubles?
  }

  static let all = Lock<[ObjectIdentifier: Reference]>([:])
  /// The static doubles for calls without a layer.
  static let process = LayerDoubles(nil)

  private let id: ObjectIdentifier?
  private let layer: Lock<WeakLayer>
  private let shared = Lock(Shared())

  private init(_ layer: OverrideLayer?) {
    id = layer.map(ObjectIdentifier.init)
    self.layer = Lock(WeakLayer(layer: layer))
  }

  deinit {
    guard let id else { return }
    // A newer layer may have the same address, and its entry must stay.
    let newer = Self.all.withLock { all in
      let newer = all[id]?.doubles
      if newer == nil { all[id] = nil }
      return newer
    }
    // This may be the last reference, and its deinit takes the lock.
    withExtendedLifetime(newer) {}
  }

  /// The shared state of the doubles of `layer`, created at its first use.
  static func of(_ layer: OverrideLayer) -> LayerDoubles {
    let id = ObjectIdentifier(layer)
    let (doubles, isNew) = all.withLock { all in
      if let doubles = all[id]?.doubles { return (doubles, false) }
      let doubles = LayerDoubles(layer)
      all[id] = Reference(doubles: doubles)
      return (doubles, true)
    }
    if isNew { layer.adopt(doubles) }
    return doubles
  }

  static func existing(of layer: OverrideLayer) -> LayerDoubles? {
    all.withLock { $0[ObjectIdentifier(layer)]?.doubles }
  }

  var policy: UnstubbedPolicy? {
    get { shared.withLock { $0.policy } }
    set { shared.withLock { $0.policy = newValue } }
  }

  func has(_ key: StaticKey) -> Bool { shared.withLock { $0.statics[key] != nil } }

  /// The static double for `key`, created by `make` at its first use. `make` runs outside any lock.
  /// If two threads race, one result is kept.
  func `static`<Double: Sendable>(_ key: StaticKey, make: () -> Double) -> Double {
    if let found = shared.withLock({ $0.statics[key] }) as? Double { return found }
    let made = make()
    let kept = shared.withLock { shared in
      let kept = shared.statics[key] ?? made
      shared.statics[key] = kept
      return kept
    }
    return kept as? Double ?? made
  }

  /// The layer finishes the static doubles itself.
  func finish() -> [Violation] {
    layer.withLock { $0.layer }?.adopt(self)
    return []
  }

  var outlastsEnd: Bool { true }
}

extension OverrideLayer {
  /// The policy for calls that no stub answers, for the doubles of this layer.
  ///
  /// Set it before the doubles are called. It does not affect a double that has a policy of its
  /// own. `nil`, the default, stands for the policy of the outer layer. If no layer has a policy,
  /// it is `.report`, and a double that returns nothing and has no stubs reports no call.
  public var unstubbedPolicy: UnstubbedPolicy? {
    get { LayerDoubles.existing(of: self)?.policy }
    set { LayerDoubles.of(self).policy = newValue }
  }
}

// Doubles of static requirements.
extension Spy where Arguments: Sendable, Output: Sendable {
  /// The double of a static requirement. The outermost layer of the test owns it, so all layers of
  /// a test share it, and parallel tests do not.
  ///
  /// ```swift
  /// static var nows: Spy<Void, Int, Never> { .static(of: Self.self, "now()") }
  /// static func now() -> Int { nows() }
  /// ```
  ///
  /// Without a layer, the process owns it.
  ///
  /// - `owner`: The double that has the requirement.
  /// - `name`: The requirement as Swift names it. The owner's other requirements have other names.
  /// - `unstubbed`: The policy for a call that no stub answers. `nil` leaves it to the layer.
  public static func `static`(
    of owner: Any.Type, _ name: String, unstubbed: UnstubbedPolicy? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) -> Spy {
    LayerDoubles.static(
      of: owner, name,
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    ) {
      Spy(
        name, unstubbed: unstubbed, fileID: fileID, filePath: filePath, line: line, column: column)
    }
  }

  /// The double of a static requirement, with a placeholder. A call that no stub answers returns
  /// the placeholder. It is still a violation, but does not trap.
  public static func `static`(
    of owner: Any.Type, _ name: String, placeholder: @autoclosure () -> Output,
    unstubbed: UnstubbedPolicy? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Spy {
    LayerDoubles.static(
      of: owner, name,
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    ) {
      Spy(
        name, placeholder: placeholder(), unstubbed: unstubbed, fileID: fileID, filePath: filePath,
        line: line, column: column)
    }
  }
}

extension AsyncSpy where Arguments: Sendable, Output: Sendable {
  /// The double of a static requirement. The outermost layer of the test owns it, so all layers of
  /// a test share it, and parallel tests do not.
  ///
  /// Without a layer, the process owns it.
  ///
  /// - `owner`: The double that has the requirement.
  /// - `name`: The requirement as Swift names it. The owner's other requirements have other names.
  /// - `unstubbed`: The policy for a call that no stub answers. `nil` leaves it to the layer.
  public static func `static`(
    of owner: Any.Type, _ name: String, unstubbed: UnstubbedPolicy? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) -> AsyncSpy {
    LayerDoubles.static(
      of: owner, name,
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    ) {
      AsyncSpy(
        name, unstubbed: unstubbed, fileID: fileID, filePath: filePath, line: line, column: column)
    }
  }

  /// The double of a static requirement, with a placeholder. A call that no stub answers returns
  /// the placeholder. It is still a violation, but does not trap.
  public static func `static`(
    of owner: Any.Type, _ name: String, placeholder: @autoclosure () -> Output,
    unstubbed: UnstubbedPolicy? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> AsyncSpy {
    LayerDoubles.static(
      of: owner, name,
      at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    ) {
      AsyncSpy(
        name, placeholder: placeholder(), unstubbed: unstubbed, fileID: fileID, filePath: filePath,
        line: line, column: column)
    }
  }
}

extension LayerDoubles {
  static func `static`<Double: Sendable & Verifiable>(
    of owner: Any.Type, _ name: String, at callSite: CallSite, make: () -> Double
  ) -> Double {
    let key = StaticKey(
      owner: ObjectIdentifier(owner), name: name, kind: ObjectIdentifier(Double.self))
    guard let layer = OverrideLayer.ofCaller?.root else {
      reportEscape(key, owner, at: callSite)
      return process.static(key, make: make)
    }
    return of(layer).static(key) {
      // The outermost layer owns a static double. So it is created without a layer, and not for an
      // instance in creation.
      let double = OverrideLayer.binding(nil, operation: make)
      if layer.scope.isEnded { _ = double.finish() }
      return double
    }
  }

  /// Reports escaped work that uses a static double of which running tests have their own. The work
  /// gets the process's double.
  private static func reportEscape(_ key: StaticKey, _ owner: Any.Type, at callSite: CallSite) {
    guard OverrideLayer.areAnyAlive, let host = TestHosts.current,
      host.testOfCallingTask() == nil
    else { return }
    let layers = LiveLayers.all.filter { existing(of: $0)?.has(key) ?? false }
    let tests = layers.sorted { $0.serial < $1.serial }.map { "'\($0.name)'" }
    TestHosts.reportOnRun(
      Violation(
        Message(
          "\(owner).\(key.name) was used by work that belongs to no test, and "
            + (tests.count == 1 ? "a running test has" : "running tests have")
            + " a double of its own.",
          facts: [
            Message.Fact("Double", "\(callSite)"),
            Message.Fact("Used by", tests.joined(separator: "\n")),
          ],
          remedies: [
            "Carry the context:  let context = OverrideContext.current … context.run { … }"
          ]),
        at: callSite),
      about: layers)
  }
}

extension OverrideLayer {
  /// Wraps the present answer for a type in a double, overrides the type with the double, and
  /// returns the double.
  ///
  /// ```swift
  /// let spy = try layer.spy(on: (any Mailer).self) { MailerSpy(forwardingTo: $0) }
  /// ```
  ///
  /// The wrapped instance is resolved now, once, with the overrides that this layer has so far. The
  /// layer owns both objects.
  ///
  /// - Parameters:
  ///   - type: The type of the wrapped instance.
  ///   - name: The name of its registration.
  ///   - container: The container of its registration.
  ///   - wrap: Gets the instance and creates the double.
  /// - Returns: The double.
  /// - Throws: `ResolutionError` if nothing is registered; `NotADouble` if the double is no `type`;
  ///   the error of `wrap`.
  @discardableResult
  public func spy<Service: Sendable, Double: Sendable>(
    on type: Service.Type, named name: (any Hashable & Sendable)? = nil,
    in container: (any Hashable & Sendable)? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    _ wrap: (Service) throws -> Double
  ) throws -> Double {
    let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let (double, service) = try wrapped(Key(named: name, in: container), at: callSite, wrap)
    register(
      service, named: name, in: container, fileID: fileID, filePath: filePath, line: line,
      column: column)
    return double
  }

  /// The same for a declared dependency: `layer.spy(on: \.mailer) { MailerSpy(forwardingTo: $0) }`.
  @discardableResult
  public func spy<Service: Sendable, Double: Sendable>(
    on dependency: (Dependencies.Type) -> Dependency<Service>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    _ wrap: (Service) throws -> Double
  ) throws -> Double {
    let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    // Production's default is alive only as long as the dependency of a computed static.
    let declared = Dependency.identified(dependency, at: callSite)
    defer { withExtendedLifetime(declared) {} }
    let (double, service) = try wrapped(declared.key, at: callSite, wrap)
    override(
      dependency, with: service, fileID: fileID, filePath: filePath, line: line, column: column)
    return double
  }

  private func wrapped<Service, Double>(
    _ key: Key<Service>, at callSite: CallSite, _ wrap: (Service) throws -> Double
  ) throws -> (Double, Service) {
    let double = try wrappingSoFar(key, at: callSite, wrap)
    guard let service = double as? Service else {
      throw NotADouble(double: Double.self, service: Service.self)
    }
    return (double, service)
  }
}

/// The error of a double that does not conform to the type that it should stand in for.
public struct NotADouble: Error, CustomStringConvertible {
  let double: any Any.Type
  let service: any Any.Type

  /// The names of both types.
  public var description: String {
    "'\(TypeDescription.of(double))' cannot stand in for '\(TypeDescription.of(service))': "
      + "it does not conform to it."
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

/// Reports a violation to the caller's test at once, since the process is about to end.
func reportBeforeTrap(_ violation: Violation) {
  TestHosts.current?.report(violation)
}

extension OverrideLayer {
  /// True if the layer reports answers of a sequence that were not given.
  var reportsUnaskedAnswers: Bool { options.weight(of: .unusedOverride) == .error }
}

extension CallSite {
  init(_ fileID: StaticString, _ filePath: StaticString, _ line: Int, _ column: Int) {
    self.init(fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
