// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import UnderstudyWiringTool

@testable import UnderstudyTool

/// The committed symbol graphs and snapshots.
enum Fixtures {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()

  static func graph(_ module: String) -> String {
    folder.appendingPathComponent("Graphs/\(module).symbols.json").path
  }

  /// The modules of the committed graphs.
  static let modules: [String] = {
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: folder.appendingPathComponent("Graphs").path)
    return (names ?? []).sorted().compactMap { name in
      name.hasSuffix(".symbols.json") && !name.contains("@")
        ? name.replacing(".symbols.json", with: "") : nil
    }
  }()

  /// The names of the files with a module's graph.
  static func files(of module: String) throws -> [String] {
    let path = folder.appendingPathComponent("Graphs").path
    return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
      .filter { $0 == "\(module).symbols.json" || $0.hasPrefix("\(module)@") }
  }

  static func text(_ path: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
  }

  static func read(_ modules: String...) throws -> [SymbolGraphFile] {
    try modules.flatMap { try SymbolGraphFile.all(at: graph($0)) }
  }
}

extension DoublesOutput {
  /// A line for every protocol without a double.
  var refusals: [String] { refused.map(\.message) }

  init(
    _ graphs: [SymbolGraphFile], _ selection: Selection, mayBeEmpty: Bool = false,
    source: (String) -> String? = { _ in nil }
  ) throws(ToolError) {
    try self.init(
      GraphIndex(graphs, source: source), selection, mayBeEmpty: mayBeEmpty, source: source)
  }
}

/// A temporary directory that is removed at the end.
final class Folder {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file, and creates its directory.
  func write(_ text: String, to name: String) throws {
    let parent = URL(fileURLWithPath: "\(path)/\(name)").deletingLastPathComponent()
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    try text.write(toFile: "\(path)/\(name)", atomically: true, encoding: .utf8)
  }

  func text(_ name: String) throws -> String {
    try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
  }

  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }
}

/// What a run of the tool printed, and its status.
struct Run {
  var lines: [String] = []
  var errors: [String] = []
  var status: Int32 = 0

  init(_ arguments: String...) {
    self.init(arguments)
  }

  init(
    _ arguments: [String],
    launch: @escaping (String, [String]) -> ProgramEnd = { _, _ in ProgramEnd(status: 1) }
  ) {
    let printed = Printed()
    let tool = Tool(
      write: { printed.lines.append($0) }, writeError: { printed.errors.append($0) },
      launch: launch)
    status = tool.run(arguments)
    lines = printed.lines
    errors = printed.errors
  }

  private final class Printed {
    var lines: [String] = []
    var errors: [String] = []
  }
}
