// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The names of the spies in the text of existing doubles, which the new doubles keep.
///
/// The implementation of a requirement calls its spy. So the text needs no further data, and may be
/// of any version of the tool, edited or merged.
struct KeptNames {
  /// A spy of an existing double.
  struct Spy: Hashable {
    var name: String
    /// The titles of the spy and of its setter, as the text writes them.
    var title: String?
    var setterTitle: String?
    /// Whether the requirement is the same one, and not only the one with the same labels.
    var isSame = true
  }

  /// The declaration of an implementation, and the name of the spy that it calls.
  private struct Member {
    var implementation: Implementation
    var spy: String
  }

  /// The parts of an implementation that tell the requirement.
  private struct Implementation {
    var identity: String
    /// The labels, which another requirement may have, too.
    var title: String

    /// The parts of a line that begins an implementation, or `nil` for any other line.
    init?(_ line: Substring) {
      guard line.hasSuffix(" {") else { return nil }
      var parser = DeclarationParser([Token](parsing: String(line.dropLast(2))))
      guard let declaration = parser.parse() else { return nil }
      identity = declaration.identity(GraphIndex([]))
      title = "\(declaration.isStatic) \(declaration.title)"
    }
  }

  private var members: [String: [Member]] = [:]
  /// The titles of the spies of each double, by the names of the spies.
  private var titles: [String: [String: String]] = [:]

  /// Reads the doubles of a text. The text may be any text.
  init(in text: String) {
    var double = ""
    var implementation: Implementation?
    var isInSpies = false
    var spy: String?
    for line in text.split(whereSeparator: \.isNewline) {
      let code = line.drop { $0 == " " }
      switch line.utf8.count - code.utf8.count {
      case 0:
        double = Self.double(line) ?? double
      case 2:
        implementation = Implementation(code)
        isInSpies = code.hasPrefix("struct ") || code.hasPrefix("nonisolated struct ")
      case 4 where isInSpies && ["let ", "var "].contains(code.prefix(4)):
        spy = code.dropFirst(4).firstName
        fallthrough
      default:
        if isInSpies, let name = spy, let quote = code.firstIndex(of: "\""),
          let end = code.endOfLiteral(at: quote), titles[double]?[name] == nil
        {
          titles[double, default: [:]][name] = String(code[quote..<end].dropFirst().dropLast())
          spy = nil
        }
        if let found = implementation, let spy = Self.spy(in: code) {
          members[double, default: []].append(Member(implementation: found, spy: spy))
          implementation = nil
        }
      }
    }
  }

  /// The spy of each new implementation, or `nil` if the double had none for its requirement.
  func spies(of double: String, for implementations: [[String]]) -> [Spy?] {
    let new = implementations.map { lines in
      lines.first { !$0.hasPrefix("@") }.flatMap { Implementation($0[...]) }
    }
    let known = Set(new.compactMap { $0?.identity })
    let old = members[double] ?? []
    let same = Dictionary(old.map { ($0.implementation.identity, $0) }) { first, _ in first }
    let gone = Dictionary(
      grouping: same.values.filter { !known.contains($0.implementation.identity) }
    ) { $0.implementation.title }
    let added = Dictionary(grouping: new.compactMap { $0 }.filter { same[$0.identity] == nil }) {
      $0.title
    }
    return new.map { implementation in
      guard let implementation else { return nil }
      if let member = same[implementation.identity] { return spy(member, of: double) }
      let title = implementation.title
      guard let alike = gone[title], alike.count == 1, added[title]?.count == 1 else { return nil }
      return spy(alike[0], of: double, isSame: false)
    }
  }

  private func spy(_ member: Member, of double: String, isSame: Bool = true) -> Spy {
    let titles = titles[double] ?? [:]
    return Spy(
      name: member.spy, title: titles[member.spy], setterTitle: titles[member.spy + "Set"],
      isSame: isSame)
  }

  /// The name of the double that a line begins.
  private static func double(_ line: Substring) -> String? {
    let words = ["final class ", "nonisolated final class ", "actor "]
    return words.first(where: line.hasPrefix).map { line.dropFirst($0.count).firstName }
  }

  /// The name of the first spy that a line names, as in `self.spy.load`.
  private static func spy(in line: Substring) -> String? {
    let words = [Token](parsing: String(line)).map(\.text)
    return words.indices.dropLast(4).first { start in
      ["self", "Self"].contains(words[start]) && words[start + 1] == "."
        && (["spy", "spies"].contains(words[start + 2]) || words[start + 2].hasPrefix("spiesOfD"))
        && words[start + 3] == "."
    }.map { words[$0 + 4].withoutBackticks }
  }
}

extension Substring {
  /// The name at the start of the text, without backticks.
  fileprivate var firstName: String {
    guard first == "`" else { return String(prefix(while: \.isNameLetter)) }
    return String(dropFirst().prefix { $0 != "`" })
  }
}
