// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

extension ResolutionLog {
  /// The resolutions as a tree, with a line for each, below its requester.
  ///
  /// ```
  /// CheckoutModel  made by production
  /// ├─ any Mailer  made by layer 'a confirmed order'
  /// └─ any Clock  reused from production
  /// ```
  public var tree: String { tree() }

  /// The resolutions that pass a filter, as a tree. If one does not pass, the resolutions below it
  /// move up.
  ///
  /// - Parameters:
  ///   - isColored: True to colour missed and failed resolutions. By default true on a terminal,
  ///     unless `NO_COLOR` is set.
  ///   - isShown: Which resolutions are shown.
  /// - Returns: The tree, with a line for each resolution.
  public func tree(
    isColored: Bool? = nil, where isShown: (ResolutionEvent) -> Bool = { _ in true }
  ) -> String {
    let isColored = isColored ?? printsInColor
    let all = events
    let events = all.filter(isShown)
    let shown = Set(events.map(\.order))
    let parents = all.reduce(into: [:]) { $0[$1.order] = $1.parent }
    var children: [Int?: [ResolutionEvent]] = [:]
    for event in events {
      var parent = event.parent
      while let next = parent, !shown.contains(next) { parent = parents[next] }
      children[parent, default: []].append(event)
    }
    var lines: [String] = []
    if droppedEvents > 0 { lines.append("(\(droppedEvents) earlier resolutions are not shown)") }
    for root in children[nil] ?? [] {
      append(root, prefix: "", branch: "", isColored: isColored, children: children, to: &lines)
    }
    return lines.isEmpty ? "Nothing was resolved." : lines.joined(separator: "\n")
  }

  private func append(
    _ event: ResolutionEvent, prefix: String, branch: String, isColored: Bool,
    children: [Int?: [ResolutionEvent]], to lines: inout [String]
  ) {
    let below = children[event.order] ?? []
    // A decorator resolves its own key below its layer.
    let decorates = below.contains { $0.key == event.key }
    lines.append(prefix + branch + event.line(isColored, decorates: decorates))
    let indent =
      switch branch {
      case "": prefix
      case "└─ ": prefix + "   "
      default: prefix + "│  "
      }
    for (index, child) in below.enumerated() {
      let branch = index == below.count - 1 ? "└─ " : "├─ "
      append(
        child, prefix: indent, branch: branch, isColored: isColored, children: children, to: &lines)
    }
  }
}

extension ResolutionEvent {
  /// `any Mailer  made by layer 'a confirmed order'`
  fileprivate func line(_ isColored: Bool, decorates: Bool) -> String {
    let source = layer.map { "layer '\($0)'" } ?? "production"
    let end =
      switch outcome {
      case .made: "\(decorates ? "decorated" : "made") by \(source)"
      case .reused: "reused from \(source)"
      case .missed: "missed"
      case .failed: "failed in \(source)"
      }
    let ignored = ignoredArgument ? " (ignored)" : ""
    let argument = argument.map { " with \(inOneLine($0))\(ignored)" } ?? ""
    let line = "\(key.step)  \(end)\(argument)".withInvisibleScalarsEscaped
    return isColored && (outcome == .missed || outcome == .failed)
      ? "\u{1B}[31m\(line)\u{1B}[0m" : line
  }

  /// The text in one line, with spaces in place of line breaks. A long text is cut, with its
  /// length.
  private func inOneLine(_ text: String) -> String {
    let line = text.withoutAddresses.split(whereSeparator: \.isNewline).joined(separator: " ")
    return line.count > 100 ? "\(line.prefix(100))… (\(text.count) characters)" : line
  }
}
