// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// Every Markdown file of the repository: what it links to is there, headings too.
struct `A link` {
  /// The Markdown files, from the repository's root.
  static let files: [String] = {
    let docs =
      FileManager.default.enumerator(atPath: Page.root.appending(path: "Docs").path)?
      .compactMap { $0 as? String } ?? []
    return ["README.md", "CHANGELOG.md"]
      + docs.filter { $0.hasSuffix(".md") && !$0.contains(".build") }.sorted().map { "Docs/\($0)" }
  }()

  @Test(arguments: files)
  func `leads to a file and a heading that are there`(file: String) throws {
    for link in Self.links(in: try Page(path: file).text) {
      #expect(Self.leadsSomewhere(link, from: file), "\(file) links to \(link)")
    }
  }

  @Test(arguments: [
    "nowhere.md", "FirstTest.md#no-such-heading", "#no-such-heading", "Decisions/Nothing.md",
  ])
  func `that leads nowhere is found out`(link: String) {
    #expect(!Self.leadsSomewhere(link, from: "Docs/README.md"))
  }

  @Test(arguments: [
    ("## Five mistakes, and what they print", "five-mistakes-and-what-they-print"),
    ("### 1. Nothing is registered", "1-nothing-is-registered"),
    ("## `.once`", "once"),
    ("# [Linked](there.md) heading", "linked-heading"),
  ])
  func `to a heading is written as it is shown on the web`(heading: String, anchor: String) {
    #expect(Self.anchors(in: heading) == [anchor])
  }

  /// The targets of a text's links, without those to other sites.
  private static func links(in text: String) -> [String] {
    prose(of: text).matches(of: #/\]\(([^)\s]+)\)/#).map { String($0.1) }
      .filter { !$0.hasPrefix("http") }
  }

  /// The text without blocks and spans of code.
  private static func prose(of text: String) -> String {
    text.replacing(#/(?ms)^```.*?^```/#, with: "").replacing(#/`[^`\n]*`/#, with: "")
  }

  private static func leadsSomewhere(_ link: String, from file: String) -> Bool {
    let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let page = Page.root.appending(path: file)
    let target =
      parts[0].isEmpty
      ? page : page.deletingLastPathComponent().appending(path: String(parts[0])).standardized
    guard FileManager.default.fileExists(atPath: target.path) else { return false }
    guard parts.count > 1 else { return true }
    let text = try? String(contentsOf: target, encoding: .utf8)
    return anchors(in: text ?? "").contains(String(parts[1]))
  }

  /// What the headings of a text are reached by; of equal ones the second has `-1`.
  private static func anchors(in text: String) -> [String] {
    var counts: [String: Int] = [:]
    return text.replacing(#/(?ms)^```.*?^```/#, with: "").split(separator: "\n")
      .filter { $0.contains(#/^#{1,6} /#) }
      .map { heading in
        let shown = heading.drop { $0 == "#" }.replacing(#/\[([^\]]*)\]\([^)]*\)/#) { $0.1 }
          .trimmingCharacters(in: .whitespaces).lowercased()
        let anchor = String(
          shown.compactMap { character -> Character? in
            if character == " " { return "-" }
            return character.isLetter || character.isNumber || "-_".contains(character)
              ? character : nil
          })
        defer { counts[anchor, default: 0] += 1 }
        return counts[anchor].map { "\(anchor)-\($0)" } ?? anchor
      }
  }
}
