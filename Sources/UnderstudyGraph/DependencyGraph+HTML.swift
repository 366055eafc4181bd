// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

extension DependencyGraph {
  /// The graph as one page without other files. It has a search, the needs of each node, the
  /// findings, and a colour for each layer. Three or more named registrations of one type can be
  /// folded into one node.
  ///
  /// The page's Content-Security-Policy allows its own script and style, by their hashes, and
  /// nothing else. So no other script runs and nothing is loaded, also if a name in the graph
  /// contains markup.
  ///
  /// - Parameter title: The title of the page.
  /// - Returns: The page. The same graph gives the same text.
  public func html(title: String = "Dependencies") -> String {
    let title = title.withInvisibleScalarsEscaped.escapedForHTML
    let layout = GraphLayout(self)
    let groups = NodeGroups(self)
    let findings = findings
    let style = "\n" + GraphPage.style + colorRules
    let script = "\n" + GraphPage.script
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
      script-src 'sha256-\(SHA256.base64(of: script))'; \
      style-src 'sha256-\(SHA256.base64(of: style))'; base-uri 'none'; form-action 'none'">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title)</title>
      <style>\(style)</style>
      </head>
      <body>
      <aside>
      <h1>\(title)</h1>
      <p class="sum">\(sum(findings.count))</p>
      <ul class="legend">\(styles.map(legend).joined())</ul>
      <p class="sum">Lines: thick for all of a type, dashed for an optional, dotted for a provider.</p>
      \(groups.list)<p class="tools"><button id="larger" aria-label="Larger">+</button>\
      <button id="smaller" aria-label="Smaller">−</button><button id="whole">Whole graph</button></p>
      <input id="search" type="search" placeholder="Search" aria-label="Search">
      <ol id="list"></ol>
      <section id="detail" aria-live="polite"></section>
      \(list(findings))</aside>
      <main>
      <svg id="graph" width="\(layout.width)" height="\(layout.height)" \
      viewBox="0 0 \(layout.width) \(layout.height)" role="img" aria-label="\(title)">
      <defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" \
      markerUnits="userSpaceOnUse" \
      orient="auto"><path d="M0 0 8 4 0 8z"/></marker></defs>
      \(drawnEdges)\(isolatedTitle(layout))\(drawnNodes(layout, groups))</svg>
      </main>
      <script type="application/json" id="data">
      {"nodes": [
      \(nodes.indices.map { data(of: $0, layout, groups) }.joined(separator: ",\n"))
      ], "groups": [\(groups.titles.map(\.json).joined(separator: ", "))], "edges": [
      \(edges.map { "[\($0.from), \($0.to), \"\($0.kind.rawValue)\"]" }.joined(separator: ",\n"))
      ], "box": [\(GraphLayout.boxWidth), \(GraphLayout.boxHeight)], "textWidth": \(GraphLayout.textWidth)}
      </script>
      <script>\(script)</script>
      </body>
      </html>

      """
  }

  private func sum(_ findings: Int) -> String {
    let counts = [
      counted(nodes.count, "node"), counted(edges.count, "edge"), counted(findings, "finding"),
    ]
    return counts.joined(separator: ", ") + (droppedNotice.map { " (\($0))" } ?? "")
  }

  private var colorRules: String {
    func rules(_ colors: (GraphStyle) -> (fill: String, stroke: String)) -> String {
      styles.map { style in
        let colors = colors(style)
        return ".\(style.name) { --fill: \(colors.fill); --stroke: \(colors.stroke) }\n"
      }.joined()
    }
    return rules { ($0.color.fill, $0.color.stroke) }
      + "@media (prefers-color-scheme: dark) {\n"
      + rules { ($0.color.darkFill, $0.color.darkStroke) } + "}\n"
  }

  private func legend(_ style: GraphStyle) -> String {
    "<li class=\"\(style.name)\"><i></i>\(style.meaning.escapedForHTML)</li>"
  }

  private func list(_ findings: [Finding]) -> String {
    guard !findings.isEmpty else { return "" }
    let items = findings.map { finding in
      "<details><summary>\(finding.kind.rawValue): "
        + "\(finding.path.map(\.visibleStep).joined(separator: " → ").escapedForHTML)</summary>"
        + "<pre>\(finding.description.escapedForHTML)</pre></details>\n"
    }
    return "<section id=\"findings\"><h2>Findings</h2>\n\(items.joined())</section>\n"
  }

  /// The data of a node for the page's script.
  private func data(of index: Int, _ layout: GraphLayout, _ groups: NodeGroups) -> String {
    let node = nodes[index]
    let box = layout.boxes[index]
    let site = node.callSite.map { "\($0)".withInvisibleScalarsEscaped } ?? ""
    let fields = [
      node.label.json, node.traits.joined(separator: ", ").json, site.json,
      style(of: node).json, groups.group(of: index).map { "\($0)" } ?? "null", "\(box.x)",
      "\(box.y)",
    ]
    return "[" + fields.joined(separator: ", ") + "]"
  }

  private func isolatedTitle(_ layout: GraphLayout) -> String {
    guard let top = layout.isolatedTop else { return "" }
    return "<text class=\"group\" x=\"24\" y=\"\(top)\">Connected to nothing</text>\n"
  }

  /// The edges without their lines. The script draws the lines, since folding moves them.
  private var drawnEdges: String {
    edges.enumerated().map { index, edge in
      "<path id=\"e\(index)\" class=\"edge \(edge.kind.rawValue)\"/>\n"
    }.joined()
  }

  private func drawnNodes(_ layout: GraphLayout, _ groups: NodeGroups) -> String {
    let labels = BoxLabels(nodes.map(\.label))
    return nodes.enumerated().map { index, node in
      let box = layout.boxes[index]
      let lines = labels.lines[index]
      let top = lines.count == 1 ? 25 : 18
      var texts = lines.enumerated().map { line, text in
        "<text x=\"11\" y=\"\(top + 16 * line)\">\(text.escapedForHTML)</text>"
      }
      let traits = node.traits.joined(separator: ", ")
      texts.append(
        "<text class=\"traits\" x=\"11\" y=\"\(top + 16 * lines.count)\">"
          + BoxLabels.cutAtTheEnd(traits, to: 38).escapedForHTML + "</text>")
      if let title = groups.title(foldedInto: index) {
        let title = BoxLabels.cutAtTheEnd(title, to: BoxLabels.lineLength)
        texts.append("<text class=\"stacked\" x=\"11\" y=\"34\">\(title.escapedForHTML)</text>")
      }
      return "<g id=\"n\(index)\" class=\"node \(style(of: node))\" tabindex=\"0\" "
        + "transform=\"translate(\(box.x) \(box.y))\">"
        + "<title>\(node.label.escapedForHTML)</title>"
        + "<rect width=\"\(GraphLayout.boxWidth)\" height=\"\(GraphLayout.boxHeight)\" rx=\"7\"/>"
        + "\(texts.joined())</g>\n"
    }.joined()
  }
}

/// The nodes of one type with different names, for example the properties of a program. The page
/// can fold them into one node.
struct NodeGroups {
  /// The smallest number of nodes in a group.
  private static let minimum = 3

  private(set) var titles: [String] = []
  private var groups: [Int: Int] = [:]
  private var first: [Int: Int] = [:]

  init(_ graph: DependencyGraph) {
    /// Two types may have the same text.
    struct Kind: Hashable {
      let type: ObjectIdentifier
      let text: String
    }
    var members: [Kind: [Int]] = [:]
    var order: [Kind] = []
    for (index, node) in graph.nodes.enumerated() {
      guard let end = node.label.firstRange(of: " named ")?.lowerBound else { continue }
      let kind = Kind(type: ObjectIdentifier(node.key.type), text: String(node.label[..<end]))
      if members[kind] == nil { order.append(kind) }
      members[kind, default: []].append(index)
    }
    for kind in order {
      guard let nodes = members[kind], nodes.count >= NodeGroups.minimum else { continue }
      for node in nodes { groups[node] = titles.count }
      first[nodes[0]] = titles.count
      titles.append("\(kind.text) × \(nodes.count)")
    }
  }

  func group(of node: Int) -> Int? { groups[node] }

  /// The title of the group that is drawn as this node while it is folded.
  func title(foldedInto node: Int) -> String? { first[node].map { titles[$0] } }

  /// The switches of the page.
  var list: String {
    guard !titles.isEmpty else { return "" }
    let items = titles.enumerated().map { index, title in
      "<li><label><input type=\"checkbox\" class=\"fold\" value=\"\(index)\"> Fold "
        + "\(title.escapedForHTML)</label></li>"
    }
    return "<ul class=\"legend\">\(items.joined())</ul>\n"
  }
}
