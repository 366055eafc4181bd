// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation

/// The files of a run, each with its target. No two targets write one file.
struct FileOwners {
  private var owners: [String: String] = [:]

  mutating func add(_ path: String, of target: String) throws(ToolError) {
    let path = URL(fileURLWithPath: path).standardizedFileURL.path
    if let other = owners.updateValue(target, forKey: path) {
      throw .sameFile(path: path, [other, target])
    }
  }
}
