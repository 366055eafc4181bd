// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

extension Properties {
  /// Registers each parameter under its name and the type of its value, like a service: `Bool`,
  /// `String`, `Double`, or both `Int` and `Double`. A text from the environment or the command
  /// line that reads as another of these types has that type, too. A registration reads the
  /// property at each request, so an override of the property answers.
  func registerParameters(on registrar: some Registering, at callSite: CallSite) {
    for (path, entry) in entries.sorted(by: { $0.key < $1.key }) where !entry.isObject {
      func add<Value: PropertyScalar>(_ type: Value.Type) {
        var traits = RegistrationTraits(
          key: AnyKey(type: type, named: Self.parameterName(path)), at: callSite)
        traits.isMerged = true
        traits.needs = [.property(path)]
        let registration = Registration<Value>(traits, sharing: SendableType()) { invocation in
          try invocation.resolver.property(path, as: type)
        }
        // The layer overrides the property. It is no finding if the test does not request it by
        // type.
        registration.mark(.used)
        registration.mark(.added)
        registrar.add(registration)
      }
      func addIfReadable<Value: PropertyScalar>(_ type: Value.Type) {
        if Value(propertyValue: entry.value.revealed) != nil { add(type) }
      }
      switch entry.value.revealed {
      case .bool: add(Bool.self)
      case .integer, .unsigned:
        add(Int.self)
        add(Double.self)
      case .number: add(Double.self)
      case .string:
        add(String.self)
        guard entry.origin.isOfText else { continue }
        addIfReadable(Int.self)
        addIfReadable(Double.self)
        addIfReadable(Bool.self)
      case .null, .data, .date, .array, .object, .secret: break
      }
    }
  }

  /// The name of a parameter: its key in the file, or its path if it is inside an object.
  private static func parameterName(_ path: String) -> String {
    guard let steps = (try? PropertyPath(path))?.steps, steps.count == 1,
      case .key(let key) = steps[0]
    else { return path }
    return key
  }
}
