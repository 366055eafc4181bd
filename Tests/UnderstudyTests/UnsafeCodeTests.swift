// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// Each unsafe part of the code has its proof beside it, and a row on the page that lists them all.
@Suite struct `Unsafe code` {
  /// True if a file contains unsafe code. The compiler makes sure that it is marked.
  static func isUnsafe(_ file: RepositoryFile) -> Bool {
    let mark = /\bunsafe\b|@safe\b|@unchecked\b/.wordBoundaryKind(.simple)
    return file.path.hasPrefix("Sources/") && file.text.withoutCommentsAndStrings.contains(mark)
  }

  static func isUnproven(_ file: RepositoryFile) -> Bool {
    isUnsafe(file) && !file.text.contains("Safety")
  }

  @Test func `has a comment that says why it is safe`() throws {
    try #expect(RepositoryFile.all.get().filter(Self.isUnproven).map(\.path) == [])
  }

  @Test(arguments: [
    ("return unsafe x.pointee", true), ("@safe struct Box {}", true),
    ("nonisolated(unsafe) var x = 1", true), ("f { unsafe $0.toOpaque() }", true),
    ("final class A: @unchecked Sendable {}", true),
    ("// Safety: kept.\nreturn unsafe x.pointee", false), ("// unsafe", false),
    ("let unsafeBox = box", false), ("let text = \"unsafe\"", false),
  ])
  func `without a proof is found`(text: String, isBad: Bool) {
    let file = RepositoryFile(path: "Sources/Understudy/Log/A.swift", text: text)
    #expect(Self.isUnproven(file) == isBad)
  }

  // MARK: The page

  /// The files in the first columns of a page's tables.
  static func names(in page: String) -> [String] {
    page.matches(of: /(?m)^\| `([\w+]+\.swift)` \|/).map { String($0.1) }
  }

  @Test func `is listed on one page, and nothing else is`() throws {
    let page = try RepositoryFile(at: "Docs/Decisions/UnsafeCode.md").text
    let files = try RepositoryFile.all.get().filter(Self.isUnsafe).map(\.name)
    #expect(Self.names(in: page).sorted() == files.sorted())
  }

  @Test func `is read from tables only`() {
    let page = "`No.swift`\n| `A+B.swift` | it |\n| see | `C.swift` |\n|`D.swift`|"
    #expect(Self.names(in: page) == ["A+B.swift"])
  }

  // MARK: The compiler

  /// The targets of a manifest without the compiler's check for unsafe code.
  static func uncheckedTargets(of manifest: String) -> [String] {
    let code = manifest.replacing(/\/\/[^\n]*/, with: "")
    guard code.contains(/(?:^|\n)let settings = languageSettings \+ \[\.strictMemorySafety\(\)\]/)
    else {
      return ["settings"]
    }
    return code.split(separator: /\.(?:target|executableTarget|macro)\(/).dropFirst().filter {
      // The text after the last target of this kind belongs to others.
      let target = $0.split(separator: /\.(?:testTarget|plugin)\(/).first ?? $0
      return !target.contains(/swiftSettings: settings\s*\)/)
    }.map { $0.trimmingPrefix(/\s*name: "/).prefix { $0 != "\"" } }.map(String.init)
  }

  @Test func `is checked by the compiler in every handwritten target`() throws {
    let manifest = try #require(RepositoryFile.all.get().first { $0.path == "Package.swift" }).text
    #expect(
      Self.uncheckedTargets(of: manifest) == ["UnderstudyAtomics", "UnderstudyTestHost"],
      "which are C")
  }

  @Test func `in a target without the compiler's check is found`() {
    let settings = "let settings = languageSettings + [.strictMemorySafety()]\n"
    let good = ".target(name: \"A\", swiftSettings: settings), "
    let bad = ".executableTarget(\nname: \"B\", swiftSettings: languageSettings),"
    #expect(Self.uncheckedTargets(of: settings + good) == [])
    #expect(Self.uncheckedTargets(of: settings + good + bad) == ["B"])
    #expect(Self.uncheckedTargets(of: settings + bad + good) == ["B"])
    #expect(
      Self.uncheckedTargets(of: settings + ".macro(name: \"C\"), // swiftSettings: settings)")
        == ["C"])
    #expect(Self.uncheckedTargets(of: "// " + settings + good) == ["settings"])
  }
}
