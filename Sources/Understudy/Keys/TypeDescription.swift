// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// How a type is written in messages: as the user writes it.
package enum TypeDescription {
  /// The name of a type; of a protocol with `any` before it; `[T]` and `T?` for arrays and optionals.
  package static func of(_ type: any Any.Type) -> String {
    if let sugared = type as? any SugaredType.Type { return sugared.sugaredName }
    let name = String(describing: type)
    guard name != "Any", name != "AnyObject" else { return name }
    return String(describing: Swift.type(of: type)).hasSuffix(".Protocol") ? "any \(name)" : name
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
