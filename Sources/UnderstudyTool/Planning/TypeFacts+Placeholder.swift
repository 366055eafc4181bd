// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension TypeFacts {
  /// The result of a call without a stub, if its type has an obvious one: zero, an empty text or
  /// collection, `false`, `nil`, a finished stream, a success or a tuple of those, or another
  /// generated double.
  func placeholder(_ type: TypeText) -> String? {
    placeholder(type.stored.tokens[...], depth: 0)
  }

  private func placeholder(_ tokens: ArraySlice<Token>, depth: Int) -> String? {
    guard depth < 8, let first = tokens.first, let last = tokens.last else { return nil }
    if ["?", "!"].contains(last.text) {
      return tokens.first(["->"]) == nil ? "nil" : nil
    }
    let isWhole = tokens.closing(from: tokens.startIndex) == tokens.endIndex - 1
    let inside = tokens.dropFirst().dropLast()
    switch first.text {
    case "[" where isWhole && tokens.count > 1:
      if inside.first(["of"]) != nil { return nil }
      return inside.first([":"]) == nil ? "[]" : "[:]"
    case "(" where isWhole && tokens.count > 1:
      let parts = inside.split(at: ",").map { part in
        let type = part.first([":"]).map { part[($0 + 1)...] } ?? part
        return placeholder(type, depth: depth + 1)
      }
      guard parts.allSatisfy({ $0 != nil }) else { return nil }
      return "(\(parts.compactMap { $0 }.joined(separator: ", ")))"
    case "any": return double(tokens.dropFirst())
    default: return named(tokens, depth: depth)
    }
  }

  /// The generated double of a protocol.
  private func double(_ tokens: ArraySlice<Token>) -> String? {
    let names = tokens.filter { $0.text != "." }
    guard let usr = names.last?.usr, !tokens.contains(where: { ["&", "<"].contains($0.text) })
    else { return nil }
    return doubles[usr].map { "\($0.escaped)()" }
  }

  private func named(_ tokens: ArraySlice<Token>, depth: Int) -> String? {
    let head = tokens.prefix { $0.text != "<" }
    guard let name = head.last,
      head.allSatisfy({ $0.text == "." || $0.usr != nil || $0.text.isWord })
    else { return nil }
    let rest = tokens[head.endIndex...]
    let arguments = rest.dropFirst().dropLast()
    // A member of a generic type, such as `Array<Int>.Index`, follows the arguments.
    guard let usr = name.usr,
      rest.isEmpty || tokens.closing(from: rest.startIndex) == tokens.endIndex - 1
    else { return nil }
    if let type = index.symbols[usr]?.underlyingType, !index.inheritedAliases.contains(usr),
      !index.isGeneric(usr)
    {
      return placeholder(type[...], depth: depth + 1)
    }
    if usr == "s:s6ResultO" {
      return arguments.split(at: ",").first.flatMap { placeholder($0, depth: depth + 1) }
        .map { ".success(\($0))" }
    }
    return Self.placeholders[usr]
  }

  private static let placeholders: [String: String] = {
    var placeholders = [
      "s:Sb": "false", "s:SS": "\"\"", "s:SJ": "\" \"", "s:s12StaticStringV": "\"\"",
      "s:s9SubstringV": "\"\"", "s:Sa": "[]", "s:SD": "[:]",
      "s:Sh": "[]", "s:Sq": "nil", "s:s10ArraySliceV": "[]", "s:s15ContiguousArrayV": "[]",
      "s:ScS": ".init { $0.finish() }", "s:Scs": ".init { $0.finish() }",
      "s:s8DurationV": ".zero", "s:10Foundation4DataV": ".init()",
      "s:20FoundationEssentials4DataV": ".init()", "s:s5CBoola": "false",
    ]
    for number in [
      "s:Si", "s:Su", "s:Sd", "s:Sf", "s:s7Float16V", "s:s7Float80V",
      "s:10Foundation12TimeIntervala", "s:20FoundationEssentials7DecimalV",
      "s:10Foundation7CGFloatV", "s:14CoreFoundation7CGFloatV", "s:12CoreGraphics7CGFloatV",
    ] { placeholders[number] = "0" }
    // The graph of the standard library, which would say what these aliases mean, is not read.
    for alias in [
      "Float32", "Float64", "CChar", "CSignedChar", "CUnsignedChar", "CShort", "CUnsignedShort",
      "CInt", "CUnsignedInt", "CLong", "CUnsignedLong", "CLongLong", "CUnsignedLongLong", "CFloat",
      "CDouble", "IntegerLiteralType",
    ] { placeholders["s:s\(alias.count)\(alias)a"] = "0" }
    for size in ["8", "16", "32", "64", "128"] {
      placeholders["s:s\(3 + size.count)Int\(size)V"] = "0"
      placeholders["s:s\(4 + size.count)UInt\(size)V"] = "0"
    }
    return placeholders
  }()
}
