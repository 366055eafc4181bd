// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The wiring in a documentation comment, from a line `- Understudy: component cached`.
struct ComponentMarker: Hashable {
  enum Kind: String, Hashable, CaseIterable {
    /// A type, function or property that is registered.
    case component
    /// The same, created with a payload.
    case factory
    /// The initialiser to use among several, or the method that completes a component.
    case inject
    /// A type that is registered by hand.
    case provided

    /// The error about a private declaration with this kind.
    func refusal(of title: String, _ access: String) -> String {
      "`\(title)` is \(access) and cannot be "
        + (self == .inject ? "called by the wiring." : "registered.")
    }
  }

  enum Lifecycle: String, Hashable, CaseIterable, Codable {
    case notCached, cached, once
    /// Cached, and created when the assembly is loaded.
    case eager
  }

  var kind: Kind
  var lifecycle: Lifecycle?
  var name: String?
  /// The parameters whose argument a property chooses, each by its label or name.
  var choices: [Choice] = []

  /// `choosing storage by logger.storage`.
  struct Choice: Hashable {
    var parameter: String
    var property: String
  }

  private static let words = Kind.allCases.map(\.rawValue) + ["double"]

  /// The words that may follow the kind. A factory has no lifecycle: each payload has a value of
  /// its own.
  private var options: [String] {
    switch kind {
    case .component: Lifecycle.allCases.map(\.rawValue) + ["named", "choosing"]
    case .factory: ["named", "choosing"]
    case .inject, .provided: []
    }
  }

  /// Reads the lines of a documentation comment.
  ///
  /// - Parameters:
  ///   - lines: The lines.
  ///   - title: The declaration that the comment belongs to.
  ///   - problems: Receives a sentence for every mistake.
  /// - Returns: The wiring, or `nil` if the comment has none.
  static func read(
    _ lines: [String], of title: String, problems: inout [String]
  ) -> ComponentMarker? {
    var marker: ComponentMarker?
    for line in lines {
      guard let line = MarkerLine(line) else { continue }
      if let problem = line.problem {
        if line.begins(with: Kind.allCases.map(\.rawValue)) { problems.append(problem) }
        continue
      }
      var words = line.words[...]
      let first = words.popFirst() ?? ""
      guard let kind = Kind(rawValue: first) else {
        if first != "double" { problems.append(unknown(first, after: nil, among: Self.words)) }
        continue
      }
      var next = ComponentMarker(kind: kind)
      next.take(words, of: title, problems: &problems)
      if marker != nil {
        problems.append("Ambiguous `\(title)`: several lines declare it.")
      }
      marker = next
    }
    return marker
  }

  private mutating func take(
    _ words: ArraySlice<String>, of title: String, problems: inout [String]
  ) {
    var words = words
    while let word = words.popFirst() {
      guard options.contains(word) else {
        problems.append(Self.unknown(word, after: kind.rawValue, among: options))
        continue
      }
      if word == "named" {
        if name != nil { problems.append("Ambiguous `\(title)` qualifier property.") }
        name = words.popFirst()
        if name == nil {
          problems.append("Unavailable qualifier: a name is missing after `named`.")
        }
      } else if word == "choosing" {
        guard let parameter = words.popFirst(), words.popFirst() == "by",
          let property = words.popFirst()
        else {
          problems.append(
            "Unavailable qualifier: `choosing` is followed by a parameter, `by` and a property.")
          return
        }
        choices.append(Choice(parameter: parameter, property: property))
      } else if let value = Lifecycle(rawValue: word) {
        if lifecycle != nil { problems.append("Ambiguous `\(title)` scope property.") }
        lifecycle = value
      }
    }
  }

  private static func unknown(
    _ word: String, after last: String?, among known: [String]
  ) -> String {
    let nearest = known.map { ($0, NearMiss.distance($0, word)) }.min { $0.1 < $1.1 }
    let guess = nearest.flatMap { $0.1 <= 3 ? " Did you mean `\($0.0)`?" : nil } ?? ""
    let place = "Understudy:" + (last.map { " \($0)" } ?? "")
    return "Unknown word `\(word)` after `\(place)`.\(guess)"
  }
}
