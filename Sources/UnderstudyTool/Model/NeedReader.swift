// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Reads the dependency of a parameter from its type.
struct NeedReader {
  let index: GraphIndex

  /// The dependency of a parameter, or `nil` if its type cannot be resolved.
  func need(_ parameter: Declaration.Parameter) -> Component.Need? {
    // An `inout` or `isolated` parameter cannot be resolved.
    guard !parameter.isVariadic,
      !parameter.type.specifiers.contains(where: ["inout", "isolated"].contains)
    else { return nil }
    var tokens = unwrapped(parameter.type.stored.tokens)
    // `T!` is resolved as `T?`.
    if tokens.last?.text == "!" { tokens[tokens.count - 1].text = "?" }
    if tokens.contains(where: { ["some", "repeat", "each"].contains($0.text) }) {
      return nil
    }
    var kind = NeedKind.one
    var isRequired = true
    var isFirst = true
    var isMany = false
    var payload: WiredType?
    var inner = tokens
    while let (next, rest) = Self.opened(inner) {
      if isFirst { kind = next }
      if next == .every { isMany = true }
      if next != .deferred { isRequired = false }
      isFirst = false
      inner = unwrapped(rest)
      if next == .deferred, let function = TypeText(inner).function, function.parameters.count == 1
      {
        payload = WiredType(function.parameters[0].stored.tokens, index)
        inner = unwrapped(function.result.tokens)
      }
    }
    guard TypeText(inner).function == nil else { return nil }
    return Component.Need(
      label: parameter.label, type: WiredType(inner, index), kind: kind, isRequired: isRequired,
      hasDefault: parameter.hasDefault, isMany: isMany, payload: payload,
      whole: WiredType(tokens, index))
  }

  /// The tokens without enclosing parentheses.
  func unwrapped(_ tokens: [Token]) -> [Token] {
    var tokens = tokens
    while tokens.first?.text == "(", tokens[...].closing(from: 0) == tokens.count - 1,
      tokens[...].dropFirst().dropLast().split(at: ",").count == 1
    {
      tokens = Array(tokens.dropFirst().dropLast())
    }
    if tokens.first?.spaceBefore == true { tokens[0].spaceBefore = false }
    return tokens
  }

  /// Whether the name refers to the library's type.
  private static func isProvider(_ token: Token) -> Bool {
    token.usr.map { $0.hasPrefix("s:10Understudy") } ?? true
  }

  /// The kind of a dependency, and its wrapped type: `T` for `T?`.
  private static func opened(_ tokens: [Token]) -> (NeedKind, [Token])? {
    if tokens.last?.text == "?" { return (.optional, Array(tokens.dropLast())) }
    if tokens.first?.text == "[", tokens[...].closing(from: 0) == tokens.count - 1 {
      let element = Array(tokens.dropFirst().dropLast())
      return element[...].first([":"]) == nil ? (.every, element) : nil
    }
    if let start = tokens.firstIndex(where: { $0.text == "<" }), start > 0,
      tokens[...].closing(from: start) == tokens.count - 1
    {
      let inner = Array(tokens[(start + 1)...].dropLast())
      switch tokens[start - 1].text {
      case "Provider" where isProvider(tokens[start - 1]): return (.deferred, inner)
      case "Optional": return (.optional, inner)
      case "Array": return (.every, inner)
      default: return nil
      }
    }
    return nil
  }
}
