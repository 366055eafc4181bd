// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The line of a documentation comment that asks for a double, `- Understudy: double`.
enum DoubleMarker {
  static func asksForDouble(_ symbol: SymbolGraph.Symbol) -> Bool {
    markers(of: symbol).contains { $0.first == "double" }
  }

  /// A sentence for every such line that asks for nothing: a word too much or one that nobody knows,
  /// or a type that is no protocol. What wires a type knows the other words, and says so.
  static func problems(_ symbol: SymbolGraph.Symbol, of title: String) -> [String] {
    let isProtocol = symbol.kind.identifier == "swift.protocol"
    return markers(of: symbol).compactMap { words in
      let word = words.first ?? ""
      guard word == "double" else {
        let isMeant = NearMiss.distance("double", word) <= 2
        return isProtocol && isMeant
          ? "Unknown word `\(word)` after `Understudy:`. Did you mean `double`?" : nil
      }
      if !isProtocol { return "`\(title)` is no protocol, and gets no double." }
      return words.count == 1
        ? nil : "Unknown word `\(words[1])` after `Understudy: double`."
    }
  }

  /// What stands after `- Understudy:`, line by line.
  private static func markers(of symbol: SymbolGraph.Symbol) -> [[String]] {
    (symbol.docComment?.lines ?? []).compactMap { line in
      let words = line.text.split(whereSeparator: \.isWhitespace).map(String.init)
      return words.prefix(2) == ["-", "Understudy:"] ? Array(words.dropFirst(2)) : nil
    }
  }
}
