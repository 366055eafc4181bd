// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Which protocols get a double.
struct Selection: Hashable {
  /// Names with or without the module, in which `*` and `?` are wildcards. A pattern with a
  /// wildcard chooses only public protocols of other packages.
  var patterns: [String] = []
  /// The modules of the protocols, or empty for all modules.
  var modules: [String] = []

  /// The chosen protocols, in the order of the index.
  ///
  /// With `mayBeEmpty`, it is no error if there are none, since not all graphs may be read yet.
  func models(
    in index: GraphIndex, mayBeEmpty: Bool = false
  ) throws(ToolError) -> [ProtocolModel] {
    if let missing = modules.first(where: { !index.moduleNames.contains($0) }) {
      throw .noModule(missing, index.moduleNames.sorted())
    }
    let candidates = index.protocols.filter { usr in
      modules.isEmpty || modules.contains(index.modules[usr] ?? "")
    }
    if patterns.isEmpty {
      let chosen = candidates.compactMap { ProtocolCollector.model(of: $0, in: index) }
        .filter(\.asksForDouble)
      if chosen.isEmpty, !mayBeEmpty { throw .nothingChosen(modules: modules) }
      return try unambiguous(chosen)
    }
    var chosen: Set<String> = []
    for pattern in patterns {
      let pool = pattern.contains(".") ? index.protocols : candidates
      let isName = !pattern.contains { "*?".contains($0) }
      let found = pool.filter { usr in
        let name = index.name(of: usr)
        guard
          isName || !index.otherPackages.contains(index.modules[usr] ?? "") || index.isPublic(usr)
        else { return false }
        return Self.matches(name, pattern)
          || Self.matches("\(index.modules[usr] ?? "").\(name)", pattern)
      }
      if found.isEmpty, !mayBeEmpty {
        if let kind = kind(of: pattern, in: index) {
          throw .notProtocol(pattern: pattern, kind: kind)
        }
        throw .noProtocol(pattern: pattern, nearest: nearest(pattern, pool, index))
      }
      chosen.formUnion(found)
    }
    let models = index.protocols.filter(chosen.contains)
      .compactMap { ProtocolCollector.model(of: $0, in: index) }
    return try unambiguous(models)
  }

  private func unambiguous(_ models: [ProtocolModel]) throws(ToolError) -> [ProtocolModel] {
    let modules = Dictionary(grouping: models, by: \.name)
    let clashes = modules.filter { $0.value.count > 1 }
    if let clash = clashes.min(by: { $0.key < $1.key }) {
      throw .ambiguousProtocol(name: clash.key, modules: clash.value.map(\.module).sorted())
    }
    return models
  }

  /// The private protocols that ask for a double, after the mistakes in the comments for doubles if
  /// comments choose the protocols. Patterns choose without the comments of other packages.
  func problems(in index: GraphIndex, source: (String) -> String?) -> [Diagnostic] {
    let names = (modules.isEmpty ? index.moduleNames.sorted() : modules)
      .filter { patterns.isEmpty || !index.otherPackages.contains($0) }
    let sources = names.flatMap(index.sources).map { (path: $0, text: source($0) ?? "") }
    let hidden = sources.flatMap { path, text in
      HiddenMarker.all(in: text).filter { $0.word == "double" }.map { marker in
        Diagnostic(
          place: SourcePlace(path: path, line: marker.line, column: marker.column),
          message: "`\(marker.name)` is \(marker.access) and gets no double.")
      }
    }
    guard patterns.isEmpty else { return hidden }
    let symbols = index.symbols.values.filter { symbol in
      symbol.docComment != nil && names.contains(index.modules[symbol.identifier.precise] ?? "")
    }
    let problems = symbols.flatMap { symbol in
      DoubleMarker.problems(symbol, of: index.name(of: symbol.identifier.precise)).map {
        Diagnostic(place: SourcePlace(symbol.location), message: $0)
      }
    }.sorted { ($0.place?.text ?? "", $0.message) < ($1.place?.text ?? "", $1.message) }
    let misplaced = sources.flatMap { path, text in
      MisplacedMarker.problems(of: ["double"], in: text, at: path)
    }
    return problems + misplaced + hidden
  }

  /// The kind of the type that a pattern names, with its article, or `nil` if there is none.
  private func kind(of pattern: String, in index: GraphIndex) -> String? {
    let kinds = index.symbols.values.filter { symbol in
      let module = index.modules[symbol.identifier.precise] ?? ""
      let name = symbol.pathComponents.joined(separator: ".")
      return symbol.isType && (modules.isEmpty || modules.contains(module))
        && [name, "\(module).\(name)"].contains(pattern)
    }.map(\.kind.identifier)
    switch kinds.min() {
    case "swift.class": return "a class"
    case "swift.enum": return "an enum"
    case "swift.struct": return "a struct"
    case "swift.typealias": return "a type alias"
    default: return nil
    }
  }

  private func nearest(_ pattern: String, _ pool: [String], _ index: GraphIndex) -> [String] {
    let wanted = pattern.split(separator: ".").last.map(String.init) ?? pattern
    let scored = pool.map { usr in
      (name: index.name(of: usr), distance: NearMiss.distance(index.name(of: usr), wanted))
    }
    let limit = max(1, wanted.count / 3)
    return Array(
      scored.filter { $0.distance <= limit }
        .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.map(\.name).prefix(3))
  }

  /// Whether a whole name matches a pattern.
  static func matches(_ name: some StringProtocol, _ pattern: some StringProtocol) -> Bool {
    guard let first = pattern.first else { return name.isEmpty }
    if first == "*" {
      if matches(name, pattern.dropFirst()) { return true }
      return !name.isEmpty && matches(name.dropFirst(), pattern)
    }
    guard let letter = name.first, first == "?" || first == letter else { return false }
    return matches(name.dropFirst(), pattern.dropFirst())
  }
}
