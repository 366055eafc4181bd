// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// What the two producers of graphs write in two ways, written in one.
extension [Token] {
  /// The parts of each composition in one order: an extracted graph has an order of its own. Types of the graphs
  /// go before others. And `Any.Type` without `any`, which an extracted graph adds.
  func equalised(_ index: GraphIndex) -> [Token] {
    var equal: [Token] = []
    var position = startIndex
    while position < endIndex {
      if self[position].text == "any", position + 1 < endIndex, self[position + 1].text == "Any" {
        equal.append(Token("Any", spaceBefore: self[position].spaceBefore))
        position += 2
        continue
      }
      var parts = [part(from: position, index)]
      var end = position + parts[0].length
      while end + 1 < endIndex, self[end].text == "&" {
        parts.append(part(from: end + 1, index))
        end += 1 + parts[parts.count - 1].length
      }
      let space = self[position].spaceBefore
      if parts.count > 1 {
        parts.sort {
          ($0.isForeign ? 1 : 0, $0.tokens.text) < ($1.isForeign ? 1 : 0, $1.tokens.text)
        }
      }
      for (number, part) in parts.enumerated() {
        if number > 0 { equal.append(Token("&", spaceBefore: true)) }
        var tokens = part.tokens
        tokens[0].spaceBefore = number > 0 || space
        equal += tokens
      }
      position = end
    }
    return equal
  }

  /// One part of a composition, or a sign: a name with those of the types around it and its arguments.
  private struct Part {
    var tokens: [Token]
    /// How many tokens it was made of.
    var length: Int
    /// Whether no graph has it.
    var isForeign: Bool
  }

  private func part(from start: Int, _ index: GraphIndex) -> Part {
    var end = start + 1
    while end + 1 < endIndex, self[end].text == "." { end += 2 }
    var tokens = Array(self[start..<end])
    if end < endIndex, self[end].text == "<", tokens[0].text != "func", tokens[0].usr != nil {
      let close = self[...].closing(from: end)
      tokens += [self[end]] + Array(self[(end + 1)..<close]).equalised(index) + [self[close]]
      end = close + 1
    }
    let isForeign = !tokens.contains { $0.usr.map { index.symbols[$0] != nil } ?? false }
    return Part(tokens: tokens, length: end - start, isForeign: isForeign)
  }

  /// A type without the names that the parameters of functions have in it: an extracted graph has none.
  var withoutParameterNames: [Token] {
    var kept: [Token] = []
    var position = startIndex
    while position < endIndex {
      if self[position].text == "_", position + 2 < endIndex, self[position + 2].text == ":",
        position > startIndex, ["(", ","].contains(self[position - 1].text)
      {
        let space = self[position].spaceBefore
        position += 3
        guard position < endIndex else { break }
        kept.append(self[position])
        kept[kept.count - 1].spaceBefore = space
      } else {
        kept.append(self[position])
      }
      position += 1
    }
    return kept
  }
}
