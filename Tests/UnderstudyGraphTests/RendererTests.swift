// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyGraph

/// A renderer, and the snapshot that its output is compared with.
enum Renderer: String, CaseIterable, Sendable {
  case mermaid = "mmd"
  case dot, json, html

  func draw(_ graph: DependencyGraph, title: String = "A shop") -> String {
    switch self {
    case .mermaid: graph.mermaid
    case .dot: graph.dot
    case .json: graph.json
    case .html: graph.html(title: title)
    }
  }
}

@Suite struct `A renderer of the graph` {
  @Test(arguments: Renderer.allCases)
  func `draws the graph as committed`(renderer: Renderer) throws {
    let drawn = Drawn.underDoubles(Drawn.registerShop) { renderer.draw($0) }
    try expectSnapshot(
      drawn.replacing(/([A-Za-z]+\.swift):\d+/, with: { "\($0.1):0" }),
      named: "Graph.\(renderer.rawValue)")
  }

  @Test(arguments: Renderer.allCases)
  func `draws five hundred nodes the same each time`(renderer: Renderer) {
    func drawn() -> String {
      Drawn.underDoubles(Drawn.registerFiveHundred, overriding: { _ in }) {
        renderer.draw($0)
      }
    }
    #expect(drawn() == drawn())
  }

  /// The lines of text in each box of a page.
  private func lines(of page: String) -> [[String]] {
    page.matches(of: /<g id="n.*?<\/g>/).map { box in
      box.output.matches(of: /<text x="11".*?>(.*?)<\/text>/).map { String($0.1) }
    }
  }

  @Test func `draws labels that differ in two places as different texts`() {
    let resolver = Resolver()
    for name in ["alpha", "beta"] {
      for option in ["first", "other"] {
        resolver.register(
          Prop.self, named: "service.\(name).options.\(option).timeout.seconds"
        ) { Prop(0) }
      }
    }
    let lines = lines(of: resolver.graph.html())
    #expect(lines.count == 4)
    #expect(Set(lines).count == 4)
  }

  @Test func `folds the registrations of one type, and of no other type of its name`() throws {
    let resolver = Resolver()
    func groups() throws -> String {
      String(try #require(resolver.graph.html().firstMatch(of: /"groups": \[(.*?)\]/)).1)
    }
    for name in ["a", "b"] { resolver.register(named: name) { Shop.Price() } }
    resolver.register(named: "a") { Bank.Price() }
    try #expect(groups() == "")
    resolver.register(named: "c") { Shop.Price() }
    try #expect(groups() == "\"Price × 3\"")
  }

  @Test func `draws nodes without edges as about a square`() throws {
    let resolver = Resolver()
    for name in 0..<300 { resolver.register(Prop.self, named: name) { Prop(name) } }
    let page = resolver.graph.html()
    let size = try #require(page.firstMatch(of: /<svg id="graph" width="(\d+)" height="(\d+)"/))
    let (width, height) = try (#require(Double(size.1)), #require(Double(size.2)))
    #expect((0.7...1.5).contains(width / height))
  }

  @Test func `draws two layers of one name in two colours`() {
    let resolver = Resolver()
    withOverrides(.check(.unusedOverride, .off), of: resolver, named: "twin") {
      $0.register(1)
    } operation: {
      withOverrides(.check(.unusedOverride, .off), of: resolver, named: "twin") {
        $0.register("two")
      } operation: {
        let drawn = resolver.graph.mermaid
        #expect(drawn.contains("n0[\"Int\"]:::layer0"))
        #expect(drawn.contains("n1[\"String\"]:::layer1"))
        #expect(drawn.contains("classDef layer1 "))
      }
    }
  }
}
