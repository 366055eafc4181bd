// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension ProtocolModel {
  /// Reads `nonisolated` of the asynchronous requirements of an actor, or of a protocol on a global
  /// actor, which the graph of a module with `NonisolatedNonsendingByDefault` omits.
  mutating func readIsolation(_ index: GraphIndex, source: (String) -> String?) {
    guard isActor || globalActor != nil else { return }
    for position in requirements.indices where requirements[position].mayBeNonisolated {
      guard let location = index.symbols[requirements[position].usr]?.location else { continue }
      guard let head = source(location.uri)?.head(of: location.position) else {
        requirements[position].isIsolationUnknown = isActor
        continue
      }
      guard head.contains("nonisolated") else { continue }
      requirements[position].declaration.modifiers.append("nonisolated")
    }
  }
}

extension ProtocolModel.Requirement {
  fileprivate var mayBeNonisolated: Bool {
    declaration.isAsync && !declaration.isNonisolated
  }
}

extension String {
  /// The words of a declaration before its name, or `nil` if there is no such line.
  fileprivate func head(of position: SymbolGraph.Symbol.Location.Position) -> [Substring]? {
    let lines = split(omittingEmptySubsequences: false, whereSeparator: \.endsLine)
    guard lines.indices.contains(position.line) else { return nil }
    var words: [Substring] = []
    var line = Substring(decoding: lines[position.line].utf8.prefix(position.character))
    var number = position.line
    // The modifiers may be on lines of their own.
    while true {
      let start = line.lastIndex { "{};".contains($0) }
      let last = start.map { line[line.index(after: $0)...] } ?? line
      words += last.split { !$0.isLetter }
      guard start == nil, number > 0 else { return words }
      number -= 1
      line = lines[number]
      guard line.isModifiers else { return words }
    }
  }
}

extension Substring {
  init(decoding bytes: some Collection<UInt8>) {
    self = String(decoding: bytes, as: UTF8.self)[...]
  }

  /// Whether a line has only modifiers and attributes.
  fileprivate var isModifiers: Bool {
    guard let first = split(whereSeparator: \.isWhitespace).first else { return false }
    let words = split { !$0.isLetter }
    return (first.hasPrefix("@") || first.hasPrefix("nonisolated"))
      && !words.contains { ["func", "var", "subscript", "init"].contains($0) }
  }
}
