// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The line of a documentation comment that asks for a double, `- Understudy: double`.
enum DoubleMarker {
  static func asksForDouble(_ symbol: SymbolGraph.Symbol) -> Bool {
    lines(of: symbol).contains { $0.problem == nil && $0.words.first == "double" }
  }

  /// A sentence for each line that asks for a double without effect: an extra or unknown word,
  /// another spelling, or a type that is not a protocol. `ComponentMarker` reports the words for
  /// wiring.
  static func problems(_ symbol: SymbolGraph.Symbol, of title: String) -> [String] {
    lines(of: symbol).compactMap { line in
      if let problem = line.problem { return line.begins(with: ["double"]) ? problem : nil }
      let word = line.words.first ?? ""
      guard word == "double" else {
        return symbol.isProtocol && line.begins(with: ["double"])
          ? "Unknown word `\(word)` after `Understudy:`. Did you mean `double`?" : nil
      }
      if !symbol.isProtocol { return "`\(title)` is not a protocol, and gets no double." }
      return line.words.count == 1
        ? nil : "Unknown word `\(line.words[1])` after `Understudy: double`."
    }
  }

  private static func lines(of symbol: SymbolGraph.Symbol) -> [MarkerLine] {
    (symbol.docComment?.lines ?? []).compactMap { MarkerLine($0.text) }
  }
}
