// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Plans `init(forwardingTo:)`: which calls without a stub go to the real dependency.
struct ForwardPlanner {
  let model: ProtocolModel
  let facts: TypeFacts
  let isShared: Bool
  /// The property of the double that contains the spies.
  var spies = "spy"

  /// Whether the next requirement cannot mutate a value, since its protocol is for classes only.
  var isOfClasses = false

  /// Whether a spy's closure, which may run on other threads, has to wrap the real dependency.
  var isUnchecked: Bool { !model.isSendable }

  private var real: String { isUnchecked ? "real.value" : "real" }

  /// A closure for each spy that can forward, or none.
  func plan(_ declaration: Declaration, _ member: MemberPlan) -> [Forwarding] {
    guard canForward(declaration, member), let spy = member.spies.first else { return [] }
    let name = "\(spies).\(spy.name.escaped)"
    if spy.type.hasPrefix("SpyProperty") {
      guard isOfClasses else { return [] }
      let isWrapped = spy.type.hasPrefix("SpyProperty<Unchecked<")
      let value = "\(real).\(declaration.name.escaped)"
      return [
        Forwarding(
          spy: "\(name).gets", closure: "_ in \(isWrapped ? "Unchecked(\(value))" : value)"),
        Forwarding(
          spy: "\(name).sets",
          closure: "arguments in \(value) = arguments\(isWrapped ? ".value" : "")"),
      ]
    }
    if declaration.isSettable { return [] }
    let words = declaration.throwing == .never ? "" : "try "
    // An argument that is sent to the real dependency must be `Sendable`. A type of another module
    // may not be.
    let isSent =
      declaration.isAsync && !isShared
      && !declaration.parameters.allSatisfy { facts.isCertainlySendable($0.type.stored) }
    let call =
      words + (declaration.isAsync ? "await " : "")
      + call(declaration, isSent ? "arguments.value" : "arguments")
    let isWrapped = isShared && !(declaration.type.map(facts.isSendable) ?? true)
    var body = isWrapped ? "Unchecked(\(call))" : call
    if isSent {
      let word = declaration.type == nil ? "" : "return "
      body = "let arguments = Unchecked(arguments); \(word)\(body)"
    }
    return [Forwarding(spy: name, closure: "\(head(declaration)) \(body)")]
  }

  /// Whether a cassette can record the calls of this member.
  func canRecord(_ declaration: Declaration) -> Bool {
    guard !declaration.isSettable else { return false }
    let types = declaration.parameters.map(\.type) + (declaration.type.map { [$0] } ?? [])
    guard types.allSatisfy({ $0.isVoid || facts.isCodable($0) && facts.isSendable($0) }) else {
      return false
    }
    guard case .typed(let failure) = declaration.throwing else { return true }
    return facts.isCodable(failure)
  }

  private func canForward(_ declaration: Declaration, _ member: MemberPlan) -> Bool {
    // The real dependency may not have an optional requirement of Objective-C.
    guard member.shape == .spy, !declaration.isStatic, declaration.kind != .initializer,
      declaration.generics.isEmpty, !declaration.modifiers.contains("optional")
    else { return false }
    let isMutating = ["mutating", "consuming"].contains { declaration.modifiers.contains($0) }
    if isMutating, !isOfClasses { return false }
    let isIsolated =
      model.isActor || model.globalActor != nil
      || declaration.attributes.contains { $0.first?.usr != nil }
    let isNonisolated = declaration.modifiers.contains { $0.hasPrefix("nonisolated") }
    if isIsolated, !isNonisolated, !declaration.isAsync || !crosses(declaration) { return false }
    // A value that is not `Sendable` can neither be awaited nor sent.
    if declaration.isAsync, declaration.kind != .function,
      isUnchecked || declaration.type.map(facts.isSendable) == false
    {
      return false
    }
    // A `@Sendable` closure cannot use a type whose metatype may not be `Sendable`.
    if isUnchecked, model.associatedTypes.contains(where: { facts.pinned[$0.name] == nil }) {
      return false
    }
    if mentionsSelf(declaration.type) { return false }
    return declaration.parameters.allSatisfy { parameter in
      let specifiers = parameter.type.specifiers
      let isOdd = specifiers.contains { $0 != "@escaping" }
      return !isOdd && !parameter.isVariadic && !parameter.type.has("some")
        && !parameter.type.isNever
        && !mentionsSelf(parameter.type)
        && (specifiers.contains("@escaping") || facts.function(parameter.type) == nil)
    }
  }

  /// Whether all values of a call can change their isolation. A shared double stores arguments that
  /// are not `Sendable` as `Unchecked`. A result is passed unchanged.
  private func crosses(_ declaration: Declaration) -> Bool {
    let arguments = isShared ? [] : declaration.parameters.map(\.type.stored)
    return (arguments + (declaration.type.map { [$0] } ?? [])).allSatisfy(facts.isSendable)
  }

  /// Whether a type mentions the conforming type itself, or an associated type that a recipe fixes.
  private func mentionsSelf(_ type: TypeText?) -> Bool {
    guard let type = type?.replacing([:]) else { return false }
    let fixed = model.associatedTypes.filter { $0.fixed != nil }.map(\.name)
    return (["Self"] + fixed).contains { type.has($0) }
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
