// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Foundation
internal import UnderstudyDoubles

/// The files of the machine, below a root.
///
/// The root is checked by the text of a path: a symbolic link can lead out of it.
public struct LocalFileSystem: FileSystem {
  let paths: RootedPath

  /// Makes a file system of everything below `root`. Relative paths start at the current directory
  /// of the process, or at the root if that directory is outside of it. A relative root starts at
  /// that directory, and an empty root is that directory. If that directory is gone, such a root
  /// ends the process.
  public init(root: String = "/") {
    let workingDirectory = FileManager.default.currentDirectoryPath
    // Without it, the root would be one of the whole machine.
    precondition(
      !workingDirectory.isEmpty || root.utf8.first == UInt8(ascii: "/"),
      "The root '\(root)' is relative to the current directory, which is gone.")
    self.init(root: root, workingDirectory: workingDirectory)
  }

  /// Makes a file system of everything below `root`, whose relative paths start at a directory.
  init(root: String, workingDirectory: String) {
    paths = RootedPath(root: root, workingDirectory: workingDirectory)
  }

  /// The contents of a file.
  public func read(_ path: String) throws(FileSystemError) -> Data {
    let path = try paths.absolute(path)
    switch kind(of: path) {
    case nil: throw absence(of: path)
    case .directory: throw .isDirectory(path)
    case .file: return try refusing(path) { try Data(contentsOf: URL(filePath: path)) }
    }
  }

  /// Writes a file as a whole, and creates the directories that are missing on the way.
  ///
  /// A file that exists keeps its owner and its permissions: no other user can read the new
  /// contents meanwhile. If the process may not give the file back to its owner, the write is
  /// refused. A link stays, and the file at its end is written. A device is written in its place,
  /// and a pipe is refused.
  public func write(_ contents: Data, to path: String) throws(FileSystemError) {
    let path = try paths.absolute(path)
    for directory in paths.directories(above: path) where kind(of: directory) == .file {
      throw .notDirectory(directory)
    }
    if path == paths.root || kind(of: path) == .directory { throw .isDirectory(path) }
    try refusing(path) {
      try FileManager.default.createDirectory(
        atPath: RootedPath.parent(of: path), withIntermediateDirectories: true)
    }
    guard let file = WholeFile(path) else {
      throw .refused(path, reason: "The links lead in a circle")
    }
    // Other writers have drafts of their own, and the draft's name is never too long.
    if let reason = file.replace(with: contents, draft: Draft.newName()) {
      throw .refused(path, reason: reason)
    }
  }

  /// The names in a directory, sorted. The drafts of writes in progress are left out.
  public func list(_ path: String) throws(FileSystemError) -> [String] {
    let path = try paths.absolute(path)
    switch kind(of: path) {
    case nil: throw absence(of: path)
    case .file: throw .notDirectory(path)
    case .directory:
      return try refusing(path) { try FileManager.default.contentsOfDirectory(atPath: path) }
        .filter { !Draft.isName($0) }.sorted()
    }
  }

  /// Removes a file, or a directory with everything in it.
  public func remove(_ path: String) throws(FileSystemError) {
    let path = try paths.removable(path)
    // A link is removed, and not the file at its end, which may be missing.
    guard (try? FileManager.default.attributesOfItem(atPath: path)) != nil else {
      throw absence(of: path)
    }
    try refusing(path) { try FileManager.default.removeItem(atPath: path) }
  }

  /// True if there is a file or a directory.
  public func exists(_ path: String) -> Bool {
    guard let path = try? paths.absolute(path) else { return false }
    return kind(of: path) != nil
  }

  /// A file that a write puts in the place of another one, named `.<UUID>.draft`.
  private enum Draft {
    private static let (start, end) = (".", ".draft")

    static func newName() -> String { "\(start)\(UUID().uuidString)\(end)" }

    static func isName(_ name: String) -> Bool {
      name.hasPrefix(start) && name.hasSuffix(end)
        && UUID(uuidString: String(name.dropFirst(start.count).dropLast(end.count))) != nil
    }
  }

  private enum Kind { case file, directory }

  /// The file at a path, or at the end of a link.
  private func kind(of path: String) -> Kind? {
    var isDirectory: ObjCBool = false
    // Safety: the function writes to the value that it is given, and to nothing else.
    guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      return nil
    }
    return isDirectory.boolValue ? .directory : .file
  }

  /// The error for a path at which nothing is seen: nothing is there, or the system does not look.
  private func absence(of path: String) -> FileSystemError {
    do {
      _ = try FileManager.default.attributesOfItem(atPath: path)
      return .notFound(path)
    } catch let error as CocoaError
      where error.code == .fileReadNoSuchFile || (error.underlying as? POSIXError)?.code == .ENOTDIR
    {
      return .notFound(path)
    } catch {
      return .refused(path, reason: error.localizedDescription)
    }
  }

  /// A refusal of the system, as an error of the file system.
  private func refusing<Result>(
    _ path: String, _ body: () throws -> Result
  ) throws(FileSystemError) -> Result {
    do {
      return try body()
    } catch {
      throw .refused(path, reason: error.localizedDescription)
    }
  }
}
