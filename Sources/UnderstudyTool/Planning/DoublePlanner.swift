// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Plans the double of a protocol.
enum DoublePlanner {
  /// The plan, or the reason why there is no double.
  ///
  /// `doubles` are the names of the other doubles in this run, by protocol. A double may return
  /// them. `names` are the names of all doubles in this run. `kept` are the names in the file that
  /// the double replaces. `access` is the access level of the double.
  static func plan(
    _ model: ProtocolModel, _ index: GraphIndex, doubles: [String: String] = [:],
    names all: Set<String> = [], kept: KeptNames? = nil, access: DoublesAccess = .internal
  ) -> Result<DoublePlan, Refusal> {
    if let refusal = refusal(of: model, index) { return .failure(refusal) }
    if let level = index.narrowestAccess(of: model.usr), !access.fits(level) {
      return .failure(.access(level, access.rawValue))
    }
    if access == .public, model.isOfGroup(index) { return .failure(.publicOfGroup) }
    let words = Vocabulary(for: model, index)
    if let name = words.hiddenTwice { return .failure(.hiding(name)) }
    var model = model
    model.renameGenerics()
    model = NameQualifier.qualified(model, index, doubles: all)

    let name = name(of: model, index)
    var plan = head(of: model, words, index)
    let unreadable = model.unreadable ?? (model.isHeadChecked ? nil : model.name)
    if let unreadable { return .failure(.unreadable(unreadable)) }
    let names = ["Self": name.escaped]
    let pinned = model.pinned(as: names)
    let generics = GenericsPlanner(model: model, names: names, pinned: pinned)
    if let refusal = generics.plan(&plan) { return .failure(refusal) }
    model.mergeRequirements(where: pinned, index)
    model.escapeFunctions(pinned)
    model.throwAnyError(where: pinned)

    let unshared = plan.isShared ? [] : [name, "Self"] + model.associatedTypes.map(\.name)
    let facts = TypeFacts(
      index: index, usr: model.usr, names: names, pinned: pinned, clauses: model.clauses,
      unsharedNames: model.unsharedPartners.union(unshared), words: words,
      doubles: doubles)
    if let refusal = refusal(ofRequirements: model, facts) { return .failure(refusal) }
    let planner = MemberPlanner(
      facts: facts, isShared: plan.isShared, isActor: model.isActor,
      globalActor: model.globalActor, isSubclass: model.superclass != nil)
    plan.members = members(of: name, model, planner, kept)
    plan.sendMetatypes()
    plan.access = access
    plan.attributes = availability(of: model, plan) + plan.attributes
    forward(&plan, model, facts)
    if let superclass = model.superclass {
      plan.superclass?.type = superclass.type.replacing(names).replacing(types: pinned)
      plan.isUnchecked = plan.isShared && !plan.isIsolated && !superclass.isObject
    }
    plan.associatedTypes = model.associatedTypes.filter { !$0.isOfDouble }.map(\.name)
      .filter { pinned[$0] == nil }
    let titles = model.requirements.map(\.declaration.title)
    let ofClass = model.superclass?.members ?? []
    if Set(titles).count < titles.count || model.leavesDefaults
      || model.requirements.contains(where: { ofClass.contains($0.declaration.name) })
    {
      // For an overload with an associated type, the compiler would infer another type.
      plan.typealiases += plan.associatedTypes.map(\.escapedType).map { "typealias \($0) = \($0)" }
    }
    plan.hasPlainInitializer = model.requirements.contains { requirement in
      let declaration = requirement.declaration
      return declaration.kind == .initializer && declaration.parameters.isEmpty
    }
    plan.fixedMembers = model.fixedMembers.map { $0.text(inSubclass: model.superclass != nil) }
      .map { $0.replacing("NAME", with: name.escaped) }
    plan.imports = ImportFinder.imports(for: model, index)
    return .success(plan)
  }

  /// The reason why there can be no double, whatever the types of the requirements are.
  private static func refusal(of model: ProtocolModel, _ index: GraphIndex) -> Refusal? {
    if ["private", "fileprivate"].contains(model.accessLevel) { return .invisible }
    if model.accessLevel == "package", index.otherPackages.contains(model.module) {
      return .otherPackage
    }
    if !model.unknown.isEmpty { return .unknownParents(model.unknown, model.unread.sorted()) }
    if let closed = model.closed { return .closed(closed) }
    if let homonym = model.homonym { return .homonyms(homonym) }
    if let name = model.twoTyped { return .twoTyped(name) }
    if let superclass = model.superclass, let obstacle = superclass.obstacle {
      let parent = superclass.isWritten ? "the class \(superclass.name)" : "NSObjectProtocol"
      return .superclass(parent, obstacle)
    }
    if model.isActor, model.fixedMembers.contains(.decode) { return .decodableActor }
    if model.groups.values.contains(where: { $0.contains(nil) }) { return .group }
    return nil
  }

  /// The reason why no double can declare the requirements.
  private static func refusal(
    ofRequirements model: ProtocolModel, _ facts: TypeFacts
  ) -> Refusal? {
    for declaration in model.requirements.map(\.declaration) {
      if let lost = declaration.lostAttribute { return .lost(lost, declaration.title) }
      if let name = declaration.unknownFunction { return .unknownFunction(name, declaration.title) }
    }
    let unsaid = model.requirements.map(\.declaration).first(where: \.isUnsaid)?.title
    if let unsaid = model.unsaid ?? unsaid { return .unsaid(unsaid) }
    let paired = model.requirements.map(\.declaration).first(where: \.hasPairedPacks)
    if let paired { return .pairedPacks(paired.title) }
    let crashing = model.requirements.map(\.declaration).first {
      $0.hasClosureThrowingNever(where: facts.pinned)
    }
    if let crashing { return .throwingNever(crashing.title) }
    let unclear = model.requirements.first { requirement in
      let types = requirement.declaration.types.map(\.stored)
      return requirement.isIsolationUnknown && !types.allSatisfy(facts.isSendable)
    }
    if let unclear { return .isolation(unclear.declaration.title) }
    let unescaping = model.requirements.map(\.declaration).first { declaration in
      guard let type = declaration.type, declaration.kind != .associatedType else { return false }
      return facts.isNonescapable(type) || GenericScope(declaration).isNonescapable(type)
    }
    if let unescaping { return .nonescapable(unescaping.title) }
    return nil
  }

  /// The plan of the double's head.
  private static func head(
    of model: ProtocolModel, _ words: Vocabulary, _ index: GraphIndex
  ) -> DoublePlan {
    let path = index.symbols[model.usr]?.pathComponents ?? [model.name]
    var plan = DoublePlan(
      name: name(of: model, index), module: model.module,
      protocolName: qualified(path, model, index),
      subject: ([model.module] + path).map(\.escaped).joined(separator: "."))
    plan.words = words
    plan.isActor = model.isActor
    plan.superclass = model.superclass
    let nonisolated = model.requirements.contains(where: \.declaration.isNonisolated)
    plan.isIsolated = model.globalActor != nil
    plan.isOffActor = model.isOnSeveralActors
    plan.isMixed =
      plan.isIsolated
      && (!model.fixedMembers.isEmpty || model.requirements.contains(where: \.isOnNoActor))
    plan.isShared = model.isSendable || model.isActor || (plan.isIsolated && nonisolated)
    // Otherwise the double itself would use deprecated code.
    let bounds = model.associatedTypes.flatMap(\.constraint) + model.clauses.flatMap(\.self)
    let isBoundDeprecated = bounds.compactMap(\.usr).contains {
      index.symbols[$0]?.isDeprecated == true
    }
    if isBoundDeprecated || model.availability.contains(where: \.isDeprecated) {
      plan.attributes.append(AvailabilityText.deprecated)
    }
    if let actor = model.globalActor { plan.attributes.append(actor.text) }
    return plan
  }

  /// Plans how the members of the double reach the real dependency, or why they cannot.
  private static func forward(
    _ plan: inout DoublePlan, _ model: ProtocolModel, _ facts: TypeFacts
  ) {
    let forwarding = ForwardPlanner(model: model, facts: facts, isShared: plan.isShared)
    for (position, requirement) in model.requirements.enumerated() {
      let obstacle = forwarding.obstacle(to: requirement, plan.members[position])
      plan.members[position].obstacle = obstacle
      plan.members[position].recordingObstacle =
        obstacle ?? forwarding.recordingObstacle(to: requirement.declaration)
      guard obstacle == nil else { continue }
      plan.members[position].forwarding = forwarding.plan(
        requirement.declaration, plan.members[position])
    }
    plan.forwardsUnchecked = forwarding.isUnchecked
  }

  /// The name of a protocol's double.
  static func name(of model: ProtocolModel, _ index: GraphIndex) -> String {
    index.joinedName(of: model.usr) + "Double"
  }

  private static func members(
    of double: String, _ model: ProtocolModel, _ planner: MemberPlanner, _ kept: KeptNames?
  ) -> [MemberPlan] {
    let declarations = model.requirements.map(\.declaration)
    let fresh = SpyNames.spies(for: declarations)
    let members = zip(model.requirements, fresh).map { planner.plan($0, spy: $1) }
    guard let kept else { return members }
    let old = kept.spies(of: double, for: members.map(\.witness))
    let spies = SpyNames.spies(for: declarations, keeping: old)
    return spies == fresh
      ? members : zip(model.requirements, spies).map { planner.plan($0, spy: $1) }
  }

  /// The systems that have the types of all requirements and of their spies.
  private static func availability(of model: ProtocolModel, _ plan: DoublePlan) -> [String] {
    var introduced = model.requirements.flatMap(\.availability).filter {
      $0.introduced != nil && $0.domain != "Swift"
    }
    // Older systems have no metadata for these function types, which every stored type needs.
    let isNewer =
      plan.members.flatMap(\.spies).map(\.type).contains(where: \.isOfNewerFunctions)
      // A generic function is stored as `Any`.
      || model.requirements.flatMap(\.declaration.parameters).map(\.type).contains {
        $0.specifiers.contains("@escaping") && $0.text.isOfNewerFunctions
      }
    if isNewer {
      introduced += [("macOS", 15), ("iOS", 18), ("tvOS", 18), ("watchOS", 11), ("visionOS", 2)]
        .map { domain, major in .init(domain: domain, introduced: .init(major: major)) }
    }
    return AvailabilityText.attributes(model.availability + introduced)
  }

  /// The name with its module, unless a type with the module's name hides it.
  private static func qualified(
    _ path: [String], _ model: ProtocolModel, _ index: GraphIndex
  ) -> String {
    // A type in an extension is named after the extended type, which is of another module.
    let isHidden =
      index.outermost[model.module] != nil
      || path.first.map { index.outermost[$0]?[model.module] == nil } ?? true
      || model.associatedTypes.contains { $0.name == model.module }
    return ((isHidden ? [] : [model.module]) + path).map(\.escaped).joined(separator: ".")
  }
}

extension String {
  /// Whether a type has a function that throws one type of error, or is `@isolated(any)`.
  fileprivate var isOfNewerFunctions: Bool { contains(" throws(") || contains("@isolated(any)") }
}

extension StandardProtocol.Member {
  fileprivate func text(inSubclass isSubclass: Bool) -> String {
    guard self == .decode, isSubclass else { return rawValue }
    return rawValue.replacing(" init", with: " convenience init")
      .replacing("{}", with: "{ self.init() }")
  }
}
