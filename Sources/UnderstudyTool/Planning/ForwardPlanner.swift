// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Plans `init(forwardingTo:)`: which calls without a stub go to the real dependency.
struct ForwardPlanner {
  let model: ProtocolModel
  let facts: TypeFacts
  let isShared: Bool

  /// Whether a spy's closure, which may run on other threads, has to wrap the real dependency.
  var isUnchecked: Bool { !model.isSendable }

  private var real: String { isUnchecked ? "real.value" : "real" }

  /// A closure for each spy that forwards.
  func plan(_ declaration: Declaration, _ member: MemberPlan) -> [Forwarding] {
    guard let spy = member.spies.first else { return [] }
    let name = "\(facts.words.property).\(spy.name.escaped)"
    let unchecked = facts.words("Unchecked")
    let isWrapped = isShared && !(declaration.type.map(facts.isSendable) ?? true)
    if spy.isProperty {
      let value = "\(real).\(declaration.name.escaped)"
      return [
        Forwarding(
          spy: "\(name).gets", closure: "_ in \(isWrapped ? "\(unchecked)(\(value))" : value)"),
        Forwarding(
          spy: "\(name).sets",
          closure: "arguments in \(value) = arguments\(isWrapped ? ".value" : "")"),
      ]
    }
    let words = isThrowing(declaration) ? "try " : ""
    // An argument that is sent to the real dependency must be `Sendable`. A type of another module
    // may not be.
    let isSent =
      declaration.isAsync && !isShared
      && !declaration.parameters.allSatisfy { facts.isCertainlySendable($0.type.stored) }
    let call =
      words + (declaration.isAsync ? "await " : "")
      + call(declaration, isSent ? "arguments.value" : "arguments")
    var body = isWrapped ? "\(unchecked)(\(call))" : call
    if isSent {
      let word = declaration.type == nil ? "" : "return "
      body = "let arguments = \(unchecked)(arguments); \(word)\(body)"
    }
    return [Forwarding(spy: name, closure: "\(head(declaration)) \(body)")]
  }

  /// Whether a call needs `try`. An associated type of errors can be fixed to `Never`.
  private func isThrowing(_ declaration: Declaration) -> Bool {
    guard case .typed(let type) = declaration.throwing else {
      return declaration.throwing != .never
    }
    return !facts.isNever(type)
  }

  /// The reason why no cassette can record the calls of a member that forwards, after its title.
  func recordingObstacle(to declaration: Declaration) -> String? {
    if declaration.isSettable { return "can be set" }
    var types = declaration.types
    if let type = types.first(where: { !$0.isVoid && !facts.isSendable($0) }) {
      return "uses '\(facts.text(type.stored))', which is not Sendable"
    }
    if case .typed(let failure) = declaration.throwing { types.append(failure) }
    return types.first { !$0.isVoid && !facts.isCodable($0) }
      .map { "uses '\(facts.text($0.stored))', which is not known to be Codable" }
  }

  /// The reason why the calls of a member cannot reach the real dependency, after its title.
  func obstacle(to requirement: ProtocolModel.Requirement, _ member: MemberPlan) -> String? {
    let declaration = requirement.declaration
    // A call of the protocol's member would be one of the class's member.
    if declaration.modifiers.contains("override") { return "overrides a member of the class" }
    if requirement.isMet { return "is required in different ways" }
    if requirement.availability.contains(where: \.isDeprecated) { return "is deprecated" }
    if declaration.isStatic { return "is static" }
    if declaration.kind == .initializer { return "is an initializer" }
    if !declaration.generics.isEmpty { return "is generic" }
    switch member.shape {
    case .spy: break
    case .handler: return "is answered by a function"
    case .refusal: return "cannot be stubbed"
    }
    // The real dependency may not have an optional requirement of Objective-C.
    if declaration.modifiers.contains("optional") { return "is optional" }
    if declaration.isSettable {
      let isHeld = member.spies.first?.isProperty == true
      if !isHeld || !requirement.isOfClasses { return "can be set" }
    }
    let changing = ["mutating", "consuming"].first(where: declaration.modifiers.contains)
    if let changing, !requirement.isOfClasses { return "is \(changing)" }
    let isIsolated =
      model.isActor || model.globalActor != nil
      || declaration.attributes.contains { $0.first?.usr != nil }
    if isIsolated, !declaration.isNonisolated {
      if !declaration.isAsync { return "is isolated and not asynchronous" }
      if !crosses(declaration) { return "sends a value that is not Sendable" }
    }
    // A value that is not `Sendable` can neither be awaited nor sent.
    if declaration.isAsync, declaration.kind != .function,
      isUnchecked || declaration.type.map(facts.isSendable) == false
        || isIsolated && !declaration.parameters.map(\.type.stored).allSatisfy(facts.isSendable)
    {
      return "sends a value that is not Sendable"
    }
    // A `@Sendable` closure cannot use a type whose metatype may not be `Sendable`.
    if isUnchecked,
      model.associatedTypes.contains(where: { !$0.isOfDouble && facts.pinned[$0.name] == nil })
    {
      return "is of a protocol with associated types that is not Sendable"
    }
    if mentionsSelf(declaration.type) { return "returns the conforming type" }
    if let obstacle = declaration.parameters.lazy.compactMap(obstacle).first { return obstacle }
    // The spy stores the closure, and throws nothing.
    return declaration.throwing == .rethrowing ? "rethrows the error of its closure" : nil
  }

  private func obstacle(to parameter: Declaration.Parameter) -> String? {
    let specifiers = parameter.type.specifiers
    if let specifier = specifiers.first(where: { $0 != "@escaping" }) {
      return "has a parameter that is '\(specifier)'"
    }
    if parameter.isVariadic { return "has a variadic parameter" }
    if parameter.type.has("some") { return "is generic" }
    if facts.isUninhabited(parameter.type.stored) { return "can never be called" }
    if mentionsSelf(parameter.type) { return "takes the conforming type" }
    // A pointer to a function of C may always escape.
    let isClosure =
      !specifiers.contains("@escaping") && facts.function(parameter.type) != nil
      && !parameter.type.text.contains("@convention(c")
    return isClosure ? "has a closure that must not escape" : nil
  }

  /// Whether all values of a call can change their isolation. A shared double stores arguments that
  /// are not `Sendable` as `Unchecked`. A result is passed unchanged.
  private func crosses(_ declaration: Declaration) -> Bool {
    let arguments = isShared ? [] : declaration.parameters.map(\.type.stored)
    return (arguments + (declaration.type.map { [$0] } ?? [])).allSatisfy(facts.isSendable)
  }

  /// Whether a type mentions the conforming type itself, or an associated type that a recipe fixes.
  private func mentionsSelf(_ type: TypeText?) -> Bool {
    guard let type = type?.withoutSelf else { return false }
    let fixed = model.associatedTypes.filter { associated in
      associated.fixed != nil || facts.pinned[associated.name].map(mentionsDouble) == true
    }.map(\.name)
    return (["Self"] + fixed).contains { type.has($0) }
  }

  private func mentionsDouble(_ type: TypeText) -> Bool {
    facts.names["Self"].map(type.has) ?? false
  }

  private func head(_ declaration: Declaration) -> String {
    let name = declaration.parameters.isEmpty ? "_" : "arguments"
    guard case .typed(let type) = declaration.throwing else { return "\(name) in" }
    return "\(name)\(declaration.isAsync ? " async" : "") throws(\(facts.text(type))) in"
  }

  private func call(_ declaration: Declaration, _ name: String) -> String {
    let arguments = declaration.parameters.enumerated().map { position, parameter in
      let label = parameter.label == "_" ? "" : "\(parameter.label.escapedArgument): "
      let value = declaration.parameters.count == 1 ? name : "\(name).\(position)"
      let isWrapped = isShared && !facts.isSendable(parameter.type.stored)
      return label + value + (isWrapped ? ".value" : "")
    }
    .joined(separator: ", ")
    switch declaration.kind {
    case .property: return "\(real).\(declaration.name.escaped)"
    case .subscripting: return "\(real)[\(arguments)]"
    default: return "\(real).\(declaration.name.escaped)(\(arguments))"
    }
  }
}
