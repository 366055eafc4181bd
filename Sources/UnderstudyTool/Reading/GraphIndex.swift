// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The symbols of all graphs of a run, indexed.
struct GraphIndex {
  typealias Symbol = SymbolGraph.Symbol

  /// The symbol of every unique identifier.
  private(set) var symbols: [String: Symbol] = [:]
  /// The module of every symbol.
  private(set) var modules: [String: String] = [:]
  /// The modules of the graphs, also those without a symbol.
  private(set) var moduleNames: Set<String> = []
  /// The modules of other packages than the doubles' package.
  private(set) var otherPackages: Set<String> = []
  /// The members of every protocol.
  private(set) var members: [String: [String]] = [:]
  /// The direct conformances of every type and protocol, also to protocols outside the graphs.
  private(set) var conformances: [String: [Conformance]] = [:]
  /// The conditions of conformances on a generic type's parameters.
  private var conditions: [String: [String: [SymbolGraph.Constraint]]] = [:]
  /// The symbols of the toolchain's modules.
  private(set) var toolchain: Set<String> = []
  /// The requirements of the toolchain's protocols that a protocol implements in an extension.
  private(set) var defaults: [String: Set<String>] = [:]
  /// The default implementations of each requirement and of its overloads.
  private var implementations: [String: [String]] = [:]
  /// The protocols, in a stable order.
  private(set) var protocols: [String] = []
  /// How many visible protocols of each module have a name, without the dots between its parts.
  private var joinedNames: [String: [String: Int]] = [:]
  /// The type aliases of protocols, which conforming types inherit.
  private(set) var inheritedAliases: Set<String> = []
  /// The inherited aliases whose meaning depends on the conforming type.
  private(set) var memberAliases: Set<String> = []
  /// The kind of each top-level type by name and module: a `struct`, a `class` …
  private(set) var outermost: [String: [String: String]] = [:]
  /// The types that are known to be noncopyable.
  private(set) var noncopyable: Set<String> = []
  /// The types whose values cannot outlive a call.
  private(set) var nonescapable: Set<String> = []
  /// The generic types that are copied, or escape, if their arguments do.
  private(set) var conditional: Set<String> = []
  /// The types of both sets whose sources say so.
  private(set) var unique: Set<String> = []
  /// The imports in the sources of protocols and components that use C or Objective-C types.
  private(set) var sourceImports: [String: [String]] = [:]
  /// The members of classes that no graph has, by module, for modules whose sources can be read.
  private(set) var hiddenMembers: [String: [HiddenMember]] = [:]
  /// The SPI group of every symbol with one, if its source is available.
  private(set) var groups: [String: String] = [:]
  /// The reasons why modules of the toolchain have no graph.
  private(set) var failures: [String: SymbolGraphFile.Failure] = [:]
  /// The Swift files of each module whose package lists them.
  private(set) var listed: [String: Set<String>] = [:]
  /// The newest format among the graphs.
  private(set) var format = "0.0.0"

  struct Conformance: Hashable {
    var usr: String
    var name: String
  }

  /// Reads graphs. Calls `source` for sources whose graph is not detailed enough.
  init(_ files: [SymbolGraphFile], source: (String) -> String? = { _ in nil }) {
    otherPackages = Set(files.filter(\.isOfOtherPackage).map(\.graph.module.name))
    for file in files where file.isOfToolchain {
      failures[file.graph.module.name] = file.failure
      add(ofToolchain: file.graph)
    }
    for file in files where !file.isOfToolchain {
      let graph = file.graph
      listed[graph.module.name, default: []].formUnion(file.sources)
      format = max(format, graph.metadata.formatVersion.text)
      moduleNames.insert(graph.module.name)
      for symbol in graph.symbols {
        let usr = symbol.identifier.precise
        guard symbols[usr] == nil else { continue }
        symbols[usr] = symbol
        modules[usr] = graph.module.name
        if symbol.isProtocol, !symbol.isExported(by: graph.module.name) {
          protocols.append(usr)
          let count = symbol.isPrivate ? 0 : 1
          joinedNames[graph.module.name, default: [:]][
            symbol.pathComponents.joined(), default: 0] += count
        }
        if symbol.isType, symbol.pathComponents.count == 1,
          !symbol.isPrivate
        {
          outermost[symbol.pathComponents[0], default: [:]][graph.module.name] =
            String(symbol.kind.identifier.trimmingPrefix("swift."))
        }
      }
      for relationship in graph.relationships { add(relationship) }
    }
    removeInheritedComments(files)
    findMemberAliases()
    var suppressed = SuppressedConformances(symbols, conformances)
    let components = Set(symbols.values.filter(\.isMarked).map(\.identifier.precise))
    suppressed.find(
      in: protocols.flatMap { members[$0] ?? [] }, components: components, source: source)
    unique = suppressed.written
    noncopyable = suppressed.noncopyable
    nonescapable = suppressed.nonescapable
    conditional = suppressed.conditional
    findSuppressedAliases()
    findSourceImports(of: protocols + components, source)
    findHiddenMembers(source)
    groups = SPIGroups.find(in: symbols.values.filter { $0.spi == true }, source: source)
    protocols = protocols.map { (modules[$0] ?? "", name(of: $0), $0) }.sorted { $0 < $1 }.map(\.2)
  }

  private mutating func add(_ relationship: SymbolGraph.Relationship) {
    switch relationship.kind {
    case "requirementOf", "memberOf", "optionalRequirementOf":
      members[relationship.target, default: []].append(relationship.source)
    case "conformsTo", "inheritsFrom":
      let conformance = Conformance(
        usr: relationship.target, name: relationship.targetFallback ?? relationship.target)
      conditions[relationship.source, default: [:]][relationship.target] =
        relationship.swiftConstraints
      if conformances[relationship.source]?.contains(conformance) != true {
        conformances[relationship.source, default: []].append(conformance)
      }
    case "defaultImplementationOf":
      implementations[relationship.target, default: []].append(relationship.source)
    default: break
    }
  }

  /// Removes each comment that an extracted graph copies from an overridden member or from a
  /// requirement.
  private mutating func removeInheritedComments(_ files: [SymbolGraphFile]) {
    let inheriting = files.flatMap { file in
      file.graph.relationships.filter { relationship in
        guard let origin = relationship.sourceOrigin?.identifier, origin != relationship.source,
          let comment = symbols[relationship.source]?.docComment
        else { return false }
        return comment == symbols[origin]?.docComment
      }
    }
    for relationship in inheriting { symbols[relationship.source]?.docComment = nil }
  }

  /// The default implementations of a requirement and of its overloads.
  func implementations(of requirement: String) -> [String] { implementations[requirement] ?? [] }

  /// Adds the protocols of a module of the toolchain, which are parents alone.
  private mutating func add(ofToolchain graph: SymbolGraph) {
    for symbol in graph.symbols {
      let usr = symbol.identifier.precise
      symbols[usr] = symbol
      modules[usr] = ModuleName.imported(for: usr) ?? graph.module.name
      toolchain.insert(usr)
    }
    for relationship in graph.relationships {
      if relationship.kind == "defaultImplementationOf" {
        defaults[relationship.source, default: []].insert(relationship.target)
      } else {
        add(relationship)
      }
    }
  }

  private mutating func findMemberAliases() {
    let inherited = Set(protocols.flatMap { members[$0] ?? [] })
    let owners = Set(protocols.map { [modules[$0] ?? ""] + (symbols[$0]?.pathComponents ?? []) })
    // An alias with the name of an inherited associated type is no member in the graph.
    let aliases = symbols.filter { usr, symbol in
      symbol.isAlias
        && (inherited.contains(usr)
          || owners.contains([modules[usr] ?? ""] + symbol.pathComponents.dropLast()))
    }
    var count = -1
    // An alias may depend on another one, so this repeats.
    while count < memberAliases.count {
      count = memberAliases.count
      for (alias, symbol) in aliases {
        let isOfConforming = symbol.declarationFragments?.contains { fragment in
          guard let usr = fragment.preciseIdentifier else { return fragment.spelling == "Self" }
          return symbols[usr]?.kind.identifier == "swift.associatedtype"
            || memberAliases.contains(usr)
        }
        if isOfConforming == true { memberAliases.insert(alias) }
      }
    }
    inheritedAliases = Set(aliases.keys)
  }

  /// Reads the sources of the modules with a class that a protocol inherits from, and of the
  /// modules of these protocols, which may extend the class.
  private mutating func findHiddenMembers(_ source: (String) -> String?) {
    var needed: Set<String> = []
    for usr in protocols {
      var open = (conformances[usr] ?? []).map(\.usr)
        .filter { symbols[$0]?.isClass == true }
      if !open.isEmpty { needed.insert(modules[usr] ?? "") }
      var seen: Set<String> = []
      while let next = open.popLast() {
        guard seen.insert(next).inserted else { continue }
        needed.insert(modules[next] ?? "")
        open += (conformances[next] ?? []).map(\.usr)
          .filter { symbols[$0]?.isClass == true }
      }
    }
    for module in needed {
      let placed = Set(
        symbols.filter { modules[$0.key] == module }.compactMap(\.value.location?.uri))
      let paths = Set(placed.map(\.pathOfAddress))
      let texts = placed.map { (address: $0, text: source($0)) }
        .filter { $0.text != nil || $0.address.isOfFile }.map(\.text)
      guard !texts.isEmpty, !texts.contains(nil) else { continue }
      // A source without a symbol of the graph may still extend a class.
      let others = sources(of: module).filter { !paths.contains($0) }
      hiddenMembers[module] = (texts + others.map(source)).flatMap { text in
        text.map { HiddenMember.all(in: $0, of: module) } ?? []
      }
    }
  }

  private mutating func findSourceImports(of owners: [String], _ source: (String) -> String?) {
    let ofForeign = Set(members.filter { SourceImports.isForeign($0.key) }.values.joined())
    for owner in owners {
      for usr in [owner] + (members[owner] ?? []) {
        // A synthesised initialiser has no place.
        guard let symbol = symbols[usr],
          let uri = (symbol.location ?? symbols[owner]?.location)?.uri, sourceImports[uri] == nil,
          ofForeign.contains(usr)
            || symbol.declarationFragments?.contains(where: {
              $0.preciseIdentifier.map(SourceImports.isForeign) == true
            }) == true
        else { continue }
        sourceImports[uri] = source(uri).map(SourceImports.modules) ?? []
      }
    }
  }

  /// An alias of a type is noncopyable or nonescapable if the type is. Function types are exempt.
  private mutating func findSuppressedAliases() {
    let aliases = symbols.compactMapValues(\.underlyingType)
      .filter { !$0.value.contains { $0.text == "->" } }
    var count = -1
    while count < noncopyable.count + nonescapable.count {
      count = noncopyable.count + nonescapable.count
      for (usr, type) in aliases {
        if holds(type[...], noncopyable) { noncopyable.insert(usr) }
        if holds(type[...], nonescapable) { nonescapable.insert(usr) }
      }
    }
  }

  /// The name of a symbol with the names of its outer types.
  func name(of usr: String) -> String {
    symbols[usr]?.pathComponents.joined(separator: ".") ?? usr
  }

  /// The name of a protocol as one word: `SpaceNested` for `Space.Nested`, or `Space_Nested` if its
  /// module has another protocol `SpaceNested`.
  func joinedName(of usr: String) -> String {
    let path = symbols[usr]?.pathComponents ?? [usr]
    let others = joinedNames[modules[usr] ?? ""] ?? [:]
    var joined = path.joined()
    var sign = ""
    while path.count > 1, others[joined, default: 0] > (sign.isEmpty ? 1 : 0) {
      sign += "_"
      joined = path.joined(separator: sign)
    }
    return joined
  }

  /// The members of a type or a protocol.
  func memberSymbols(of usr: String) -> [Symbol] { (members[usr] ?? []).compactMap { symbols[$0] } }

  /// The type that a symbol is a member of.
  func owner(of usr: String) -> String? { members.first { $0.value.contains(usr) }?.key }

  /// A symbol and its outer types, from the inside out. A graph may have types that contain each
  /// other, which ends the list.
  private func withOwners(_ usr: String) -> [String] {
    var all = [usr]
    while let last = all.last, let symbol = symbols[last], symbol.pathComponents.count > 1,
      let owner = owner(of: last), !all.contains(owner)
    {
      all.append(owner)
    }
    return all
  }

  /// The SPI group of a symbol: its own, or that of a type around it.
  func group(of usr: String) -> String? { withOwners(usr).lazy.compactMap { groups[$0] }.first }

  /// Whether a symbol and its outer types are visible outside their package.
  func isPublic(_ usr: String) -> Bool {
    withOwners(usr).allSatisfy { usr in
      symbols[usr]?.isPublic ?? true
    }
  }

  /// The narrowest access level of a symbol and of its outer types.
  func narrowestAccess(of usr: String) -> String? {
    let levels = withOwners(usr).compactMap { symbols[$0]?.accessLevel }
    return ["private", "fileprivate", "internal", "package"].first(where: levels.contains)
      ?? levels.first
  }

  /// Whether code outside a module sees its declarations with an access level. `testable` are the
  /// modules whose internal ones it sees, too.
  func isVisible(_ level: String, of module: String, testable: Set<String>) -> Bool {
    switch level {
    case "open", "public": true
    case "package": !otherPackages.contains(module)
    case "internal": testable.contains(module)
    default: false
    }
  }

  /// Whether a type or one of its outer types is internal, or another symbol is.
  func isInternal(_ usr: String) -> Bool {
    let all = symbols[usr]?.isType == true ? withOwners(usr) : [usr]
    return all.contains { symbols[$0]?.accessLevel == "internal" }
  }

  /// Whether a symbol or one of its outer types has generic parameters.
  func isGeneric(_ usr: String) -> Bool {
    withOwners(usr).contains { usr in
      let tokens = symbols[usr]?.tokens ?? []
      // A function's head ends before its parameters.
      let head = tokens.prefix { !["(", ":", "{", "->", "="].contains($0.text) }
      return head.contains { $0.text == "<" }
    }
  }

  /// All conformances of a type or a protocol, also inherited ones.
  ///
  /// The arguments are those of a generic type. An argument is `nil` if it is more than a name. A
  /// conditional conformance is left out if an argument certainly violates its condition.
  func allConformances(of usr: String, given arguments: [String?] = []) -> Set<String> {
    let parameters = (symbols[usr]?.swiftGenerics?.parameters ?? []).map(\.name)
    let given =
      parameters.count == arguments.count
      ? Dictionary(zip(parameters, arguments)) { first, _ in first } : [:]
    let broken = (conditions[usr] ?? [:]).filter { $0.value.contains { isBroken($0, given) } }
    var found: Set<String> = []
    var open = [usr]
    while let next = open.popLast() {
      for conformance in conformances[next] ?? []
      where !(next == usr && broken[conformance.usr] != nil)
        && found.insert(conformance.usr).inserted
      {
        open.append(conformance.usr)
      }
    }
    return found
  }

  /// Whether an argument certainly has the wrong type.
  private func isBroken(
    _ constraint: SymbolGraph.Constraint, _ given: [String: String?]
  ) -> Bool {
    guard case let argument?? = given[constraint.lhs], let wanted = constraint.rhsPrecise else {
      return false
    }
    switch constraint.kind {
    case "sameType": return argument != wanted
    case "conformance", "superclass":
      // A type of another module may have unknown conformances.
      return symbols[argument] != nil && symbols[wanted] != nil && argument != wanted
        && !allConformances(of: argument).contains(wanted)
    default: return false
    }
  }

  /// Whether a type is a global actor, as far as is known.
  func isGlobalActor(_ usr: String) -> Bool {
    conformances[usr]?.contains { $0.usr == "s:12_Concurrency11GlobalActorP" } ?? false
  }
}

extension String {
  /// Whether a place is in a file, and not in the expansion of a macro.
  fileprivate var isOfFile: Bool {
    pathOfAddress.hasPrefix("/") && !pathOfAddress.contains("@__swiftmacro_")
  }
}

extension SymbolGraph.Symbol {
  /// Whether other packages can name it.
  var isPublic: Bool { ["public", "open"].contains(accessLevel) }

  /// Whether no other file can name it.
  var isPrivate: Bool { ["private", "fileprivate"].contains(accessLevel) }

  /// Whether another module declares the symbol, and this one only exports it with
  /// `@_exported import`. The compiler writes such symbols to the graph without a place.
  fileprivate func isExported(by module: String) -> Bool {
    guard location == nil, pathComponents.count == 1 else { return false }
    return ModuleName.written(in: identifier.precise).map { $0 != module } ?? false
  }

  var isDeprecated: Bool { availability?.contains(where: \.isDeprecated) ?? false }

  /// Whether the documentation comment may contain wiring.
  fileprivate var isMarked: Bool {
    docComment?.lines.contains { $0.text.contains("Understudy:") } ?? false
  }

  var isProtocol: Bool { kind.identifier == "swift.protocol" }
  var isClass: Bool { kind.identifier == "swift.class" }
  var isAlias: Bool { kind.identifier == "swift.typealias" }

  /// Whether this is a type of any kind, or an alias of one.
  var isType: Bool { kindsOfTypes.contains(kind.identifier) }
}

private let kindsOfTypes: Set<String> = [
  "swift.class", "swift.struct", "swift.enum", "swift.protocol", "swift.typealias",
]
