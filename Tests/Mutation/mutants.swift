// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// Prints one-line mutants of the sources in a folder, chosen by a fixed sequence, one a line:
//
//   <file> TAB <line number> TAB <the line> TAB <the mutated line>
//
//   swift Tests/Mutation/mutants.swift <folder> <count> <seed>

import Foundation

/// A change of one place of a line.
struct Mutation {
  let pattern: NSRegularExpression
  let replacement: (String, NSTextCheckingResult) -> String?

  init(_ pattern: String, _ replacement: String) {
    self.init(pattern) { line, match in
      match.regularExpression?.replacementString(
        for: match, in: line, offset: 0, template: replacement)
    }
  }

  init(_ pattern: String, _ replacement: @escaping (String, NSTextCheckingResult) -> String?) {
    do {
      self.pattern = try NSRegularExpression(pattern: pattern)
    } catch {
      // The patterns are constants of this file.
      fatalError("\(pattern): \(error)")
    }
    self.replacement = replacement
  }

  func mutants(of line: String) -> [String] {
    let text = line as NSString
    return pattern.matches(in: line, range: NSRange(location: 0, length: text.length)).compactMap {
      match in
      replacement(line, match).map { text.replacingCharacters(in: match.range, with: $0) }
    }
  }
}

let mutations = [
  // Flipped comparisons and conditions.
  Mutation(" == ", " != "), Mutation(" != ", " == "), Mutation(" < ", " <= "),
  Mutation(" > ", " >= "), Mutation(" <= ", " < "), Mutation(" >= ", " > "),
  Mutation(" && ", " || "), Mutation(#" \|\| "#, " && "),
  // Dropped branches: conditions without bindings.
  Mutation(#"\bif (?!let|var|case|#)([^,{]*) \{"#, "if false, $1 {"),
  Mutation(#"\bguard (?!let|var|case|try)([^,]*) else \{"#, "guard $1 || true else {"),
  Mutation(#" \? ([\w.]+) : ([\w.]+)"#, " ? $2 : $1"),
  // Swapped arguments and operations.
  Mutation(#"\((\w+), (\w+)\)"#, "($2, $1)"), Mutation(#"\bmin\("#, "max("),
  Mutation(#"\bmax\("#, "min("), Mutation(#"\.first\b"#, ".last"), Mutation(#"\.last\b"#, ".first"),
  Mutation(#"\bhasPrefix\("#, "hasSuffix("), Mutation(#"\bdropFirst\("#, "dropLast("),
  Mutation(#" \+ "#, " - "), Mutation(" - ", " + "),
  // Changed constants.
  Mutation(#"\btrue\b"#, "false"), Mutation(#"\bfalse\b"#, "true"),
  Mutation(#"(?<![$\w.#"])(\d{1,6})(?![\w."])"#) { line, match in
    Int((line as NSString).substring(with: match.range)).map { "\($0 + 1)" }
  },
]

let arguments = CommandLine.arguments
guard arguments.count == 4, let count = Int(arguments[2]), var state = UInt64(arguments[3]) else {
  print("usage: swift mutants.swift <folder> <count> <seed>")
  exit(2)
}
let folder = URL(fileURLWithPath: arguments[1])
let files =
  FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?
  .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }.map(\.path).sorted() ?? []
var all: [String] = []
for file in files {
  guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { continue }
  var isInText = false
  for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
    let line = String(line)
    let code = line.trimmingCharacters(in: .whitespaces)
    // Texts of several lines, comments, imports and declarations of conformances are no code to
    // change.
    if line.components(separatedBy: "\"\"\"").count % 2 == 0 { isInText.toggle() }
    guard !isInText, !code.hasPrefix("//"), !code.hasPrefix("import"), !code.contains(" import "),
      !code.contains("\t")
    else { continue }
    for mutation in mutations {
      for mutant in mutation.mutants(of: line) where mutant != line {
        all.append("\(file)\t\(index + 1)\t\(line)\t\(mutant)")
      }
    }
  }
}
// A fixed shuffle: the same seed gives the same mutants of the same sources.
for index in all.indices.reversed() where index > 0 {
  state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
  all.swapAt(index, Int((state >> 33) % UInt64(index + 1)))
}
all.prefix(count).forEach { print($0) }
