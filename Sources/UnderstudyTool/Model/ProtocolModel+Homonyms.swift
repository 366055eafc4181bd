// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension ProtocolModel {
  /// Leaves a function without parameters, or else the property that has its name, to a default
  /// implementation.
  ///
  /// No type can declare both. Without a default implementation, there is no double.
  mutating func leaveHomonyms(_ index: GraphIndex) {
    let pinned = pinned(as: [:])
    choosePropertyTypes(pinned, index)
    leaveFixedMembers(index)
    for function in requirements where function.declaration.isGetterLike {
      let name = function.declaration.name
      let isStatic = function.declaration.isStatic
      let functions = requirements.filter { other in
        other.declaration.isGetterLike && other.declaration.name == name
          && other.declaration.isStatic == isStatic
      }
      let property = requirements.first { other in
        other.declaration.kind == .property && other.declaration.name == name
          && other.declaration.isStatic == isStatic
      }
      let fixed = isStatic ? nil : fixedMembers.first { $0.propertyName == name }
      let isOfActor = isActor && !isStatic && name == "unownedExecutor"
      guard property != nil || fixed != nil || isOfActor else { continue }
      if functions.allSatisfy({ isImplemented($0, pinned, index) }) {
        requirements.removeAll { functions.map(\.usr).contains($0.usr) }
        leavesDefaults = true
      } else if let property, isImplemented(property, pinned, index) {
        requirements.removeAll { $0 == property }
        leavesDefaults = true
      } else if let property, property.owner == StandardProtocol.identifiable, leaveIdentity() {
        requirements.removeAll { $0 == property }
      } else if let fixed, fixed == .description, isDescribed(index) {
        fixedMembers.removeAll { $0 == fixed }
      } else {
        homonym = homonym ?? name
      }
    }
  }

  /// Leaves the members of a recipe to the spies of equal requirements.
  private mutating func leaveFixedMembers(_ index: GraphIndex) {
    let spied = Set(requirements.map { $0.declaration.identity(index) })
    fixedMembers.removeAll { member in
      member.declaration.map { spied.contains($0.identity(index)) } ?? false
    }
  }

  /// Declares each property with the type that no default implementation has. A property can have
  /// only one type.
  private mutating func choosePropertyTypes(_ pinned: [String: TypeText], _ index: GraphIndex) {
    let free = Set(associatedTypes.map(\.name)).subtracting(pinned.keys)
    func text(_ declaration: Declaration) -> String {
      let type = declaration.expandedType(pinned, index)
      return type.mentions(free) ? "" : type.text
    }
    for position in requirements.indices
    where requirements[position].declaration.kind == .property {
      let declaration = requirements[position].declaration
      let all = declared.filter { other in
        other.declaration.kind == .property && other.declaration.name == declaration.name
          && other.declaration.isStatic == declaration.isStatic
      }
      let isFixed =
        !declaration.isStatic
        && fixedMembers.contains { $0.isDescription && $0.propertyName == declaration.name }
      let written = all.map { $0.declaration.expandedType(pinned, index).text }
      if Set(written).count > 1 { leavesDefaults = true }
      let types = Set(all.map { text($0.declaration) } + (isFixed ? ["String"] : []))
      guard types.count > 1, !types.contains("") else { continue }
      let needed = all.filter { !isImplemented($0, pinned, index) }
      let others = Set(needed.map { text($0.declaration) } + (isFixed ? ["String"] : []))
      if others.count > 1 || isFixed {
        twoTyped = twoTyped ?? declaration.name
      } else if let first = needed.first {
        requirements[position] = needed.dropFirst().reduce(into: first) { $0.meet($1) }
      }
    }
  }

  /// Gives the double the identity of an object, which is the default of every class, unless
  /// another declaration says more about the type.
  private mutating func leaveIdentity() -> Bool {
    guard let position = associatedTypes.firstIndex(where: { $0.name == "ID" }),
      associatedTypes[position].fixed == nil,
      !clauses.contains(where: { $0.mentions(["ID"]) }),
      declared.count(where: { $0.declaration.name == "id" && $0.declaration.kind == .property })
        == 1
    else { return false }
    associatedTypes[position].fixed = TypeText(parsing: "ObjectIdentifier")
    return true
  }

  /// Whether a protocol of the standard library has a default implementation of `description`.
  private func isDescribed(_ index: GraphIndex) -> Bool {
    !index.allConformances(of: usr).isDisjoint(with: ["s:s9CodingKeyP", "s:Sz"])
  }

  /// Whether an extension of a protocol implements a requirement without parameters for the double.
  private func isImplemented(
    _ requirement: Requirement, _ pinned: [String: TypeText], _ index: GraphIndex
  ) -> Bool {
    let protocols = index.allConformances(of: usr).union([usr])
    func type(_ declaration: Declaration) -> String {
      declaration.expandedType(pinned, index).text
    }
    return index.implementations(of: requirement.usr).contains { implementation in
      guard let symbol = index.symbols[implementation],
        let found = ProtocolCollector.declaration(of: symbol, index),
        found.kind == requirement.declaration.kind, found.title == requirement.declaration.title,
        found.isStatic == requirement.declaration.isStatic, found.generics.isEmpty,
        found.fulfils(requirement.declaration), type(found) == type(requirement.declaration)
      else { return false }
      return protocols.contains { implementation.hasPrefix($0) }
        && (symbol.swiftExtension?.constraints ?? []).allSatisfy { meets($0, pinned, index) }
    }
  }

  /// Whether the double certainly meets a condition of an extension.
  private func meets(
    _ constraint: SymbolGraph.Constraint, _ pinned: [String: TypeText], _ index: GraphIndex
  ) -> Bool {
    guard let wanted = constraint.rhsPrecise else { return false }
    let isOfSendable = wanted == StandardProtocol.sendable && (isSendable || isActor)
    if constraint.lhs == "Self" {
      switch constraint.kind {
      case "conformance":
        return isOfSendable || wanted == usr || index.allConformances(of: usr).contains(wanted)
      case "superclass": return superclass.map { index.chain(of: $0.usr).contains(wanted) } ?? false
      default: return false
      }
    }
    let name = String(constraint.lhs.trimmingPrefix("Self."))
    guard let associated = associatedTypes.first(where: { $0.name == name }) else { return false }
    if let type = pinned[name] {
      guard type.tokens.count == 1, let usr = type.tokens[0].usr else { return false }
      return constraint.kind == "sameType"
        ? usr == wanted : index.allConformances(of: usr).contains(wanted)
    }
    guard constraint.kind == "conformance" else { return false }
    let bounds = clauses.filter { $0.prefix(2).map(\.text) == [name, ":"] }
    let known = (associated.constraint + bounds.joined()).compactMap(\.usr)
    return isOfSendable || known.contains(wanted)
      || known.contains { index.allConformances(of: $0).contains(wanted) }
  }
}

extension Declaration {
  /// Whether this is a function whose name alone may be a property's.
  fileprivate var isGetterLike: Bool { kind == .function && parameters.isEmpty }

  /// The result or the type of the property, without aliases and fixed associated types.
  fileprivate func expandedType(_ pinned: [String: TypeText], _ index: GraphIndex) -> [Token] {
    let tokens = type?.tokens.withoutSelf.replacing(types: pinned) ?? []
    return AliasExpander(index: index, isOfAll: true).expanded(tokens)
  }
}

extension StandardProtocol.Member {
  /// The property that the member declares, or that the compiler adds to it.
  fileprivate var propertyName: String? {
    switch self {
    case .description: "description"
    case .debugDescription: "debugDescription"
    case .hash, .constantHash: "hashValue"
    case .equals, .decode, .encode: nil
    }
  }

  fileprivate var isDescription: Bool { self == .description || self == .debugDescription }
}
