// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// All symbol graphs of a run, ready to be asked.
struct GraphIndex {
  typealias Symbol = SymbolGraph.Symbol

  /// The symbol of every unique identifier.
  private(set) var symbols: [String: Symbol] = [:]
  /// The module of every symbol.
  private(set) var modules: [String: String] = [:]
  /// The members of every protocol.
  private(set) var members: [String: [String]] = [:]
  /// What every type and every protocol conforms to directly, with the names of what is not here.
  private(set) var conformances: [String: [Conformance]] = [:]
  /// The protocols, in a stable order.
  private(set) var protocols: [String] = []
  /// The types that cannot be copied, as far as the graphs tell.
  private(set) var noncopyable: Set<String> = []
  /// The newest format that was read.
  private(set) var format = "0.0.0"

  struct Conformance: Hashable {
    var usr: String
    var name: String
  }

  init(_ files: [SymbolGraphFile]) {
    for graph in files.map(\.graph) {
      format = max(format, graph.metadata.formatVersion.text)
      for symbol in graph.symbols {
        let usr = symbol.identifier.precise
        guard symbols[usr] == nil else { continue }
        symbols[usr] = symbol
        modules[usr] = graph.module.name
        if symbol.kind.identifier == "swift.protocol" { protocols.append(usr) }
      }
      for relationship in graph.relationships {
        switch relationship.kind {
        case "requirementOf", "memberOf", "optionalRequirementOf":
          members[relationship.target, default: []].append(relationship.source)
        case "conformsTo", "inheritsFrom":
          let conformance = Conformance(
            usr: relationship.target, name: relationship.targetFallback ?? relationship.target)
          if conformances[relationship.source]?.contains(conformance) != true {
            conformances[relationship.source, default: []].append(conformance)
          }
        default: break
        }
      }
    }
    findNoncopyable()
    protocols = protocols.map { (modules[$0] ?? "", name(of: $0), $0) }.sorted { $0 < $1 }.map(\.2)
  }

  /// A graph does not say `~Copyable`.
  ///
  /// Nearly every protocol is only for what can be copied, so a type that conforms to nothing but
  /// `Sendable` may not be. It is not if a parameter of it has to say who owns it, or if the
  /// compiler says that it is `Sendable` and does not say that its metatype is.
  private mutating func findNoncopyable() {
    let metatype = "s:s16SendableMetatypeP"
    let sendable = "s:s8SendableP"
    let kinds: Set<String> = ["swift.struct", "swift.enum"]
    func mayBeNoncopyable(_ usr: String) -> Bool {
      guard let kind = symbols[usr]?.kind.identifier, kinds.contains(kind) else { return false }
      return (conformances[usr] ?? []).allSatisfy { $0.usr == metatype || $0.usr == sendable }
    }
    for (usr, conformances) in conformances
    where mayBeNoncopyable(usr) && !conformances.contains(where: { $0.usr == metatype }) {
      noncopyable.insert(usr)
    }
    for symbol in symbols.values {
      let fragments = symbol.declarationFragments ?? []
      for index in fragments.indices
      where ["consuming", "borrowing"].contains(fragments[index].spelling) {
        let type = fragments[(index + 1)...].first { $0.kind != "text" }
        guard let usr = type?.preciseIdentifier, mayBeNoncopyable(usr) else { continue }
        noncopyable.insert(usr)
      }
    }
  }

  /// The name of a symbol with the names of the types around it.
  func name(of usr: String) -> String {
    symbols[usr]?.pathComponents.joined(separator: ".") ?? usr
  }

  /// Everything that a type or a protocol conforms to, transitively.
  func allConformances(of usr: String) -> Set<String> {
    var found: Set<String> = []
    var open = [usr]
    while let next = open.popLast() {
      for conformance in conformances[next] ?? [] where found.insert(conformance.usr).inserted {
        open.append(conformance.usr)
      }
    }
    return found
  }
}
