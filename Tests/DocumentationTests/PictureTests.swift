// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

struct `A picture` {
  /// The README's tree is what the program prints; another test compares them.
  @Test func `of the resolution tree says what the program prints`() throws {
    let tree = try #require(
      Page(path: "README.md").blocks("text").first { $0.contains("Who answered:\n") })
    let printed = tree.components(separatedBy: "Who answered:\n")[1]
      .split(separator: "\n").map { line in
        line.drop { "│├└─ ".contains($0) }.replacing(#/ declared at \S+/#, with: "")
      }
    let shown = try texts(of: "resolution.svg")
    let pairs = stride(from: 1, to: shown.count, by: 2).map { "\(shown[$0])  \(shown[$0 + 1])" }
    #expect(pairs == printed.map { String($0) })
  }

  @Test func `of the architecture has the folders of the core, in order`() throws {
    let page = try Page(path: "Docs/Architecture.md").text
    let folders = page.split(separator: "\n").filter { $0.contains(#/^\| [A-Z][a-z]+ \|/#) }
      .map { String($0.split(separator: "|")[0].trimmingCharacters(in: .whitespaces)) }
    let shown = try texts(of: "architecture.svg").dropFirst().prefix(folders.count)
    #expect(Array(shown) == folders)
  }

  @Test(arguments: ["architecture.svg", "layers.svg", "resolution.svg"])
  func `has colours for light and for dark, and says what it shows`(name: String) throws {
    let picture = try Page(path: "Docs/Pictures/\(name)").text
    #expect(picture.contains("prefers-color-scheme: dark"))
    #expect(picture.contains("<title") && picture.contains("<desc"))
  }

  private func texts(of name: String) throws -> [String] {
    try Page(path: "Docs/Pictures/\(name)").text.matches(of: #/<text[^>]*>([^<]*)<\/text>/#).map {
      String($0.1).replacing("&#x27;", with: "'")
    }
  }
}
