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
    let free = Set(model.associatedTypes.map(\.name)).subtracting(pinned.keys)
    for type in model.associatedTypes {
      let constraint = self.constraint(of: type)
      if let concrete = pinned[type.name] {
        plan.typealiases.append("typealias \(type.name.escapedType) = \(concrete.text)")
        add(bounds(of: concrete.tokens[...], constraint, plan), to: &plan)
        continue
      }
      var parts = constraint
      let sendable = plan.words("Sendable")
      if plan.isShared, !parts.contains(sendable) { parts.append(sendable) }
      let text = parts.isEmpty ? "" : ": " + parts.joined(separator: " & ")
      plan.generics.append(type.name.escapedType + text)
    }
    for clause in model.clauses {
      if let name = defaulted(in: clause) { return .fixedDefault(clause.text, name) }
      let said = known(clause)
      // A clause without a generic parameter is always true, and a class cannot have it.
      guard said.mentions(free) else { continue }
      var found: [String] = []
      if let colon = said[...].first([":"]) {
        found = bounds(of: said[..<colon], [said[(colon + 1)...].text], plan)
      } else if said.isOf(free) {
        found = [said.text]
      }
      if found.isEmpty { continue }
      // A requirement on the type itself is circular.
      if clause.contains(where: { $0.text == "Self" }) { return .recursive(clause.text) }
      add(found, to: &plan)
    }
    return nil
  }

  /// The associated type that a clause is about although a recipe omits it, so that the double has
  /// the default of the standard library: `SubSequence` of a collection.
  private func defaulted(in clause: [Token]) -> String? {
    let names = Set(model.associatedTypes.map(\.name))
    let sides = clause[...].split(at: "==")
    // A name may stand for a member of the default, such as `SubSequence.Element`.
    let isName = sides.contains {
      $0.count == 1 && $0.first.map { names.contains($0.text) } == true
    }
    return sides.filter { !isName || $0.count == 1 }.compactMap(\.first)
      .first { $0.usr?.hasSuffix("Qa") == true && !names.contains($0.text) }?.text
  }

  private func add(_ clauses: [String], to plan: inout DoublePlan) {
    plan.whereClause += clauses.filter { !plan.whereClause.contains($0) }
  }

  /// Tokens with the fixed types in place of their names.
  private func known(_ tokens: [Token]) -> [Token] {
    tokens.replacing(names).replacing(types: pinned)
  }

  private func constraint(of type: ProtocolModel.AssociatedType) -> [String] {
    known(type.constraint)[...].split(at: ",").map(\.text)
  }

  /// The clauses with which a type made of generic parameters meets a constraint. An array, an
  /// optional or a dictionary meets it if its elements do.
  private func bounds(
    of type: ArraySlice<Token>, _ constraint: [String], _ plan: DoublePlan
  ) -> [String] {
    guard let first = type.first, let last = type.last, !constraint.isEmpty else { return [] }
    if let general = model.associatedTypes.first(where: { $0.name == first.text }),
      pinned[first.text] == nil, type.allSatisfy({ $0.text == "." || $0.text.isWord })
    {
      let shared = plan.isShared ? [plan.words("Sendable")] : []
      let own = type.count == 1 ? self.constraint(of: general).flatMap(\.parts) + shared : []
      let missing = constraint.flatMap(\.parts).filter { !own.contains($0) }
      return missing.isEmpty
        ? [] : ["\(type.text): \(missing.joined(separator: " & "))"]
    }
    let ofElements: Set = [
      "Equatable", "Hashable", "Encodable", "Decodable", "Codable", "Sendable",
    ]
    // The name may be qualified: `Swift.Codable`.
    let parts = constraint.flatMap(\.parts).filter { part in
      part.split(separator: ".").last.map { ofElements.contains(String($0)) } ?? false
    }
    let isList = first.text == "[" && type.closing(from: type.startIndex) == type.endIndex - 1
    guard isList || last.text == "?" else { return [] }
    let elements = isList ? type.dropFirst().dropLast().split(at: ":") : [type.dropLast()]
    return elements.flatMap { bounds(of: $0, parts, plan) }
  }
}

extension String {
  /// The protocols of a constraint.
  fileprivate var parts: [String] { split(separator: " & ").map(String.init) }
}

extension [Token] {
  /// Whether a clause makes one of these names, or a member of it, equal to something else. A class
  /// can have no other equality.
  fileprivate func isOf(_ names: Set<String>) -> Bool {
    let sides = self[...].split(at: "==")
    return sides.first?.text != sides.last?.text
      && sides.contains { $0.first.map { names.contains($0.text) } ?? false }
  }
}
