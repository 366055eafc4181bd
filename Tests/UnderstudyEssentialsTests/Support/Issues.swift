// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy

/// The headlines of the issues that `body` causes in the running test.
func issues(_ body: () async throws -> Void) async rethrows -> [String] {
  let recorded = Lock<[String]>([])
  try await withKnownIssue(isIntermittent: true) {
    try await body()
  } matching: { issue in
    let text = issue.comments.first?.rawValue ?? "\(issue.kind)"
    recorded.withLock { $0.append(String(text.prefix { $0 != "\n" })) }
    return true
  }
  return recorded.withLock { $0 }
}

/// The lines of the issues that `body` causes in files of this module.
func lines(
  ofIssuesIn file: String = #fileID, _ body: () async throws -> Void
) async rethrows -> [Int] {
  let recorded = Lock<[Int]>([])
  try await withKnownIssue(isIntermittent: true) {
    try await body()
  } matching: { issue in
    guard let place = issue.sourceLocation, place.fileID == file else { return false }
    recorded.withLock { $0.append(place.line) }
    return true
  }
  return recorded.withLock { $0 }
}

/// Like `withOverrides`, with the layer of a trait. Overrides may stay unused.
func underLayer(
  _ configure: (OverrideLayer) throws -> Void, operation: () async throws -> Void
) async rethrows {
  try await withOverrides(
    .check(.unusedOverride, .off), isBoundary: true, configure, operation: operation)
}
