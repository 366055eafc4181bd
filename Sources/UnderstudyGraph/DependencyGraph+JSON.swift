// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

extension DependencyGraph {
  /// The graph as JSON: nodes, edges by index, layers and findings. The keys are as they were
  /// registered. JSON's escapes stand for invisible characters. If the log dropped resolutions,
  /// their number is there, too.
  public var json: String {
    let nodes = nodes.map { node -> String in
      var fields = [
        ("key", node.key.step.json), ("kind", node.kind.rawValue.json),
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
    let dropped = droppedEvents > 0 ? ["  \"droppedEvents\": \(droppedEvents)"] : []
    return "{\n\((members + dropped).joined(separator: ",\n"))\n}\n"
  }
}
