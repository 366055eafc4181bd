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
/// The directory is created at its first use. The layer that was current when the value was created
/// removes it at its end, after the disposers and the cached instances of the layer, also if the
/// test fails. A value that was created without a layer, such as a property of a test case, belongs
/// to the test that uses it first. Without a layer, the directory is removed at the end of the case
/// of XCTest, or when the last reference goes. A directory that cannot be created or removed is an
/// issue of the test. A process that is killed leaves it.
///
/// An object that the test itself registers is released after the directory was removed. Close such
/// an object in `onDispose`. A use after the removal is an error, and an issue of the test.
///
/// The directory is in the system's directory of temporary files, and only the user of the process
/// can read it. Relative paths start in it. A path outside of it is an error, and an issue of the
/// test, since the code under test would have touched another part of the machine. A path is
/// checked by its text: a symbolic link can lead out of the directory.
public struct TemporaryDirectory: FileSystem {
  /// The directory. Its path has no symbolic links.
  public var url: URL { place.url }
  /// The absolute path of the directory, for code that takes a text. It has no symbolic links.
  public var path: String { place.url.path }

  private let folder: Folder
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
    end = LayerEnd.adopt(checkedWithoutLayer: true) {
      folder.remove().map { error in
        [
          Violation(
            Message(
              "The temporary directory '\(folder.place.url.path)' cannot be removed.",
              facts: [
                Message.Fact("Reason", error.localizedDescription),
                Message.Fact("Made at", "\(madeAt)"),
              ]), at: madeAt)
        ]
      } ?? []
    }
  }

  /// The contents of a file.
  public func read(_ path: String) throws(FileSystemError) -> Data {
    try using(path) { (files, path) throws(FileSystemError) in try files.read(path) }
  }

  /// Writes a file as a whole, and creates the directories that are missing on the way.
  public func write(_ contents: Data, to path: String) throws(FileSystemError) {
    try using(path) { (files, path) throws(FileSystemError) in
      try files.write(contents, to: path)
    }
  }

  /// The names in a directory, sorted.
  public func list(_ path: String) throws(FileSystemError) -> [String] {
    try using(path) { (files, path) throws(FileSystemError) in try files.list(path) }
  }

  /// Removes a file, or a directory with everything in it.
  public func remove(_ path: String) throws(FileSystemError) {
    try using(path) { (files, path) throws(FileSystemError) in try files.remove(path) }
  }

  /// True if there is a file or a directory. A path outside of the directory is an issue of the
  /// test.
  public func exists(_ path: String) -> Bool {
    let exists = try? using(path) { (files, path) throws(FileSystemError) in
      files.exists(try files.paths.absolute(path))
    }
    return exists ?? false
  }

  /// The directory, which the first use creates.
  private var place: Folder.Place {
    end.adoptIfNeeded()
    if let error = folder.create() {
      end.report(
        Message(
          "The temporary directory '\(folder.place.url.path)' cannot be created.",
          facts: [
            Message.Fact("Reason", error.localizedDescription),
            Message.Fact("Made at", "\(madeAt)"),
          ]), at: madeAt)
    }
    return folder.place
  }

  /// Runs `body` for a path in the directory. Reports a path outside of it, and a late use.
  private func using<Result>(
    _ path: String, _ body: (LocalFileSystem, String) throws(FileSystemError) -> Result
  ) throws(FileSystemError) -> Result {
    let place = self.place
    guard !folder.isRemoved else { throw reportLateUse(of: path) }
    do throws(FileSystemError) {
      return try body(place.files, place.realPath(of: path))
    } catch {
      guard case .outsideRoot(let outside, let root) = error else { throw error }
      end.report(
        Message(
          "\(error)", facts: [Message.Fact("Made at", "\(madeAt)")],
          remedies: outside == root
            ? ["Remove what is in it. The end of the test removes the directory."]
            : ["Use a relative path, or one below the 'path' of the directory."]),
        at: madeAt)
      throw error
    }
  }

  private func reportLateUse(of path: String) -> FileSystemError {
    let headline = "A temporary directory was used after its test"
    end.report(
      Message(
        "\(headline).",
        facts: [
          Message.Fact("Path", path), Message.Fact("Directory", folder.place.url.path),
          Message.Fact("Made at", "\(madeAt)"),
        ],
        remedies: [
          "Wait for the work that uses it, before the test ends.",
          "Close an object that you registered:  layer.onDispose { … }",
          "Create a directory for each test.",
        ]),
      at: madeAt)
    return .refused(path, reason: headline)
  }
}

/// The directory itself, which is created once and removed once.
private final class Folder: Sendable {
  /// The place of the directory.
  struct Place {
    let url: URL
    let files: LocalFileSystem
    /// Other paths of the directory: through a link, or in the spelling of Foundation, which leaves
    /// out the `/private` of macOS.
    private let aliases: [String]

    init(_ url: URL) {
      let path = realPathOfFile(at: url.path) ?? url.path
      self.url = URL(filePath: path, directoryHint: .isDirectory)
      files = LocalFileSystem(root: path, workingDirectory: path)
      aliases = [url.path, self.url.resolvingSymlinksInPath().path].filter { $0 != path }
    }

    /// A path whose beginning is the real path of the directory, if it was another one.
    func realPath(of path: String) -> String {
      guard let alias = aliases.first(where: { RootedPath.isPath(path, within: $0) }) else {
        return path
      }
      return url.path + String(Substring(path.utf8.dropFirst(alias.utf8.count)))
    }
  }

  private enum State {
    case unused, created, removed
  }

  private let remover: @Sendable (URL) throws -> Void
  private let state: Lock<(step: State, place: Place)>

  init(in parent: URL, removing remover: @escaping @Sendable (URL) throws -> Void) {
    self.remover = remover
    let url = parent.appending(path: "understudy-\(UUID().uuidString)", directoryHint: .isDirectory)
    state = Lock((.unused, Place(url)))
  }

  var place: Place { state.withLock { $0.place } }
  var isRemoved: Bool { state.withLock { $0.step == .removed } }

  /// Creates the directory, unless it was created or removed.
  ///
  /// - Returns: The error, if it cannot be created.
  func create() -> (any Error)? {
    // Another user waits until it is there.
    state.withLock { state in
      guard state.step == .unused else { return nil }
      state.step = .created
      do {
        try FileManager.default.createDirectory(
          at: state.place.url, withIntermediateDirectories: false,
          attributes: [.posixPermissions: 0o700])
      } catch { return error }
      // Only now is there a real path.
      state.place = Place(state.place.url)
      return nil
    }
  }

  /// Removes the directory with everything in it, unless it is gone. No use creates it again.
  ///
  /// - Returns: The error, if it is still there.
  func remove() -> (any Error)? {
    let (before, place) = state.withLock { state in
      defer { state.step = .removed }
      return state
    }
    guard before == .created, FileManager.default.fileExists(atPath: place.url.path) else {
      return nil
    }
    do { try remover(place.url) } catch { return error }
    return nil
  }

  // Without a layer and without a test, no other part reports the error.
  deinit { _ = remove() }
}

/// The path of a file without symbolic links, or `nil` if there is no file.
private func realPathOfFile(at path: String) -> String? {
  // Safety: the system returns a new text, or none. The text is copied before it is freed.
  guard let resolved = unsafe realpath(path, nil) else { return nil }
  defer { unsafe free(resolved) }
  return unsafe String(cString: resolved)
}

extension FileSystem where Self == TemporaryDirectory {
  /// A real directory that is empty at first, and is removed at the end of the layer. Pass it with
  /// `with:`. Without that, each request gets another one.
  public static var temporary: TemporaryDirectory { TemporaryDirectory(madeAt: nil) }
}
