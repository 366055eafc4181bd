// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The spelling of a type in messages, as source code spells it.
package enum TypeDescription {
  /// The name of a type: with `any` for a protocol, and as `[T]`, `[K: V]` and `T?` for arrays,
  /// dictionaries and optionals.
  package static func of(_ type: any Any.Type) -> String {
    if let sugared = type as? any SugaredType.Type { return sugared.sugaredName(of) }
    let name = withoutSelf(String(describing: type)[...])
    guard name != "Any", name != "AnyObject" else { return name }
    return isExistential(type) ? "any \(name)" : name
  }

  /// The type as code of its module: `Checkout.Config` for a nested type. A type of a function or
  /// of a private context has only its own name, and so has one with a tuple or a function in it.
  package static func code(_ type: any Any.Type) -> String {
    if let sugared = type as? any SugaredType.Type { return sugared.sugaredName(code) }
    func isPath(_ character: Character) -> Bool {
      character.isLetter || character.isNumber || character == "_" || character == "."
    }
    var rest = String(reflecting: type)[...]
    guard rest.allSatisfy({ isPath($0) || "<>, ".contains($0) }) else { return of(type) }
    var code = ""
    while !rest.isEmpty {
      // A path begins with a module, unless it goes on after the arguments of a generic type.
      let path = rest.prefix(while: isPath)
      let withoutModule = path.hasPrefix(".") ? path : path.drop { $0 != "." }.dropFirst()
      code += withoutModule.isEmpty ? path : withoutModule
      rest = rest.dropFirst(path.count)
      if let separator = rest.popFirst() { code.append(separator) }
    }
    return code.contains(".") ? (isExistential(type) ? "any " : "") + code : of(type)
  }

  /// The provider of a function to a type: `Provider<(Int) -> Coin>`.
  package static func provider(of type: any Any.Type, from argument: any Any.Type) -> String {
    "Provider<(\(code(argument))) -> \(code(type))>"
  }

  /// The code for the type as a value: `Mail.self`, `(any Mailer).self`.
  package static func metatype(of type: any Any.Type) -> String {
    let name = code(type)
    return name.contains(" ") ? "(\(name)).self" : "\(name).self"
  }

  /// The name with its module and enclosing types, for two types with the same short name.
  package static func inFull(_ type: any Any.Type) -> String {
    let name = String(reflecting: type)
    return isExistential(type) ? "any \(name)" : name
  }

  /// Turns the runtime's `any Store<Self.Store.Item == Int>` into `any Store<Int>`. If there are
  /// several requirements, the order of their declaration is unknown, so they keep their names:
  /// `any Table<Key == Int, Row == String>`.
  private static func withoutSelf(_ text: Substring) -> String {
    var written = ""
    var rest = text
    while let bracket = rest.firstIndex(of: "<") {
      written += rest[...bracket]
      rest = rest[bracket...].dropFirst()
      guard rest.hasPrefix("Self.") else { continue }
      let requirements = requirements(in: rest)
      rest = rest[(requirements.last?.endIndex ?? rest.endIndex)...]
      let isOnly = requirements.count == 1
      written += requirements.map { requirement in
        let name = requirement.prefix { $0 != "=" }
        let type = withoutSelf(requirement.dropFirst(name.count + "== ".count))
        return isOnly ? type : "\(name.split(separator: ".").last ?? name)== \(type)"
      }.joined(separator: ", ")
    }
    return written + rest
  }

  /// The parts between commas, up to the bracket that closes the list.
  private static func requirements(in list: Substring) -> [Substring] {
    var found: [Substring] = []
    var start = list.startIndex
    var depth = 0
    var last: Character = "<"
    for index in list.indices {
      let character = list[index]
      switch character {
      case ">" where last == "-": break
      case ">" where depth == 0: return found + [list[start..<index]]
      case "<", "(", "[", "{": depth += 1
      case ">", ")", "]", "}": depth -= 1
      case "," where depth == 0:
        found.append(list[start..<index])
        start = list.index(after: index)
      default: break
      }
      last = character
    }
    return found
  }

  /// True for a function type. The runtime puts its name in parentheses to spell the metatype.
  fileprivate static func isFunction(_ type: any Any.Type) -> Bool {
    String(describing: Swift.type(of: type)) == "(\(type)).Type"
  }

  private static func isExistential(_ type: any Any.Type) -> Bool {
    String(describing: Swift.type(of: type)).hasSuffix(".Protocol")
  }
}

private protocol SugaredType {
  /// - Parameter spell: Spells a part of the type.
  static func sugaredName(_ spell: (any Any.Type) -> String) -> String
}

extension Optional: SugaredType {
  static func sugaredName(_ spell: (any Any.Type) -> String) -> String {
    let name = spell(Wrapped.self)
    let isBracketed = name.hasPrefix("any ") || TypeDescription.isFunction(Wrapped.self)
    return isBracketed ? "(\(name))?" : "\(name)?"
  }
}

extension Array: SugaredType {
  static func sugaredName(_ spell: (any Any.Type) -> String) -> String {
    "[\(spell(Element.self))]"
  }
}

extension Dictionary: SugaredType {
  static func sugaredName(_ spell: (any Any.Type) -> String) -> String {
    "[\(spell(Key.self)): \(spell(Value.self))]"
  }
}
