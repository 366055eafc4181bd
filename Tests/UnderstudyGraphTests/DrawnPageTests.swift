// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import Understudy
@testable import UnderstudyGraph

/// A drawn page in a browser.
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
      /// The label of the box, without its traits.
      let label: String
      let fill: String
      let isDimmed: Bool
    }

    let area: Box
    let panel: Box
    let nodes: [Node]
    let edges: Int
    let listed: [String]
    let panelWidth: Double
    /// True if the chosen node is visible in the list.
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
        nodes: [...document.querySelectorAll(".node:not(.folded)")].map(n => ({
          box: box(n.querySelector("rect")),
          texts: [...n.querySelectorAll("text")].map(box).filter(b => b.width),
          label: [...n.querySelectorAll("text:not(.traits)")].filter(t => box(t).width)
            .map(t => t.textContent).join("\\n"),
          fill: getComputedStyle(n.querySelector("rect")).fill,
          isDimmed: getComputedStyle(n).opacity < 0.9 })),
        edges: document.querySelectorAll(".edge:not(.folded)").length,
        listed: [...document.querySelectorAll("#list button")].map(b => b.textContent),
        isChosenListed: (c => { const l = box(document.getElementById("list")); \
    return !!c && box(c).y >= l.y - 1 && box(c).y + box(c).height <= l.y + l.height + 1; })(
          document.querySelector("#list [aria-current]")),
        panelWidth: aside.scrollWidth, detail: document.getElementById("detail").innerText };
    })()
    """

  /// The colours of a picture at some points, and the number of its colours.
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

  @Test(arguments: Drawn.allCases, Browser.Window.allCases)
  func `is readable: no node lies over another, and no text leaves its node`(
    drawn: Drawn, window: Browser.Window
  ) throws {
    let seen: Seen = try Browser.run {
      try $0.evaluate(Self.look, in: drawn.page(), window: window)
    }
    #expect(seen.nodes.count == drawn.nodeCount)
    #expect(seen.edges > drawn.nodeCount / 2)
    #expect(seen.listed.count == drawn.nodeCount)
    #expect(seen.panelWidth <= seen.panel.width)
    #expect(!seen.panel.overlaps(seen.area))
    // The graph takes at least half of the window.
    #expect(seen.area.width * seen.area.height >= 0.49 * Double(window.width * Browser.height))
    for (index, node) in seen.nodes.enumerated() {
      #expect((2...3).contains(node.texts.count))
      #expect(node.texts.allSatisfy { node.box.contains($0) }, "node \(index)")
      #expect(node.texts.allSatisfy { $0.height >= 9 }, "node \(index) is too small to read")
      for other in seen.nodes[(index + 1)...] where node.box.overlaps(other.box) {
        Issue.record("node \(index) lies over another")
      }
    }
    let visible = seen.nodes.count { seen.area.contains($0.box) }
    switch (drawn, window.width) {
    case (.five, 1400): #expect(visible == 5)
    case (.five, _): #expect(visible >= 1)
    case (.fiveHundred, 1400): #expect(visible >= 24)
    case (.fiveHundred, _): #expect(visible >= 4)
    }
  }

  @Test(arguments: Drawn.allCases, Browser.Window.allCases)
  func `is painted with the colour of each visible node`(
    drawn: Drawn, window: Browser.Window
  ) throws {
    try Browser.run { browser in
      let page = drawn.page()
      let seen: Seen = try browser.evaluate(Self.look, in: page, window: window)
      let picture = try browser.picture(
        of: page, named: "\(drawn.rawValue)-\(window.testDescription).png", window: window)
      // A point left of the text, where the node has no other paint.
      let visible = seen.nodes.filter { seen.area.contains($0.box) }
      let colors = try colors(
        of: picture, at: visible.map { ($0.box.x + 5, $0.box.y + $0.box.height / 2) }, browser)
      #expect(colors.at == visible.map(\.fill))
      if window == .usual { #expect(Set(colors.at).count == (drawn == .five ? 4 : 1)) }
      #expect(colors.count > 50)
    }
  }

  @Test(arguments: Browser.Window.allCases)
  func `draws different labels as different texts`(window: Browser.Window) throws {
    let seen: Seen = try Browser.run {
      try $0.evaluate(Self.look, in: Drawn.longNames().html(), window: window)
    }
    #expect(Set(seen.nodes.map(\.label)).count == seen.nodes.count)
    #expect(seen.nodes.count == Drawn.longNames().nodes.count)
  }

  @Test(arguments: ["#node=9999", "#node=abc", "#node=length", "#node=-1", "#node=1.5", "#node="])
  func `ignores a fragment that names no node`(fragment: String) throws {
    let page = Drawn.five.page()
    let script = try String(#require(page.firstMatch(of: /(?s)<script>(.*?)<\/script>/)).1)
    // The page remembers an uncaught error, and its policy allows that.
    let watched = "onerror = () => { window.failed = true };\n" + script
    let seen: [Bool] = try Browser.run { browser in
      try browser.evaluate(
        "[window.failed === true, document.querySelector(\".chosen\") !== null]",
        in: page.replacing(script, with: watched)
          .replacing(SHA256.base64(of: script), with: SHA256.base64(of: watched)),
        fragment: fragment)
    }
    #expect(seen == [false, false])
  }

  @Test(arguments: Browser.Window.allCases)
  func `keeps long words within its side bar`(window: Browser.Window) throws {
    let long = String(repeating: "wide", count: 60)
    let resolver = Resolver()
    let page = withOverrides(.check(.unusedOverride, .off), of: resolver, named: long) {
      for name in 0..<3 { $0.register(Prop.self, named: "\(name)\(long)") { Prop(0) } }
    } operation: {
      resolver.graph.html(title: long)
    }
    let width: [Int] = try Browser.run { browser in
      try browser.evaluate(
        "(a => [a.scrollWidth, a.clientWidth])(document.querySelector(\"aside\"))", in: page,
        window: window)
    }
    #expect(width[0] <= width[1])
  }

  @Test func `folds the registrations of one type into one node`() throws {
    let graph = Drawn.longNames()
    try Browser.run { browser in
      let seen: Seen = try browser.evaluate(Self.look, in: graph.html(), fragment: "#fold")
      #expect(seen.nodes.map(\.label) == ["Prop × 8", "Front"])
      #expect(seen.listed == ["Prop × 8", "Front"])
      #expect(seen.edges == 1)
      let chosen: Seen = try browser.evaluate(
        Self.look, in: graph.html(), fragment: "#fold&node=8")
      #expect(chosen.detail.contains("Needs\nProp × 8"))
      _ = try browser.picture(of: graph.html(), named: "folded.png", fragment: "#fold")
      _ = try browser.picture(of: graph.html(), named: "long-names.png")
    }
  }

  @Test func `shows the whole of a graph that is much wider than the window`() throws {
    let resolver = Resolver()
    for name in 0..<60 {
      resolver.needing(Key<Prop>(named: name + 1)).register(Prop.self, named: name) { Prop(name) }
    }
    let isWhole: [Bool] = try Browser.run { browser in
      try browser.evaluate(
        """
        (main => {
          byId("whole").click();
          return [main.scrollWidth <= main.clientWidth, main.scrollHeight <= main.clientHeight];
        })(document.querySelector("main"))
        """, in: resolver.graph.html())
    }
    #expect(isWhole == [true, true])
  }

  @Test func `finds nodes by words, and shows the needs of a node`() throws {
    try Browser.run { browser in
      let page = Drawn.fiveHundred.page()
      let found: Seen = try browser.evaluate(
        Self.look, in: page, fragment: "#search=named%20480%20doubles")
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

  /// Two attacks: a name in the graph, and a script that was added to the file.
  @Test(arguments: HostileName.allCases)
  func `runs its own script and no other`(name: HostileName) throws {
    struct Ran: Decodable, Equatable {
      let own: Int
      let foreign: Bool
    }
    let page = name.graph().html(title: name.rawValue).replacing(
      "<main>", with: "<main><script>window.ran = 1</script><img src=x onerror='window.ran = 1'>")
    let ran: Ran = try Browser.run {
      try $0.evaluate(
        """
        new Promise(done => setTimeout(() => done({ foreign: window.ran === 1,
          own: document.querySelectorAll("#list button").length }), 100))
        """, in: page)
    }
    #expect(ran == Ran(own: 3, foreign: false))
  }
}

/// The pictures of the documentation in a browser. A page shows them no wider than the window.
@Suite(.browser, .serialized) struct `The drawn page of a picture` {
  private struct Seen: Decodable {
    let width: Double
    /// The texts that overlap another text, or leave the picture.
    let misplaced: [String]
    let background: String
    /// The height of the lowest text, in pixels.
    let lowest: Double
  }

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Docs/Pictures")

  static let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? []

  @Test func `is tested for every picture`() {
    #expect(Self.names.count >= 5)
  }

  @Test(arguments: names, Browser.Window.allCases)
  func `has no overlapping texts`(name: String, window: Browser.Window) throws {
    let picture = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
    let page = """
      <!doctype html><meta name="viewport" content="width=device-width"><style>
      body { margin: 0 } svg { max-width: 100%; height: auto; display: block }
      </style><body>\(picture)</body>
      """
    try Browser.run { browser in
      let seen: Seen = try browser.evaluate(
        """
        (async () => {
          const svg = document.querySelector("svg"), area = svg.getBoundingClientRect();
          const texts = [...svg.querySelectorAll("text")];
          const boxes = texts.map(t => t.getBoundingClientRect());
          const overlap = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
            && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.25 * a.height;
          const isOutside = b => b.left < area.left || b.right > area.right + 1
            || b.top < area.top - 1 || b.bottom > area.bottom + 1;
          return { width: area.width,
            background: getComputedStyle(svg.querySelector(".page")).fill,
            lowest: Math.min(...boxes.map(b => b.height)),
            misplaced: texts.filter((t, i) => isOutside(boxes[i])
              || boxes.some((b, j) => i !== j && overlap(boxes[i], b))).map(t => t.textContent) };
        })()
        """, in: page, window: window)
      #expect(seen.misplaced == [])
      #expect(seen.width <= Double(window.width))
      // A picture that is much wider than a phone is too small to read there.
      #expect(seen.lowest >= 8)
      #expect(seen.background == (window.isDark ? "rgb(13, 17, 23)" : "rgb(255, 255, 255)"))
      _ = try browser.picture(
        of: page, named: "\(name)-\(window.testDescription).png", window: window)
    }
  }
}
