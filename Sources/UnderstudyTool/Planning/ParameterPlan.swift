// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The use of one parameter: it is recorded, passed to a function, or neither.
struct ParameterPlan {
  /// The name in the body.
  var name: String
  /// The parameter as the witness declares it.
  var declaration: String
  /// The recorded type.
  var stored: TypeText?
  /// The generic parameter, if this is its metatype.
  var metatype: String?
  /// The recorded expression.
  var value = ""
  /// Lines before the call.
  var prelude: [String] = []
  /// The type and the argument for an answering function, if the value cannot be recorded.
  var passed: (type: TypeText, value: String)?
  /// The type of a closure that must not escape.
  var closure: FunctionType?
  /// Whether the answer contains a new value for it.
  var isInout = false
  /// Whether the caller sends its value.
  var isSending = false
  /// The type of an `inout` parameter, generic or not.
  var inoutType: TypeText?
  /// The reason why it is not recorded, such as "cannot be copied", or `nil` if it is.
  var reason: String?

  /// A sentence with the reason, and with the use of the parameter instead.
  func note(_ outcome: String) -> String? { reason.map { "'\(name)' \($0) and \(outcome)." } }
}

extension ParameterPlan {
  /// Decides the use of a parameter.
  init(
    _ parameter: Declaration.Parameter, at position: Int, of declaration: Declaration,
    _ scope: GenericScope, _ facts: TypeFacts
  ) {
    let type = parameter.type
    let specifiers = type.specifiers
    // In the body, `self` would hide the double, `Self` its type, `answer` the constant with the
    // answer, and `Unchecked` and `fatalError` the declarations that the body uses.
    let isHiding =
      ["self", "Self", "Unchecked", "fatalError"].contains(parameter.name)
      || parameter.name == "answer" && type.has("inout")
    name =
      parameter.name.flatMap { isHiding ? nil : $0 }
      ?? declaration.unusedName("value\(position + 1)")
    let attributes = parameter.attributes.isEmpty ? "" : parameter.attributes.text + " "
    let label = parameter.label.escapedLabel
    let variadic = parameter.isVariadic ? "..." : ""
    let names =
      declaration.kind == .subscripting && parameter.label == "_"
      ? name.escaped
      : parameter.label == name && declaration.kind != .subscripting
        ? label : "\(label) \(name.escaped)"
    self.declaration = "\(attributes)\(names): \(facts.text(type))\(variadic)"
    value = name.escaped
    if specifiers.contains("consuming") || specifiers.contains("borrowing") {
      value = "copy \(name.escaped)"
    }
    isInout = specifiers.contains("inout")
    isSending = specifiers.contains("sending")
    if isInout { inoutType = type.stored }
    let isGeneric = scope.isMentioned(in: type)

    if isGeneric, scope.isNoncopyable(type) {
      reason = scope.isNonescapable(type) ? "cannot escape" : "cannot be copied"
    } else if type.has("repeat"), type.has("->"),
      facts.function(type) == nil || specifiers.contains("@escaping")
    {
      // Outside the requirement, the compiler has no type for such a function.
      reason = "takes a pack"
    } else if scope.isPack(type) {
      stored = TypeText(parsing: "[Any]")
      value = declaration.unusedName("\(name)List")
      let each = type.isOptional ? "(each \(name.escaped)) as Any" : "each \(name.escaped)"
      prelude = ["var \(value): [Any] = []", "repeat \(value).append(\(each))"]
    } else if facts.isUnkeepable(type) {
      passed = (type, isInout ? "&\(name.escaped)" : name.escaped)
      isInout = false
      reason = facts.isNonescapable(type) ? "cannot escape" : "cannot be copied"
    } else if specifiers.contains("@autoclosure") {
      planAutoclosure(type, of: declaration, isGeneric: isGeneric, scope, facts)
    } else if let function = facts.function(type), !specifiers.contains("@escaping"),
      !parameter.isVariadic, !isInout
    {
      closure = function
      if let failure = function.failure, facts.isNever(failure) { closure?.isThrowing = false }
      passed = (type, name.escaped)
      reason = "must not escape"
      // A pointer to a function may escape, and a block may not.
      if type.text.contains("@convention(c") {
        stored = type
        passed = nil
        closure = nil
        reason = nil
      }
    } else if isGeneric {
      stored = parameter.isVariadic ? TypeText(parsing: "[Any]") : scope.erased(type, facts)
      if scope.isMetatype(type) { metatype = type.stored.tokens.first?.text }
      value += Self.cast(type, to: stored)
    } else {
      stored = type.stored
      if parameter.isVariadic, var first = type.stored.tokens.first {
        first.spaceBefore = false
        stored = TypeText([Token("["), first] + type.stored.tokens.dropFirst() + [Token("]")])
      }
    }
  }

  /// The cast of an optional to `Any`, since the compiler warns otherwise.
  private static func cast(_ type: TypeText, to stored: TypeText?) -> String {
    guard type.isOptional, let text = stored?.text, ["Any", "[Any]"].contains(text) else {
      return ""
    }
    return " as \(text)"
  }

  private mutating func planAutoclosure(
    _ type: TypeText, of declaration: Declaration, isGeneric: Bool, _ scope: GenericScope,
    _ facts: TypeFacts
  ) {
    guard let function = facts.function(type) else { return }
    let mayThrow = declaration.throwing != .never
    let canCall =
      (!function.isThrowing || mayThrow) && (!function.isAsync || declaration.isAsync)
    guard canCall else {
      reason = "cannot be evaluated here"
      return
    }
    stored = isGeneric ? scope.erased(function.result, facts) : function.result
    let kept = declaration.unusedName("\(name)Value")
    value = kept + (isGeneric ? Self.cast(function.result, to: stored) : "")
    let words = (function.isThrowing ? "try " : "") + (function.isAsync ? "await " : "")
    // The compiler warns of a constant whose type it infers to be `Void`.
    let annotation = function.result.isVoid ? ": \(facts.text(function.result))" : ""
    prelude = ["let \(kept)\(annotation) = \(words)\(name.escaped)()"]
  }
}
