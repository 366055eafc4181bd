// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Foundation
public import Understudy

/// Files by path: a small file system that is real or in memory.
///
/// A path is absolute, or relative to the working directory. `.` and `..` are resolved first. A
/// file system has a root, and a path outside of it is an error. So is a name of more than 255
/// bytes, and a path that is longer than the system's `PATH_MAX` allows.
///
/// ```swift
/// @Inject(\.fileSystem) var files
/// try files.write("Sold out\n", to: "/notices/today.txt")
/// ```
public protocol FileSystem: Sendable {
  /// The contents of a file.
  func read(_ path: String) throws(FileSystemError) -> Data

  /// Writes a file as a whole: a reader sees the old contents or the new ones. Directories that are
  /// missing on the way are created.
  func write(_ contents: Data, to path: String) throws(FileSystemError)

  /// The names in a directory, sorted.
  func list(_ path: String) throws(FileSystemError) -> [String]

  /// Removes a file, or a directory with everything in it. The root, the working directory and the
  /// directories that contain it cannot be removed.
  func remove(_ path: String) throws(FileSystemError)

  /// True if there is a file or a directory.
  func exists(_ path: String) -> Bool
}

extension FileSystem {
  /// Writes a text file in UTF-8 as a whole.
  public func write(_ text: String, to path: String) throws(FileSystemError) {
    try write(Data(text.utf8), to: path)
  }

  /// The contents of a text file in UTF-8, without a byte order mark.
  public func readText(_ path: String) throws(FileSystemError) -> String {
    guard let text = String(data: try read(path), encoding: .utf8) else { throw .notText(path) }
    return text
  }
}

/// An error of a file system. The paths are absolute, except the path of `notText`.
public enum FileSystemError: Error, Hashable, Sendable {
  /// Nothing is at the path.
  case notFound(String)
  /// A directory is at the path, and a file is needed.
  case isDirectory(String)
  /// A file is at the path, and a directory is needed.
  case notDirectory(String)
  /// The file is not text in UTF-8. The path is as the caller gave it.
  case notText(String)
  /// The path leads out of the root, or is the root and cannot be removed.
  case outsideRoot(String, root: String)
  /// The system refused, and says why.
  case refused(String, reason: String)
}

extension FileSystemError: CustomStringConvertible {
  /// The whole message.
  public var description: String {
    switch self {
    case .notFound(let path): "No such file or directory: \(path)"
    case .isDirectory(let path): "A directory is not a file: \(path)"
    case .notDirectory(let path): "A file is not a directory: \(path)"
    case .notText(let path): "The file is not text in UTF-8: \(path)"
    case .outsideRoot(let path, let root) where path.utf8.elementsEqual(root.utf8):
      "The root cannot be removed: \(root)"
    case .outsideRoot(let path, let root): "The path is outside of the root '\(root)': \(path)"
    case .refused(let path, let reason): "\(reason): \(path)"
    }
  }
}

extension Dependencies {
  /// The file system.
  public static var fileSystem: Dependency<any FileSystem> { declaredFileSystem }
}

private let declaredFileSystem = Dependency<any FileSystem>(
  inTests: .mustBeOverridden, function: "fileSystem"
) {
  LocalFileSystem()
}
