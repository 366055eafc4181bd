// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Runs `operation` with a layer of overrides on top of what the calling task sees.
///
/// The layer holds from the start of `operation` to its end, on every exit, for the task tree
/// that runs it. Layers nest; the innermost that answers a key wins.
///
/// ```swift
/// try withOverrides {
///   $0.register { MailerSpy() as any Mailer }
/// } operation: {
///   try Checkout().confirm()
/// }
/// ```
///
/// In a test, what the layer has to say at its end is reported on the test.
///
/// - Parameters:
///   - options: What the layer checks: `.strict`, `[.strict, .reportsSurvivors]`.
///   - resolver: What is overridden; the task's resolver unless told otherwise.
///   - name: How messages call the layer; where it was pushed unless told otherwise.
///   - isBoundary: True to start with empty caches, as the root layer of a test does: every
///     instance first made under the layer is its own.
///   - end: When the layer ends: with the operation, or with the test.
///   - enforce: True if overriding something that production does not know is an error.
///   - allowed: The types that may fall through to production under `.strict`.
///   - configure: Registers what is overridden.
///   - operation: What sees it.
/// - Returns: What `operation` returns.
/// - Throws: What `configure` or `operation` throws.
/// - Complexity: O(1) besides `configure` and `operation`, whatever the depth of the stack.
@discardableResult
public func withOverrides<Result>(
  _ options: OverrideOptions = [], of resolver: Resolver = .current, named name: String? = nil,
  isBoundary: Bool = false, until end: OverrideEnd = .endOfOperation, enforce: Bool = false,
  allowing allowed: any Any.Type...,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
  column: Int = #column, _ configure: (OverrideLayer) throws -> Void,
  operation: () throws -> Result
) rethrows -> Result {
  var traits = LayerTraits(
    of: resolver, named: name, on: .current,
    at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  traits.end = end
  traits.apply(options, enforce: enforce, allowing: allowed, isBoundary: isBoundary)
  let layer = OverrideLayer(consume traits)
  let keeper = end == .endOfTest ? LayerKeeper(layer) : nil
  var isLeft = false
  defer { if !isLeft { layer.endInPlace() } }
  try layer.configured(by: configure)
  do {
    let result = try OverrideLayer.binding(layer, operation: operation)
    if let keeper {
      isLeft = true
      layer.leave(with: result, heldBy: keeper)
    }
    return result
  } catch {
    layer.noteNotRun(if: error)
    throw error
  }
}

/// Runs `operation` with a layer of overrides on top of what the calling task sees.
///
/// As the synchronous form; `configure` may wait, and both keep the caller's isolation.
///
/// - Parameters:
///   - options: What the layer checks: `.strict`, `[.strict, .reportsSurvivors]`.
///   - resolver: What is overridden; the task's resolver unless told otherwise.
///   - name: How messages call the layer; where it was pushed unless told otherwise.
///   - isBoundary: True to start with empty caches, as the root layer of a test does.
///   - end: When the layer ends: with the operation, or with the test.
///   - enforce: True if overriding something that production does not know is an error.
///   - allowed: The types that may fall through to production under `.strict`.
///   - configure: Registers what is overridden.
///   - operation: What sees it.
/// - Returns: What `operation` returns.
/// - Throws: What `configure` or `operation` throws.
@discardableResult
public func withOverrides<Result>(
  _ options: OverrideOptions = [], of resolver: Resolver = .current, named name: String? = nil,
  isBoundary: Bool = false, until end: OverrideEnd = .endOfOperation, enforce: Bool = false,
  allowing allowed: any Any.Type...,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
  column: Int = #column, _ configure: (OverrideLayer) async throws -> Void,
  operation: () async throws -> Result
) async rethrows -> Result {
  var traits = LayerTraits(
    of: resolver, named: name, on: .current,
    at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  traits.end = end
  traits.apply(options, enforce: enforce, allowing: allowed, isBoundary: isBoundary)
  let layer = OverrideLayer(consume traits)
  let keeper = end == .endOfTest ? LayerKeeper(layer) : nil
  var isLeft = false
  defer { if !isLeft { layer.endInPlace() } }
  do {
    try await layer.configured(by: configure)
    let result = try await OverrideLayer.binding(layer, operation: operation)
    if let keeper {
      isLeft = true
      layer.leave(with: result, heldBy: keeper)
    } else {
      await layer.dispose()
    }
    return result
  } catch {
    layer.noteNotRun(if: error)
    await layer.dispose()
    throw error
  }
}

extension OverrideLayer {
  /// Registers the overrides. If that fails, they could not be used and are not reported as unused.
  package func configured(by configure: (OverrideLayer) throws -> Void) rethrows {
    do {
      try configure(self)
    } catch {
      noteNotRun()
      throw error
    }
  }
}

extension OverrideLayer {
  /// The same, where configuring waits.
  package func configured(by configure: (OverrideLayer) async throws -> Void) async rethrows {
    do {
      try await configure(self)
    } catch {
      noteNotRun()
      throw error
    }
  }
}

extension LayerTraits {
  /// What a scope says of its layer; an outermost one belongs to the test that runs it, and is
  /// pushed on the layers of the test that takes escaped work.
  package mutating func apply(
    _ options: OverrideOptions, enforce: Bool, allowing allowed: [any Any.Type], isBoundary: Bool
  ) {
    self.options = enforce ? [.check(.unknownKey, .error), options] : options
    self.allowed = allowed
    self.isBoundary = isBoundary
    guard outer == nil, test == nil, let host = TestHosts.current else { return }
    test = host.testOfCallingTask()
    if test == nil { outer = LiveLayers.adopter }
    if test == nil, outer == nil { test = host.runningCase() }
  }
}
