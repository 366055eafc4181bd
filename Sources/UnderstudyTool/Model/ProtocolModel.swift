// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A protocol with everything that a type has to implement to conform to it.
struct ProtocolModel: Hashable {
  struct Requirement: Hashable {
    var declaration: Declaration
    /// The unique identifier; empty for what a recipe says.
    var usr: String
    var availability: [SymbolGraph.Availability] = []
    var line: Int = 0
    /// Whether only classes conform to the protocol that says it, so that it changes no value.
    var isOfClasses = false
    /// Whether another requirement asks for it in another way, so that a call of it may mean
    /// either.
    var isMet = false
    /// Whether a protocol says it that is isolated to no actor.
    var isOnNoActor = false
    /// The protocol that declares it.
    var owner = ""
  }

  struct AssociatedType: Hashable {
    var name: String
    var constraint: [Token]
    var whereClause: [Token]
    /// What it is in every double, where a recipe says so.
    var fixed: TypeText?
  }

  var usr: String
  /// The name with the names of the types around it.
  var name: String
  var module: String
  var accessLevel: String
  /// The global actor that the protocol is isolated to, `@MainActor`.
  var globalActor: Token?
  var isActor = false
  var isSendable = false
  var superclass: String?
  var associatedTypes: [AssociatedType] = []
  var whereClause: [[Token]] = []
  var requirements: [Requirement] = []
  /// The members that a recipe writes out, with no spy.
  var fixedMembers: [StandardProtocol.Member] = []
  /// The inherited protocols whose requirements are not known.
  var unknown: [String] = []
  var availability: [SymbolGraph.Availability] = []
  /// Whether the documentation comment asks for a double.
  var asksForDouble = false
  /// Every requirement as its own protocol declares it, before equal ones became one.
  var declared: [Requirement] = []
  /// The SPI groups that a double needs, by their modules; a group is `nil` where no source names
  /// it.
  var groups: [String: Set<String?>] = [:]
}

extension ProtocolModel {
  /// Lets requirements of parents that are on no actor be on none, where the double is on one.
  mutating func leaveActors() {
    guard globalActor != nil || isActor else { return }
    for index in requirements.indices where requirements[index].isOnNoActor {
      // The initialiser of an actor is on none anyway, and may not say so.
      if isActor, requirements[index].declaration.kind == .initializer { continue }
      requirements[index].declaration.leaveActors()
    }
  }
}

extension ProtocolModel {
  /// Makes one of requirements that are the same where some names stand for types: a protocol may
  /// say again, of a type, what its parent says of an associated type.
  mutating func mergeRequirements(where names: [String: String]) {
    guard !names.isEmpty else { return }
    var positions: [String: Int] = [:]
    var merged: [Requirement] = []
    for requirement in requirements {
      let identity = requirement.declaration.identity(where: names)
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

extension ProtocolModel.Requirement {
  /// Becomes what fulfils another requirement of the same identity as well.
  mutating func meet(_ other: Self) {
    if !declaration.isLike(other.declaration) { isMet = true }
    if other.isOnNoActor { isOnNoActor = true }
    declaration.meet(other.declaration)
  }
}

extension ProtocolModel.AssociatedType {
  /// Becomes what fulfils the clause of another declaration of it as well.
  mutating func meet(_ clause: [Token]) {
    guard !clause.isEmpty, clause.text != whereClause.text else { return }
    whereClause += (whereClause.isEmpty ? [] : [Token(",")]) + clause
  }
}
