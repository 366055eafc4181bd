// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Makes paths absolute below a root, by their text alone.
struct RootedPath: Sendable {
  let root: String
  let workingDirectory: String

  /// Makes the paths below a root. Relative ones start at the working directory, or at the root if
  /// that is outside of it.
  init(root: String, workingDirectory: String? = nil) {
    self.root = Self.normalized(root)
    let start = Self.normalized(workingDirectory ?? root)
    self.workingDirectory = Self.isPath(start, within: self.root) ? start : self.root
  }

  /// The absolute path.
  func absolute(_ path: String) throws(FileSystemError) -> String {
    // For the system the path ends there, and names another file.
    guard !path.utf8.contains(0) else { throw .refused(path, reason: "A path has no NUL") }
    let absolute = Self.normalized(path.hasPrefix("/") ? path : "\(workingDirectory)/\(path)")
    guard Self.isPath(absolute, within: root) else { throw .outsideRoot(absolute, root: root) }
    return absolute
  }

  /// The directories from the root to the path's parent, the root first.
  func directories(above path: String) -> [String] {
    var directories: [String] = []
    var current = path
    while current != root {
      current = Self.parent(of: current)
      directories.append(current)
    }
    return directories.reversed()
  }

  static func parent(of path: String) -> String {
    let parent = path.split(separator: "/").dropLast().joined(separator: "/")
    return "/\(parent)"
  }

  private static func isPath(_ path: String, within root: String) -> Bool {
    root == "/" || path == root || path.hasPrefix("\(root)/")
  }

  private static func normalized(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }
}
