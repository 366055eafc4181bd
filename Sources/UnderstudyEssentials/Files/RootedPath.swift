// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation

/// Makes paths absolute below a root, by their text alone.
///
/// A path is bytes to the system, so it is cut and compared by bytes. A `/` with a combining accent
/// behind it is one character, and ends a name all the same.
struct RootedPath: Sendable {
  /// The longest name that the usual file systems have, in bytes.
  private static let longestName = 255
  /// The longest path that the system takes, in bytes, without the NUL at its end.
  private static let longestPath = Int(PATH_MAX) - 1
  private static let separator = UInt8(ascii: "/")

  let root: String
  let workingDirectory: String

  /// Makes the paths below a root. Relative ones start at the working directory, or at the root if
  /// that is outside of it. A relative root starts there, too, or at `/` without that directory.
  init(root: String, workingDirectory: String? = nil) {
    self.root = Self.normalized(root, from: workingDirectory ?? "/")
    let start = workingDirectory.map { Self.normalized($0, from: "/") } ?? self.root
    self.workingDirectory = Self.isPath(start, within: self.root) ? start : self.root
  }

  /// The absolute path.
  func absolute(_ path: String) throws(FileSystemError) -> String {
    // For the system the path ends there, and names another file.
    guard !path.utf8.contains(0) else { throw .refused(path, reason: "A path has no NUL") }
    let absolute = Self.normalized(path, from: workingDirectory)
    guard Self.isPath(absolute, within: root) else { throw .outsideRoot(absolute, root: root) }
    guard Self.names(in: absolute).allSatisfy({ $0.count <= Self.longestName }) else {
      throw .refused(absolute, reason: "A name has at most \(Self.longestName) bytes")
    }
    guard absolute.utf8.count <= Self.longestPath else {
      throw .refused(absolute, reason: "A path has at most \(Self.longestPath) bytes")
    }
    return absolute
  }

  /// The absolute path of what may be removed: not the root, and nothing that has the working
  /// directory in it, which an empty path stands for.
  func removable(_ path: String) throws(FileSystemError) -> String {
    let path = try absolute(path)
    guard path != root else { throw .outsideRoot(path, root: root) }
    guard !Self.isPath(workingDirectory, within: path) else {
      throw .refused(path, reason: "The working directory is in it")
    }
    return path
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

  /// The directory of a normalized path. The parent of `/` is `/`.
  static func parent(of path: String) -> String {
    guard let end = path.utf8.lastIndex(of: separator), end > path.startIndex else { return "/" }
    return String(path[..<end])
  }

  /// The last name of a normalized path.
  static func name(of path: String) -> String {
    names(in: path).last.map { String(Substring($0)) } ?? ""
  }

  /// True if a normalized path is another one, or below it.
  static func isPath(_ path: String, within other: String) -> Bool {
    other == "/" || path.utf8.elementsEqual(other.utf8) || path.utf8.starts(with: "\(other)/".utf8)
  }

  private static func names(in path: String) -> [Substring.UTF8View] {
    path.utf8.split(separator: separator)
  }

  private static func normalized(_ path: String, from directory: String) -> String {
    let path = path.utf8.first == separator ? path : "\(directory)/\(path)"
    var parts: [Substring.UTF8View] = []
    for part in names(in: path) where !part.elementsEqual(".".utf8) {
      if part.elementsEqual("..".utf8) { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.map { String(Substring($0)) }.joined(separator: "/")
  }
}
