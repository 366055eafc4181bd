// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Understudy

/// The checks that are not the subject of the tests in this file's users.
private let unchecked: OverrideOptions = [
  .check(.unusedOverride, .off), .check(.lateOverride, .off), .check(.sharedInstance, .off),
  .check(.unsharedDouble, .off), .check(.ignoredArgument, .off),
]

/// Like `withOverrides` without warnings, since these tests override late and in vain on purpose.
func withLayer<Result>(
  _ options: OverrideOptions = [], of resolver: Resolver = .current, named name: String? = nil,
  isBoundary: Bool = false, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: Int = #line, column: Int = #column, _ configure: (OverrideLayer) throws -> Void,
  operation: () throws -> Result
) rethrows -> Result {
  try withOverrides(
    [unchecked, options], of: resolver, named: name, isBoundary: isBoundary, fileID: fileID,
    filePath: filePath, line: line, column: column, configure, operation: operation)
}

/// Like `withOverrides` without warnings.
func withLayer<Result>(
  _ options: OverrideOptions = [], of resolver: Resolver = .current, named name: String? = nil,
  isBoundary: Bool = false, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: Int = #line, column: Int = #column, _ configure: (OverrideLayer) throws -> Void,
  operation: () async throws -> Result
) async rethrows -> Result {
  try await withOverrides(
    [unchecked, options], of: resolver, named: name, isBoundary: isBoundary, fileID: fileID,
    filePath: filePath, line: line, column: column, configure, operation: operation)
}
