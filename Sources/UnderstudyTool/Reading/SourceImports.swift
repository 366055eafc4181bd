// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The imported modules of sources, since the identifier of a C or Objective-C type contains none.
enum SourceImports {
  /// Whether an identifier is of a C or Objective-C type.
  static func isForeign(_ usr: String) -> Bool { usr.hasPrefix("c:") }

  /// The modules that a source imports, in their order, under any condition.
  static func modules(in source: String) -> [String] {
    var modules: [String] = []
    for line in source.split(whereSeparator: \.isNewline) where line.contains("import") {
      var words = [Token](parsing: String(line.prefix { $0 != ";" })).map(\.text)[...]
      while let first = words.first, first.hasPrefix("@") || access.contains(first) {
        words.removeFirst()
        if words.first == "(" { words = words.drop { $0 != ")" }.dropFirst() }
      }
      guard words.popFirst() == "import" else { continue }
      if words.count > 1, kinds.contains(words[words.startIndex]) { words.removeFirst() }
      guard let name = words.first, name.isWord, !modules.contains(name) else { continue }
      modules.append(name)
    }
    return modules
  }

  private static let access: Set<String> = [
    "public", "package", "internal", "fileprivate", "private",
  ]
  private static let kinds: Set<String> = [
    "class", "struct", "enum", "protocol", "typealias", "func", "let", "var", "actor",
  ]
}
