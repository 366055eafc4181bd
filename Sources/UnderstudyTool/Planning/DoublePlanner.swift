// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Plans the double of a protocol.
enum DoublePlanner {
  /// The plan, or why there can be no double.
  static func plan(_ model: ProtocolModel, _ index: GraphIndex) -> Result<DoublePlan, Refusal> {
    if ["private", "fileprivate"].contains(model.accessLevel) {
      return .failure(.invisible)
    }
    if !model.unknown.isEmpty { return .failure(.unknownParents(model.unknown)) }
    if let superclass = model.superclass { return .failure(.superclass(superclass)) }

    let name = model.name.split(separator: ".").joined() + "Double"
    var plan = DoublePlan(
      name: name, module: model.module, protocolName: qualified(model, index))
    plan.isActor = model.isActor
    let nonisolated = model.requirements.contains {
      $0.declaration.modifiers.contains { $0.hasPrefix("nonisolated") }
    }
    plan.isIsolated = model.globalActor != nil
    plan.isShared = model.isSendable || model.isActor || (plan.isIsolated && nonisolated)
    plan.attributes = AvailabilityText.attributes(model.availability)
    if let actor = model.globalActor { plan.attributes.append(actor.text) }

    let pinned = pinnedTypes(model)
    if let refusal = planGenerics(model, pinned, &plan) { return .failure(refusal) }

    let names = ["Self": name]
    let unshared = plan.isShared ? [] : [name, "Self"] + model.associatedTypes.map(\.name)
    let facts = TypeFacts(index: index, names: names, unsharedNames: Set(unshared))
    let planner = MemberPlanner(
      facts: facts, doubleName: name, isShared: plan.isShared, isActor: model.isActor,
      globalActor: model.globalActor)
    let unescaping = model.requirements.map(\.declaration).first { declaration in
      guard let type = declaration.type, declaration.kind != .associatedType else { return false }
      return facts.isNonescapable(type) || GenericScope(declaration).isNonescapable(type)
    }
    if let unescaping { return .failure(.nonescapable(unescaping.title)) }
    plan.members = members(model, planner)
    let forwarding = ForwardPlanner(model: model, facts: facts, isShared: plan.isShared)
    for (position, requirement) in model.requirements.enumerated()
    where !requirement.isMet && !requirement.availability.contains(where: \.isDeprecated) {
      let declaration = requirement.declaration
      plan.members[position].forwarding = forwarding.plan(declaration, plan.members[position])
      plan.members[position].isRecordable = forwarding.canRecord(declaration)
    }
    plan.forwardsUnchecked = forwarding.isUnchecked
    plan.associatedTypes = model.associatedTypes.map(\.name)
    plan.hasPlainInitializer = model.requirements.contains { requirement in
      let declaration = requirement.declaration
      return declaration.kind == .initializer && declaration.parameters.isEmpty
    }
    let spied = Set(model.requirements.map(\.declaration.title))
    plan.fixedMembers = model.fixedMembers.filter { !spied.contains($0.title) }
      .map { $0.rawValue.replacing("NAME", with: name) }
    plan.imports = ImportFinder.imports(for: model, index)
    return .success(plan)
  }

  /// Why a protocol gets no double.
  enum Refusal: Error, Hashable {
    case invisible
    case unknownParents([String])
    case superclass(String)
    case recursive(String)
    case nonescapable(String)

    var message: String {
      switch self {
      case .invisible: "it is private"
      case .unknownParents(let names):
        "it inherits from \(names.joined(separator: ", ")), whose symbol graph was not given"
      case .superclass(let name): "it inherits from the class \(name)"
      case .recursive(let clause): "no generic class can say 'where \(clause)'"
      case .nonescapable(let title):
        "the result of '\(title)' cannot escape, and no double can say what it depends on"
      }
    }
  }

  private static func members(_ model: ProtocolModel, _ planner: MemberPlanner) -> [MemberPlan] {
    let isStatic: (Declaration) -> Bool = { $0.isStatic || $0.kind == .initializer }
    let declarations = model.requirements.map(\.declaration)
    var names: [Int: String] = [:]
    for side in [false, true] {
      let positions = declarations.indices.filter { isStatic(declarations[$0]) == side }
      for (position, name) in zip(
        positions, SpyNames.names(for: positions.map { declarations[$0] }))
      {
        names[position] = name
      }
    }
    return model.requirements.enumerated().map { position, requirement in
      planner.plan(requirement, spyName: names[position] ?? requirement.declaration.name)
    }
  }

  /// The name with that of its module, unless a type is called as the module is and hides it.
  private static func qualified(_ model: ProtocolModel, _ index: GraphIndex) -> String {
    let isHidden =
      index.outermost[model.module] != nil
      || model.associatedTypes.contains { $0.name == model.module }
    let path = model.name.split(separator: ".").map(String.init)
    return ((isHidden ? [] : [model.module]) + path).map(\.escaped).joined(separator: ".")
  }

  // MARK: Associated types

  /// The associated types that a `where` clause makes equal to a type without associated types.
  private static func pinnedTypes(_ model: ProtocolModel) -> [String: String] {
    var pinned: [String: String] = [:]
    let names = Set(model.associatedTypes.map(\.name))
    for clause in model.whereClause + model.associatedTypes.flatMap({ clauses($0.whereClause) }) {
      let words = clause.replacing([:])
      guard let sign = words[...].first(["=="]), sign == 1, names.contains(words[0].text) else {
        continue
      }
      let type = words[(sign + 1)...]
      guard !type.contains(where: { names.contains($0.text) || $0.text == "Self" }) else {
        continue
      }
      pinned[words[0].text] = Array(type).text
    }
    return pinned
  }

  private static func clauses(_ tokens: [Token]) -> [[Token]] {
    tokens[...].split(at: ",").map { Array($0) }
  }

  private static func planGenerics(
    _ model: ProtocolModel, _ pinned: [String: String], _ plan: inout DoublePlan
  ) -> Refusal? {
    for type in model.associatedTypes {
      if let concrete = pinned[type.name] {
        plan.typealiases.append("typealias \(type.name.escaped) = \(concrete)")
        continue
      }
      var constraint = type.constraint[...].split(at: ",").map { Array($0).text }
      if plan.isShared, !constraint.contains("Sendable") { constraint.append("Sendable") }
      let text = constraint.isEmpty ? "" : ": " + constraint.joined(separator: " & ")
      plan.generics.append(type.name.escaped + text)
    }
    for clause in model.whereClause + model.associatedTypes.flatMap({ clauses($0.whereClause) }) {
      let words = clause.replacing([:])
      guard let subject = words.first?.text, pinned[subject] == nil || words.count > 3 else {
        continue
      }
      if words.dropFirst().contains(where: { $0.text == "Self" }) { return .recursive(words.text) }
      if subject == "Self" { continue }
      if words.count == 3, words[1].text == "==", pinned[subject] != nil { continue }
      plan.whereClause.append(words.text)
    }
    return nil
  }
}

extension StandardProtocol.Member {
  /// The requirement that the member is, to leave it to a spy where there is one.
  fileprivate var title: String {
    switch self {
    case .equals: "==(_:_:)"
    case .hash: "hash(into:)"
    case .decode: "init(from:)"
    case .encode: "encode(to:)"
    case .description: "description"
    case .debugDescription: "debugDescription"
    }
  }
}
