// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

/// Runs `operation` under a new layer that has checks and no overrides.
///
/// ```swift
/// try withOverrides(.strict) { try Checkout().confirm() }
/// ```
///
/// Otherwise, this is the same as `withOverrides` with an empty configuration.
///
/// - Parameters:
///   - options: The checks of the layer: `.strict`, `[.strict, .reportsSurvivors]`.
///   - resolver: The overridden resolver. By default the task's resolver.
///   - operation: The code that sees the layer.
/// - Returns: The result of `operation`.
/// - Throws: The error of `operation`.
@discardableResult
public func withOverrides<Result>(
  _ options: OverrideOptions, of resolver: Resolver = .current, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
  operation: () throws -> Result
) rethrows -> Result {
  try withOverrides(
    options, of: resolver, fileID: fileID, filePath: filePath, line: line, column: column,
    { _ in }, operation: operation)
}

/// Runs `operation` under a new layer that has checks and no overrides.
///
/// `operation` may suspend, and runs with the caller's isolation. Otherwise, this form does the
/// same as the synchronous one.
@discardableResult
public func withOverrides<Result>(
  _ options: OverrideOptions, of resolver: Resolver = .current, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
  operation: () async throws -> Result
) async rethrows -> Result {
  try await withOverrides(
    options, of: resolver, fileID: fileID, filePath: filePath, line: line, column: column,
    { _ in }, operation: operation)
}
