// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy
internal import UnderstudyGraph
public import UnderstudyTool

/// Draws graphs and reads properties for the commands that wire a module.
package struct Library: WiringLibrary {
  package init() {}

  package func text(of graph: WiringGraph, format: String, title: String) -> String {
    let graph = DependencyGraph(graph)
    switch format {
    case "dot": return graph.dot
    case "json": return graph.json
    case "html": return graph.html(title: title)
    case "text": return graph.text + "\n"
    default: return graph.mermaid
    }
  }
}

extension Tool {
  /// Creates a tool that has all commands, and that writes its output to two closures.
  ///
  /// - Parameters:
  ///   - write: Receives every line of output.
  ///   - writeError: Receives every line of an error.
  ///   - showProgress: Receives the progress of long work. Each text replaces the previous one, and
  /// the last one is empty. `nil` without a terminal.
  ///   - launch: Runs a program of the toolchain.
  public init(
    write: @escaping (String) -> Void, writeError: @escaping (String) -> Void,
    showProgress: ((String) -> Void)? = nil,
    launch: @escaping (_ program: String, _ arguments: [String]) -> ProgramEnd = { _, _ in
      ProgramEnd(status: 1)
    }
  ) {
    self.init(
      library: Library(), write: write, writeError: writeError, showProgress: showProgress,
      launch: launch)
  }
}

extension DependencyGraph {
  fileprivate init(_ graph: WiringGraph) {
    self.init(
      written: graph.nodes.map { ($0.title, Lifecycle($0.lifecycle)) },
      edges: graph.edges.map { ($0.from, $0.to, Edge.Kind($0.kind)) })
  }
}

extension Lifecycle {
  fileprivate init(_ lifecycle: WiringGraph.Lifecycle) {
    self =
      switch lifecycle {
      case .cached: .cached
      case .once: .once
      case .notCached: .notCached
      }
  }
}

extension DependencyGraph.Edge.Kind {
  fileprivate init(_ kind: NeedKind) {
    self =
      switch kind {
      case .one: .one
      case .optional: .optional
      case .every: .every
      case .deferred: .deferred
      }
  }
}
