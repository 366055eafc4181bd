// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation

/// A path of files, in which `*` stands for any text within one segment.
struct FilePattern {
  private let segments: [Substring]
  private let isAbsolute: Bool

  init(_ text: String) {
    segments = text.split(separator: "/")
    isAbsolute = text.hasPrefix("/")
  }

  /// The matching files, sorted by path, and a finding for each directory that cannot be read.
  /// Directories are searched only as deep as the pattern goes.
  var matches: (paths: [String], errors: [Finding]) {
    var paths = [isAbsolute ? "/" : ""]
    var errors: [Finding] = []
    for segment in segments {
      paths = paths.flatMap { path -> [String] in
        let prefix = path.isEmpty || path == "/" ? path : path + "/"
        guard segment.contains("*") else { return [prefix + segment] }
        let directory = path.isEmpty ? "." : path
        do {
          return try FileManager.default.contentsOfDirectory(atPath: directory)
            .filter { Self.matches($0[...], segment) }.sorted().map { prefix + $0 }
        } catch {
          if !error.isNoMatch {
            errors.append(Finding(.fileUnreadable(reason: error.reason), at: Origin(directory)))
          }
          return []
        }
      }
    }
    // The reader reports a file that exists and cannot be read.
    let files = paths.filter { path in
      do {
        _ = try FileManager.default.attributesOfItem(atPath: path)
        return true
      } catch {
        return !error.isNoMatch
      }
    }
    return (files, errors)
  }

  /// True if a name matches a pattern. A hidden file matches only a pattern that starts with a dot.
  ///
  /// - Complexity: O(name × pattern), since only the last star is tried again.
  static func matches(_ name: Substring, _ pattern: Substring) -> Bool {
    guard name.first != "." || pattern.first == "." else { return false }
    var (n, p) = (name.startIndex, pattern.startIndex)
    var star: (pattern: Substring.Index, name: Substring.Index)?
    while n < name.endIndex {
      if p < pattern.endIndex, pattern[p] == "*" {
        star = (pattern.index(after: p), n)
        p = pattern.index(after: p)
      } else if p < pattern.endIndex, pattern[p] == name[n] {
        n = name.index(after: n)
        p = pattern.index(after: p)
      } else if let last = star {
        n = name.index(after: last.name)
        p = last.pattern
        star = (last.pattern, n)
      } else {
        return false
      }
    }
    return pattern[p...].allSatisfy { $0 == "*" }
  }
}

extension Error {
  /// True if nothing is at a path.
  fileprivate var isNoMatch: Bool { isMissingFile || isNotADirectory }
}
