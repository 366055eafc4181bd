// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

#if canImport(XCTest)
  internal import Foundation
#endif

/// Finds the name of a stored static dependency in its source file.
enum DeclaredName {
  /// The name of the static whose initial value begins at a place. Returns `nil` if the file is
  /// missing or has other code there.
  static func find(at callSite: CallSite) -> String? {
    #if canImport(XCTest)
      guard callSite.isKnown,
        let text = try? String(contentsOfFile: callSite.filePath, encoding: .utf8)
      else { return nil }
      return find(in: text, line: callSite.line, column: callSite.column)
    #else
      return nil
    #endif
  }

  /// Finds the name in the text of the file. The place is the call of the initialiser.
  static func find(in text: String, line: Int, column: Int) -> String? {
    let lines = text.split(
      maxSplits: line, omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    guard line >= 1, lines.count >= line else { return nil }
    // A declaration may begin on an earlier line than its value.
    let earlier = lines[max(0, line - 4)..<line - 1].joined(separator: "\n")
    let before =
      earlier + "\n" + String(decoding: lines[line - 1].utf8.prefix(column - 1), as: UTF8.self)
    let declaration = /\bstatic\s+let\s+`?(\w+)`?\s*(?::[^={};]*)?=[^={};]*$/
      .wordBoundaryKind(.simple)
    return before.firstMatch(of: declaration).map { String($0.1) }
  }
}
