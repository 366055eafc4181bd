// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A name or a container: any value that is `Hashable` and `Sendable`, or a type.
///
/// Names are equal if their `AnyHashable`s are equal: cases of different enumerations never are,
/// even if they have the same spelling, but `1 as Int` and `1 as Int8` are. Names are interned, so
/// comparing and hashing them runs no user code.
package struct KeyName: Hashable, Sendable, CustomStringConvertible {
  let discriminator: Discriminator

  package init(_ base: any Hashable & Sendable) { discriminator = .named(base) }

  init?(_ discriminator: Discriminator?) {
    guard let discriminator, case .name = discriminator.content else { return nil }
    self.discriminator = discriminator
  }

  package var base: any Hashable & Sendable {
    guard case .name(let base) = discriminator.content else {
      preconditionFailure("the discriminator of a name is a name")
    }
    return base
  }

  package var description: String {
    let text = base as? String
    // Two names of different texts look different, also where a renderer escapes line breaks.
    let shown =
      text?.replacingScalars { $0 == "\\" || $0 == "\"" ? "\\\($0)" : nil } ?? "\(base)"
    // Each fact of a message takes one line.
    let line =
      shown.contains(where: \.isNewline) ? shown.withInvisibleScalarsEscaped : shown
    return text == nil ? line : "\"\(line)\""
  }

  package static func == (left: KeyName, right: KeyName) -> Bool {
    left.discriminator.identity == right.discriminator.identity
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(discriminator.hash) }
}

/// A type that serves as a name, by its identity.
struct NamingType: Hashable, Sendable, CustomStringConvertible {
  let type: any Any.Type
  /// True for a scope. A type that is both a scope and a qualifier makes two names.
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

/// The name of one of several instances of a registration. Messages show the name of the
/// registration.
package protocol NamingPart {
  /// The name of the registration, or `nil` if it has none.
  var whole: KeyName? { get }
}

/// Several names as one: a scope within a qualifier, a name within a scope.
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

  /// The name of a value, or `nil` if there is none. Most registrations have no name, so this check
  /// makes no copy.
  static func made(of value: borrowing (any Hashable & Sendable)?) -> KeyName? {
    value == nil ? nil : (copy value).map { KeyName($0) }
  }

  var scope: KeyName? {
    if let path = base as? NamePath { return path.parts.lazy.compactMap(\.scope).first }
    return (base as? NamingType)?.isScope == true ? self : nil
  }
}

extension KeyName {
  /// The name without its scope, or `nil` if nothing else is left.
  var unscoped: KeyName? {
    guard let path = base as? NamePath else { return scope == nil ? self : nil }
    let parts = path.parts.filter { $0.scope == nil }
    return parts.count > 1 ? KeyName(NamePath(parts: parts)) : parts.first
  }
}

// MARK: In messages

extension KeyName {
  /// The name as source code, if that is known.
  package var code: String {
    let mirror = Mirror(reflecting: base)
    // The casts below would unwrap an optional, which is a different name from its value.
    if mirror.displayStyle == .optional {
      let held = mirror.children.first.map { String(reflecting: $0.value) }
      return "\(held ?? "nil") as \(TypeDescription.code(type(of: base)))"
    }
    if base is Int || base is Bool || (base as? Double)?.isFinite ?? false { return "\(base)" }
    if let type = base as? NamingType { return TypeDescription.metatype(of: type.type) }
    if let path = base as? NamePath { return path.parts.map(\.code).joined(separator: ", ") }
    let type = TypeDescription.code(type(of: base))
    if let text = base as? any StringProtocol {
      let literal = String(reflecting: String(text))
      return base is String ? literal : "\(literal) as \(type)"
    }
    if base is Character { return "\(String(reflecting: "\(base)")) as \(type)" }
    let isNumber = (base as? any FloatingPoint).map { $0.isFinite } ?? (base is any BinaryInteger)
    let hasLiteral = isNumber || [.collection, .dictionary, .set].contains(mirror.displayStyle)
    let isDescribed =
      base is any CustomStringConvertible || base is any CustomDebugStringConvertible
    // A description of its own is seldom an expression.
    if isDescribed, !hasLiteral { return "… as \(type)" }
    return mirror.displayStyle == .enum ? "\(type).\(description)" : "\(description) as \(type)"
  }

  /// The arguments that give this name.
  package var labels: [String] {
    switch base {
    case let path as NamePath: path.parts.flatMap(\.labels)
    case let part as any NamingPart: part.whole?.labels ?? []
    case let type as NamingType where type.isScope: ["scopedTo: \(code)"]
    case is NamingType: ["qualifiedBy: \(code)"]
    default: ["named: \(code)"]
    }
  }
}
