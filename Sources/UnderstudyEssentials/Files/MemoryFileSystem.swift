// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Foundation
internal import Understudy
internal import UnderstudyDoubles

/// A file system in memory.
///
/// It behaves as `LocalFileSystem` does. A path outside of its root is an issue of the test, too,
/// since the code under test would have touched another part of the machine. A name with an accent
/// is one file, composed or not, as on Apple's systems.
public struct MemoryFileSystem: FileSystem {
  private enum Node: Sendable {
    case directory
    case file(Data)
  }

  private let paths: RootedPath
  private let nodes: Lock<[String: Node]>
  private let end: LayerEnd
  private let madeAt: CallSite

  /// Makes a file system with these text files. Relative paths start at the root, and a relative
  /// root starts at `/`.
  ///
  /// A file outside of the root, or below another file, is left out, and is an issue of the test.
  public init(
    _ files: [String: String] = [:], root: String = "/", fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    self.init(root: root, madeAt: CallSite(fileID, filePath, line, column))
    for (path, text) in files.sorted(by: { $0.key < $1.key }) {
      do throws(FileSystemError) {
        try write(Data(text.utf8), to: path)
      } catch {
        // The other error has reported itself.
        if case .outsideRoot = error { continue }
        end.report(
          Message(
            "A file system in memory cannot have the file '\(path)'.",
            facts: [
              Message.Fact("Reason", "\(error)"), Message.Fact("Made at", "\(madeAt)"),
            ]), at: madeAt)
      }
    }
  }

  /// Makes an empty file system. Without a place, misuse is reported where the layer was pushed.
  fileprivate init(root: String = "/", madeAt: CallSite?) {
    paths = RootedPath(root: root.precomposedStringWithCanonicalMapping)
    nodes = Lock([paths.root: .directory])
    end = LayerEnd.adopt()
    self.madeAt = madeAt ?? OverrideLayer.current?.callSite ?? .unknown
  }

  /// The contents of a file.
  public func read(_ path: String) throws(FileSystemError) -> Data {
    let path = try absolute(path)
    switch nodes.withLock({ $0[path] }) {
    case nil: throw .notFound(path)
    case .directory: throw .isDirectory(path)
    case .file(let contents): return contents
    }
  }

  /// Writes a file as a whole, and creates the directories that are missing on the way.
  public func write(_ contents: Data, to path: String) throws(FileSystemError) {
    let path = try absolute(path)
    let directories = paths.directories(above: path)
    let old = try nodes.withLock { nodes throws(FileSystemError) -> Node? in
      for directory in directories {
        if case .file = nodes[directory] { throw .notDirectory(directory) }
      }
      if case .directory = nodes[path] { throw .isDirectory(path) }
      for directory in directories { nodes[directory] = .directory }
      return nodes.updateValue(.file(contents), forKey: path)
    }
    // The bytes may have a deallocator of the user's.
    withExtendedLifetime(old) {}
  }

  /// The names in a directory, sorted.
  public func list(_ path: String) throws(FileSystemError) -> [String] {
    let path = try absolute(path)
    let nodes = nodes.withLock { $0 }
    switch nodes[path] {
    case nil: throw .notFound(path)
    case .file: throw .notDirectory(path)
    case .directory:
      let children = nodes.keys.filter { $0 != path && RootedPath.parent(of: $0) == path }
      return children.map(RootedPath.name(of:)).sorted()
    }
  }

  /// Removes a file, or a directory with everything in it.
  public func remove(_ path: String) throws(FileSystemError) {
    let path = try reporting { () throws(FileSystemError) in
      try paths.removable(path.precomposedStringWithCanonicalMapping)
    }
    let old = try nodes.withLock { nodes throws(FileSystemError) in
      guard nodes[path] != nil else { throw .notFound(path) }
      let old = nodes
      nodes = nodes.filter { !RootedPath.isPath($0.key, within: path) }
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// True if there is a file or a directory.
  public func exists(_ path: String) -> Bool {
    guard let path = try? absolute(path) else { return false }
    return nodes.withLock { $0[path] != nil }
  }

  private func absolute(_ path: String) throws(FileSystemError) -> String {
    try reporting { () throws(FileSystemError) in
      try paths.absolute(path.precomposedStringWithCanonicalMapping)
    }
  }

  /// Runs `body`, and reports a path outside of the root.
  private func reporting(
    _ body: () throws(FileSystemError) -> String
  ) throws(FileSystemError) -> String {
    do throws(FileSystemError) {
      return try body()
    } catch {
      guard case .outsideRoot(let path, let root) = error else { throw error }
      var remedies = ["Use a path below the root."]
      if path != root { remedies += ["Give the file system another root:  .inMemory(root: …)"] }
      end.report(
        Message(
          "\(error)", facts: [Message.Fact("Made at", "\(madeAt)")], remedies: remedies),
        at: madeAt)
      throw error
    }
  }
}

extension FileSystem where Self == MemoryFileSystem {
  /// An empty file system in memory. Pass it with `with:`. Without that, each request gets another
  /// one.
  public static var inMemory: MemoryFileSystem { MemoryFileSystem(madeAt: nil) }

  /// A file system in memory with these text files. Pass it with `with:`. Without that, each
  /// request gets another one.
  public static func inMemory(
    _ files: [String: String] = [:], root: String = "/", fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> MemoryFileSystem {
    MemoryFileSystem(
      files, root: root, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
