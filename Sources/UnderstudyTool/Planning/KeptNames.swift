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

  /// The place of a spy. The instance and the type may have spies of one name.
  private struct Place: Hashable {
    var name: String
    var isStatic: Bool
  }

  /// The declaration of an implementation, and the spy that it calls.
  private struct Member {
    var implementation: Implementation
    var spy: Place
  }

  /// The parts of an implementation that tell the requirement.
  private struct Implementation {
    var identity: String
    /// The labels, which another requirement may have, too.
    var title: String

    /// The parts of a line that begins an implementation, or `nil` for any other line.
    init?(_ line: Substring) {
      guard line.hasSuffix(" {"), let declaration = Declaration(parsing: String(line.dropLast(2)))
      else { return nil }
      identity = declaration.identity(Self.noGraphs)
      title = "\(declaration.isStatic) \(declaration.title)"
    }

    /// The types of a text refer to no symbols.
    private static let noGraphs = GraphIndex([])
  }

  private var members: [String: [Member]] = [:]
  /// The titles of the spies of each double.
  private var titles: [String: [Place: String]] = [:]

  /// Reads the doubles of a text. The text may be any text.
  init(in text: String) {
    var double = ""
    var implementation: Implementation?
    var isInSpies = false
    var spy: Place?
    for line in text.split(whereSeparator: \.isNewline) {
      let indented = line.drop { $0 == " " }
      let code = indented.withoutAccess
      switch line.utf8.count - indented.utf8.count {
      case 0:
        double = Self.double(code) ?? double
      case 2:
        (implementation, spy) = (Implementation(code), nil)
        isInSpies = code.hasPrefix("struct ") || code.hasPrefix("nonisolated struct ")
      case 4 where isInSpies && ["let ", "var "].contains(code.prefix(4)):
        // The spies of the type are computed.
        spy = Place(name: code.dropFirst(4).firstName, isStatic: code.hasPrefix("var "))
        fallthrough
      default:
        if let place = spy, let quote = code.firstIndex(of: "\""),
          let end = code.endOfLiteral(at: quote)
        {
          let title = String(code[quote..<end].dropFirst().dropLast())
          titles[double, default: [:]].merge([place: title]) { first, _ in first }
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
    var setter = member.spy
    setter.name += "Set"
    return Spy(
      name: member.spy.name, title: titles[member.spy], setterTitle: titles[setter], isSame: isSame)
  }

  /// The name of the double that a line begins.
  private static func double(_ line: Substring) -> String? {
    let words = ["final class ", "nonisolated final class ", "actor "]
    return words.first(where: line.hasPrefix).map { line.dropFirst($0.count).firstName }
  }

  /// The first spy that a line names, as in `self.spy.load`.
  private static func spy(in line: Substring) -> Place? {
    let words = [Token](parsing: String(line)).map(\.text)
    return words.indices.dropLast(4).first { start in
      ["self", "Self"].contains(words[start]) && words[start + 1] == "."
        && (["spy", "spies"].contains(words[start + 2]) || words[start + 2].hasPrefix("spiesOfD"))
        && words[start + 3] == "."
    }.map { Place(name: words[$0 + 4].withoutBackticks, isStatic: words[$0] == "Self") }
  }
}

extension Substring {
  /// A declaration without its access level.
  fileprivate var withoutAccess: Substring {
    let words = ["public ", "package "]
    return words.first(where: hasPrefix).map { dropFirst($0.count) } ?? self
  }

  /// The name at the start of the text, without backticks.
  fileprivate var firstName: String {
    guard first == "`" else { return String(prefix(while: \.isNameLetter)) }
    return String(dropFirst().prefix { $0 != "`" })
  }
}
