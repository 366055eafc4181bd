// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension TypeFacts {
  /// The result of a call without a stub, if its type has an obvious one: zero, an empty text or
  /// collection, a range from such a value to itself, `false`, `nil`, a finished stream, a success
  /// or a tuple of those, a function that does nothing or returns one of those, or another
  /// generated double.
  func placeholder(_ type: TypeText) -> String? {
    type.has("repeat") ? nil : placeholder(type.stored.tokens[...], depth: 0, isSpelled: true)
  }

  /// - Parameter isSpelled: False if the double spells the type with an alias, so that its file may
  ///   not know the names in it.
  private func placeholder(
    _ tokens: ArraySlice<Token>, depth: Int, isSpelled: Bool
  ) -> String? {
    guard depth < 8, let first = tokens.first, let last = tokens.last else { return nil }
    if let function = FunctionType(Array(tokens).withoutBrackets) {
      return self.function(function, depth: depth, isSpelled: isSpelled)
    }
    if ["?", "!"].contains(last.text) { return tokens.first(["->"]) == nil ? "nil" : nil }
    let isWhole = tokens.closing(from: tokens.startIndex) == tokens.endIndex - 1
    let inside = tokens.dropFirst().dropLast()
    switch first.text {
    case "[" where isWhole && tokens.count > 1:
      if let of = inside.first(["of"]) {
        return placeholder(inside[(of + 1)...], depth: depth + 1, isSpelled: isSpelled).map {
          ".init(repeating: \($0))"
        }
      }
      return inside.first([":"]) == nil ? "[]" : "[:]"
    case "(" where isWhole && tokens.count > 1:
      let parts = inside.split(at: ",").map { part in
        let type = part.first([":"]).map { part[($0 + 1)...] } ?? part
        return placeholder(type, depth: depth + 1, isSpelled: isSpelled)
      }
      guard parts.allSatisfy({ $0 != nil }) else { return nil }
      return "(\(parts.compactMap { $0 }.joined(separator: ", ")))"
    case "any":
      return
        double(tokens.dropFirst()) ?? (isSpelled ? sequence(tokens.dropFirst()) : nil)
    default: return named(tokens, depth: depth, isSpelled: isSpelled)
    }
  }

  /// The generated double of a protocol.
  private func double(_ tokens: ArraySlice<Token>) -> String? {
    let names = tokens.filter { $0.text != "." }
    guard let usr = names.last?.usr, !tokens.contains(where: { ["&", "<"].contains($0.text) })
    else { return nil }
    return doubles[usr].map { "\($0.escaped)()" }
  }

  /// A function that does nothing, or returns an obvious value.
  private func function(_ function: FunctionType, depth: Int, isSpelled: Bool) -> String? {
    let types = function.parameters + [function.result]
    // A closure that may run elsewhere cannot use the metatype of such a generic parameter.
    let isCapturing =
      !function.attributes.isEmpty
      && types.flatMap(\.tokens).contains { unsharedNames.contains($0.text) }
    guard !isCapturing, !types.contains(where: { $0.has("repeat") }),
      let value = placeholder(function.result.tokens[...], depth: depth + 1, isSpelled: isSpelled)
    else { return nil }
    let blanks = function.parameters.map { _ in "_" }.joined(separator: ", ")
    let words = (blanks.isEmpty ? [] : ["\(blanks) in"]) + (value == "()" ? [] : [value])
    return words.isEmpty ? "{}" : "{ \(words.joined(separator: " ")) }"
  }

  /// An empty sequence, whose elements are the first argument of its protocol.
  private func sequence(_ tokens: ArraySlice<Token>) -> String? {
    let isShared = tokens.split(at: "&").contains { $0.last?.text == "Sendable" }
    let parts = tokens.split(at: "&").filter { $0.last?.text != "Sendable" }
    guard parts.count == 1, let open = parts[0].first(["<"]), open > parts[0].startIndex,
      let usr = parts[0][open - 1].usr
    else { return nil }
    let arguments = parts[0][(open + 1)...].dropLast().split(at: ",").map { TypeText(Array($0)) }
    guard let element = arguments.first, !isShared || isCertainlySendable(element) else {
      return nil
    }
    switch usr {
    case "s:ST", "s:Sl", "s:SK", "s:Sk": return "[] as [\(text(element))]"
    case "s:Sci" where arguments.count == 2 && arguments[1].isNever:
      return "\(words("AsyncStream"))<\(text(element))> { $0.finish() }"
    case "s:Sci" where arguments.count == 2 && arguments[1].tokens.map(\.text) == ["any", "Error"]:
      let types = "\(text(element)), \(text(arguments[1]))"
      return "\(words("AsyncThrowingStream"))<\(types)> { $0.finish() }"
    default: return nil
    }
  }

  private func named(_ tokens: ArraySlice<Token>, depth: Int, isSpelled: Bool) -> String? {
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
      return placeholder(type[...], depth: depth + 1, isSpelled: false)
    }
    if usr == "s:s6ResultO" {
      return arguments.split(at: ",").first.flatMap {
        placeholder($0, depth: depth + 1, isSpelled: isSpelled)
      }
      .map { ".success(\($0))" }
    }
    if usr == "s:s11InlineArrayV" {
      return arguments.split(at: ",").last.flatMap {
        placeholder($0, depth: depth + 1, isSpelled: isSpelled)
      }
      .map { ".init(repeating: \($0))" }
    }
    if let sign = Self.ranges[usr] {
      let bound = placeholder(arguments, depth: depth + 1, isSpelled: isSpelled)
      return bound.flatMap { ["0", "\"\"", "\" \""].contains($0) ? "\($0)\(sign)\($0)" : nil }
    }
    return Self.placeholders[usr]
  }

  /// The ranges with two bounds. A loop over a range without an upper bound would not end.
  private static let ranges = [
    "s:Sn": "..<", "s:s14CountableRangea": "..<",
    "s:SN": "...", "s:s20CountableClosedRangea": "...",
  ]

  private static let placeholders: [String: String] = {
    var placeholders = [
      "s:Sb": "false", "s:SS": "\"\"", "s:SJ": "\" \"", "s:s12StaticStringV": "\"\"",
      "s:Ss": "\"\"", "s:Sa": "[]", "s:SD": "[:]",
      "s:Sh": "[]", "s:Sq": "nil", "s:s10ArraySliceV": "[]", "s:s15ContiguousArrayV": "[]",
      "s:ScS": ".init { $0.finish() }", "s:Scs": ".init { $0.finish() }",
      "s:s8DurationV": ".zero", "s:s5CBoola": "false", "s:s4Voida": "()",
      "s:s13KeyValuePairsV": "[:]", "s:s15EmptyCollectionV": ".init()",
      "s:s11AnySequenceV": ".init([])", "s:s13AnyCollectionV": ".init([])",
    ]
    for name in ["4Data", "8IndexSet", "9IndexPath", "12CharacterSet", "16AttributedString"] {
      placeholders["s:10Foundation\(name)V"] = ".init()"
      placeholders["s:20FoundationEssentials\(name)V"] = ".init()"
    }
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
