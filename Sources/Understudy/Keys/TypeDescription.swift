// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// How a type is written in messages: as the user writes it.
package enum TypeDescription {
  /// The name of a type; of a protocol with `any` before it; `[T]`, `[K: V]` and `T?` for arrays,
  /// dictionaries and optionals.
  package static func of(_ type: any Any.Type) -> String {
    if let sugared = type as? any SugaredType.Type { return sugared.sugaredName }
    let name = withoutSelf(String(describing: type)[...])
    guard name != "Any", name != "AnyObject" else { return name }
    return isExistential(type) ? "any \(name)" : name
  }

  /// The same with the module and the types that it lies in: for two that have one name.
  package static func inFull(_ type: any Any.Type) -> String {
    let name = String(reflecting: type)
    return isExistential(type) ? "any \(name)" : name
  }

  /// `any Store<Int>` for what the runtime writes as `any Store<Self.Store.Item == Int>`. Of
  /// several, it does not say in which order the protocol declares them, so they keep their names:
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

  /// What stands between commas, up to the bracket that closes the list.
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

  /// Of a function the runtime puts brackets around its name to write the type of that.
  fileprivate static func isFunction(_ type: any Any.Type) -> Bool {
    String(describing: Swift.type(of: type)) == "(\(type)).Type"
  }

  private static func isExistential(_ type: any Any.Type) -> Bool {
    String(describing: Swift.type(of: type)).hasSuffix(".Protocol")
  }
}

/// A type that the language has a short way of writing.
private protocol SugaredType {
  static var sugaredName: String { get }
}

extension Optional: SugaredType {
  static var sugaredName: String {
    let name = TypeDescription.of(Wrapped.self)
    let isBracketed = name.hasPrefix("any ") || TypeDescription.isFunction(Wrapped.self)
    return isBracketed ? "(\(name))?" : "\(name)?"
  }
}

extension Array: SugaredType {
  static var sugaredName: String { "[\(TypeDescription.of(Element.self))]" }
}

extension Dictionary: SugaredType {
  static var sugaredName: String {
    "[\(TypeDescription.of(Key.self)): \(TypeDescription.of(Value.self))]"
  }
}
