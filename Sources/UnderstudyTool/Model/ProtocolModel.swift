// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A protocol with all requirements of a conforming type.
struct ProtocolModel: Hashable {
  struct Requirement: Hashable {
    var declaration: Declaration
    /// The unique identifier, or empty for a requirement of a recipe.
    var usr: String
    var availability: [SymbolGraph.Availability] = []
    var line: Int = 0
    var column: Int = 0
    /// Whether the declaring protocol is for classes only, so that a call cannot mutate a value.
    var isOfClasses = false
    /// Whether several parents have different versions of the requirement, so that a call could
    /// mean either of them.
    var isMet = false
    /// Whether it may be `nonisolated`, since neither the graph nor a source says so.
    var isIsolationUnknown = false
    /// Whether the declaring protocol is not isolated to an actor.
    var isOnNoActor = false
    /// The protocol that declares it.
    var owner = ""
  }

  struct AssociatedType: Hashable {
    var name: String
    var constraint: [Token]
    var whereClause: [Token]
    /// The type in every double without a clause about it: the default of a recipe, or the type in
    /// a restated requirement.
    var fixed: TypeText?
    /// Whether only the double has it, as an argument of another double.
    var isOfDouble = false
  }

  var usr: String
  /// The name with the names of its outer types.
  var name: String
  var module: String
  var accessLevel: String
  /// The global actor that the protocol is isolated to, `@MainActor`.
  var globalActor: Token?
  /// Whether the protocol is isolated to a global actor, and some of its members to another one.
  var isOnSeveralActors = false
  var isActor = false
  var isSendable = false
  var superclass: Superclass?
  var associatedTypes: [AssociatedType] = []
  var whereClause: [[Token]] = []
  var requirements: [Requirement] = []
  /// The members that a recipe writes without a spy.
  var fixedMembers: [StandardProtocol.Member] = []
  /// A member that the graph does not declare as a compiler does.
  var unreadable: String?
  /// The name of a declaration whose clause the graph cuts short.
  var unsaid: String?
  /// An inherited protocol that no class of another module can conform to, with the reason.
  var closed: String?
  /// The name of a property and of a function without parameters, which no type can declare both.
  var homonym: String?
  /// Whether a default implementation fulfils a requirement that the double does not declare, so
  /// that the compiler may infer another type for an associated type.
  var leavesDefaults = false
  /// The name of a property that several protocols require with different types.
  var twoTyped: String?
  /// The inherited protocols whose requirements are unknown.
  var unknown: [String] = []
  /// The reasons why the graphs of their modules cannot be extracted.
  var unread: Set<String> = []
  var availability: [SymbolGraph.Availability] = []
  /// Whether the documentation comment asks for a double.
  var asksForDouble = false
  /// Every requirement as its own protocol declares it, before equal ones are merged.
  var declared: [Requirement] = []
  /// The doubles among the fixed associated types that are not `Sendable`.
  var unsharedPartners: Set<String> = []
  /// The SPI groups that a double needs, by module. A group is `nil` if no source names it.
  var groups: [String: Set<String?>] = [:]
}

extension ProtocolModel {
  /// The clauses of the protocol and of its associated types, without `Self` before members.
  var clauses: [[Token]] {
    (whereClause + associatedTypes.flatMap { $0.whereClause[...].split(at: ",").map { Array($0) } })
      .map(\.withoutSelf)
  }
}

extension ProtocolModel {
  /// Gives each requirement its own actor, and the double none, if a requirement is on another
  /// actor than the protocol. The spies of a double on one actor are out of reach of the other.
  mutating func splitActors() {
    // A double that is a subclass has the actor of its class.
    guard let actor = globalActor, superclass == nil,
      requirements.contains(where: { !$0.declaration.actors.isSubset(of: [actor.text]) })
    else { return }
    for index in requirements.indices where !requirements[index].isOnNoActor {
      let declaration = requirements[index].declaration
      if declaration.actors.isEmpty, !declaration.isNonisolated {
        requirements[index].declaration.attributes.append([actor])
      }
    }
    isOnSeveralActors = true
    globalActor = nil
  }
}

extension ProtocolModel {
  /// Makes requirements of nonisolated parents nonisolated, if the double is isolated.
  mutating func leaveActors() {
    guard globalActor != nil || isActor else { return }
    for index in requirements.indices where requirements[index].isOnNoActor {
      // The initialiser of an actor is always nonisolated, and must not say so.
      if isActor, requirements[index].declaration.kind == .initializer { continue }
      requirements[index].declaration.leaveActors()
    }
  }
}

extension ProtocolModel {
  /// Merges requirements that are equal once names are replaced with types. A protocol may declare
  /// a parent's requirement again, with a type instead of an associated type.
  mutating func mergeRequirements(where types: [String: TypeText], _ index: GraphIndex) {
    guard !types.isEmpty else { return }
    var positions: [String: Int] = [:]
    var merged: [Requirement] = []
    for requirement in requirements {
      let identity = requirement.declaration.identity(index, where: types)
      guard let position = positions[identity] else {
        positions[identity] = merged.count
        merged.append(requirement)
        continue
      }
      merged[position].meet(requirement)
    }
    requirements = merged
  }
}

extension ProtocolModel {
  /// Lets parameters escape whose associated types are fixed to function types.
  mutating func escapeFunctions(_ types: [String: TypeText]) {
    for index in requirements.indices {
      for position in requirements[index].declaration.parameters.indices {
        let parameter = requirements[index].declaration.parameters[position]
        let name = parameter.type.withoutSelf.text
        guard types[name]?.function != nil, !parameter.isVariadic else { continue }
        var tokens = parameter.type.tokens
        tokens[0].spaceBefore = true
        requirements[index].declaration.parameters[position].type =
          TypeText([Token("@escaping")] + tokens)
      }
    }
  }
}

extension ProtocolModel {
  /// Makes `throws(Failure)` a plain `throws` if the associated type is fixed to `any Error`.
  mutating func throwAnyError(where types: [String: TypeText]) {
    for index in requirements.indices {
      guard case .typed(let type) = requirements[index].declaration.throwing,
        types[type.withoutSelf.text]?.text == "any Error"
      else { continue }
      requirements[index].declaration.throwing = .any
    }
  }
}

extension Declaration {
  /// Whether it takes a function that throws an associated type that is fixed to `Never`.
  func hasClosureThrowingNever(where types: [String: TypeText]) -> Bool {
    let taken = parameters.map(\.type) + (isSettable ? [type].compactMap { $0 } : [])
    return taken.map { $0.tokens.withoutSelf }.contains { tokens in
      tokens.indices.dropLast(3).contains { position in
        tokens[position].text == "throws" && tokens[position + 1].text == "("
          && tokens[position + 3].text == ")" && types[tokens[position + 2].text]?.isNever == true
      }
    }
  }
}

extension ProtocolModel.Requirement {
  /// Makes the requirement fulfil another one of the same identity as well.
  mutating func meet(_ other: Self) {
    if !declaration.isLike(other.declaration) { isMet = true }
    if other.isOnNoActor { isOnNoActor = true }
    declaration.meet(other.declaration)
  }
}

extension ProtocolModel.AssociatedType {
  /// Adds the clause of another declaration of the associated type.
  mutating func meet(_ clause: [Token]) {
    guard !clause.isEmpty, clause.text != whereClause.text else { return }
    whereClause += (whereClause.isEmpty ? [] : [Token(",")]) + clause
  }
}
