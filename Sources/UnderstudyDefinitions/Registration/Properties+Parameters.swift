// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation
internal import Understudy

extension Properties {
  /// Registers each parameter under its name and each type that its value has, like a service. A
  /// registration reads the property at each request, so an override of the property answers.
  ///
  /// An array or an object has the types that all its elements have.
  func registerParameters(on registrar: some Registering, at callSite: CallSite) {
    for (path, entry) in entries.sorted(by: { $0.key < $1.key }) where !path.isEmpty {
      let name = Self.parameterName(path)
      // A key with dots in it comes before a path of the same text, as in a reference.
      guard parameterPath(named: name) == path else { continue }
      func add<Value: Decodable & Sendable>(_ type: Value.Type) {
        var traits = RegistrationTraits(key: AnyKey(type: type, named: name), at: callSite)
        traits.isMerged = true
        traits.needs = [.property(path)]
        let registration = Registration<Value>(traits, sharing: SendableType()) { invocation in
          try invocation.resolver.property(path, as: type)
        }
        // The layer overrides the property. It is no finding if the test does not request it by
        // type.
        registration.mark(.used)
        registration.mark(.answeredKnownKey)
        registrar.add(registration)
      }
      func addArray<Element: PropertyScalar>(of type: Element.Type) { add([Element].self) }
      func addObject<Member: PropertyScalar>(of type: Member.Type) { add([String: Member].self) }
      for type in Self.parameterTypes {
        switch entry.value.revealed {
        case .array(let elements):
          if elements.allSatisfy({ $0.isParameter(of: type) }) { addArray(of: type) }
        case .object(let members):
          // A source may replace one member, whose entry has its origin.
          let isReadable = members.allSatisfy { key, member in
            let memberPath = (try? PropertyPath(path))?.appending(key).description
            let origin = memberPath.flatMap { entries[$0]?.origin } ?? entry.origin
            return member.isParameter(of: type, isText: origin.isOfText)
          }
          if isReadable { addObject(of: type) }
        case let value:
          if value.isParameter(of: type, isText: entry.origin.isOfText) { add(type) }
        }
      }
    }
  }

  private static let parameterTypes: [any PropertyScalar.Type] = [
    Bool.self, Int.self, Double.self, String.self, Date.self, Data.self,
  ]

  /// The name of a parameter: its key in the file, or its path if it is inside an object.
  private static func parameterName(_ path: String) -> String {
    guard let steps = (try? PropertyPath(path))?.steps, steps.count == 1,
      case .key(let key) = steps[0]
    else { return path }
    return key
  }
}

extension PropertyValue {
  /// True if a parameter with this value has the type. A text from the environment or the command
  /// line has each type as which it can be read.
  fileprivate func isParameter(
    of type: any PropertyScalar.Type, isText: Bool = false
  ) -> Bool {
    switch revealed {
    case .bool: type == Bool.self
    case .integer, .unsigned: type == Int.self || type == Double.self
    case .number: type == Double.self
    case .string:
      type == String.self
        || isText && [Int.self, Double.self, Bool.self].contains { type == $0 }
          && type.init(propertyValue: revealed) != nil
    case .date: type == Date.self
    case .data: type == Data.self
    case .null, .array, .object, .secret: false
    }
  }
}
