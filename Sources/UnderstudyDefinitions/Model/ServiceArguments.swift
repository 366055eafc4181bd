// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation
internal import Understudy

/// The arguments of a service during its creation.
///
/// A reference is resolved when its argument is read, so its service is created no earlier.
public struct ServiceArguments {
  package let positional: [ArgumentDefinition?]
  package let labelled: [String: ArgumentDefinition]
  package let references: any ReferenceResolving

  /// The number of arguments by position.
  public var count: Int { positional.count }

  /// The argument at a position.
  ///
  /// - Parameters:
  ///   - index: The position, from 0.
  ///   - type: The type of the value.
  /// - Returns: The value. A reference is resolved.
  /// - Throws: An error, if the argument is missing or has another type.
  public func value<Value>(at index: Int, as type: Value.Type = Value.self) throws -> Value {
    try value(of: positional.indices.contains(index) ? positional[index] : nil, "\(index)", type)
  }

  /// The argument of a label.
  ///
  /// - Parameters:
  ///   - label: The label.
  ///   - type: The type of the value.
  /// - Returns: The value. A reference is resolved.
  /// - Throws: An error, if the argument is missing or has another type.
  public func value<Value>(labelled label: String, as type: Value.Type = Value.self) throws -> Value
  {
    try value(of: labelled[label], "'\(label)'", type)
  }

  /// All arguments by position, each with its own type.
  ///
  /// - Returns: The values.
  /// - Throws: An error, if a reference leads to nothing.
  public func values() throws -> [Any] {
    try positional.indices.map { try value(at: $0, as: Any.self) }
  }

  private func value<Value>(
    of argument: ArgumentDefinition?, _ label: String, _ type: Value.Type
  ) throws -> Value {
    if let argument { return try argument.value(as: type, label: label, references) }
    if let optional = type as? any ExpressibleByNilLiteral.Type,
      let nothing = optional.exactNothing as? Exactly<Value>
    {
      return nothing.value
    }
    throw DefinitionError(
      .wrongArgument(label: label, expected: TypeDescription.of(type), found: "not given"))
  }
}

/// Reads arguments one after the other.
final class ArgumentReader {
  private let arguments: ServiceArguments
  private var index = 0

  init(_ arguments: ServiceArguments) {
    self.arguments = arguments
  }

  /// All arguments, for a closure that takes `ServiceArguments`.
  func all<Value>(_ type: Value.Type) throws -> Value {
    guard let arguments = arguments as? Value else { return try next(type) }
    return arguments
  }

  func next<Value>(_ type: Value.Type) throws -> Value {
    defer { index += 1 }
    return try arguments.value(at: index, as: type)
  }
}

/// Resolves the references of arguments.
package protocol ReferenceResolving {
  /// The property with a name, or `nil` if the name refers to something else.
  func property(named name: String) throws -> PropertyValue?
  /// The target of a name that is not a property.
  func value<Value>(named name: String, as type: Value.Type) throws -> Value?
  /// All services with a tag, in the order of their definition.
  func services(tagged tag: String) throws -> [any Sendable]
}

/// A type whose arguments are made of other arguments.
private protocol CompoundArgument {
  static func value(
    of argument: ArgumentDefinition, label: String, _ references: any ReferenceResolving
  ) throws -> Self?
}

/// A value of exactly one type. A cast of the value itself would wrap an optional in `Any` again.
private struct Exactly<Value> {
  let value: Value
}

extension ExpressibleByNilLiteral {
  /// The value `nil` as `Exactly<Self>`.
  fileprivate static var exactNothing: Any { Exactly<Self>(value: nil) }
}

extension CompoundArgument {
  /// The value as `Exactly<Self>`, for a caller that does not know the type statically.
  fileprivate static func exactValue(
    of argument: ArgumentDefinition, label: String, _ references: any ReferenceResolving
  ) throws -> Any? {
    try value(of: argument, label: label, references).map { Exactly(value: $0) }
  }
}

extension ArgumentDefinition {
  fileprivate func value<Value>(
    as type: Value.Type, label: String, _ references: any ReferenceResolving
  ) throws -> Value {
    if case .reference(let name) = content, let value = try references.property(named: name) {
      return try ArgumentDefinition(value, at: origin).value(as: type, label: label, references)
    }
    if type == PropertyValue.self, let value = try property(label, references) as? Value {
      return value
    }
    if let compound = type as? any CompoundArgument.Type,
      let exact = try compound.exactValue(of: self, label: label, references) as? Exactly<Value>
    {
      return exact.value
    }
    switch content {
    case .reference(let name):
      if let value = try references.value(named: name, as: type) { return value }
    case .literal(let value):
      if let value = value.read(as: type) { return value }
    case .tagged(let tag):
      if let value = try references.services(tagged: tag) as? Value { return value }
    case .array(let elements):
      if let value = try elements.map({
        try $0.value(as: Any.self, label: label, references)
      }) as? Value {
        return value
      }
    case .object(let members):
      if let value = try members.mapValues({
        try $0.value(as: Any.self, label: label, references)
      }) as? Value {
        return value
      }
    }
    throw DefinitionError(
      .wrongArgument(label: label, expected: TypeDescription.of(type), found: kind), at: origin)
  }

  /// The value of a literal, or of a compound argument whose parts are literals.
  private func property(
    _ label: String, _ references: any ReferenceResolving
  ) throws -> PropertyValue? {
    switch content {
    case .literal(let value): value
    case .array(let elements):
      .array(try elements.map { try $0.value(as: PropertyValue.self, label: label, references) })
    case .object(let members):
      .object(
        try members.mapValues { try $0.value(as: PropertyValue.self, label: label, references) })
    case .reference, .tagged: nil
    }
  }
}

extension PropertyValue {
  /// The value as a type. As `Any` it has the natural Swift type of its kind.
  package func read<Value>(as type: Value.Type) -> Value? {
    if type == Any.self || type == (any Sendable).self { return natural as? Value }
    guard let decodable = type as? any Decodable.Type else { return nil }
    return (try? PropertyDecoder(self).decode(decodable)) as? Value
  }

  private var natural: any Sendable {
    switch self {
    case .null: Optional<String>.none
    case .bool(let value): value
    case .integer(let value): Int(exactly: value) ?? value
    case .unsigned(let value): UInt(exactly: value) ?? value
    case .number(let value): value
    case .string(let value): value
    case .data(let bytes): Data(bytes)
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .array(let values): values.map(\.natural)
    case .object(let members): members.mapValues(\.natural)
    case .secret(let value): value.natural
    }
  }
}

extension Optional: CompoundArgument {
  fileprivate static func value(
    of argument: ArgumentDefinition, label: String, _ references: any ReferenceResolving
  ) throws -> Wrapped?? {
    if argument.literal?.revealed == .null { return .some(.none) }
    return .some(try argument.value(as: Wrapped.self, label: label, references))
  }
}

extension Array: CompoundArgument {
  fileprivate static func value(
    of argument: ArgumentDefinition, label: String, _ references: any ReferenceResolving
  ) throws -> [Element]? {
    try argument.elements?.map {
      try $0.value(as: Element.self, label: label, references)
    }
  }
}

extension Dictionary: CompoundArgument where Key == String {
  fileprivate static func value(
    of argument: ArgumentDefinition, label: String, _ references: any ReferenceResolving
  ) throws -> [String: Value]? {
    try argument.members?.mapValues { try $0.value(as: Value.self, label: label, references) }
  }
}
