// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Qualifies types with their modules if their names have another meaning in a double: as one of
/// its associated types, as an alias that it inherits, as a type of another module that it uses, or
/// as a double beside it.
struct NameQualifier {
  private let index: GraphIndex
  /// The modules of the types with each name.
  private var modules: [String: Set<String>] = [:]
  /// The associated types, the inherited aliases and the doubles.
  private let taken: Set<String>

  static func qualified(
    _ model: ProtocolModel, _ index: GraphIndex, doubles: Set<String>
  ) -> ProtocolModel {
    let qualifier = NameQualifier(model, index, doubles)
    var model = model
    model.mapTokens(qualifier.qualified)
    return model
  }

  private init(_ model: ProtocolModel, _ index: GraphIndex, _ doubles: Set<String>) {
    self.index = index
    let aliases = index.allConformances(of: model.usr).union([model.usr])
      .flatMap(index.memberSymbols).filter(\.isAlias).compactMap(\.pathComponents.last)
    taken = doubles.union(model.associatedTypes.map(\.name) + aliases)
    for token in model.tokens {
      guard let (module, name) = outermost(token) else { continue }
      modules[name, default: []].insert(module)
    }
  }

  private func qualified(_ tokens: [Token]) -> [Token] {
    tokens.enumerated().map { position, token in
      guard position == 0 || tokens[position - 1].text != ".",
        let (module, name) = outermost(token), index.outermost[module] == nil,
        taken.contains(name) || modules[name, default: []].count > 1
          || isHidden(token, name, module)
      else { return token }
      var token = token
      token.text = "\(module.escaped).\(token.text)"
      return token
    }
  }

  /// Whether a type of a graph hides a type without a graph, which cannot be imported by itself.
  private func isHidden(_ token: Token, _ name: String, _ module: String) -> Bool {
    token.usr.map { index.symbols[$0] == nil || index.toolchain.contains($0) } == true
      && index.outermost[name]?.keys.contains { $0 != module } == true
  }

  /// The module and the name of a token's type, or of its outermost type.
  private func outermost(_ token: Token) -> (module: String, name: String)? {
    guard let usr = token.usr, !token.text.hasPrefix("@") else { return nil }
    if let symbol = index.symbols[usr], !index.toolchain.contains(usr) {
      guard symbol.isType, !index.inheritedAliases.contains(usr), let module = index.modules[usr],
        let name = symbol.pathComponents.first, token.text.hasPrefix(name.escapedType),
        index.outermost[name]?[module] != nil
      else { return nil }
      return (module, name)
    }
    return ModuleName.naming(usr).map { ($0, token.text) }
  }
}

extension ProtocolModel {
  /// All tokens of the requirements and clauses.
  var tokens: [Token] {
    var all: [Token] = []
    var model = self
    model.mapTokens {
      all += $0
      return $0
    }
    return all
  }

  fileprivate mutating func mapTokens(_ change: ([Token]) -> [Token]) {
    for index in requirements.indices { requirements[index].declaration.mapTokens(change) }
    for index in associatedTypes.indices {
      associatedTypes[index].constraint = change(associatedTypes[index].constraint)
      associatedTypes[index].whereClause = change(associatedTypes[index].whereClause)
      associatedTypes[index].fixed = associatedTypes[index].fixed.map {
        TypeText(change($0.tokens))
      }
    }
    whereClause = whereClause.map(change)
    if let type = superclass?.type { superclass?.type = change(type) }
    globalActor = globalActor.flatMap { change([$0]).first }
  }
}

extension Declaration {
  /// Changes the tokens of every type, attribute and clause.
  mutating func mapTokens(_ change: ([Token]) -> [Token]) {
    attributes = attributes.map(change)
    for index in parameters.indices {
      parameters[index].attributes = change(parameters[index].attributes)
      parameters[index].type = TypeText(change(parameters[index].type.tokens))
    }
    for index in generics.indices {
      generics[index].constraint = change(generics[index].constraint)
    }
    if case .typed(let failure) = throwing { throwing = .typed(TypeText(change(failure.tokens))) }
    type = type.map { TypeText(change($0.tokens)) }
    whereClause = change(whereClause)
  }
}
