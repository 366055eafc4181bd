// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension ProtocolModel {
  /// Renames generic parameters of requirements that hide a name that the double needs: an
  /// associated type, a type of the same requirement, or a type of the library.
  mutating func renameGenerics() {
    let taken = Set(associatedTypes.map(\.name)).union(Vocabulary.library)
    for index in requirements.indices { requirements[index].declaration.renameGenerics(taken) }
  }
}

extension Declaration {
  fileprivate mutating func renameGenerics(_ taken: Set<String>) {
    guard !generics.isEmpty else { return }
    let own = Set(generics.map(\.name))
    var others = taken
    mapTokens { tokens in
      for (position, token) in tokens.enumerated()
      where own.contains(token.text) && !tokens.isParameter(position) {
        others.insert(token.text)
      }
      return tokens
    }
    var names: [String: String] = [:]
    for name in own {
      var unused = name
      while others.contains(unused) || unused != name && own.contains(unused) {
        unused += "Parameter"
      }
      names[name] = unused
    }
    for index in generics.indices {
      generics[index].name = names[generics[index].name] ?? generics[index].name
    }
    mapTokens { tokens in
      tokens.enumerated().map { position, token in
        guard let name = names[token.text], tokens.isParameter(position) else { return token }
        return Token(name, spaceBefore: token.spaceBefore)
      }
    }
  }
}

extension [Token] {
  /// Whether a token with the name of a generic parameter is that parameter, and not a type or a
  /// member of that name.
  fileprivate func isParameter(_ position: Int) -> Bool {
    guard position == 0 || self[position - 1].text != "." else { return false }
    guard let usr = self[position].usr else { return true }
    // The suffix of a generic parameter's mangled name.
    return usr.hasSuffix("mfp")
  }
}
