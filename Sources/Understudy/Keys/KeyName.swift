// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A name or a container: any value that is `Hashable` and `Sendable`, or a type.
///
/// Two names are equal as `AnyHashable` says: cases of different enumerations never are, however
/// they are spelled; `1 as Int` and `1 as Int8` are (G9-20).
///
/// It is what tells a key from others that has nothing else (`KeyDistinction`), or a part of that.
package struct KeyName: Hashable, Sendable, CustomStringConvertible {
  /// Has a name.
  let distinction: KeyDistinction

  package init(_ base: any Hashable & Sendable) {
    distinction = KeyDistinction(naming: base)
  }

  init?(of distinction: KeyDistinction) {
    guard distinction.hasName else { return nil }
    self.distinction = distinction
  }

  /// The name without what else its key may have.
  var alone: KeyDistinction {
    distinction.isName ? distinction : KeyDistinction(self, nil, nil)
  }

  package var base: any Hashable & Sendable { distinction.base }
  /// The name, if it can be told from others without what its type says.
  var quick: QuickName? { distinction.quick }
  /// Names that are equal have the same.
  var hash: Int { distinction.hash }

  package var description: String {
    let text = text ?? base as? String
    let shown = text ?? "\(base)"
    // A message has one fact in a line.
    if shown.contains(where: \.isNewline) {
      let escaped = shown.debugDescription
      return text == nil ? String(escaped.dropFirst().dropLast()) : escaped
    }
    return text == nil ? shown : "\"\(shown)\""
  }

  package static func == (left: KeyName, right: KeyName) -> Bool {
    left.distinction === right.distinction
      || left.hash == right.hash && left.isEqual(to: right.base, right.quick)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(hash) }

  private var text: String? {
    if case .text(let text)? = quick { text } else { nil }
  }

  /// True if this is the name that a value makes. What `QuickName` says of the value is asked once, and not for
  /// every comparison.
  func isEqual(to other: any Hashable & Sendable, _ quick: QuickName?) -> Bool {
    if let quick {
      if quick.isName(of: distinction) { return true }
      if case .text = quick, text != nil { return false }
    }
    return AnyHashable(base) == AnyHashable(other)
  }

  /// True if this name is of the type of another value, and equal to it. Names of different types may be equal, too.
  func isOne<Other: Hashable>(with other: Other) -> Bool { KeyName.areOne(base, other) }

  /// Safety: the cast is between two names of one type, which is compared.
  private static func areOne<One: Hashable, Other: Hashable>(_ one: One, _ other: Other) -> Bool {
    unsafe One.self == Other.self && one == unsafeBitCast(other, to: One.self)
  }

  /// What the type of a name says, without the boxes that `AnyHashable` makes. That alone would be the same for the first
  /// cases of all enumerations.
  static func ownHash<Value: Hashable>(of value: Value) -> Int {
    value.hashValue ^ Int(bitPattern: ObjectIdentifier(Value.self))
  }

  /// The hash of the name that a value makes: values that `AnyHashable` says are equal have the same.
  static func hash(of value: any Hashable & Sendable, _ quick: QuickName?) -> Int {
    if case .text(let text)? = quick { return TextHash.of(text) }
    return isNumber(value) ? value.hashValue : boxedHash(of: value)
  }

  /// The hash of a name that may be equal to a value of another type; also to a text.
  private static func boxedHash(of value: any Hashable & Sendable) -> Int {
    let value = AnyHashable(value)
    return equalText(value).map { TextHash.of($0) } ?? value.hashValue
  }

  /// True if a value is a number, and what its type says is what `AnyHashable` says of all numbers that are equal.
  private static func isNumber<Value>(_ value: Value) -> Bool {
    Value.self == Int.self && numbersHashAsBoxes
  }

  private static let numbersHashAsBoxes =
    AnyHashable(0x5A5A_5A5A).hashValue == 0x5A5A_5A5A.hashValue

  private static func equalText(_ value: AnyHashable) -> String? {
    #if canImport(ObjectiveC)
      if let text = value.base as? String { return text }
      // What is imported as a type of its own with a text as its raw value is equal to that text.
      if let text = (value.base as? any RawRepresentable)?.rawValue as? String,
        AnyHashable(text) == value
      {
        return text
      }
      return nil
    #else
      // Nothing else is cast to a text here, and a cast that fails takes longer than all the rest.
      let base = value.base
      return type(of: base) == String.self ? base as? String : nil
    #endif
  }
}

/// A type that serves as a name, by its identity.
struct NamingType: Hashable, Sendable, CustomStringConvertible {
  let type: any Any.Type
  /// True for a scope; a type that is a scope and a qualifier is two names (BL-17).
  let isScope: Bool

  var description: String { TypeDescription.of(type) }

  static func == (left: NamingType, right: NamingType) -> Bool {
    left.type == right.type && left.isScope == right.isScope
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(type))
    hasher.combine(isScope)
  }
}

/// Several names that are one: a scope within a qualifier, a name within a scope.
struct NamePath: Hashable, Sendable, CustomStringConvertible {
  let parts: [KeyName]

  var description: String { parts.map(\.description).joined(separator: ", ") }
}

extension KeyName {
  /// The name that a value, a scope and a qualifier make together, or `nil` if there is none.
  static func made(
    of value: borrowing (any Hashable & Sendable)?, scope: (any Scope.Type)?,
    qualifier: (any Qualifier.Type)?
  ) -> KeyName? {
    let name = made(of: value)
    guard scope != nil || qualifier != nil else { return name }
    var parts: [KeyName] = []
    if let name { parts.append(name) }
    if let scope { parts.append(KeyName(NamingType(type: scope, isScope: true))) }
    if let qualifier { parts.append(KeyName(NamingType(type: qualifier, isScope: false))) }
    return parts.count == 1 ? parts[0] : KeyName(NamePath(parts: parts))
  }

  /// The name that a value makes, if there is one: most have none, and that is asked without a copy.
  static func made(of value: borrowing (any Hashable & Sendable)?) -> KeyName? {
    value == nil ? nil : (copy value).map { KeyName($0) }
  }

  /// The scope among the names that this is made of.
  var scope: KeyName? {
    if let path = base as? NamePath { return path.parts.lazy.compactMap(\.scope).first }
    return (base as? NamingType)?.isScope == true ? self : nil
  }
}

// MARK: In messages

extension KeyName {
  /// The name as a program writes it, as far as that is known.
  package var code: String {
    let mirror = Mirror(reflecting: base)
    // The casts below look into an optional, which is another name than what it holds.
    if mirror.displayStyle == .optional {
      let held = mirror.children.first.map { String(reflecting: $0.value) }
      return "\(held ?? "nil") as \(TypeDescription.of(type(of: base)))"
    }
    if base is Int || base is Double || base is Bool { return "\(base)" }
    if let type = base as? NamingType { return "\(type).self" }
    if let path = base as? NamePath { return path.parts.map(\.code).joined(separator: ", ") }
    let type = TypeDescription.of(type(of: base))
    if let text = base as? any StringProtocol {
      let literal = String(reflecting: String(text))
      return base is String ? literal : "\(literal) as \(type)"
    }
    return mirror.displayStyle == .enum
      ? "\(type).\(description)" : "\(description) as \(type)"
  }

  /// The arguments that say it.
  package var labels: [String] {
    switch base {
    case let path as NamePath: path.parts.flatMap(\.labels)
    case let type as NamingType where type.isScope: ["scopedTo: \(code)"]
    case is NamingType: ["qualifiedBy: \(code)"]
    default: ["named: \(code)"]
    }
  }
}
