// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Finds the modules that a double has to import.
enum ImportFinder {
  /// The types of the library. A type of another module with such a name is imported by itself.
  static let library: Set<String> = [
    "Answering", "ArgumentsMatcher", "AsyncSpy", "CallCount", "Cassette", "CassetteError",
    "DoubleControls", "ExpectedOrder", "Fault", "FaultSchedule", "Gate", "GenericSpy",
    "GenericStubbing", "HasPlaceholder", "ImmediateClock", "KeyValueMemory", "ManualClock",
    "ManualDate",
    "Matcher", "NotADouble", "OrderBuilder", "OrderStep", "RandomSource", "RecordedError",
    "Redaction", "ScriptedSequence", "SeededGenerator", "Spy", "SpyProperty", "Spying",
    "StaticSpyList", "Stubbing", "UUIDSource", "Unchecked", "Unstubbed", "UnstubbedPolicy",
    "Verifiable", "VerificationError",
  ]

  /// The import lines, without those for the library.
  static func imports(for model: ProtocolModel, _ index: GraphIndex) -> [String] {
    var modules: [String: Bool] = [model.module: index.isInternal(model.usr)]
    let tokens = model.tokens
    if let extended = ModuleName.imported(for: model.usr), modules[extended] == nil {
      modules[extended] = false
    }
    for usr in Set(tokens.compactMap(\.usr)) {
      guard let name = index.modules[usr] ?? ModuleName.imported(for: usr) else { continue }
      modules[name] = modules[name] == true || index.isInternal(usr)
    }
    if let superclass = model.superclass, superclass.isTestable,
      let name = index.modules[superclass.usr]
    {
      modules[name] = true
    }
    // The implementations of a platform protocol's requirements are only found with an import of
    // their module. The same holds for the members of a parent in another module.
    for usr in index.allConformances(of: model.usr) {
      let isKnown = StandardProtocol.all[usr] != nil
      let name = index.modules[usr] ?? (isKnown ? ModuleName.imported(for: usr) : nil)
      if let name { modules[name] = modules[name] ?? false }
    }
    for name in ["Swift", "_Concurrency", "_StringProcessing", "SwiftShims"] { modules[name] = nil }
    let parts = ModuleName.partsOfFoundation.intersection(modules.keys)
    for part in parts { modules[part] = nil }
    if !parts.isEmpty { modules["Foundation"] = modules["Foundation"] ?? false }
    let old = Set(
      model.declared.filter { $0.usr.hasUnsendableActorFunction }
        .compactMap { index.modules[$0.owner] })
    let whole = modules.keys.sorted().map { name in
      let groups = (model.groups[name] ?? []).compactMap { $0 }.sorted()
      return (old.contains(name) ? "@preconcurrency " : "")
        + groups.map { "@_spi(\($0)) " }.joined()
        + (modules[name] == true ? "@testable " : "") + "import \(name.escaped)"
    }
    let conditional = parts.union(foreign(model, Set(modules.keys), index))
    var named = tokens
    // The double cannot qualify the protocol if a type of the module has the module's name.
    if index.outermost[model.module] != nil,
      let name = index.symbols[model.usr]?.pathComponents.first
    {
      named.append(Token(name, usr: model.usr))
    }
    return whole + single(named, parts.union(modules.keys), index)
      + conditional.sorted().map { name in
        "#if canImport(\(name.escaped))\n  import \(name.escaped)\n#endif"
      }
  }

  /// The imported modules of the requirements' sources, for C and Objective-C types of unknown
  /// modules.
  private static func foreign(
    _ model: ProtocolModel, _ modules: Set<String>, _ index: GraphIndex
  ) -> Set<String> {
    let isForeign = model.tokens.compactMap(\.usr).contains { usr in
      SourceImports.isForeign(usr) && ModuleName.imported(for: usr) == nil
    }
    guard isForeign else { return [] }
    let usrs = [model.usr] + model.requirements.map(\.usr)
    let sources = Set(usrs.compactMap { index.symbols[$0]?.location?.uri })
    let named = Set(sources.flatMap { index.sourceImports[$0] ?? [] })
    return named.subtracting(modules).subtracting(index.moduleNames)
  }

  /// The lines that import a single type, which takes precedence over imported modules. A module
  /// without a graph may contain any type.
  private static func single(
    _ tokens: [Token], _ modules: Set<String>, _ index: GraphIndex
  ) -> [String] {
    let known = index.moduleNames
    let lines = tokens.compactMap { token -> String? in
      guard let usr = token.usr, let symbol = index.symbols[usr], symbol.isType,
        let module = index.modules[usr], let name = symbol.pathComponents.first,
        token.text.trimmingPrefix("@").hasPrefix(name.escapedType),
        let kinds = index.outermost[name], let kind = kinds[module]
      else { return nil }
      let others = modules.subtracting([module])
      let isClashing = others.contains { !known.contains($0) || kinds[$0] != nil }
      guard isClashing || library.contains(name) else { return nil }
      return (index.isInternal(usr) ? "@testable " : "")
        + "import \(kind) \(module.escaped).\(name.escapedType)"
    }
    return Set(lines).sorted()
  }
}

extension String {
  /// Whether a unique identifier contains a function on the main actor that is not `Sendable`, as
  /// Swift 5 declares it. In Swift 6, each function on a global actor is `Sendable`.
  ///
  /// `ScMYc` is the sign of the main actor, after `Yb` for `Sendable` and `K` for `throws`.
  fileprivate var hasUnsendableActorFunction: Bool {
    guard contains("ScMYc") else { return false }
    let signs = withoutNames
    return signs.ranges(of: "ScMYc").contains { range in
      let before = signs[..<range.lowerBound]
      return !before.hasSuffix("Yb") && !before.hasSuffix("YbK") && !before.hasSuffix("YK")
    }
  }
}
