// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyTesting

@testable import BoxOffice

/// The pictures of the documentation. Three are drawn from the behaviour, the sources and the
/// manifest of the package, and two from committed measurements: the pins and a profile. With
/// `UNDERSTUDY_RECORD` in the environment the files are written anew.
struct `A picture` {
  // MARK: Drawn from behaviour

  @Test func `of the resolution tree is drawn from a rehearsal's log`() throws {
    try Picture.expect(.tree(Self.rehearsal()), isCommittedAs: "resolution.svg")
  }

  @Test func `of the stack of layers is drawn from the answers under a stack`() throws {
    try Picture.expect(.layers(LayerStage.play()), isCommittedAs: "layers.svg")
  }

  @Test func `of the architecture is drawn from the sources and the manifest`() throws {
    try Picture.expect(.architecture(Blueprint()), isCommittedAs: "architecture.svg")
  }

  // MARK: Drawn from measurements

  @Test func `of costs that do not grow is drawn from the pins`() throws {
    try Picture.expect(.growth(GrowthChart.all()), isCommittedAs: "growth.svg")
  }

  @Test func `of costs that do not grow has flat curves`() throws {
    let curves = try GrowthChart.all().flatMap(\.curves)
    #expect(curves.count == 4)
    for curve in curves {
      let (first, last) = try (#require(curve.points.first), #require(curve.points.last))
      #expect(curve.points.count >= 2, "\(curve.name)")
      #expect(Double(last.instructions) <= 1.1 * Double(first.instructions), "\(curve.name)")
    }
  }

  @Test func `of where a suite's time goes is drawn from its profile`() throws {
    let profile = try Page(path: "Tests/Benchmarks/suite-profile.txt").text
    try Picture.expect(
      .flames(
        Flame(folded: profile), title: "Where the time of 2,000 cases under layers goes",
        summary:
          "A flame graph: a caller lies above the functions that it calls, each as wide as its share."
      ),
      isCommittedAs: "suite.svg")
  }

  /// The tree that `box-office rehearse` prints.
  private static func rehearsal() throws -> String {
    let store = FileManager.default.temporaryDirectory.appending(path: "box-office-\(UUID())")
    let resolver = Resolver(named: "box-office")
    let words = try CommandLineWords(["rehearse", "--store", store.path])
    let setup = try Setup(words)
    resolver.install(setup)
    resolver.registerProduction(setup.settings)
    return try withResolver(resolver) {
      try Rehearsal(words, of: setup.settings, on: resolver).play(LetterBox()) { _ in
        Rehearsal.tree(of: try #require(OverrideLayer.current).log)
      }
    }
  }

  // MARK: Content

  /// The README's tree is the program's output, which another test compares.
  @Test func `of the resolution tree has the program's output`() throws {
    let title = "Each request, and its answer:"
    let tree = try #require(
      Page(path: "README.md").blocks("text").first { $0.contains("\(title)\n") })
    let printed = tree.components(separatedBy: "\(title)\n")[1]
      .components(separatedBy: "\n\n")[0].split(separator: "\n").map { line in
        line.drop { "│├└─ ".contains($0) }.replacing(#/ declared at \S+/#, with: "")
      }
    let shown = try texts(of: "resolution.svg")
    let pairs = stride(from: 1, to: shown.count, by: 2).map { "\(shown[$0])  \(shown[$0 + 1])" }
    #expect(pairs == printed.map { String($0) })
  }

  @Test func `of the architecture has the folders of the core, in the page's order`() throws {
    let page = try Page(path: "Docs/Architecture.md").text
    let folders = page.split(separator: "\n").filter { $0.contains(#/^\| [A-Z][a-z]+ \|/#) }
      .map { String($0.split(separator: "|")[0].trimmingCharacters(in: .whitespaces)) }
    #expect(try Blueprint().folders == folders)
    let shown = try texts(of: "architecture.svg").dropFirst().prefix(folders.count)
    #expect(Array(shown) == folders)
  }

  /// All pictures share the colours: blue for the package, and amber for the tests.
  @Test func `of where a suite's time goes is coloured as its legend says`() throws {
    let picture = try Page(path: "Docs/Pictures/suite.svg").text
    let colors = picture.matches(of: #/<rect class="(\w+)"[^>]*>\n<text[^>]*>([^<]*)<\/text>/#)
      .reduce(into: [String: String]()) { $0[String($1.2)] = String($1.1) }
    #expect(colors["UnderLayers.runs"] == "layer")
    #expect(colors["Resolver.resolve"] == "production")
    #expect(picture.contains("Blue: this package. Yellow: the tests."))
  }

  private static let all = [
    "architecture.svg", "growth.svg", "layers.svg", "resolution.svg", "suite.svg",
  ]

  @Test(arguments: all)
  func `has colours for light and for dark, and a description`(name: String) throws {
    let picture = try Page(path: "Docs/Pictures/\(name)").text
    #expect(picture.contains("prefers-color-scheme: dark"))
    #expect(picture.contains("<title") && picture.contains("<desc"))
  }

  @Test(arguments: all)
  func `has all its boxes between its edges`(name: String) throws {
    let picture = try Page(path: "Docs/Pictures/\(name)").text
    let size = try #require(picture.firstMatch(of: #/viewBox="0 0 (\d+) (\d+)"/#))
    let boxes = picture.matches(
      of: #/<rect class="\w+" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/#)
    #expect(boxes.isEmpty == (name == "growth.svg"))
    for box in boxes {
      let numbers = [box.1, box.2, box.3, box.4, size.1, size.2].compactMap { Double($0) }
      #expect(numbers.count == 6, "\(box.0)")
      #expect(
        numbers[0] + numbers[2] <= numbers[4] && numbers[1] + numbers[3] <= numbers[5], "\(box.0)")
    }
  }

  @Test func `is drawn by exactly one test`() throws {
    let names = try FileManager.default.contentsOfDirectory(
      atPath: Page.root.appending(path: "Docs/Pictures").path)
    #expect(names.sorted() == Self.all)
  }

  private func texts(of name: String) throws -> [String] {
    try Page(path: "Docs/Pictures/\(name)").text.matches(of: #/<text[^>]*>([^<]*)<\/text>/#).map {
      String($0.1).replacing("&quot;", with: "\"").replacing("&amp;", with: "&")
    }
  }
}
