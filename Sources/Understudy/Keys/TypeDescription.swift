// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// How a type is written in messages: as the user writes it.
package enum TypeDescription {
  /// The name of a type; of a protocol with `any` before it; `[T]` and `T?` for arrays and optionals.
  package static func of(_ type: any Any.Type) -> String {
    if let sugared = type as? any SugaredType.Type { return sugared.sugaredName }
    let name = String(describing: type)
    guard name != "Any", name != "AnyObject" else { return name }
    return isExistential(type) ? "any \(name)" : name
  }

  /// The same with the module and the types that it lies in: for two that have one name.
  package static func inFull(_ type: any Any.Type) -> String {
    let name = String(reflecting: type)
    return isExistential(type) ? "any \(name)" : name
  }

  /// A text without what stands in it for the file of a private type, and for the function of a local one: an
  /// address, which is another one in each run.
  package static func withoutAddresses(_ text: String) -> String {
    let mark = "(unknown context at $"
    guard text.utf8.contains(UInt8(ascii: "$")) else { return text }
    var kept = ""
    var rest = text[...]
    while let bracket = rest.firstIndex(of: "(") {
      kept += rest[..<bracket]
      rest = rest[bracket...]
      if rest.hasPrefix(mark), let end = rest.firstIndex(of: ")") {
        rest = rest[end...].dropFirst()
        if rest.first == "." { rest.removeFirst() }
      } else {
        kept.append(rest.removeFirst())
      }
    }
    return kept + rest
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
    return name.hasPrefix("any ") ? "(\(name))?" : "\(name)?"
  }
}

extension Array: SugaredType {
  static var sugaredName: String { "[\(TypeDescription.of(Element.self))]" }
}
