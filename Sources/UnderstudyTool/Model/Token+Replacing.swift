// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension [Token] {
  /// The associated types without `Self`: `Self.Key` becomes `Key`. `Self.Type` stays, since `Type`
  /// is not a member.
  var withoutSelf: [Token] { replacing { _ in nil } }

  /// Replaces words in the same way, but not members of another type: `Child.Key` stays.
  func replacing(_ names: [String: String]) -> [Token] {
    replacing { names[$0].map { [Token($0)] } }
  }

  /// Replaces words with types in the same way, and keeps the identifiers of the types.
  func replacing(types: [String: TypeText]) -> [Token] {
    replacing { types[$0]?.tokens }
  }

  private func replacing(_ type: (String) -> [Token]?) -> [Token] {
    var replaced: [Token] = []
    var index = 0
    while index < count {
      var token = self[index]
      if token.text == "Self", index + 2 < count, self[index + 1].text == ".",
        !["Type", "Protocol"].contains(self[index + 2].text)
      {
        let space = token.spaceBefore
        index += 2
        token = self[index]
        token.spaceBefore = space
      } else if replaced.last?.text == "." {
        replaced.append(token)
        index += 1
        continue
      }
      var type = type(token.text) ?? [token]
      if !type.isEmpty { type[0].spaceBefore = token.spaceBefore }
      replaced += type
      index += 1
    }
    return replaced
  }
}
