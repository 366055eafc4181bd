// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Runs `operation` under a new layer of overrides.
///
/// The layer stands on the layers that the calling task sees. It holds for the task tree that runs
/// `operation`, and ends on every exit. The innermost layer that has a registration for a key
/// answers it. In a test, the violations of the layer are reported on the test.
///
/// - Parameters:
///   - options: The checks of the layer: `.strict`, `[.strict, .reportsSurvivors]`.
///   - resolver: The overridden resolver. By default the task's resolver.
///   - name: The name of the layer in messages. By default the place where it was pushed.
///   - isBoundary: True to start with empty caches, as the root layer of a test does. The layer
///     then owns every instance that is first created under it.
///   - end: When the layer ends: with the operation, or with the test.
///   - enforce: True if the override of a key that production does not know is an error.
///   - allowed: The types that may fall through to production under `.strict`.
///   - configure: Registers the overrides.
///   - operation: The code that sees the layer.
/// - Returns: The result of `operation`.
/// - Throws: The error of `configure` or of `operation`.
/// - Complexity: O(1) besides `configure` and `operation`, whatever the depth of the stack.
@discardableResult
public func withOverrides<Result>(
  _ options: OverrideOptions = [], of resolver: Resolver = .current, named name: String? = nil,
  isBoundary: Bool = false, until end: OverrideEnd = .endOfOperation, enforce: Bool = false,
  allowing allowed: any Any.Type..., fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
  _ configure: (OverrideLayer) throws -> Void, operation: () throws -> Result
) rethrows -> Result {
  let layer = OverrideLayer(
    options, of: resolver, named: name, isBoundary: isBoundary, until: end, enforce: enforce,
    allowing: allowed, at: CallSite(fileID, filePath, line, column))
  let keeper = end == .endOfTest ? LayerKeeper(layer) : nil
  var isLeft = false
  defer { if !isLeft { layer.endInPlace() } }
  var isConfigured = false
  do {
    try configure(layer)
    isConfigured = true
    let result = try OverrideLayer.binding(layer, operation: operation)
    if let keeper {
      isLeft = true
      layer.leave(with: result, heldBy: keeper)
    } else if Task.isCancelled {
      layer.noteCancelled()
    }
    return result
  } catch {
    layer.noteNotRun(if: error, isConfigured: isConfigured)
    throw error
  }
}

/// Runs `operation` under a new layer of overrides.
///
/// `configure` and `operation` may suspend, and run with the caller's isolation. Otherwise, this
/// form does the same as the synchronous one.
@discardableResult
public func withOverrides<Result>(
  _ options: OverrideOptions = [], of resolver: Resolver = .current, named name: String? = nil,
  isBoundary: Bool = false, until end: OverrideEnd = .endOfOperation, enforce: Bool = false,
  allowing allowed: any Any.Type..., fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
  _ configure: (OverrideLayer) async throws -> Void, operation: () async throws -> Result
) async rethrows -> Result {
  let layer = OverrideLayer(
    options, of: resolver, named: name, isBoundary: isBoundary, until: end, enforce: enforce,
    allowing: allowed, at: CallSite(fileID, filePath, line, column))
  let keeper = end == .endOfTest ? LayerKeeper(layer) : nil
  var isLeft = false
  defer { if !isLeft { layer.endInPlace() } }
  var isConfigured = false
  do {
    try await configure(layer)
    isConfigured = true
    let result = try await OverrideLayer.binding(layer, operation: operation)
    if let keeper {
      isLeft = true
      layer.leave(with: result, heldBy: keeper)
    } else {
      if Task.isCancelled { layer.noteCancelled() }
      await layer.dispose()
    }
    return result
  } catch {
    layer.noteNotRun(if: error, isConfigured: isConfigured)
    await layer.dispose()
    throw error
  }
}

extension OverrideLayer {
  /// Pushes a layer on those that the caller sees.
  fileprivate convenience init(
    _ options: OverrideOptions, of resolver: Resolver, named name: String?, isBoundary: Bool,
    until end: OverrideEnd, enforce: Bool, allowing allowed: [any Any.Type], at callSite: CallSite
  ) {
    var traits = LayerTraits(of: resolver, named: name, on: .current, at: callSite)
    traits.end = end
    traits.isOfOperation = true
    traits.apply(options, enforce: enforce, allowing: allowed, isBoundary: isBoundary)
    self.init(traits)
  }
}

extension LayerTraits {
  /// Sets the traits of a scope's layer. An outermost layer belongs to the running test, and is
  /// pushed on the layers of the test that takes escaped work.
  package mutating func apply(
    _ options: OverrideOptions, enforce: Bool, allowing allowed: [any Any.Type], isBoundary: Bool
  ) {
    self.options = enforce ? [.check(.unknownKey, .error), options] : options
    self.allowed = allowed
    self.isBoundary = isBoundary
    guard test == nil, outer == nil || outer === ProcessLayer.current, let host = TestHosts.current
    else { return }
    test = host.testOfCallingTask()
    if test != nil { return }
    if let adopter = LiveLayers.adopter { outer = adopter } else { test = host.runningCase() }
  }
}

extension OverrideLayer {
  /// Reports, once, that a test without a layer of its own asks under the layer of its suite.
  func noteTestOfSuite() {
    guard let suite = test, TestHosts.current?.testOfCallingTask()?.isSuite == false else { return }
    let message = Message(
      "A layer around a suite belongs to none of its tests, which share its instances and counts.",
      facts: [Message.Fact("Suite", "'\(suite.name)'"), Message.Fact("At", "\(root.callSite)")],
      remedies: [
        "Give each test a layer:  @Suite(.overrides { … })",
        "In a trait of your own, let `isRecursive` be true: each test gets its scope.",
      ])
    TestHosts.reportOnRun(Violation(message, at: root.callSite), about: [root])
  }
}
