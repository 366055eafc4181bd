// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A plan as a graph, whose cycles are found and which is drawn.
package struct WiringGraph {
  /// How often a component is created.
  package enum Lifecycle { case cached, once, notCached }

  /// A component, or a type under which components are requested.
  package struct Node {
    package var title: String
    package var lifecycle = Lifecycle.notCached

    fileprivate init(type title: String) { self.title = title }

    fileprivate init(_ component: Component) {
      title = component.title
      lifecycle =
        switch component.lifecycle {
        case .cached, .eager: .cached
        case .once: .once
        case .notCached, nil: .notCached
        }
    }
  }

  /// A need, by the positions of its nodes.
  package struct Edge {
    package var from: Int
    package var to: Int
    package var kind: NeedKind
  }

  package private(set) var nodes: [Node]
  package private(set) var edges: [Edge]

  /// The components only, each at its position in the plan.
  ///
  /// The needs of injectors are deferred, except for those of `completed`. With `some`, only these
  /// components have needs.
  static func components(
    of plan: WiringPlan, completing completed: Set<Int> = [], among some: Set<Int>? = nil
  ) -> WiringGraph {
    var graph = WiringGraph(plan)
    for (position, registration) in plan.registrations.enumerated()
    where some?.contains(position) != false {
      let isCompleted = completed.contains(position)
      let needs =
        registration.sources.map { ($0, $0.need.kind) }
        + registration.later.map { ($0, isCompleted ? $0.need.kind : .deferred) }
      for (given, kind) in needs {
        graph.edges += given.providers.map { Edge(from: position, to: $0, kind: kind) }
      }
    }
    return graph
  }

  /// The components, the protocols under which they are requested, and the types that are
  /// registered by hand.
  static func whole(_ plan: WiringPlan) -> WiringGraph {
    var graph = WiringGraph(plan)
    var types: [String: Int] = [:]
    for (position, registration) in plan.registrations.enumerated() {
      for given in registration.sources {
        graph.connect(position, given, given.need.kind, plan, &types)
      }
      for given in registration.later { graph.connect(position, given, .deferred, plan, &types) }
    }
    return graph
  }

  private init(_ plan: WiringPlan) {
    nodes = plan.registrations.map { Node($0.component) }
    edges = []
  }

  /// The cycles of needs that are not deferred, each with the positions of its members.
  func cycles() -> [[Int]] {
    var needs = [[Int]](repeating: [], count: nodes.count)
    for edge in edges where edge.kind != .deferred && !needs[edge.from].contains(edge.to) {
      needs[edge.from].append(edge.to)
    }
    return Cycles.all(in: needs)
  }

  /// Adds the edge of a need: to the component of exactly its type, or to a node of the type
  /// itself, which needs the answering components.
  private mutating func connect(
    _ from: Int, _ given: WiringPlan.Given, _ kind: NeedKind, _ plan: WiringPlan,
    _ types: inout [String: Int]
  ) {
    guard !given.isOmitted else { return }
    let type = given.need.type
    if given.providers.count == 1,
      plan.registrations[given.providers[0]].component.type.identity == type.identity
    {
      edges.append(Edge(from: from, to: given.providers[0], kind: kind))
      return
    }
    let title =
      type.text
      + (given.need.property.map { " named by '\($0)'" }
        ?? given.name.map { " named \"\($0)\"" } ?? "")
    let node = types[title] ?? nodes.count
    if types.updateValue(node, forKey: title) == nil {
      nodes.append(Node(type: title))
      edges += given.providers.map { Edge(from: node, to: $0, kind: .one) }
    }
    edges.append(Edge(from: from, to: node, kind: kind))
  }
}
