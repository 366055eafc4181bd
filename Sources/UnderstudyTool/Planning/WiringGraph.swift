// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A plan as a graph, whose cycles are found and which is drawn.
package struct WiringGraph {
  /// How often a component is created.
  package enum Lifecycle { case cached, once, notCached }

  /// How a component needs another one.
  package enum Kind { case one, optional, every, deferred }

  /// A component, or a type under which components are requested.
  package struct Node {
    package var title: String
    package var lifecycle = Lifecycle.notCached
  }

  /// A need, by the positions of its nodes.
  package struct Edge {
    package var from: Int
    package var to: Int
    package var kind: Kind
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
    let nodes = plan.registrations.map {
      Node(title: $0.component.title, lifecycle: lifecycle($0.component))
    }
    var edges: [Edge] = []
    for (position, registration) in plan.registrations.enumerated()
    where some?.contains(position) != false {
      for given in registration.sources {
        for provider in given.providers {
          edges.append(Edge(from: position, to: provider, kind: kind(given.need)))
        }
      }
      for given in registration.later {
        let kind = completed.contains(position) ? kind(given.need) : .deferred
        for provider in given.providers {
          edges.append(Edge(from: position, to: provider, kind: kind))
        }
      }
    }
    return WiringGraph(nodes: nodes, edges: edges)
  }

  /// The components, the protocols under which they are requested, and the types that are
  /// registered by hand.
  static func whole(_ plan: WiringPlan) -> WiringGraph {
    var graph = Builder(plan)
    graph.build()
    return WiringGraph(nodes: graph.nodes, edges: graph.edges)
  }

  /// The cycles of needs that are not deferred, each with the positions of its members.
  func cycles() -> [[Int]] {
    var needs = [[Int]](repeating: [], count: nodes.count)
    for edge in edges where edge.kind != .deferred && !needs[edge.from].contains(edge.to) {
      needs[edge.from].append(edge.to)
    }
    return Cycles.all(in: needs)
  }

  private struct Builder {
    let plan: WiringPlan
    var nodes: [Node] = []
    var edges: [Edge] = []
    private var types: [String: Int] = [:]

    init(_ plan: WiringPlan) {
      self.plan = plan
    }

    mutating func build() {
      nodes = plan.registrations.map {
        Node(title: $0.component.title, lifecycle: lifecycle($0.component))
      }
      for (position, registration) in plan.registrations.enumerated() {
        for given in registration.sources { connect(position, given, isLater: false) }
        for given in registration.later { connect(position, given, isLater: true) }
      }
    }

    private mutating func connect(_ from: Int, _ given: WiringPlan.Given, isLater: Bool) {
      guard !given.isOmitted else { return }
      let kind = isLater ? .deferred : WiringGraph.kind(given.need)
      let type = given.need.type
      let isDirect =
        given.providers.count == 1
        && plan.registrations[given.providers[0]].component.type.identity == type.identity
      if isDirect {
        edges.append(Edge(from: from, to: given.providers[0], kind: kind))
        return
      }
      let title =
        type.text
        + (given.need.property.map { " named by '\($0)'" }
          ?? given.name.map { " named \"\($0)\"" } ?? "")
      let isNew = types[title] == nil
      let node = types[title] ?? nodes.count
      if isNew {
        types[title] = node
        nodes.append(Node(title: title))
        for provider in given.providers { edges.append(Edge(from: node, to: provider, kind: .one)) }
      }
      edges.append(Edge(from: from, to: node, kind: kind))
    }
  }

  private static func lifecycle(_ component: Component) -> Lifecycle {
    switch component.lifecycle {
    case .cached, .eager: .cached
    case .once: .once
    case .notCached, nil: .notCached
    }
  }

  private static func kind(_ need: Component.Need) -> Kind {
    switch need.kind {
    case .one: .one
    case .optional: .optional
    case .every: .every
    case .deferred: .deferred
    }
  }
}
