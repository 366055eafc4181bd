// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation

/// A handwritten file of the repository: the manifest, the sources, or the tests with their
/// packages.
struct RepositoryFile: Sendable {
  let path: String
  let text: String

  /// The name without the folders.
  var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static let all: Result<[RepositoryFile], any Error> = Result {
    let all = try ["Package.swift"] + paths(below: "Sources") + paths(below: "Tests")
    return try all.map { try RepositoryFile(at: $0) }
  }

  init(path: String, text: String) {
    self.path = path
    self.text = text
  }

  init(at path: String) throws {
    let url = RepositoryFile.root.appending(path: path)
    self.init(path: path, text: try String(contentsOf: url, encoding: .utf8))
  }

  private static func paths(below folder: String) throws -> [String] {
    let names = try FileManager.default.contentsOfDirectory(
      atPath: root.appending(path: folder).path(percentEncoded: false))
    return try names.filter { !$0.hasPrefix(".") }.sorted().flatMap { name -> [String] in
      let path = "\(folder)/\(name)"
      if name.hasSuffix(".swift") { return [path] }
      var isFolder: ObjCBool = false
      let isThere = FileManager.default.fileExists(
        atPath: root.appending(path: path).path(percentEncoded: false), isDirectory: &isFolder)
      guard isThere, isFolder.boolValue else { return [] }
      return try paths(below: path)
    }
  }
}

extension String {
  /// Swift code without its comments and string literals.
  var withoutCommentsAndStrings: String {
    replacing(/"""[\s\S]*?"""/, with: "\"\"")
      .replacing(/"(?:\\.|[^"\\\n])*"/, with: "\"\"")
      .replacing(/\/\*[\s\S]*?\*\//, with: "")
      .replacing(/\/\/[^\n]*/, with: "")
  }
}
