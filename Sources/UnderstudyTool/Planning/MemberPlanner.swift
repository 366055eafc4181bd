// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Plans the members of one double.
struct MemberPlanner {
  let facts: TypeFacts
  let isShared: Bool
  let isActor: Bool
  let globalActor: Token?
  /// Whether the double inherits the designated initialisers of a class.
  var isSubclass = false

  private var calls: CallPlanner { CallPlanner(facts: facts, isShared: isShared) }

  func plan(_ requirement: ProtocolModel.Requirement, spy: SpyName) -> MemberPlan {
    let declaration = requirement.declaration
    var plan: MemberPlan
    switch declaration.kind {
    case .property: plan = property(declaration, spy)
    case .subscripting: plan = subscripting(declaration, spy)
    default: plan = function(declaration, spy)
    }
    // The double's own attribute names the systems of all requirements.
    plan.witness = AvailabilityText.withoutVersions(requirement.availability) + plan.witness
    if isOfDeprecatedType(requirement) {
      plan.witness.insert(AvailabilityText.deprecated, at: 0)
      for position in plan.spies.indices { plan.spies[position].isDeprecated = true }
    }
    return plan
  }

  /// Whether a requirement is deprecated, and so is a type that it names.
  private func isOfDeprecatedType(_ requirement: ProtocolModel.Requirement) -> Bool {
    guard requirement.availability.contains(where: \.isDeprecated) else { return false }
    let declaration = requirement.declaration
    var tokens = declaration.types.flatMap(\.tokens) + declaration.whereClause
    tokens += declaration.generics.flatMap(\.constraint)
    if case .typed(let failure) = declaration.throwing { tokens += failure.tokens }
    return tokens.contains { $0.usr.flatMap { facts.index.symbols[$0]?.isDeprecated } == true }
  }

  private func input(
    _ declaration: Declaration, result: TypeText?, name: String, title: String
  ) -> CallInput {
    let scope = GenericScope(declaration)
    let parameters = declaration.parameters.enumerated().map { position, parameter in
      ParameterPlan(parameter, at: position, of: declaration, scope, facts)
    }
    return CallInput(
      declaration: declaration, parameters: parameters, scope: scope, result: result,
      spyName: name, title: title)
  }

  // MARK: Functions and initialisers

  private func function(_ declaration: Declaration, _ spy: SpyName) -> MemberPlan {
    let isInitializer = declaration.kind == .initializer
    let made = declaration.isFailable ? TypeText(parsing: facts.words("Void") + "?") : nil
    let result = isInitializer ? made : declaration.type
    let input = input(declaration, result: result, name: spy.name, title: spy.title)
    var call = calls.plan(input)
    if isInitializer, declaration.isFailable { call.body = call.body.map(\.failable) }
    let parameters = input.parameters.map(\.declaration).joined(separator: ", ")
    var head = modifiers(declaration)
    if isInitializer, isSubclass { call.body.insert("self.init()", at: 0) }
    if isInitializer {
      head += isSubclass ? "convenience " : ""
      head += "init\(declaration.isFailable ? "?" : "")"
    } else {
      let name =
        declaration.name.isOperator ? declaration.name + " " : declaration.name.escaped
      head += "func \(name)"
    }
    head += generics(declaration) + "(\(parameters))" + effects(declaration)
    if !isInitializer, let type = declaration.type { head += " -> \(facts.text(type))" }
    head += whereClause(declaration) + " {"
    let witness = attributes(declaration) + [head] + call.body.map { "  " + $0 } + ["}"]
    return MemberPlan(
      title: declaration.title, shape: call.shape, spies: [call.spy], witness: witness,
      notes: call.notes)
  }

  // MARK: Properties and subscripts

  private func property(_ declaration: Declaration, _ name: SpyName) -> MemberPlan {
    guard let type = declaration.type else {
      return MemberPlan(title: declaration.title, shape: .refusal, spies: [], witness: [])
    }
    let head = modifiers(declaration) + "var \(declaration.name.escaped): \(facts.text(type)) {"
    let isHeld = declaration.isSettable && !declaration.isStatic && !facts.isUnkeepable(type)
    if isHeld {
      let isWrapped = isShared && !facts.isSendable(type)
      let text = facts.storedText(type)
      let unchecked = facts.words("Unchecked")
      let held = isWrapped ? "\(unchecked)<\(text)>" : text
      var spy = SpyPlan(
        name: name.name, type: "\(facts.words("SpyProperty"))<\(held)>", title: name.title,
        isProperty: true)
      spy.placeholder = facts.placeholder(type).map { isWrapped ? "\(unchecked)(\($0))" : $0 }
      let path = "self.\(facts.words.property).\(name.name.escaped).value"
      let witness = [
        head, "  get { return \(path)\(isWrapped ? ".value" : "") }",
        "  set { \(path) = \(isWrapped ? "\(unchecked)(newValue)" : "newValue") }", "}",
      ]
      return MemberPlan(
        title: declaration.title, shape: .spy, spies: [spy],
        witness: attributes(declaration) + witness)
    }
    return accessors(declaration, type, head, name)
  }

  private func subscripting(_ declaration: Declaration, _ spy: SpyName) -> MemberPlan {
    guard let type = declaration.type else {
      return MemberPlan(title: declaration.title, shape: .refusal, spies: [], witness: [])
    }
    var declaration = declaration
    // The compiler's own `modify` accessor would send the value twice.
    for index in declaration.parameters.indices where declaration.isSettable {
      declaration.parameters[index].type.removeSpecifier("sending")
    }
    let parameters = input(declaration, result: type, name: spy.name, title: spy.title).parameters
      .map(\.declaration).joined(separator: ", ")
    let head =
      modifiers(declaration) + "subscript\(generics(declaration))(\(parameters)) -> "
      + facts.text(type) + whereClause(declaration) + " {"
    return accessors(declaration, type, head, spy)
  }

  private func accessors(
    _ declaration: Declaration, _ type: TypeText, _ head: String, _ spy: SpyName
  ) -> MemberPlan {
    let get = calls.plan(
      input(declaration, result: type, name: spy.name, title: spy.title))
    var witness = [head, "  get\(effects(declaration)) {"] + get.body.map { "    " + $0 } + ["  }"]
    var spies = [get.spy]
    if declaration.isSettable {
      var setter = declaration
      setter.type = nil
      setter.throwing = .never
      setter.isAsync = false
      // A function type needs an ownership specifier for a noncopyable parameter.
      let owner = facts.isNoncopyable(type) ? [Token("consuming")] : []
      let value = declaration.unusedName("newValue")
      setter.parameters.append(
        Declaration.Parameter(label: "_", name: value, type: TypeText(owner + type.tokens)))
      let set = calls.plan(
        input(setter, result: nil, name: spy.setterName, title: spy.setterTitle))
      spies.append(set.spy)
      witness +=
        [value == "newValue" ? "  set {" : "  set(\(value)) {"] + set.body.map { "    " + $0 } + [
          "  }"
        ]
    }
    witness.append("}")
    return MemberPlan(
      title: declaration.title, shape: get.shape, spies: spies,
      witness: attributes(declaration) + witness, notes: get.notes)
  }

  // MARK: Parts of an implementation

  private func attributes(_ declaration: Declaration) -> [String] {
    // The bodies contain `return`, which would turn a result builder off anyway.
    declaration.attributes.filter { attribute in
      guard let usr = attribute.first?.usr else { return true }
      return usr == "s:ScM" || usr.hasSuffix("C") || facts.index.isGlobalActor(usr)
    }
    .map(\.text).filter { !$0.hasPrefix("@available") && $0 != "@objc" }
  }

  private func modifiers(_ declaration: Declaration) -> String {
    let kept: Set<String> = [
      "override", "required", "static", "prefix", "postfix", "nonisolated",
      "nonisolated(nonsending)",
    ]
    var modifiers = declaration.modifiers.filter { kept.contains($0) }
    if declaration.isAsync, runsOnCaller(declaration),
      !modifiers.contains("nonisolated(nonsending)")
    {
      modifiers.removeAll { $0 == "nonisolated" }
      modifiers.append("nonisolated(nonsending)")
    }
    return modifiers.map { $0 + " " }.joined()
  }

  /// Whether an asynchronous member runs on its caller's actor, which a graph may omit.
  private func runsOnCaller(_ declaration: Declaration) -> Bool {
    if declaration.attributes.contains(where: { $0.first?.text == "@concurrent" }) { return false }
    if declaration.parameters.contains(where: { $0.type.specifiers.contains("isolated") }) {
      return false
    }
    if declaration.isNonisolated { return true }
    let hasActor = declaration.attributes.contains {
      $0.first?.text == "@MainActor" || $0.first?.usr.map(facts.index.isGlobalActor) == true
    }
    return !isActor && globalActor == nil && !hasActor
  }

  private func generics(_ declaration: Declaration) -> String {
    guard !declaration.generics.isEmpty else { return "" }
    let parameters = declaration.generics.map { generic in
      let bounds = generic.constraint.replacing(facts.names).text
      let constraint = bounds.isEmpty ? "" : ": \(bounds)"
      let word = generic.isPack ? "each " : generic.valueType == nil ? "" : "let "
      return word + generic.name + constraint
    }
    return "<\(parameters.joined(separator: ", "))>"
  }

  private func effects(_ declaration: Declaration) -> String {
    let async = declaration.isAsync ? " async" : ""
    switch declaration.throwing {
    case .never: return async
    case .any: return async + " throws"
    case .rethrowing: return async + " rethrows"
    case .typed(let type): return async + " throws(\(facts.text(type)))"
    }
  }

  private func whereClause(_ declaration: Declaration) -> String {
    guard !declaration.whereClause.isEmpty else { return "" }
    return " where " + declaration.whereClause.replacing(facts.names).text
  }
}

extension String {
  /// A line of a failable initialiser, which returns only `nil`.
  fileprivate var failable: String {
    guard let word = firstRange(of: "return ") else { return self }
    return "\(self[..<word.lowerBound])if (\(self[word.upperBound...])) == nil { return nil }"
  }
}
