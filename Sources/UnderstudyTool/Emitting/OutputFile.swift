// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation

/// One file that is written completely or not at all.
struct OutputFile: Hashable {
  var path: String
  var text: String
  var kind: Kind

  /// How a file of the tool is recognised.
  enum Kind: Hashable {
    /// By a header that reveals edits.
    case swift
    /// By its version.
    case resolved
    /// By its first line.
    case graph
  }

  /// Throws if a path is not inside a package once symbolic links are resolved.
  static func check(_ path: String, isInside package: String) throws(ToolError) {
    let root = URL(fileURLWithPath: package).standardizedFileURL.resolvingSymlinksInPath().path
    var url = URL(fileURLWithPath: WholeWrite.target(of: path) ?? path).standardizedFileURL
    var missing: [String] = []
    // Only existing parts of the path can be links.
    while !FileManager.default.fileExists(atPath: url.path), url.path != "/" {
      missing.insert(url.lastPathComponent, at: 0)
      url = url.deletingLastPathComponent()
    }
    let whole = ([url.resolvingSymlinksInPath().path] + missing).joined(separator: "/")
    guard whole == root || whole.utf8.starts(with: (root == "/" ? root : root + "/").utf8) else {
      throw .outside(path: path, package: package)
    }
  }

  /// Whether the file differs from the expected text.
  ///
  /// - Throws: An error if writing is impossible or would destroy work.
  func isStale(force: Bool) throws(ToolError) -> Bool {
    guard let facts = FileFacts(path) else { return true }
    if facts.isDirectory { throw .fileIsDirectory(path: path) }
    guard let data = FileManager.default.contents(atPath: path) else {
      // The file may have been edited.
      if force { return true }
      throw .unwritable(path: path, reason: "it cannot be read, and may not be of this tool")
    }
    let old = GeneratedFile.withPlainLineEnds(String(decoding: data, as: UTF8.self))
    if old == text { return false }
    guard !force, !old.isEmpty else { return true }
    switch kind {
    case .swift:
      switch GeneratedFile.inspect(old) {
      case .generated: break
      case .edited: throw .editedByHand(path: path)
      case .foreign: throw .notGenerated(path: path)
      }
    case .resolved:
      guard ResolvedModule.version(of: data) != nil else { throw .notGenerated(path: path) }
    case .graph:
      guard Self.isGraph(old) else { throw .notGenerated(path: path) }
    }
    return true
  }

  /// Whether a text looks like a drawn graph: Mermaid, DOT, HTML, JSON or text.
  private static func isGraph(_ text: String) -> Bool {
    let first = text.prefix { $0 != "\n" }.lowercased()
    if first.hasPrefix("{") { return text.contains("\"nodes\": [") }
    return ["graph ", "digraph ", "<!doctype html", "nothing is registered."].contains {
      first.hasPrefix($0)
    }
      || ["  cached", "  notcached", "  once"].contains { first.hasSuffix($0) }
  }

  /// Writes a file beside the target and moves it, so that the target is never incomplete.
  func write() throws(ToolError) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let directory = parts.dropLast().joined(separator: "/")
    let parent = directory.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : directory
    try Self.makeDirectory(parent, for: path)
    guard WholeWrite.write(text, to: path) else {
      throw .unwritable(path: path, reason: "the file system refuses it")
    }
  }

  /// Makes the directory of an output.
  static func makeDirectory(_ directory: String, for output: String) throws(ToolError) {
    do {
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    } catch {
      throw .unwritable(path: output, reason: "the directory cannot be made")
    }
  }
}
