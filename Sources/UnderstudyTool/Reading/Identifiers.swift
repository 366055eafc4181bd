// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension String {
  /// The word as an identifier, in backticks where it needs them.
  var escaped: String {
    let isPlain = allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || !$0.isASCII }
    if isPlain, first?.isNumber != true, !Self.keywords.contains(self) { return self }
    return "`\(self)`"
  }

  /// The word as a label, which only three keywords cannot be.
  var escapedLabel: String {
    if ["inout", "var", "let"].contains(self) { return "`\(self)`" }
    return Self.keywords.contains(self) ? self : escaped
  }

  private static let keywords: Set<String> = [
    "Any", "Protocol", "Self", "Type", "as", "associatedtype", "break", "case", "catch", "class",
    "continue", "default",
    "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate",
    "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
    "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
    "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while",
  ]
}
