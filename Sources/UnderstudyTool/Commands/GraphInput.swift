// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation

/// The source of a command's symbol graphs: the files of `--symbol-graph`, or the modules of
/// `--modules`.
struct GraphInput: Hashable {
  static let options = ["--symbol-graph", "--modules"]
  /// The status that asks the plugin for builds. The file `wanted` of the list names the modules.
  static let needsBuilds: Int32 = 75

  var paths: [String]
  var list: String?

  init(_ reader: ArgumentReader, command: String) throws(ToolError) {
    paths = reader.all("--symbol-graph")
    list = reader.last("--modules")
    if paths.isEmpty, list == nil {
      throw .usage("'\(command)' needs --symbol-graph, a file or a directory.", command: command)
    }
  }

  /// Which further modules have to be read.
  enum Extent {
    /// The modules that the chosen protocols name.
    case protocols([Selection])
    /// All named modules.
    case everything
  }

  /// The list of the modules, or `nil` if graphs are given.
  func modules() throws(ToolError) -> ModuleList? {
    guard let list else { return nil }
    return try ModuleList(contentsOf: list)
  }

  /// Reads the graphs. Returns `nil` if modules have to be built first, after writing their names
  /// to the file `wanted` of the list.
  func files(
    _ extent: Extent, launch: @escaping (String, [String]) -> ProgramEnd
  ) throws(ToolError) -> [SymbolGraphFile]? {
    var files: [SymbolGraphFile] = []
    for path in paths { files += try SymbolGraphFile.all(at: path) }
    guard let list else { return files + toolchain(extent, files, nil, launch) }
    let modules = try ModuleList(contentsOf: list)
    let store = GraphStore(modules, launch: launch)
    var read: Set<String> = []
    var open = modules.modules.filter(\.isChosen)
    while !open.isEmpty {
      var wanted: [String] = []
      var added: [(path: String, module: ModuleList.Module)] = []
      for module in open where read.insert(module.id).inserted {
        switch store.graph(of: module.id) {
        case .graph(let path): added.append((path, module))
        case .needsBuild: wanted.append(module.id)
        case .unavailable(let failure):
          // Another module matters only if a protocol of it is inherited. The refusal of the double
          // then says so.
          guard module.isChosen else { continue }
          if module.isExecutable, !modules.broken.contains(module.target) {
            throw .noGraphOfExecutable(module.target)
          }
          if let failure { throw .noExtraction(module.name, failure) }
          throw .noGraph(
            module.name, target: module.target, generated: module.files.filter(Self.isGenerated))
        }
      }
      if !wanted.isEmpty {
        guard WholeWrite.write(wanted.joined(separator: "\n"), to: modules.wanted) else {
          throw .unwritable(path: modules.wanted, reason: "the file system refuses it")
        }
        return nil
      }
      var new: [SymbolGraphFile] = []
      for (path, module) in added {
        for var file in try SymbolGraphFile.all(at: path) {
          file.isOfOtherPackage = module.isOfOtherPackage
          file.sources = module.sources
          new.append(file)
        }
      }
      files += new
      let rest = modules.modules.filter { $0.isSwift && !read.contains($0.id) }
      let named = rest.isEmpty ? [] : try names(extent, among: rest, new: new, all: files)
      open = rest.filter { named.contains($0.name) }
    }
    return files + toolchain(extent, files, modules, launch)
  }

  /// The graphs of the toolchain's modules that declare parents of protocols.
  private func toolchain(
    _ extent: Extent, _ files: [SymbolGraphFile], _ list: ModuleList?,
    _ launch: @escaping (String, [String]) -> ProgramEnd
  ) -> [SymbolGraphFile] {
    guard case .protocols = extent else { return [] }
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    // The plugin gives the extractor of the toolchain that builds the package.
    let extractor =
      list.map(\.extractor)
      ?? path.split(separator: ":").map { "\($0)/swift-symbolgraph-extract" }
      .first(where: FileManager.default.isExecutableFile)
    let temporary = FileManager.default.temporaryDirectory
      .appendingPathComponent("understudy-\(UUID().uuidString)").path
    let graphs = ToolchainGraphs(
      extractor: extractor, store: list?.store ?? temporary, launch: launch)
    defer { try? FileManager.default.removeItem(atPath: temporary) }
    return graphs.files(
      for: files,
      others: Set(list?.modules.map(\.name) ?? []).union(files.map(\.graph.module.name)))
  }

  private static func isGenerated(_ path: String) -> Bool {
    guard path.hasSuffix(".swift"), let text = SymbolGraphFile.source(at: path) else {
      return false
    }
    return GeneratedFile.inspect(text) != .foreign
  }

  private func names(
    _ extent: Extent, among rest: [ModuleList.Module], new: [SymbolGraphFile],
    all: [SymbolGraphFile]
  ) throws(ToolError) -> Set<String> {
    switch extent {
    case .protocols(let selections):
      let index = GraphIndex(all)
      var missing: Set<String> = []
      for selection in selections {
        for model in try selection.models(in: index, mayBeEmpty: true) {
          missing.formUnion(index.missingModules(of: model))
        }
      }
      return missing
    case .everything:
      var found: Set<String> = []
      for file in new {
        guard let data = FileManager.default.contents(atPath: file.path) else { continue }
        // An identifier begins with the length and the name of its module.
        for name in rest.map(\.name) where !found.contains(name) {
          if data.range(of: Data("\"s:\(name.utf8.count)\(name)".utf8)) != nil {
            found.insert(name)
          }
        }
      }
      return found
    }
  }
}
