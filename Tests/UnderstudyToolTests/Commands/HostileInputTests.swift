// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import UnderstudyTool

/// Names, paths and graphs from untrusted sources.
@Suite struct HostileInputTests {
  private let shop = Fixtures.graph("Shop")

  @Test(
    arguments: [
      ("plain", "plain"), ("a\"b", "a\\\"b"), ("a\\(b)", "a\\\\(b)"),
      // A quotation mark and a combining mark are one character.
      ("a\"\u{301}b", "a\\\"\u{301}b"), ("a\\\u{301}(b)", "a\\\\\u{301}(b)"),
      ("a\nb", "a\\u{a}b"), ("a\r\nb", "a\\u{d}\\u{a}b"), ("a\u{202E}b", "a\\u{202e}b"),
      ("a\u{2028}b", "a\\u{2028}b"),
    ])
  func `no text escapes from its literal`(text: String, literal: String) {
    #expect(Array(text.literal.unicodeScalars) == Array(literal.unicodeScalars))
  }

  @Test(
    arguments: [
      ("name", "name"), ("class", "`class`"), ("größe", "größe"),
      ("a;\u{301}b", "`a;\u{301}b`"), ("a`; b()", "`a_; b()`"), ("a\nb", "`a_b`"),
    ])
  func `no name escapes from its backticks`(name: String, identifier: String) {
    #expect(Array(name.escaped.unicodeScalars) == Array(identifier.unicodeScalars))
  }

  @Test func `an error shows control and bidirectional characters as escapes`() {
    let run = Run("doubles", "--symbol-graph", "a\u{1B}[2J\u{202E}b", "--output", "x")
    #expect(run.status == 1)
    #expect(run.errors.first?.contains(#"'a\u{1B}[2J\u{202E}b'"#) == true)
  }

  @Test func `a private protocol that asks for a double is reported with its place`() throws {
    let folder = try Folder()
    try folder.write(
      "// A file.\n\n/// - Understudy: double\nprivate protocol Secret {}\n", to: "Vault.swift")
    let graph = try Fixtures.text("Graphs/Vault.symbols.json").replacing(
      "file:///Vault.swift", with: "file://\(folder.path)/Vault.swift")
    try folder.write(graph, to: "Vault.symbols.json")
    let run = Run(
      "doubles", "--symbol-graph", "\(folder.path)/Vault.symbols.json", "--output", "x")
    #expect(run.status == 1)
    #expect(
      run.errors == [
        "\(folder.path)/Vault.swift:4:18: error: `Secret` is private and gets no double."
      ])
  }

  @Test func `a line that Swift does not read is an error if comments choose`() throws {
    let folder = try Folder()
    try folder.write(
      "@MainActor\n/// - Understudy: double\nprotocol Seen {}\n// - Understudy: component\nlet a = 1",
      to: "Vault.swift")
    let graph = try Fixtures.text("Graphs/Vault.symbols.json").replacing(
      "file:///Vault.swift", with: "file://\(folder.path)/Vault.swift")
    try folder.write(graph, to: "Vault.symbols.json")
    let arguments = ["doubles", "--symbol-graph", "\(folder.path)/Vault.symbols.json", "--output"]
    let run = Run(arguments + ["\(folder.path)/out"])
    #expect(run.status == 1)
    #expect(
      run.errors == [
        "\(folder.path)/Vault.swift:2:1: error: `- Understudy: double` has no effect:"
          + " it stands below an attribute or a modifier. Move it above them."
      ])
    #expect(!Run(arguments + ["-", "--protocol", "*"]).errors.joined().contains("no effect"))
  }

  @Test func `a folder beside the package is not inside it`() throws {
    let folder = try Folder()
    let run = Run(
      "doubles", "--symbol-graph", shop, "--output", "\(folder.path)-evil/Doubles",
      "--package", folder.path)
    #expect(run.status == 1)
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)-evil"))
  }

  @Test(arguments: [
    ("Int", true), ("any Log", true), ("[String: (Int) -> Void]", true), ("A.B<C, [D]>?", true),
    ("(any A & B)?", true), ("@Sendable (Int) async throws(E) -> Void", true), ("`a b`.C", true),
    ("(repeat each T)", true), ("~Copyable", true), ("@isolated(any) () -> Void", true),
    ("", false), ("A, B", false), ("a()", false), ("A (1)", false), ("A<B>()", false),
    ("A?()", false), ("(a)()", false), ("A[0]", false), ("A; b", false), ("A\nb", false),
    ("A)", false), ("(A]", false), ("(A", false), ("A = b", false), ("{ }", false), ("\"\"", false),
    ("A // b", false), ("A: B", false), ("[A]]", false),
  ])
  func `a text is a type, or it is not written into code`(text: String, isIt: Bool) {
    #expect(text.isType == isIt)
  }

  @Test func `the results of another module bring no code`() throws {
    let mill = try Fixtures.text("Snapshots/Mill.resolved.json.txt")
    func run(_ old: String, _ new: String) throws -> Run {
      let folder = try Folder()
      try folder.write(mill.replacing(old, with: new), to: "Mill.json")
      return Run([
        "wire", "--symbol-graph", Fixtures.graph("Dock"), "--resolved", "\(folder.path)/Mill.json",
        "--output", "-",
      ])
    }
    let assembly = try run("\"My_mill\"", "\"My_mill(), stolen(), X\"")
    #expect(
      assembly.lines.joined(separator: "\n").contains("{ [`My_mill(), stolen(), X`()] }"))
    for (old, new) in [("\"Wheel\"", "\"stolen()\""), ("\"Int\"", "\"Int) in stolen() //\"")] {
      let run = try run(old, new)
      #expect(run.status == 1)
      #expect(run.lines == [])
      #expect(run.errors.first?.hasSuffix("does not contain the results of a wiring.") == true)
    }
  }

  @Test(arguments: [0o600, 0o640, 0o644])
  func `a file that is replaced keeps its permissions`(mode: Int) throws {
    let folder = try Folder()
    let path = "\(folder.path)/a.swift"
    try folder.write("old", to: "a.swift")
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    #expect(WholeWrite.write("new", to: path))
    #expect(try folder.text("a.swift") == "new")
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == mode)
    #expect(folder.names == ["a.swift"])
  }

  @Test func `a file is written behind as many links as the system follows`() throws {
    let folder = try Folder()
    try folder.write("old", to: "0")
    for link in 1...41 {
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder.path)/\(link)", withDestinationPath: "\(link - 1)")
    }
    #expect(WholeWrite.write("new", to: "\(folder.path)/40"))
    #expect(!WholeWrite.write("newer", to: "\(folder.path)/41"))
    #expect(try folder.text("0") == "new")
    #expect(folder.names.count == 42)
  }

  @Test func `a file is not written in the place of a directory, and no draft remains`() throws {
    let folder = try Folder()
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/a", withIntermediateDirectories: false)
    #expect(!WholeWrite.write("new", to: "\(folder.path)/a"))
    #expect(folder.names == ["a"])
  }

  @Test func `doubles and an assembly are printed if the output is a dash`() throws {
    let doubles = Run("doubles", "--symbol-graph", shop, "--output", "-")
    #expect(doubles.status == 0)
    #expect(doubles.lines.count == 2)
    #expect(doubles.lines.allSatisfy { $0.hasPrefix("// Generated by understudy-tool") })
    #expect(doubles.errors == ["2 doubles: 9 spies, 2 handlers, 0 refusals; 0 protocols refused."])
    let wiring = Run(
      "wire", "--symbol-graph", Fixtures.graph("Mill"), "--module", "Mill", "--output", "-")
    #expect(wiring.lines.first?.hasPrefix("// Generated by understudy-tool") == true)
    #expect(Run("doubles", "--symbol-graph", shop, "--output", "-", "--check").status == 2)
  }

  @Test(arguments: ["Shop", "Fair", "Ring", "Quay", "Inn"])
  func `a graph with missing or changed parts is an error or has doubles`(module: String) throws {
    var random = Seeded(state: 42)
    let text = try Fixtures.text("Graphs/\(module).symbols.json")
    let tree = try #require(
      JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let symbols = try #require(tree["symbols"] as? [[String: Any]])
    for _ in 0..<300 {
      var changed = tree
      changed["symbols"] = symbols.map { symbol in
        random.next().isMultiple(of: 3) ? random.changed(symbol) : symbol
      }
      let data = try JSONSerialization.data(withJSONObject: changed)
      // It must end, with a result or an error.
      do throws(ToolError) {
        let file = try SymbolGraphFile(data, path: module)
        _ = try DoublesOutput(
          [file], Selection(patterns: ["*"]), source: { _ in "one\ntwo(\n" })
      } catch {
        #expect(!error.message.isEmpty)
      }
    }
  }

  /// Code that ends a type, a name, a literal or a line, and goes on.
  private static let code = [
    "A, Never>(\"a\"); stolen(); let b = Spy<A", "`\nstolen()\n`", "A\n}\nstolen() //",
    "\"\nstolen()\n\"", "A) { stolen() }; func c(", "= stolen()", "*/ stolen() /*", "stolen()",
    "A = stolen(), B", "\"\u{301}\nstolen()\n//", "@A stolen() ", "\\(stolen())",
  ]

  @Test(arguments: Fixtures.modules)
  func `no code of a symbol graph gets into what is generated`(module: String) throws {
    var random = Seeded(state: 7)
    let text = try Fixtures.text("Graphs/\(module).symbols.json")
    let tree = try #require(
      JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let symbols = try #require(tree["symbols"] as? [[String: Any]])
    for _ in 0..<10 {
      var changed = tree
      var stolen = symbols
      // A part of a graph has it at most once, or some do everywhere.
      let isEverywhere = random.next().isMultiple(of: 4)
      let chosen = Int(random.next() % UInt64(symbols.count))
      for position in symbols.indices where isEverywhere || position == chosen {
        stolen[position] = random.stealing(symbols[position], by: Self.code)
      }
      changed["symbols"] = stolen
      let folder = try Folder()
      let path = "\(folder.path)/\(module).symbols.json"
      try JSONSerialization.data(withJSONObject: changed).write(to: URL(fileURLWithPath: path))
      let doubles = Run([
        "doubles", "--symbol-graph", path, "--protocol", "*", "--output",
        "\(folder.path)/Doubles.swift",
      ])
      let wiring = Run([
        "wire", "--symbol-graph", path, "--output", "\(folder.path)/Wiring.swift",
      ])
      for name in ["Doubles.swift", "Wiring.swift"] where folder.names.contains(name) {
        let generated = try folder.text(name)
        #expect(!generated.runsStolenCode, "\(doubles.errors) \(wiring.errors)\n\(generated)")
      }
    }
  }
}

extension String {
  /// Whether a call of `stolen` is outside of names in backticks, literals and comments.
  fileprivate var runsStolenCode: Bool {
    let plain = replacing(#/`[^`\n]*`/#, with: "").replacing(#/"(\\.|[^"\\\n])*"/#, with: "")
      .replacing(#/\/\/.*/#, with: "")
    // A member called so has a spy of that name, and no call of it alone.
    return plain.contains(#/(^|[^.\w])stolen\(\)/#)
      && !plain.contains(#/func stolen\(\)|let stolen = /#)
  }
}

/// A generator with the same numbers in every run.
private struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state >> 16
  }

  /// A symbol that has code in place of a part, or beside it.
  mutating func stealing(_ symbol: [String: Any], by code: [String]) -> [String: Any] {
    var symbol = symbol
    let code = code.randomElement(using: &self) ?? ""
    func beside(_ text: String, _ way: UInt64) -> String {
      [code, text + code, code + text][Int(way % 3)]
    }
    if next().isMultiple(of: 4), var path = symbol["pathComponents"] as? [String], !path.isEmpty {
      path[path.count - 1] = beside(path[path.count - 1], next())
      symbol["pathComponents"] = path
      return symbol
    }
    var fragments = symbol["declarationFragments"] as? [[String: Any]] ?? []
    guard !fragments.isEmpty else { return symbol }
    let position = Int(next() % UInt64(fragments.count))
    let text = fragments[position]["spelling"] as? String ?? ""
    fragments[position]["spelling"] = beside(text, next())
    symbol["declarationFragments"] = fragments
    return symbol
  }

  /// A symbol with a random change to its fragments, identifier or place.
  mutating func changed(_ symbol: [String: Any]) -> [String: Any] {
    var symbol = symbol
    var fragments = symbol["declarationFragments"] as? [[String: Any]] ?? []
    let position = fragments.isEmpty ? 0 : Int(next() % UInt64(fragments.count))
    switch next() % 8 {
    case 0 where !fragments.isEmpty: fragments.removeSubrange(position...)
    case 1 where !fragments.isEmpty: fragments.remove(at: position)
    case 2 where !fragments.isEmpty: fragments.append(fragments[position])
    case 3 where !fragments.isEmpty:
      fragments[position]["spelling"] = ["(", "<", "[", ">", ""].randomElement(using: &self)
    case 4: symbol["identifier"] = ["precise": "s:9223372036854775807Fair_YCc"]
    case 5: symbol["pathComponents"] = [String]()
    case 6:
      let line = [-1, Int.max, 7].randomElement(using: &self) ?? 0
      symbol["location"] = [
        "uri": "file:///a.swift", "position": ["line": line, "character": -line % 3],
      ]
    default: fragments.shuffle(using: &self)
    }
    symbol["declarationFragments"] = fragments
    return symbol
  }
}
