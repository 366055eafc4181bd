// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Foundation
internal import Understudy
internal import UnderstudyDoubles

/// A real directory that only one test has: a `LocalFileSystem` that is empty at first, and is
/// removed at the end of the test.
///
/// ```swift
/// let directory = TemporaryDirectory()
/// try Exporter().write(to: directory.url.appending(path: "seats.csv"))
/// try #expect(directory.readText("seats.csv") == "A1\n")
/// ```
///
/// The layer that was current when it was created removes it at its end, after the disposers and
/// the cached instances of the layer, also if the test fails. Without a layer, it is removed when
/// the last reference goes, or at the end of a case of XCTest. A directory that cannot be created
/// or removed is an issue of the test. A process that is killed leaves it.
///
/// The directory is in the system's directory of temporary files, and only the user of the process
/// can read it. Relative paths start in it. A path outside of it is an error, and an issue of the
/// test, since the code under test would have touched another part of the machine.
public struct TemporaryDirectory: FileSystem {
  /// The directory.
  public var url: URL { folder.url }
  /// The absolute path of the directory, for code that takes a text.
  public var path: String { folder.url.path }

  private let folder: Folder
  private let files: LocalFileSystem
  private let end: LayerEnd
  private let madeAt: CallSite

  /// Creates a directory.
  public init(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) {
    self.init(madeAt: CallSite(fileID, filePath, line, column))
  }

  /// Creates a directory. Without a place, misuse is reported where the layer was pushed.
  init(
    in parent: URL = FileManager.default.temporaryDirectory, madeAt: CallSite?,
    removing remove: @escaping @Sendable (URL) throws -> Void = {
      try FileManager.default.removeItem(at: $0)
    }
  ) {
    let madeAt = madeAt ?? OverrideLayer.current?.callSite ?? .unknown
    let folder = Folder(in: parent, removing: remove)
    self.madeAt = madeAt
    self.folder = folder
    files = LocalFileSystem(root: folder.url.path, workingDirectory: folder.url.path)
    end = LayerEnd.adopt(checkedWithoutLayer: true) {
      folder.remove().map { error in
        [
          Violation(
            Message(
              "The temporary directory '\(folder.url.path)' cannot be removed.",
              facts: [
                Message.Fact("Reason", error.localizedDescription),
                Message.Fact("Made at", "\(madeAt)"),
              ]), at: madeAt)
        ]
      } ?? []
    }
    do { try folder.create() } catch {
      end.report(
        Message(
          "The temporary directory '\(folder.url.path)' cannot be created.",
          facts: [
            Message.Fact("Reason", error.localizedDescription),
            Message.Fact("Made at", "\(madeAt)"),
          ]), at: madeAt)
    }
  }

  /// The contents of a file.
  public func read(_ path: String) throws(FileSystemError) -> Data {
    try reporting { () throws(FileSystemError) in try files.read(path) }
  }

  /// Writes a file as a whole, and creates the directories that are missing on the way.
  public func write(_ contents: Data, to path: String) throws(FileSystemError) {
    try reporting { () throws(FileSystemError) in try files.write(contents, to: path) }
  }

  /// The names in a directory, sorted.
  public func list(_ path: String) throws(FileSystemError) -> [String] {
    try reporting { () throws(FileSystemError) in try files.list(path) }
  }

  /// Removes a file, or a directory with everything in it.
  public func remove(_ path: String) throws(FileSystemError) {
    try reporting { () throws(FileSystemError) in try files.remove(path) }
  }

  /// True if there is a file or a directory.
  public func exists(_ path: String) -> Bool { files.exists(path) }

  /// Runs `body`, and reports a path outside of the directory.
  private func reporting<Result>(
    _ body: () throws(FileSystemError) -> Result
  ) throws(FileSystemError) -> Result {
    do throws(FileSystemError) {
      return try body()
    } catch {
      guard case .outsideRoot = error else { throw error }
      end.report(
        Message(
          "\(error)", facts: [Message.Fact("Made at", "\(madeAt)")],
          remedies: ["Use a relative path, or one below the 'path' of the directory."]),
        at: madeAt)
      throw error
    }
  }
}

/// The directory itself, which is removed once.
private final class Folder: Sendable {
  let url: URL
  private let remover: @Sendable (URL) throws -> Void
  private let isRemoved = Lock(false)

  init(in parent: URL, removing remover: @escaping @Sendable (URL) throws -> Void) {
    url = parent.appending(path: "understudy-\(UUID().uuidString)", directoryHint: .isDirectory)
    self.remover = remover
  }

  func create() throws {
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  /// Removes the directory with everything in it, unless it is gone.
  ///
  /// - Returns: The error, if it is still there.
  func remove() -> (any Error)? {
    let isFirst = isRemoved.withLock { isRemoved in
      defer { isRemoved = true }
      return !isRemoved
    }
    guard isFirst, FileManager.default.fileExists(atPath: url.path) else { return nil }
    do { try remover(url) } catch { return error }
    return nil
  }

  // Without a layer and without a test, no other part reports the error.
  deinit { _ = remove() }
}

extension FileSystem where Self == TemporaryDirectory {
  /// A real directory that is empty at first, and is removed at the end of the layer.
  public static var temporary: TemporaryDirectory { TemporaryDirectory(madeAt: nil) }
}
