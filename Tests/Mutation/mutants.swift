// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// Copies the sources of a target, and compiles mutants into the copy, at most one in each line. The
// environment of a process chooses the mutant to run:
//
//   UNDERSTUDY_MUTANT=17     runs mutant 17
//   UNDERSTUDY_MUTANT=reach  runs none, and writes the number of each reached mutant to the file
//                            UNDERSTUDY_REACHED
//
//   swift Tests/Mutation/mutants.swift <sources> <copy> <count> <seed> <left out>
//
// Prints one mutant in each line:
//
//   <number> TAB <file> TAB <line number> TAB <the line> TAB <the mutated line>
//
// The file <left out> has the numbers of mutants that do not compile.

import Foundation

/// A change at one place of a line.
struct Mutation {
  let pattern: NSRegularExpression
  /// The change as a report shows it.
  let mutated: String
  /// The change as it is compiled. `#` stands for the number of the mutant, and `%` for that number
  /// in operator characters.
  let compiled: String
  /// The code that the compiled text calls, for the file of helpers.
  let helper: String?

  init(_ pattern: String, _ mutated: String, compiled: String, helper: String? = nil) {
    do {
      self.pattern = try NSRegularExpression(pattern: pattern)
    } catch {
      // The patterns are constants of this file.
      fatalError("\(pattern): \(error)")
    }
    self.mutated = mutated
    self.compiled = compiled
    self.helper = helper
  }

  /// An operator becomes a new operator, so that its operands need not be found.
  static func infix(_ sign: String, _ other: String, _ precedence: String, _ kinds: String...)
    -> Mutation
  {
    let functions = kinds.map { kind in
      "func \(sign)%\(kind) { mutant(#) ? l \(other) r : l \(sign) r }"
    }
    return Mutation(
      " \(NSRegularExpression.escapedPattern(for: sign)) ", " \(other) ", compiled: " \(sign)% ",
      helper: (["infix operator \(sign)%: \(precedence)"] + functions).joined(separator: "\n"))
  }

  static func comparison(_ sign: String, _ other: String) -> Mutation {
    infix(sign, other, "ComparisonPrecedence", "<T: Comparable>(l: T, r: T) -> Bool")
  }

  static func equality(_ sign: String, _ other: String) -> Mutation {
    infix(
      sign, other, "ComparisonPrecedence", "<T: Equatable>(l: T, r: T) -> Bool",
      "<T: Equatable>(l: T?, r: T?) -> Bool", "<T>(l: T?, r: _OptionalNilComparisonType) -> Bool",
      "(l: Any.Type?, r: Any.Type?) -> Bool")
  }

  /// The logic operators also need `throws` and `rethrows`.
  static func logic(_ sign: String, _ other: String, _ precedence: String) -> Mutation {
    Mutation(
      " \(NSRegularExpression.escapedPattern(for: sign)) ", " \(other) ", compiled: " \(sign)% ",
      helper: """
        infix operator \(sign)%: \(precedence)
        func \(sign)%(l: Bool, r: @autoclosure () throws -> Bool) rethrows -> Bool {
          mutant(#) ? try (l \(other) r()) : try (l \(sign) r())
        }
        """)
  }

  /// A member of a sequence becomes a new member with the mutant's number in its name.
  static func member(
    _ name: String, _ other: String, _ end: String, of kind: String, _ body: String
  ) -> Mutation {
    Mutation(
      #"\.\#(name)\b\#(end)"#, ".\(other)", compiled: ".\(name)#",
      helper: "extension \(kind) {\n  @usableFromInline \(body)\n}")
  }
}

let mutations: [Mutation] = [
  // Flipped comparisons and conditions.
  .equality("==", "!="), .equality("!=", "=="), .comparison("<", "<="), .comparison(">", ">="),
  .comparison("<=", "<"), .comparison(">=", ">"),
  .logic("&&", "||", "LogicalConjunctionPrecedence"),
  .logic("||", "&&", "LogicalDisjunctionPrecedence"),
  Mutation(
    #"(?<=[ (\[])!(?=[\w(])"#, "", compiled: "!%",
    helper: """
      prefix operator !%
      prefix func !%(value: Bool) -> Bool { mutant(#) ? value : !value }
      """),
  Mutation(
    #" \? ([\w.]+) : ([\w.]+)"#, " ? $2 : $1",
    compiled: " ? (mutant(#) ? $2 : $1) : (mutant(#) ? $1 : $2)"),
  // Dropped branches and statements.
  Mutation(#"\bif (?!#)"#, "if false, ", compiled: "if !mutant(#), "),
  Mutation(#"\bguard (?!#)"#, "guard false, ", compiled: "guard !mutant(#), "),
  Mutation(
    #"\bguard (?!let|var|case)([^,]*) else \{"#, "guard $1 || true else {",
    compiled: "guard mutant(#) || ($1) else {"),
  Mutation(
    #"^( *)((?:try )?(?!self\.)[a-z][\w.]*(?:\(.*\)| [+-]?= .*[\w)\]]))$"#, "$1// $2",
    compiled: "$1if !mutant(#) { $2 }"),
  // Swapped arguments and operations.
  Mutation(
    #"(?<!\bmin)(?<!\bmax)\((\w+), (\w+)\)"#, "($2, $1)",
    compiled: "(mutant(#) ? $2 : $1, mutant(#) ? $1 : $2)"),
  .infix(
    "+", "-", "AdditionPrecedence", "<T: AdditiveArithmetic>(l: T, r: T) -> T"),
  .infix(
    "-", "+", "AdditionPrecedence", "<T: AdditiveArithmetic>(l: T, r: T) -> T"),
  Mutation(
    #"(?<![.\w])min\("#, "max(", compiled: "min#(",
    helper: "func min#<T: Comparable>(_ l: T, _ r: T) -> T { mutant(#) ? max(l, r) : min(l, r) }"),
  Mutation(
    #"(?<![.\w])max\("#, "min(", compiled: "max#(",
    helper: "func max#<T: Comparable>(_ l: T, _ r: T) -> T { mutant(#) ? min(l, r) : max(l, r) }"),
  .member(
    "first", "last", "(?! ?[({])", of: "BidirectionalCollection",
    "var first#: Element? { mutant(#) ? last : first }"),
  .member(
    "last", "first", "(?! ?[({])", of: "BidirectionalCollection",
    "var last#: Element? { mutant(#) ? first : last }"),
  .member(
    "hasPrefix", "hasSuffix", #"(?=\()"#, of: "StringProtocol",
    "func hasPrefix#(_ s: String) -> Bool { mutant(#) ? hasSuffix(s) : hasPrefix(s) }"),
  .member(
    "dropFirst", "dropLast", #"(?=\()"#, of: "BidirectionalCollection",
    "func dropFirst#(_ n: Int = 1) -> SubSequence { mutant(#) ? dropLast(n) : dropFirst(n) }"),
  // Changed constants.
  Mutation(#"\btrue\b"#, "false", compiled: "!mutant(#)"),
  Mutation(#"\bfalse\b"#, "true", compiled: "mutant(#)"),
  Mutation(
    #"(?<![$\w.#"])(\d{1,6})(?![\w."])"#, "($1 + 1)", compiled: "changed#($1)",
    helper: "func changed#<T: Numeric>(_ value: T) -> T { mutant(#) ? value + 1 : value }"),
]

/// The line with each character of a text or a comment replaced by one that no pattern matches.
func masked(_ line: String) -> String {
  var result = ""
  var isInText = false
  // The number of open parentheses for each open interpolation.
  var interpolations: [Int] = []
  var previous: Character = " "
  var characters = Substring(line)
  while let character = characters.popFirst() {
    if !isInText, interpolations.isEmpty, character == "/", characters.first == "/" { break }
    let isCode = !isInText && interpolations.isEmpty
    result.append(isCode || character == "\"" ? character : "¤")
    if isInText, previous == "\\" {
      if character == "(" { (isInText, interpolations) = (false, interpolations + [1]) }
      previous = " "
      continue
    }
    switch character {
    case "\"": isInText.toggle()
    case "(" where !isInText && !interpolations.isEmpty:
      interpolations[interpolations.count - 1] += 1
    case ")" where !isInText && !interpolations.isEmpty:
      interpolations[interpolations.count - 1] -= 1
      if interpolations.last == 0 {
        interpolations.removeLast()
        isInText = true
      }
    default: break
    }
    previous = character
  }
  return result.padding(toLength: line.utf16.count, withPad: "¤", startingAt: 0)
}

/// A mutation at one place.
struct Mutant {
  let file: Int
  let line: Int
  let mutation: Mutation
  let match: NSTextCheckingResult

  func text(_ template: String, in line: String) -> String {
    let replacement = mutation.pattern.replacementString(
      for: match, in: line, offset: 0, template: template)
    return (line as NSString).replacingCharacters(in: match.range, with: replacement)
  }
}

/// The text with the number of the mutant.
func numbered(_ text: String, _ number: Int) -> String {
  let signs = String(number, radix: 2).map { $0 == "0" ? "~" : "^" }.joined()
  return text.replacingOccurrences(of: "%", with: signs)
    .replacingOccurrences(of: "#", with: "\(number)")
}

let arguments = CommandLine.arguments
guard arguments.count == 6, let count = Int(arguments[3]), let seed = UInt64(arguments[4]) else {
  print("usage: swift mutants.swift <sources> <copy> <count> <seed> <left out>")
  exit(2)
}
let leftOut = try Set(
  String(contentsOfFile: arguments[5], encoding: .utf8).split(separator: "\n").compactMap {
    Int($0)
  })
let paths = (FileManager.default.enumerator(atPath: arguments[1])?.allObjects ?? [])
  .compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.sorted()
var files: [[String]] = []
var all: [Mutant] = []
for (file, path) in paths.enumerated() {
  let text = try String(contentsOfFile: "\(arguments[1])/\(path)", encoding: .utf8)
  let lines = text.components(separatedBy: "\n")
  files.append(lines)
  var isInText = false
  for (index, line) in lines.enumerated() {
    let code = line.trimmingCharacters(in: .whitespaces)
    // Texts of several lines, attributes, imports and build conditions are not mutated.
    if line.components(separatedBy: "\"\"\"").count % 2 == 0 { isInText.toggle() }
    guard !isInText, !code.hasPrefix("#"), !code.hasPrefix("@"), !code.contains("import "),
      !code.contains(" func =="),
      !line.contains("\"\"\""), !line.contains("#\""), !line.contains("\t")
    else { continue }
    let masked = masked(line)
    let range = NSRange(location: 0, length: masked.utf16.count)
    for mutation in mutations {
      for match in mutation.pattern.matches(in: masked, range: range) {
        let mutant = Mutant(file: file, line: index, mutation: mutation, match: match)
        // Two swapped parts may be equal.
        if mutant.text(mutation.mutated, in: line) != line { all.append(mutant) }
      }
    }
  }
}
/// A hash of the text that is the same in every run.
func hash(_ text: String) -> UInt64 {
  var hash = text.utf8.reduce(seed &* 0x9E37_79B9_7F4A_7C15 ^ 0xCBF2_9CE4_8422_2325) {
    ($0 ^ UInt64($1)) &* 0x100_0000_01B3
  }
  hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
  return hash ^ hash >> 33
}
// The order depends only on each mutant's text. A change elsewhere leaves the mutants of a seed
// alone.
let order = all.map { mutant in
  let line = files[mutant.file][mutant.line]
  return hash("\(paths[mutant.file]) \(mutant.text(mutant.mutation.mutated, in: line))")
}
all = all.indices.sorted { (order[$0], $0) < (order[$1], $1) }.map { all[$0] }

var helpers = """
  import Foundation

  private let chosen = ProcessInfo.processInfo.environment["UNDERSTUDY_MUTANT"]
  @usableFromInline let chosenMutant = chosen.flatMap { Int($0) } ?? 0
  nonisolated(unsafe) private var reached: [Bool]? =
    chosen == "reach" ? Array(repeating: false, count: 10_000) : nil
  private let reachedLock = NSLock()

  @usableFromInline func mutant(_ number: Int) -> Bool {
    if chosenMutant == 0 { reach(number) }
    return number == chosenMutant
  }

  @usableFromInline func reach(_ number: Int) {
    reachedLock.withLock {
      guard let isReached = reached?[number], !isReached else { return }
      reached?[number] = true
      let file = fopen(ProcessInfo.processInfo.environment["UNDERSTUDY_REACHED"] ?? "", "a")
      if let file {
        fputs("\\(number)\\n", file)
        fclose(file)
      }
    }
  }

  """
var taken: Set<[Int]> = []
for mutant in all {
  let original = files[mutant.file][mutant.line]
  guard taken.count < count, !taken.contains([mutant.file, mutant.line]) else { continue }
  taken.insert([mutant.file, mutant.line])
  let number = taken.count
  if leftOut.contains(number) { continue }
  files[mutant.file][mutant.line] = mutant.text(
    numbered(mutant.mutation.compiled, number), in: original)
  if let helper = mutant.mutation.helper {
    helpers +=
      numbered(helper, number).replacingOccurrences(
        of: "(?m)^(prefix )?func", with: "@usableFromInline $0", options: .regularExpression) + "\n"
  }
  print(
    number, paths[mutant.file], mutant.line + 1, original,
    mutant.text(mutant.mutation.mutated, in: original), separator: "\t")
}

/// Writes a file only if it differs, so that a build compiles only changed files.
func write(_ text: String, to path: String) throws {
  let path = "\(arguments[2])/\(path)"
  guard (try? String(contentsOfFile: path, encoding: .utf8)) != text else { return }
  let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  try text.write(toFile: path, atomically: true, encoding: .utf8)
}
try write(helpers, to: "Mutants.swift")
for (path, lines) in zip(paths, files) {
  try write(lines.joined(separator: "\n"), to: path)
}
