// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// A deprecated declaration works until it is removed. Its test is deprecated as well, so that it
/// compiles without a warning.
struct `A deprecated declaration` {
  struct Declaration: Hashable {
    let name: String
    /// True if the compiler's warning names the replacement.
    let saysWhatToWrite: Bool
  }

  @Test func `says what to write, is on the page, and is used by a test`() throws {
    let declarations = try Self.texts(below: ["Sources"]).flatMap(Self.declarations)
    let tests = try Self.texts(below: ["Tests"]).filter { $0.contains("@available(*, deprecated") }
    let page = try Page(path: "Docs/APIStability.md").text
    #expect(page.contains("Nothing is deprecated yet") == declarations.isEmpty)
    #expect(Self.findings(in: declarations, page: page, tests: tests) == [])
  }

  @Test func `is found out if it does not`() {
    let source = """
      @available(*, deprecated, renamed: "register(_:)")
      public func add(_ block: Int) {}
      @available(*, deprecated)
      @discardableResult public static func give() -> Int { 1 }
      @available(macOS 15, *)
      public var kept: Int { 1 }
      """
    let declarations = Self.declarations(in: source)
    #expect(declarations.map(\.name) == ["add", "give"])
    #expect(
      Self.findings(in: declarations, page: "| `add` |", tests: ["add(1)"]) == [
        "give does not say what to write", "give is not on the page", "give is used by no test",
      ])
  }

  private static func declarations(in source: String) -> [Declaration] {
    let pattern =
      #/@available\((\*|\w+), *deprecated([^)]*(?:\([^)]*\))?[^)]*)\)(?:\s*@\w+)*\s*(?:\w+\s+)*?(?:func|var|let|struct|class|enum|protocol|typealias|case)\s+(\w+)/#
    return source.matches(of: pattern).map {
      Declaration(
        name: String($0.3), saysWhatToWrite: $0.2.contains("renamed:") || $0.2.contains("message:"))
    }
  }

  private static func findings(
    in declarations: [Declaration], page: String, tests: [String]
  ) -> [String] {
    declarations.flatMap { declaration -> [String] in
      let name = declaration.name
      return [
        declaration.saysWhatToWrite ? nil : "\(name) does not say what to write",
        page.contains("`\(name)") ? nil : "\(name) is not on the page",
        tests.contains { $0.contains(name) } ? nil : "\(name) is used by no test",
      ].compactMap(\.self)
    }
  }

  private static func texts(below folders: [String]) throws -> [String] {
    try folders.flatMap { folder in
      let names = FileManager.default.enumerator(atPath: Page.root.appending(path: folder).path)?
        .compactMap { $0 as? String }
      return try (names ?? []).filter { $0.hasSuffix(".swift") && !$0.contains(".build") }.map {
        try String(contentsOf: Page.root.appending(path: "\(folder)/\($0)"), encoding: .utf8)
      }.filter { $0.contains("deprecated") }
    }
  }
}
