// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import Understudy

/// What a browser sees of a page that is drawn.
@Suite(.browser, .serialized) struct `The drawn page` {
  struct Box: Decodable {
    let x: Double
    let y: Double
    let width: Double
    let height: Double

    func contains(_ other: Box) -> Bool {
      other.x >= x && other.y >= y && other.x + other.width <= x + width
        && other.y + other.height <= y + height
    }

    func overlaps(_ other: Box) -> Bool {
      other.x < x + width && x < other.x + other.width && other.y < y + height
        && y < other.y + other.height
    }
  }

  struct Seen: Decodable {
    struct Node: Decodable {
      let box: Box
      let texts: [Box]
      let fill: String
      let isDimmed: Bool
    }

    let area: Box
    let panel: Box
    let nodes: [Node]
    let edges: Int
    let listed: [String]
    let panelWidth: Double
    /// True if what is chosen can be seen in the list.
    let isChosenListed: Bool
    let detail: String
  }

  private static let look = """
    (async () => {
      const box = e => { const r = e.getBoundingClientRect(); \
    return { x: r.x, y: r.y, width: r.width, height: r.height } };
      const aside = document.querySelector("aside");
      return {
        area: box(document.querySelector("main")), panel: box(aside),
        nodes: [...document.querySelectorAll(".node")].map(n => ({
          box: box(n.querySelector("rect")), texts: [...n.querySelectorAll("text")].map(box),
          fill: getComputedStyle(n.querySelector("rect")).fill,
          isDimmed: getComputedStyle(n).opacity < 0.9 })),
        edges: document.querySelectorAll(".edge").length,
        listed: [...document.querySelectorAll("#list button")].map(b => b.textContent),
        isChosenListed: (c => { const l = box(document.getElementById("list")); \
    return !!c && box(c).y >= l.y - 1 && box(c).y + box(c).height <= l.y + l.height + 1; })(
          document.querySelector("#list [aria-current]")),
        panelWidth: aside.scrollWidth, detail: document.getElementById("detail").innerText };
    })()
    """

  /// What colours a picture has at some points, and how many colours there are.
  struct Colors: Decodable {
    let at: [String]
    let count: Int
  }

  private func colors(
    of picture: Data, at points: [(x: Double, y: Double)], _ browser: Browser
  ) throws -> Colors {
    let points = points.map { "[\(Int($0.x)),\(Int($0.y))]" }.joined(separator: ",")
    return try browser.evaluate(
      """
      (async () => {
        const image = document.querySelector("img");
        const canvas = document.createElement("canvas");
        canvas.width = image.naturalWidth; canvas.height = image.naturalHeight;
        const context = canvas.getContext("2d");
        context.drawImage(image, 0, 0);
        const data = context.getImageData(0, 0, canvas.width, canvas.height).data;
        const colors = new Set();
        for (let i = 0; i < data.length; i += 4)
          colors.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
        return { count: colors.size, at: [\(points)].map(([x, y]) => {
          const i = 4 * (y * canvas.width + x);
          return `rgb(${data[i]}, ${data[i + 1]}, ${data[i + 2]})`; }) };
      })()
      """,
      in: "<body><img src=\"data:image/png;base64,\(picture.base64EncodedString())\"></body>")
  }

  @Test(arguments: Drawn.allCases)
  func `is readable: no node lies over another, and no text leaves its node`(drawn: Drawn) throws {
    let seen: Seen = try Browser.run { try $0.evaluate(Self.look, in: drawn.page()) }
    #expect(seen.nodes.count == drawn.nodeCount)
    #expect(seen.edges > drawn.nodeCount / 2)
    #expect(seen.listed.count == drawn.nodeCount)
    #expect(seen.panelWidth <= seen.panel.width)
    #expect(!seen.panel.overlaps(seen.area))
    for (index, node) in seen.nodes.enumerated() {
      #expect(node.texts.count == 2)
      #expect(node.texts.allSatisfy { node.box.contains($0) }, "node \(index)")
      #expect(node.texts.allSatisfy { $0.height >= 9 }, "node \(index) is too small to read")
      for other in seen.nodes[(index + 1)...] where node.box.overlaps(other.box) {
        Issue.record("node \(index) lies over another")
      }
    }
    let visible = seen.nodes.count { seen.area.contains($0.box) }
    #expect(drawn == .five ? visible == 5 : visible >= 30)
  }

  @Test(arguments: Drawn.allCases)
  func `is painted: every visible node has its colour in the picture`(drawn: Drawn) throws {
    try Browser.run { browser in
      let page = drawn.page()
      let seen: Seen = try browser.evaluate(Self.look, in: page)
      let picture = try browser.picture(of: page, named: "\(drawn.rawValue).png")
      // Left of the text, where there is nothing but the node.
      let visible = seen.nodes.filter { seen.area.contains($0.box) }
      let colors = try colors(
        of: picture, at: visible.map { ($0.box.x + 5, $0.box.y + $0.box.height / 2) }, browser)
      #expect(colors.at == visible.map(\.fill))
      #expect(Set(colors.at).count == (drawn == .five ? 4 : 1))
      #expect(colors.count > 50)
    }
  }

  @Test func `finds nodes by words, and shows what a node needs`() throws {
    try Browser.run { browser in
      let page = Drawn.fiveHundred.page()
      let found: Seen = try browser.evaluate(
        Self.look, in: page, fragment: "#search=named%2048%20doubles")
      #expect(found.listed == ["Prop named 480"])
      #expect(found.nodes.count { !$0.isDimmed } == 1)
      let chosen: Seen = try browser.evaluate(Self.look, in: page, fragment: "#node=499")
      #expect(chosen.detail.contains("Needs"))
      #expect(chosen.detail.hasPrefix("Prop named 499"))
      #expect(chosen.isChosenListed)
      #expect(chosen.nodes.count { !$0.isDimmed } == 3)
      let gone: Seen = try browser.evaluate(
        "(document.querySelector('#detail button').click(), \(Self.look))", in: page,
        fragment: "#node=499")
      #expect(gone.detail.hasSuffix("Needed by\nProp named 477\nProp named 499"))
      #expect(gone.isChosenListed)
      _ = try browser.picture(of: page, named: "search.png", fragment: "#search=named%2049")
      _ = try browser.picture(of: page, named: "node.png", fragment: "#node=499")
    }
  }
}
