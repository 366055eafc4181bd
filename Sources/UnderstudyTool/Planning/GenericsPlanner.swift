// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Plans the generic parameters of a double: the associated types that the protocol does not fix.
struct GenericsPlanner {
  let model: ProtocolModel
  /// The meaning of a name in the double.
  let names: [String: String]

  /// Adds the type aliases, the generic parameters and their clauses to a plan.
  ///
  /// - Returns: The reason why there can be no double, or `nil`.
  func plan(_ plan: inout DoublePlan) -> DoublePlanner.Refusal? {
    let pinned = pinned
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

  /// The associated types that are fixed, to a type or to other associated types: by a clause, or
  /// else by a recipe or a restated requirement.
  var pinned: [String: TypeText] {
    var pinned: [String: TypeText] = [:]
    // A clause may fix a type that another clause needs, so this repeats.
    while true {
      let count = pinned.count
      pin(&pinned, toOthers: false)
      if count < pinned.count { continue }
      for type in model.associatedTypes where pinned[type.name] == nil {
        pinned[type.name] = type.fixed?.replacing(names)
      }
      if count < pinned.count { continue }
      // At last, a type that is made of other associated types is fixed as well.
      pin(&pinned, toOthers: true)
      if count == pinned.count { return pinned }
    }
  }

  /// Fixes the types that a clause makes equal to a known type. Otherwise fixes the first type that
  /// a clause makes of other associated types. The next one may depend on it.
  private func pin(_ pinned: inout [String: TypeText], toOthers: Bool) {
    for clause in model.clauses {
      let words = clause.replacing([:])
      guard let sign = words[...].first(["=="]) else { continue }
      let sides = [Array(words[..<sign]), Array(words[(sign + 1)...])]
      for (side, other) in [(sides[0], sides[1]), (sides[1], sides[0])] {
        let free = Set(model.associatedTypes.map(\.name)).subtracting(pinned.keys)
        guard side.count == 1, free.contains(side[0].text),
          !other.contains(where: { $0.text == "Self" })
        else { continue }
        let type = other.replacing(names).replacing(types: pinned)
        if type.mentions(free) {
          // A clause can make an associated type a member of another one.
          let isMember = type.count > 1 && type.allSatisfy { $0.text == "." || $0.text.isWord }
          guard toOthers, !isMember, !type.mentions([side[0].text]) else { continue }
        }
        pinned[side[0].text] = TypeText(type)
        if toOthers { return }
      }
    }
  }
}

extension [Token] {
  /// Whether the tokens contain one of these names, not as a member of another type.
  fileprivate func mentions(_ names: Set<String>) -> Bool {
    indices.contains { names.contains(self[$0].text) && ($0 == 0 || self[$0 - 1].text != ".") }
  }

  /// Whether a clause constrains one of these names or its members. A class cannot constrain
  /// anything else.
  fileprivate func isOf(_ names: Set<String>) -> Bool {
    let sides = self[...].split(at: "==")
    return sides.contains { $0.first.map { names.contains($0.text) } ?? false }
  }
}
