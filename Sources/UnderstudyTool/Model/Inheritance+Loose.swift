// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Inheritance {
  /// The standing to a member with other types, or `nil` if the double may have both.
  ///
  /// A function with a narrower result or with optional parameters overrides the member, so the
  /// compiler wants the word.
  func looseStanding(of requirement: Declaration, to member: Member) -> Standing? {
    let declaration = member.declaration
    guard requirement.kind != .property, declaration.isAsync == requirement.isAsync,
      declaration.generics.isEmpty, requirement.generics.isEmpty,
      declaration.parameters.count == requirement.parameters.count,
      zip(declaration.parameters, requirement.parameters).allSatisfy({ own, other in
        own.isVariadic == other.isVariadic && isWider(other.type, than: own.type)
      }), isNarrower(requirement.type, than: declaration.type)
    else { return nil }
    let isRequired =
      requirement.kind == .initializer && declaration.modifiers.contains("required")
    if requirement.kind == .initializer, !isRequired, !member.isDesignated { return nil }
    guard member.canBeOverridden, member.isAvailable,
      declaration.canBeOverridden(with: requirement),
      declaration.isSettable == requirement.isSettable
    else {
      return .hindered(
        "whose '\(member.name)' does not fulfil the requirement, and cannot be overridden")
    }
    return .overrides(isRequired ? "required" : "override")
  }

  /// Whether a parameter is the other one, or an optional of it.
  private func isWider(_ type: TypeText, than other: TypeText) -> Bool {
    let texts = [type, other].map { expanded($0.tokens).map(\.text) }
    return texts[0] == texts[1] || texts[0] == texts[1] + ["?"]
  }

  private func isNarrower(_ type: TypeText?, than other: TypeText?) -> Bool {
    guard let type, let other else { return type == nil && other == nil }
    return isNarrower(expanded(type.tokens)[...], than: expanded(other.tokens)[...])
  }

  /// Whether a result is the other one, a subclass of it, or not optional where the other one is.
  private func isNarrower(_ type: ArraySlice<Token>, than other: ArraySlice<Token>) -> Bool {
    if type.map(\.text) == other.map(\.text) { return true }
    if let last = other.last?.text, ["?", "!"].contains(last) {
      return isNarrower(type, than: other.dropLast())
    }
    if type.count == 1, other.count == 1, let usr = type.first?.usr, let wide = other.first?.usr,
      isClass(usr), isClass(wide)
    {
      return isInherited(wide, by: usr)
    }
    guard type.first?.text == "(", other.first?.text == "(",
      type.closing(from: type.startIndex) == type.endIndex - 1,
      other.closing(from: other.startIndex) == other.endIndex - 1
    else { return false }
    let parts = [type, other].map { $0.dropFirst().dropLast().split(at: ",") }
    return parts[0].count == parts[1].count
      && zip(parts[0], parts[1]).allSatisfy { isNarrower($0, than: $1) }
  }
}
