// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

extension DependencyGraph {
  /// The graph as one page that needs nothing else: search, what a node needs and who needs it, what
  /// is wrong, the layers in colours.
  ///
  /// - Parameter title: What the page is called.
  /// - Returns: The page; the same for the same graph.
  public func html(title: String = "Dependencies") -> String {
    let layout = GraphLayout(self)
    let findings = findings
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title.html)</title>
      <style>
      \(GraphPage.style)\(styles.map(rule).joined())</style>
      </head>
      <body>
      <aside>
      <h1>\(title.html)</h1>
      <p class="sum">\(sum(findings.count))</p>
      <ul class="legend">\(styles.map(legend).joined())</ul>
      <p class="sum">Thick: every one of a type. Dashed: if there is one. Dotted: later.</p>
      <input id="search" type="search" placeholder="Search" aria-label="Search" autofocus>
      <ol id="list"></ol>
      <section id="detail" aria-live="polite"></section>
      \(list(findings))</aside>
      <main>
      <svg id="graph" width="\(layout.width)" height="\(layout.height)" \
      viewBox="0 0 \(layout.width) \(layout.height)" role="img" aria-label="\(title.html)">
      <defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" \
      markerUnits="userSpaceOnUse" \
      orient="auto"><path d="M0 0 8 4 0 8z"/></marker></defs>
      \(drawnEdges(layout))\(isolatedTitle(layout))\(drawnNodes(layout))</svg>
      </main>
      <script>
      const nodes = [\(nodes.map(script).joined(separator: ",\n"))];
      const edges = [\(edges.map { "[\($0.from),\($0.to),\"\($0.kind.rawValue)\"]" }
        .joined(separator: ","))];
      \(GraphPage.script)</script>
      </body>
      </html>

      """
  }

  private func sum(_ findings: Int) -> String {
    func count(_ number: Int, _ what: String) -> String {
      "\(number) \(what)\(number == 1 ? "" : "s")"
    }
    return [count(nodes.count, "node"), count(edges.count, "edge"), count(findings, "finding")]
      .joined(separator: ", ")
  }

  private func rule(_ style: (name: String, color: Color, meaning: String)) -> String {
    ".\(style.name) { --fill: \(style.color.fill); --stroke: \(style.color.stroke) }\n"
  }

  private func legend(_ style: (name: String, color: Color, meaning: String)) -> String {
    "<li class=\"\(style.name)\"><i></i>\(style.meaning.html)</li>"
  }

  private func list(_ findings: [Finding]) -> String {
    guard !findings.isEmpty else { return "" }
    let items = findings.map { finding in
      "<details><summary>\(finding.kind.rawValue): "
        + "\(finding.path.map(\.step).joined(separator: " → ").html)</summary>"
        + "<pre>\(finding.description.html)</pre></details>\n"
    }
    return "<section id=\"findings\"><h2>Findings</h2>\n\(items.joined())</section>\n"
  }

  private func script(_ node: Node) -> String {
    let site = node.callSite.map { "\($0)" } ?? ""
    return "[\(node.label.json),\(node.traits.joined(separator: ", ").json),\(site.json),"
      + "\"\(style(of: node))\"]"
  }

  private func isolatedTitle(_ layout: GraphLayout) -> String {
    guard let top = layout.isolatedTop else { return "" }
    return "<text class=\"group\" x=\"24\" y=\"\(top)\">Connected to nothing</text>\n"
  }

  private func drawnEdges(_ layout: GraphLayout) -> String {
    edges.enumerated().map { index, edge in
      let (from, to) = (layout.boxes[edge.from], layout.boxes[edge.to])
      let middle = GraphLayout.boxHeight / 2
      let start = (x: from.x + GraphLayout.boxWidth, y: from.y + middle)
      let end = (x: to.x, y: to.y + middle)
      // What is needed stands on the right, unless a cycle leads back.
      let bend = end.x > start.x ? max(30, (end.x - start.x) / 2) : 70
      return
        "<path id=\"e\(index)\" class=\"edge \(edge.kind.rawValue)\" d=\"M\(start.x) \(start.y)"
        + "C\(start.x + bend) \(start.y) \(end.x - bend) \(end.y) \(end.x) \(end.y)\"/>\n"
    }.joined()
  }

  private func drawnNodes(_ layout: GraphLayout) -> String {
    nodes.enumerated().map { index, node in
      let box = layout.boxes[index]
      return "<g id=\"n\(index)\" class=\"node \(style(of: node))\" tabindex=\"0\" "
        + "transform=\"translate(\(box.x) \(box.y))\">"
        + "<title>\(node.label.html)</title>"
        + "<rect width=\"\(GraphLayout.boxWidth)\" height=\"\(GraphLayout.boxHeight)\" rx=\"7\"/>"
        + "<text x=\"11\" y=\"17\">\(node.label.shortened(to: 29).html)</text>"
        + "<text class=\"traits\" x=\"11\" y=\"32\">"
        + "\(node.traits.joined(separator: ", ").shortened(to: 36).html)</text></g>\n"
    }.joined()
  }
}

extension String {
  fileprivate var html: String {
    escaped(["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"])
  }

  fileprivate func shortened(to limit: Int) -> String {
    count <= limit ? self : prefix(limit - 1) + "…"
  }
}
