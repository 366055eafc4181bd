// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Runs `operation` with a layer of overrides on top of what the calling task sees.
///
/// The layer holds from the start of `operation` to its end, on every exit (O1), for the task tree
/// that runs it (O3). Layers nest; the innermost that answers a key wins.
///
/// ```swift
/// try withOverrides {
///   $0.register { MailerSpy() as any Mailer }
/// } operation: {
///   try Checkout().confirm()
/// }
/// ```
///
/// - Parameters:
///   - resolver: What is overridden; the task's resolver unless told otherwise.
///   - name: How messages call the layer; where it was pushed unless told otherwise.
///   - isBoundary: True to start with empty caches, as the root layer of a test does: every instance
///     first made under the layer is its own (O5).
///   - fileID: Where the layer is pushed.
///   - filePath: Where the layer is pushed.
///   - line: Where the layer is pushed.
///   - column: Where the layer is pushed.
///   - configure: Registers what is overridden.
///   - operation: What sees it.
/// - Returns: What `operation` returns.
/// - Throws: What `configure` or `operation` throws.
/// - Complexity: O(1) besides `configure` and `operation`, whatever the depth of the stack.
public func withOverrides<Result>(
  of resolver: Resolver = .current, named name: String? = nil, isBoundary: Bool = false,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
  column: Int = #column, _ configure: (OverrideLayer) throws -> Void,
  operation: () throws -> Result
) rethrows -> Result {
  let layer = OverrideLayer(
    of: resolver, named: name, isBoundary: isBoundary,
    at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  defer { layer.endInPlace() }
  try configure(layer)
  return try OverrideLayer.$bound.withValue(layer, operation: operation)
}

/// Runs `operation` with a layer of overrides on top of what the calling task sees.
///
/// As the synchronous form; `operation` keeps the caller's isolation.
///
/// - Parameters:
///   - resolver: What is overridden; the task's resolver unless told otherwise.
///   - name: How messages call the layer; where it was pushed unless told otherwise.
///   - isBoundary: True to start with empty caches, as the root layer of a test does (O5).
///   - fileID: Where the layer is pushed.
///   - filePath: Where the layer is pushed.
///   - line: Where the layer is pushed.
///   - column: Where the layer is pushed.
///   - configure: Registers what is overridden.
///   - operation: What sees it.
/// - Returns: What `operation` returns.
/// - Throws: What `configure` or `operation` throws.
public func withOverrides<Result>(
  of resolver: Resolver = .current, named name: String? = nil, isBoundary: Bool = false,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
  column: Int = #column, _ configure: (OverrideLayer) throws -> Void,
  operation: () async throws -> Result
) async rethrows -> Result {
  let layer = OverrideLayer(
    of: resolver, named: name, isBoundary: isBoundary,
    at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
  defer { layer.endInPlace() }
  try configure(layer)
  return try await OverrideLayer.$bound.withValue(layer, operation: operation)
}

extension OverrideLayer {
  fileprivate convenience init(
    of resolver: Resolver, named name: String?, isBoundary: Bool, at callSite: CallSite
  ) {
    self.init(
      of: resolver, named: name ?? "\(callSite)", isBoundary: isBoundary, on: .current,
      at: callSite)
  }

  /// Ends a layer that no adapter owns: what it has to say goes to the layer that it was pushed on.
  fileprivate func endInPlace() {
    let violations = end()
    for violation in violations { outer?.record(violation) }
  }
}
