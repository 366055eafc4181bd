// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation
internal import Understudy

/// A parameter of an offered class, function or method.
package struct CatalogueParameter: Sendable {
  package let label: String?
  package let type: any Any.Type
  /// True if its argument may be left out.
  package let isOptional: Bool
  /// The mismatches of an argument with this parameter, found without creating anything.
  package let check: @Sendable (ArgumentDefinition, any ReferenceCatalogue) -> [ArgumentMismatch]

  init<Argument>(_ type: Argument.Type, label: String?) {
    self.label = label
    self.type = type
    isOptional = type is any ExpressibleByNilLiteral.Type
    check = { $0.mismatches(as: Argument.self, $1) }
  }
}

extension [CatalogueParameter] {
  static func list<each Argument>(
    of types: repeat (each Argument).Type, labels: [String]
  ) -> [CatalogueParameter] {
    var parameters: [CatalogueParameter] = []
    for type in repeat each types {
      let index = parameters.count
      parameters.append(
        CatalogueParameter(type, label: labels.indices.contains(index) ? labels[index] : nil))
    }
    return parameters
  }
}

/// An argument that does not fit its parameter.
package struct ArgumentMismatch: Sendable {
  package let expected: String
  package let found: String
  package let origin: Origin
}

/// The targets of references, as far as they are known before anything is created.
package protocol ReferenceCatalogue {
  /// The target of a name.
  func target(of name: String) -> ReferenceTarget
  /// The types of the services with a tag.
  func types(tagged tag: String) -> [any Any.Type]
}

/// The target of a reference.
package enum ReferenceTarget: Sendable {
  /// A service that is registered as a type.
  case service(any Any.Type)
  /// A parameter or a property.
  case value(PropertyValue)
  /// A registration in code.
  case registered
  case nothing
}

/// A type whose arguments are made of other arguments.
private protocol StructuredArgument {
  static func mismatches(
    of argument: ArgumentDefinition, _ references: any ReferenceCatalogue
  ) -> [ArgumentMismatch]?
}

extension ArgumentDefinition {
  /// The reasons why this argument cannot have a type, without those that are only known later.
  fileprivate func mismatches<Argument>(
    as type: Argument.Type, _ references: any ReferenceCatalogue
  ) -> [ArgumentMismatch] {
    if type == Any.self || type == (any Sendable).self { return [] }
    if case .reference(let name) = content, case .value(let value) = references.target(of: name) {
      return ArgumentDefinition(value, at: origin).mismatches(as: type, references)
    }
    if type == PropertyValue.self {
      switch content {
      case .literal: return []
      case .array(let elements): return elements.flatMap { $0.mismatches(as: type, references) }
      case .object(let members):
        return members.sorted { $0.key < $1.key }
          .flatMap { $0.value.mismatches(as: type, references) }
      case .reference, .tagged: break
      }
    }
    if let structured = type as? any StructuredArgument.Type,
      let mismatches = structured.mismatches(of: self, references)
    {
      return mismatches
    }
    switch content {
    case .reference(let name):
      switch references.target(of: name) {
      case .service(let found):
        guard !TypeRelation.excludes(found, type) else {
          return [mismatch(type, "'\(TypeDescription.of(found))'")]
        }
        return []
      case .value, .registered, .nothing: return []
      }
    case .literal(let value): return value.isReadable(as: type) ? [] : [mismatch(type, kind)]
    case .tagged, .array, .object: return [mismatch(type, kind)]
    }
  }

  fileprivate func mismatch(_ type: any Any.Type, _ found: String) -> ArgumentMismatch {
    ArgumentMismatch(expected: TypeDescription.of(type), found: found, origin: origin)
  }
}

extension PropertyValue {
  fileprivate func isReadable<Value>(as type: Value.Type) -> Bool {
    guard let decodable = type as? any Decodable.Type else { return false }
    return (try? PropertyDecoder(self).decode(decodable)) != nil
  }
}

/// The relation of two types, without a value.
enum TypeRelation {
  /// True if a value that is registered as one type can never be cast to another: if they differ,
  /// the other is a structure or an enumeration, and this one is that, too, or a class. For other
  /// classes and for protocols it is only known at run time.
  static func excludes(_ found: any Any.Type, _ expected: any Any.Type) -> Bool {
    if found == expected { return false }
    if let optional = expected as? any OptionalArgument.Type {
      return excludes(found, optional.wrapped)
    }
    return isValueType(expected) && (isValueType(found) || isNativeClass(found))
  }

  /// True if it cannot be cast, and neither can the parts of a structured value.
  static func excludesParts(_ found: any Any.Type, _ expected: any Any.Type) -> Bool {
    excludes(found, expected) && !(found is any StructuredArgument.Type)
  }

  /// False for a class such as `NSString`, which is cast to `String`.
  private static func isNativeClass(_ type: any Any.Type) -> Bool {
    type is AnyClass && !(type is NSObject.Type)
  }

  private static func isValueType(_ type: any Any.Type) -> Bool {
    !(type is AnyClass) && type != AnyHashable.self
      && !String(describing: Swift.type(of: type)).hasSuffix(".Protocol")
  }
}

private protocol OptionalArgument {
  static var wrapped: any Any.Type { get }
}

extension Optional: OptionalArgument {
  fileprivate static var wrapped: any Any.Type { Wrapped.self }
}

extension Optional: StructuredArgument {
  fileprivate static func mismatches(
    of argument: ArgumentDefinition, _ references: any ReferenceCatalogue
  ) -> [ArgumentMismatch]? {
    argument.literal?.revealed == .null ? [] : argument.mismatches(as: Wrapped.self, references)
  }
}

extension Array: StructuredArgument {
  fileprivate static func mismatches(
    of argument: ArgumentDefinition, _ references: any ReferenceCatalogue
  ) -> [ArgumentMismatch]? {
    if case .tagged(let tag) = argument.content {
      let types = references.types(tagged: tag)
      return types.first { TypeRelation.excludes($0, Element.self) }
        .map { [argument.mismatch(Self.self, "'\(TypeDescription.of($0))'")] } ?? []
    }
    return argument.elements?.flatMap { $0.mismatches(as: Element.self, references) }
  }
}

extension Dictionary: StructuredArgument where Key == String {
  fileprivate static func mismatches(
    of argument: ArgumentDefinition, _ references: any ReferenceCatalogue
  ) -> [ArgumentMismatch]? {
    argument.members?.sorted { $0.key < $1.key }
      .flatMap { $0.value.mismatches(as: Value.self, references) }
  }
}
