// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension DependencyGraph: CustomStringConvertible {
  /// The graph as text: each node, and below it what it needs.
  ///
  /// ```
  /// Checkout  notCached
  /// ├─ any Mailer  autowired
  /// └─ any Store  autowired, optional
  /// any Mailer  notCached, layer 'a confirmed order'
  /// any Store  cached
  /// ```
  public var description: String { text }

  /// The graph as text: each node, and below it what it needs.
  public var text: String {
    let needs = Dictionary(grouping: edges, by: \.from)
    var lines: [String] = []
    for (position, node) in nodes.enumerated() {
      lines.append("\(node.label)  \(node.traits.joined(separator: ", "))")
      let needs = needs[position] ?? []
      for (index, edge) in needs.enumerated() {
        let branch = index == needs.count - 1 ? "└─" : "├─"
        let kind = edge.kind == .one ? "" : ", \(edge.kind.rawValue)"
        lines.append("\(branch) \(nodes[edge.to].label)  \(edge.origin.rawValue)\(kind)")
      }
    }
    return lines.isEmpty ? "Nothing is registered." : lines.joined(separator: "\n")
  }

  /// The graph for Mermaid.
  public var mermaid: String {
    var lines = ["graph LR"]
    for (position, node) in nodes.enumerated() {
      let text = node.label.escaped(["&": "#amp;", "\"": "#quot;", "<": "#lt;", ">": "#gt;"])
      lines.append("  n\(position)[\"\(text)\"]:::\(style(of: node))")
    }
    for edge in edges {
      let arrow =
        switch edge.kind {
        case .one: "-->"
        case .optional: "-.->"
        case .every: "==>"
        case .deferred: "-. later .->"
        }
      lines.append("  n\(edge.from) \(arrow) n\(edge.to)")
    }
    for (style, color, _) in styles {
      lines.append("  classDef \(style) fill:\(color.fill),stroke:\(color.stroke),color:#1b1b1f")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The graph for Graphviz.
  public var dot: String {
    let colors = Dictionary(uniqueKeysWithValues: styles.map { ($0.name, $0.color) })
    var lines = [
      "digraph dependencies {", "  rankdir=LR",
      "  node [shape=box, style=\"rounded,filled\", fontname=\"Helvetica\"]",
    ]
    for (position, node) in nodes.enumerated() {
      let color = colors[style(of: node)]
      let text = node.label.escaped(["\\": "\\\\", "\"": "\\\""])
      lines.append(
        "  n\(position) [label=\"\(text)\", fillcolor=\"\(color?.fill ?? "white")\", "
          + "color=\"\(color?.stroke ?? "black")\"]")
    }
    for edge in edges {
      let style =
        switch edge.kind {
        case .one: ""
        case .optional: " [style=dashed]"
        case .every: " [style=bold]"
        case .deferred: " [style=dotted]"
        }
      lines.append("  n\(edge.from) -> n\(edge.to)\(style)")
    }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  /// The graph as JSON: nodes, edges by index, layers and findings.
  public var json: String {
    let nodes = nodes.map { node -> String in
      var fields = [
        ("key", node.label.json), ("kind", node.kind.rawValue.json),
        ("lifecycle", "\(node.lifecycle)".json), ("retention", "\(node.retention)".json),
      ]
      if let layer = node.layer { fields.append(("layer", layer.json)) }
      if let callSite = node.callSite { fields.append(("registeredAt", "\(callSite)".json)) }
      if let type = node.argumentType {
        fields.append(("argument", TypeDescription.of(type).json))
      }
      return "{" + fields.map { "\"\($0)\": \($1)" }.joined(separator: ", ") + "}"
    }
    let edges = edges.map { edge in
      "{\"from\": \(edge.from), \"to\": \(edge.to), \"origin\": \"\(edge.origin.rawValue)\", "
        + "\"kind\": \"\(edge.kind.rawValue)\"}"
    }
    let findings = findings.map { finding in
      let path = finding.path.map { $0.step.json }.joined(separator: ", ")
      return "{\"kind\": \"\(finding.kind.rawValue)\", \"path\": [\(path)], "
        + "\"message\": \(finding.description.json)}"
    }
    let lists = [
      ("layers", layers.map(\.json)), ("nodes", nodes), ("edges", edges), ("findings", findings),
    ]
    let members = lists.map { name, items in
      items.isEmpty
        ? "  \"\(name)\": []"
        : "  \"\(name)\": [\n    \(items.joined(separator: ",\n    "))\n  ]"
    }
    return "{\n\(members.joined(separator: ",\n"))\n}\n"
  }
}

extension DependencyGraph {
  struct Color: Hashable {
    let fill: String
    let stroke: String
  }

  private static let palette = [
    Color(fill: "#ffe0a3", stroke: "#a86400"), Color(fill: "#d3f0c2", stroke: "#3b7a1d"),
    Color(fill: "#e6d5ff", stroke: "#6b3fb0"), Color(fill: "#c8eff0", stroke: "#0c7478"),
    Color(fill: "#fbd3e6", stroke: "#a3246a"),
  ]

  /// The styles that are used, with what they mean.
  var styles: [(name: String, color: Color, meaning: String)] {
    let all =
      [
        ("production", Color(fill: "#dbe6f6", stroke: "#3a5f95"), "production"),
        ("declared", Color(fill: "#eceff3", stroke: "#6a7280"), "declared, by default"),
      ]
      + layers.enumerated().map { index, name in
        (
          "layer\(index)", DependencyGraph.palette[index % DependencyGraph.palette.count],
          "layer '\(name)'"
        )
      } + [("missing", Color(fill: "#ffd6d6", stroke: "#b3151c"), "missing")]
    let used = Set(nodes.map { style(of: $0) })
    return all.filter { used.contains($0.0) }
  }

  func style(of node: Node) -> String {
    switch node.kind {
    case .missing: return "missing"
    case .declared: return "declared"
    case .registered:
      guard let layer = node.layer, let index = layers.firstIndex(of: layer) else {
        return "production"
      }
      return "layer\(index)"
    }
  }
}

extension DependencyGraph.Node {
  /// What is said of a node, apart from its key.
  var traits: [String] {
    guard kind != .missing else { return ["missing"] }
    var traits = ["\(lifecycle)"]
    if retention == .weak { traits.append("weak") }
    if let argumentType { traits.append("takes \(TypeDescription.of(argumentType))") }
    if kind == .declared { traits.append("declared") }
    if let layer { traits.append("layer '\(layer)'") }
    return traits
  }
}

extension String {
  func escaped(_ replacements: [Character: String]) -> String {
    var text = ""
    for character in self { text += replacements[character] ?? String(character) }
    return text
  }

  /// As a JSON string that may also stand in a script element.
  var json: String {
    var text = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case "\r": text += "\\r"
      case "<", ">", "&", "\u{2028}", "\u{2029}": text += scalar.unicodeEscape
      default:
        if scalar.value < 0x20 {
          text += scalar.unicodeEscape
        } else {
          text.unicodeScalars.append(scalar)
        }
      }
    }
    return text + "\""
  }
}

extension Unicode.Scalar {
  fileprivate var unicodeEscape: String {
    let digits = String(value, radix: 16)
    return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
