// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation

/// A symbol graph with the path of its file.
struct SymbolGraphFile {
  var path: String
  var graph: SymbolGraph
  /// Whether the module belongs to another package than the doubles.
  var isOfOtherPackage = false
  /// The Swift files of the module, if the package lists them.
  var sources: [String] = []
  /// Whether it contains only protocols of a module of the toolchain.
  var isOfToolchain = false

  /// The reason why there is no graph of a module of the toolchain. The graph is then empty.
  var failure: Failure?

  struct Failure: Error, Hashable {
    var reason: String
    /// The command that failed, if one was run.
    var command: String?

    /// The warning about it.
    func text(_ module: String) -> String {
      "The symbol graph of '\(module)' cannot be extracted (\(reason))."
        + (command.map { " The command is: \($0)" } ?? "")
    }

    init(_ reason: String, command: String? = nil) {
      self.reason = reason
      self.command = command
    }
  }

  /// The file of a module of the toolchain that has no graph.
  static func failed(_ module: String, _ failure: Failure) -> SymbolGraphFile {
    let graph = SymbolGraph(
      metadata: .init(formatVersion: .init(major: 0, minor: 0)), module: .init(name: module),
      symbols: [],
      relationships: [])
    var file = SymbolGraphFile(ofToolchain: graph, path: module)
    file.failure = failure
    return file
  }

  /// A graph of a module of the toolchain.
  init(ofToolchain graph: SymbolGraph, path: String) {
    self.path = path
    self.graph = graph
    isOfToolchain = true
  }

  /// Decodes a symbol graph.
  ///
  /// - Throws: An error with the path if the file is truncated, or has an unknown format.
  init(_ data: Data, path: String) throws(ToolError) {
    let decoder = JSONDecoder()
    let graph = try? decoder.decode(SymbolGraph.self, from: data)
    // Another format may have any shape, so its head is read only to name the format.
    let metadata =
      graph?.metadata ?? (try? decoder.decode(SymbolGraph.Head.self, from: data))?.metadata
    if let version = metadata?.formatVersion, version.major != 0 {
      throw .unknownFormat(path: path, version: version.text)
    }
    guard let graph else { throw .truncated(path: path) }
    for symbol in graph.symbols where !symbol.isWellFormed {
      throw .malformed(path: path, symbol: symbol.identifier.precise)
    }
    self.path = path
    self.graph = graph
  }

  /// The text of a source with a path, or with the address that a symbol graph has, or `nil` if it
  /// cannot be read.
  static func source(at uri: String) -> String? {
    FileManager.default.contents(atPath: uri.pathOfAddress).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// The symbol graphs at a path: one file, or all files of a directory in a stable order.
  static func all(at path: String) throws(ToolError) -> [SymbolGraphFile] {
    guard let facts = FileFacts(path) else { throw .noSymbolGraphs(path: path) }
    var paths = [path]
    if facts.isDirectory {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
      paths = names.filter { $0.hasSuffix(".symbols.json") }.sorted().map { "\(path)/\($0)" }
      if paths.isEmpty { throw .noSymbolGraphs(path: path) }
    }
    var files: [SymbolGraphFile] = []
    for path in paths {
      let data: Data
      do {
        data = try Data(contentsOf: URL(fileURLWithPath: path))
      } catch {
        throw .unreadable(path: path, reason: "the file system refuses it")
      }
      files.append(try SymbolGraphFile(data, path: path))
    }
    return files
  }
}

extension String {
  /// The path in an address `file://…`, or the text itself if it is a path.
  var pathOfAddress: String {
    guard hasPrefix("file://") else { return self }
    let path = String(dropFirst(7))
    return path.removingPercentEncoding ?? path
  }
}

extension SymbolGraph.Symbol {
  /// Whether the symbol has a name and a valid position.
  fileprivate var isWellFormed: Bool {
    let position = location?.position
    let numbers = [position?.line ?? 0, position?.character ?? 0]
    return !pathComponents.isEmpty && numbers.allSatisfy { (0...Int(Int32.max)).contains($0) }
  }
}
