// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation

/// The protocols of the toolchain's modules that have no recipe, extracted when a protocol inherits
/// from one of them.
///
/// The graph of the standard library has 21 MB. Only the protocols are kept, in a small file for
/// each version of the toolchain.
struct ToolchainGraphs {
  /// The path of `swift-symbolgraph-extract`, or `nil` if there is none.
  let extractor: String?
  /// The directory in which the small files are cached.
  let store: String
  let launch: (String, [String]) -> ProgramEnd

  /// The graphs of the toolchain's modules that the protocols of the given graphs need, directly
  /// and indirectly. The file of a module that cannot be extracted has the reason. The modules in
  /// `others` are not the toolchain's.
  func files(for graphs: [SymbolGraphFile], others: Set<String>) -> [SymbolGraphFile] {
    var tried = others
    var found: [SymbolGraphFile] = []
    let all = extractor.flatMap(Self.modules(for:))
    while true {
      let missing = Self.missing(in: graphs + found).subtracting(tried)
        .filter { all?.contains($0) ?? true }
      if missing.isEmpty { return found }
      tried.formUnion(missing)
      found += missing.sorted().map(file)
    }
  }

  /// The modules of the parents that have neither a graph nor a recipe.
  private static func missing(in files: [SymbolGraphFile]) -> Set<String> {
    let symbols = files.flatMap(\.graph.symbols)
    let known = Set(symbols.map(\.identifier.precise))
    let protocols = Set(
      symbols.filter(\.isProtocol).map(\.identifier.precise))
    let parents = files.flatMap(\.graph.relationships).filter { relationship in
      ["inheritsFrom", "conformsTo"].contains(relationship.kind)
        && protocols.contains(relationship.source) && !known.contains(relationship.target)
        && StandardProtocol.all[relationship.target] == nil
        && StandardProtocol.isProtocol(relationship.target)
    }
    let modules = parents.compactMap { ModuleName.declaring($0.target) }
    // It becomes a part of a path.
    return Set(modules.filter(\.isWord))
  }

  /// The names of all modules that the extractor can read: those of its toolchain and of the SDK.
  /// `nil` if they are not found.
  private static func modules(for extractor: String) -> Set<String>? {
    func names(_ folder: String, _ end: String) -> [String] {
      let all = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return all.filter { $0.hasSuffix(end) }.map { String($0.dropLast(end.count)) }
    }
    let root = URL(fileURLWithPath: extractor).resolvingSymlinksInPath()
      .deletingLastPathComponent().deletingLastPathComponent().path
    let folders = names("\(root)/lib/swift", "").map { "\(root)/lib/swift/\($0)" }
    var modules = Set(folders.flatMap { names($0, ".swiftmodule") })
    if let sdk = ProcessInfo.processInfo.environment["SDKROOT"] {
      modules.formUnion(names("\(sdk)/usr/lib/swift", ".swiftmodule"))
      modules.formUnion(names("\(sdk)/System/Library/Frameworks", ".framework"))
    }
    return modules.contains("Swift") ? modules : nil
  }

  /// The content of a small file.
  private struct Kept: Codable {
    /// The version of the toolchain and of the file's form.
    var version: String
    var graph: SymbolGraph
  }

  private func file(_ module: String) -> SymbolGraphFile {
    guard let extractor else {
      return .failed(
        module, .init("the toolchain has no 'swift-symbolgraph-extract', and none is in PATH"))
    }
    var hash = ContentHash()
    let sdk = ProcessInfo.processInfo.environment["SDKROOT"] ?? ""
    hash.add("2 \(extractor) \(FileFacts(extractor)?.text ?? "") \(GraphStore.triple) \(sdk)")
    hash.add(StandardProtocol.all.keys.sorted().joined(separator: " "))
    let path = "\(store)/\(module).toolchain.json"
    if let data = FileManager.default.contents(atPath: path),
      let kept = try? JSONDecoder().decode(Kept.self, from: data), kept.version == hash.text
    {
      return SymbolGraphFile(ofToolchain: kept.graph, path: path)
    }
    let graph: SymbolGraph
    switch extracted(module, extractor) {
    case .success(let extracted): graph = extracted
    case .failure(let failure): return .failed(module, failure)
    }
    if let data = try? JSONEncoder().encode(Kept(version: hash.text, graph: graph)) {
      try? data.write(to: URL(fileURLWithPath: path), options: .atomic)
    }
    return SymbolGraphFile(ofToolchain: graph, path: path)
  }

  private func extracted(
    _ module: String, _ extractor: String
  ) -> Result<SymbolGraph, SymbolGraphFile.Failure> {
    let manager = FileManager.default
    let draft = "\(store)/draft-\(module)-\(getpid())"
    defer { try? manager.removeItem(atPath: draft) }
    let arguments = GraphStore.arguments(for: module, level: "public", store, to: draft)
    let command = ([extractor] + arguments).joined(separator: " ")
    guard (try? manager.createDirectory(atPath: draft, withIntermediateDirectories: true)) != nil
    else { return .failure(.init("'\(store)' cannot be written")) }
    let end = launch(extractor, arguments)
    guard end.status == 0 else { return .failure(.init(end.reason, command: command)) }
    do throws(ToolError) {
      let files = try SymbolGraphFile.all(at: draft)
      guard let graph = Self.protocols(of: module, in: files.map(\.graph)) else {
        return .failure(.init("it wrote no graph", command: command))
      }
      return .success(graph)
    } catch {
      return .failure(.init(error.message, command: command))
    }
  }

  // MARK: Keeping the protocols alone

  /// The protocols without a recipe, their requirements, and the default implementations that apply
  /// to every conforming type.
  static func protocols(of module: String, in graphs: [SymbolGraph]) -> SymbolGraph? {
    guard var graph = graphs.first else { return nil }
    let symbols = Dictionary(
      graphs.flatMap(\.symbols).map { ($0.identifier.precise, $0) }
    ) { first, _ in first }
    let relationships = graphs.flatMap(\.relationships)
    var kept = Set(
      symbols.filter {
        $0.value.isProtocol && StandardProtocol.all[$0.key] == nil
      }.keys)
    let requirements = relationships.filter {
      ["requirementOf", "optionalRequirementOf"].contains($0.kind) && kept.contains($0.target)
    }
    let heads = relationships.filter {
      ["inheritsFrom", "conformsTo"].contains($0.kind) && kept.contains($0.source)
    }
    let defaults = defaults(of: requirements, relationships, symbols)
    kept.formUnion(requirements.map(\.source))
    graph.module.name = module
    graph.symbols = kept.sorted().compactMap { symbols[$0] }
    graph.relationships = heads + requirements + defaults
    return graph
  }

  /// The default implementations, from the protocol of the extension to the requirement.
  ///
  /// If a protocol's extension implements all its requirements, they are optional, as those of a
  /// delegate. A double without them would be useless, so they do not count.
  private static func defaults(
    of requirements: [SymbolGraph.Relationship], _ relationships: [SymbolGraph.Relationship],
    _ symbols: [String: SymbolGraph.Symbol]
  ) -> [SymbolGraph.Relationship] {
    let index = GraphIndex([])
    func declaration(_ usr: String) -> Declaration? {
      symbols[usr].flatMap { Declaration($0.tokens) }
    }
    // A graph has no relationship from a default implementation to the protocol of its extension.
    let named = Dictionary(
      symbols.filter { $0.value.isProtocol }
        .map { ($0.value.pathComponents[...], $0.key) }
    ) { first, _ in first }
    let own = Dictionary(requirements.map { ($0.source, $0.target) }) { first, _ in first }
    var found: Set<[String]> = []
    for relationship in relationships where relationship.kind == "defaultImplementationOf" {
      // The relationship connects all overloads, so the declarations have to be equal.
      guard own[relationship.target] != nil, let symbol = symbols[relationship.source],
        let owner = named[symbol.pathComponents.dropLast()],
        symbol.swiftExtension?.constraints?.isEmpty ?? true,
        let implementation = declaration(relationship.source),
        let requirement = declaration(relationship.target),
        implementation.identity(index) == requirement.identity(index),
        implementation.fulfils(requirement)
      else { continue }
      found.insert([owner, relationship.target])
    }
    let members = Dictionary(
      grouping: requirements.filter {
        symbols[$0.source]?.kind.identifier != "swift.associatedtype"
      }, by: \.target)
    let delegates = members.filter { owner, all in
      all.allSatisfy { found.contains([owner, $0.source]) }
    }
    return found.filter { delegates[own[$0[1]] ?? ""] == nil }
      .map {
        SymbolGraph.Relationship(kind: "defaultImplementationOf", source: $0[0], target: $0[1])
      }
      .sorted { ($0.source, $0.target) < ($1.source, $1.target) }
  }
}
