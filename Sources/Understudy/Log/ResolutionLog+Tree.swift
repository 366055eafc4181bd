// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension ResolutionLog {
  /// Who resolved whom, one resolution a line, what a block asked for below it.
  ///
  /// ```
  /// CheckoutModel  made by production
  /// ├─ any Mailer  made by layer 'a confirmed order'
  /// └─ any Clock  reused from production
  /// ```
  public var tree: String {
    let events = events
    let known = Set(events.map(\.order))
    var children: [Int?: [ResolutionEvent]] = [:]
    for event in events {
      let parent = event.parent.flatMap { known.contains($0) ? $0 : nil }
      children[parent, default: []].append(event)
    }
    var lines: [String] = []
    if droppedEvents > 0 { lines.append("(\(droppedEvents) earlier resolutions are not shown)") }
    for root in children[nil] ?? [] {
      append(root, prefix: "", branch: "", children: children, to: &lines)
    }
    return lines.isEmpty ? "Nothing was resolved." : lines.joined(separator: "\n")
  }

  private func append(
    _ event: ResolutionEvent, prefix: String, branch: String,
    children: [Int?: [ResolutionEvent]], to lines: inout [String]
  ) {
    lines.append(prefix + branch + event.line)
    let below = children[event.order] ?? []
    let indent =
      switch branch {
      case "": prefix
      case "└─ ": prefix + "   "
      default: prefix + "│  "
      }
    for (index, child) in below.enumerated() {
      let branch = index == below.count - 1 ? "└─ " : "├─ "
      append(child, prefix: indent, branch: branch, children: children, to: &lines)
    }
  }
}

extension ResolutionEvent {
  /// `any Mailer  made by layer 'a confirmed order'`
  fileprivate var line: String {
    let source = layer.map { "layer '\($0)'" } ?? "production"
    let end =
      switch outcome {
      case .made: "made by \(source)"
      case .reused: "reused from \(source)"
      case .missed: "missed"
      case .failed: "failed in \(source)"
      }
    let argument = argument.map { " with \($0)\(ignoredArgument ? " (ignored)" : "")" } ?? ""
    return "\(key.step)  \(end)\(argument)"
  }
}
