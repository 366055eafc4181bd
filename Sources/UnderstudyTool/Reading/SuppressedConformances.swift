// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The noncopyable and nonescapable types: `~Copyable` and `~Escapable`.
///
/// A graph contains neither. The source of a type's declaration decides. If that is not available:
/// almost every protocol requires its types to be copyable, so only a type that conforms to nothing
/// but `Sendable` may be noncopyable. It counts as that if a parameter of the type has an ownership
/// specifier, or if the type is `Sendable` and its metatype is not.
struct SuppressedConformances {
  private(set) var noncopyable: Set<String>
  private(set) var nonescapable: Set<String>
  /// The generic types that are copied, or escape, if their arguments do.
  private(set) var conditional: Set<String> = []
  /// The types of both sets whose source says so.
  private(set) var written: Set<String> = []
  private let symbols: [String: SymbolGraph.Symbol]
  private let conformances: [String: [GraphIndex.Conformance]]
  /// The types whose declarations have been read.
  private var read: Set<String> = []

  /// The spans of the standard library, whose graph is not available in a build.
  private static let spans: [(usr: String, isCopyable: Bool)] = [
    ("s:s4SpanV", true), ("s:s7RawSpanV", true), ("s:s8UTF8SpanV", true),
    ("s:s11MutableSpanV", false), ("s:s14MutableRawSpanV", false), ("s:s10OutputSpanV", false),
    ("s:s13OutputRawSpanV", false),
  ]
  /// The noncopyable types of the standard library that can escape.
  private static let unique: Set<String> = [
    "s:15Synchronization5MutexV", "s:15Synchronization6AtomicV",
    "s:12_Concurrency11ExecutorJobV",
  ]
  private static let metatype = "s:s16SendableMetatypeP"
  private static let bitwise = "s:s15BitwiseCopyableP"
  /// The conformances that the compiler may add to a type.
  private static let markers: Set<String> = ["s:s8SendableP", metatype, bitwise]

  init(
    _ symbols: [String: SymbolGraph.Symbol], _ conformances: [String: [GraphIndex.Conformance]]
  ) {
    self.symbols = symbols
    self.conformances = conformances
    nonescapable = Set(Self.spans.map(\.usr))
    noncopyable = Self.unique.union(Self.spans.filter { !$0.isCopyable }.map(\.usr))
  }

  /// Examines every type in these requirements and components. For a component, only a source
  /// counts.
  mutating func find(
    in requirements: [String], components: Set<String> = [], source: (String) -> String?
  ) {
    var sources: [String: [Substring]] = [:]
    var seen: Set<String> = []
    var open = requirements + components
    while let next = open.popLast() {
      let mentioned = (symbols[next]?.declarationFragments ?? []).compactMap(\.preciseIdentifier)
      for usr in [next] + mentioned where seen.insert(usr).inserted {
        if symbols[usr]?.isAlias == true { open.append(usr) }
        guard isOwnable(usr) else { continue }
        if let clause = inheritance(of: usr, &sources, source) {
          read.insert(usr)
          if clause.suppresses("Copyable") { note(usr, in: \.noncopyable, unless: "s:s8CopyableP") }
          if clause.suppresses("Escapable") {
            note(usr, in: \.nonescapable, unless: "s:s9EscapableP")
          }
          if clause.contains(where: { $0.text == "~" }) { written.insert(usr) }
        } else if !components.contains(next) {
          guess(from: usr)
        }
      }
    }
    for symbol in symbols.values { guess(from: symbol.declarationFragments ?? []) }
  }

  /// Notes a type that suppresses a conformance, unless an extension gives the type that
  /// conformance under a condition.
  private mutating func note(
    _ usr: String, in types: WritableKeyPath<Self, Set<String>>, unless conformance: String
  ) {
    if conformances[usr]?.contains(where: { $0.usr == conformance }) == true {
      conditional.insert(usr)
    } else {
      self[keyPath: types].insert(usr)
    }
  }

  private func isOwnable(_ usr: String) -> Bool {
    symbols[usr].map { ["swift.struct", "swift.enum"].contains($0.kind.identifier) } ?? false
  }

  private func mayBeSuppressed(_ usr: String) -> Bool {
    isOwnable(usr) && (conformances[usr] ?? []).allSatisfy { Self.markers.contains($0.usr) }
  }

  private func mayBeNoncopyable(_ usr: String) -> Bool {
    mayBeSuppressed(usr) && conformances[usr]?.contains { $0.usr == Self.bitwise } != true
  }

  // MARK: Reading sources

  /// The inheritance clause of a type's declaration, or `nil` if it cannot be read.
  private func inheritance(
    of usr: String, _ sources: inout [String: [Substring]], _ source: (String) -> String?
  ) -> [Token]? {
    guard let symbol = symbols[usr], let location = symbol.location,
      let name = symbol.pathComponents.last
    else { return nil }
    if sources[location.uri] == nil {
      sources[location.uri] =
        source(location.uri)?.split(omittingEmptySubsequences: false, whereSeparator: \.endsLine)
        ?? []
    }
    guard let lines = sources[location.uri], location.position.line < lines.count else {
      return nil
    }
    let head = lines[location.position.line...].prefix(20).joined(separator: "\n").utf8
      .dropFirst(location.position.character)
    guard head.starts(with: name.utf8) || head.starts(with: "`\(name)".utf8) else { return nil }
    var tokens = [Token](parsing: Substring(decoding: head).headOfBody)[...]
    tokens.removeFirst()
    if tokens.first?.text == "<" {
      tokens = tokens[(tokens.closing(from: tokens.startIndex) + 1)...]
    }
    return Array(tokens.prefix { $0.text != "where" })
  }

  // MARK: Guessing without sources

  private mutating func guess(from usr: String) {
    guard let found = conformances[usr], !found.isEmpty, mayBeNoncopyable(usr) else { return }
    if !found.contains(where: { $0.usr == Self.metatype }) { noncopyable.insert(usr) }
  }

  private mutating func guess(from fragments: [SymbolGraph.Fragment]) {
    for index in fragments.indices
    where ["consuming", "borrowing"].contains(fragments[index].spelling) {
      let type = fragments[(index + 1)...].first { $0.kind != "text" }
      guard let usr = named(type?.preciseIdentifier), !read.contains(usr), mayBeNoncopyable(usr)
      else { continue }
      noncopyable.insert(usr)
    }
  }

  /// The type behind an alias.
  private func named(_ usr: String?) -> String? {
    var usr = usr
    for _ in 0..<8 {
      guard let alias = usr, let symbol = symbols[alias],
        symbol.isAlias
      else { return usr }
      let fragments = symbol.declarationFragments ?? []
      usr =
        fragments.last { $0.preciseIdentifier != nil && $0.preciseIdentifier != alias }?
        .preciseIdentifier
    }
    return usr
  }
}

extension Substring {
  /// The text before a body, without comments.
  fileprivate var headOfBody: String {
    var (head, rest) = ("", self)
    while let next = rest.first, next != "{" {
      if let end = rest.endOfComment {
        head += " "
        rest = rest[end...]
      } else {
        head.append(rest.removeFirst())
      }
    }
    return head
  }
}

extension [Token] {
  fileprivate func suppresses(_ name: String) -> Bool {
    indices.dropFirst().contains { self[$0].text == name && self[$0 - 1].text == "~" }
  }
}
