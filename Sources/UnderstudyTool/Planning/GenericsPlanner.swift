// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Plans the generic parameters of a double: the associated types that the protocol does not fix.
struct GenericsPlanner {
  let model: ProtocolModel
  /// The meaning of a name in the double.
  let names: [String: String]
  /// The associated types that are fixed.
  let pinned: [String: TypeText]

  /// Adds the type aliases, the generic parameters and their clauses to a plan.
  ///
  /// - Returns: The reason why there can be no double, or `nil`.
  func plan(_ plan: inout DoublePlan) -> DoublePlanner.Refusal? {
    let known = names.merging(pinned.mapValues(\.text)) { $1 }
    let free = Set(model.associatedTypes.map(\.name)).subtracting(pinned.keys)
    for type in model.associatedTypes {
      if let concrete = pinned[type.name] {
        plan.typealiases.append("typealias \(type.name.escapedType) = \(concrete.text)")
        continue
      }
      var constraint = type.constraint.replacing(known)[...].split(at: ",").map { Array($0).text }
      let sendable = plan.words("Sendable")
      if plan.isShared, !constraint.contains(sendable) { constraint.append(sendable) }
      let text = constraint.isEmpty ? "" : ": " + constraint.joined(separator: " & ")
      plan.generics.append(type.name.escapedType + text)
    }
    for clause in model.clauses {
      // A clause without a generic parameter is always true, and a class cannot have it.
      let said = clause.replacing(known)
      guard said.mentions(free), said.isOf(free) else { continue }
      let words = clause.replacing([:])
      if words.dropFirst().contains(where: { $0.text == "Self" }) { return .recursive(words.text) }
      if words.first?.text == "Self" {
        // A requirement on the type itself is circular.
        if words.dropFirst().first?.text == "==" { return .recursive(words.text) }
        continue
      }
      plan.whereClause.append(words.replacing(known).text)
    }
    return nil
  }
}

extension [Token] {
  /// Whether a clause constrains one of these names or its members. A class cannot constrain
  /// anything else.
  fileprivate func isOf(_ names: Set<String>) -> Bool {
    let sides = self[...].split(at: "==")
    return sides.contains { $0.first.map { names.contains($0.text) } ?? false }
  }
}
