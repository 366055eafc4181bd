// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension ProtocolModel {
  /// The associated types that are fixed, to a type or to other associated types: by a clause, or
  /// else by a recipe, a restated requirement or a member of the class. `names` are the meanings of
  /// names such as `Self`.
  func pinned(as names: [String: String]) -> [String: TypeText] {
    var pinned: [String: TypeText] = [:]
    // A clause may fix a type that another clause needs, so this repeats.
    while true {
      let count = pinned.count
      pin(&pinned, names, toOthers: false)
      if count < pinned.count { continue }
      for type in associatedTypes where pinned[type.name] == nil {
        if let fixed = type.fixed { pinned.pin(type.name, to: fixed.replacing(names)) }
      }
      if count < pinned.count { continue }
      // At last, a type that is made of other associated types is fixed as well.
      pin(&pinned, names, toOthers: true)
      if count == pinned.count { return pinned }
    }
  }

  /// Fixes the types that a clause makes equal to a known type. Otherwise fixes the first type that
  /// a clause makes of other associated types. The next one may depend on it.
  private func pin(
    _ pinned: inout [String: TypeText], _ names: [String: String], toOthers: Bool
  ) {
    for words in clauses {
      guard let sign = words[...].first(["=="]) else { continue }
      let sides = [Array(words[..<sign]), Array(words[(sign + 1)...])]
      for (side, other) in [(sides[0], sides[1]), (sides[1], sides[0])] {
        let free = Set(associatedTypes.map(\.name)).subtracting(pinned.keys)
        guard side.count == 1, free.contains(side[0].text) else { continue }
        let type = other.replacing(names).replacing(types: pinned)
        if type.mentions(free) {
          // A clause can make an associated type a member of another one.
          let isMember = type.count > 1 && type.allSatisfy { $0.text == "." || $0.text.isWord }
          guard toOthers, !isMember, !type.mentions([side[0].text]) else { continue }
        }
        pinned.pin(side[0].text, to: TypeText(type))
        if toOthers { return }
      }
    }
  }
}

extension [String: TypeText] {
  /// Fixes an associated type, also in the types that were made of it.
  fileprivate mutating func pin(_ name: String, to type: TypeText) {
    for (other, old) in self where old.tokens.mentions([name]) {
      self[other] = TypeText(old.tokens.replacing(types: [name: type]))
    }
    self[name] = type
  }
}

extension [Token] {
  /// Whether the tokens contain one of these names, not as a member of another type.
  func mentions(_ names: Set<String>) -> Bool {
    indices.contains { names.contains(self[$0].text) && ($0 == 0 || self[$0 - 1].text != ".") }
  }
}
