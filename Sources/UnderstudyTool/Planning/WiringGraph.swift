// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy
internal import UnderstudyGraph

/// Draws a plan in the form in which the core draws registrations.
enum WiringGraph {
  /// The components only, each at its position in the plan.
  ///
  /// The needs of injectors are deferred, except for those of `completed`. With `some`, only these
  /// components have needs.
  static func components(
    of plan: WiringPlan, completing completed: Set<Int> = [], among some: Set<Int>? = nil
  ) -> DependencyGraph {
    let nodes = plan.registrations.map {
      DependencyGraph.WrittenNode($0.component.title, lifecycle: lifecycle($0.component))
    }
    var edges: [(from: Int, to: Int, kind: DependencyGraph.Edge.Kind)] = []
    for (position, registration) in plan.registrations.enumerated()
    where some?.contains(position) != false {
      for given in registration.sources {
        for provider in given.providers { edges.append((position, provider, kind(given.need))) }
      }
      for given in registration.later {
        let kind = completed.contains(position) ? kind(given.need) : .deferred
        for provider in given.providers { edges.append((position, provider, kind)) }
      }
    }
    return DependencyGraph(written: nodes, edges: edges)
  }

  /// The components, the protocols under which they are requested, and the types that are
  /// registered by hand.
  static func whole(_ plan: WiringPlan) -> DependencyGraph {
    var graph = Builder(plan)
    graph.build()
    return DependencyGraph(written: graph.nodes, edges: graph.edges)
  }

  /// The whole graph as text.
  static func text(of plan: WiringPlan, format: String, title: String) -> String {
    let graph = whole(plan)
    switch format {
    case "dot": return graph.dot
    case "json": return graph.json
    case "html": return graph.html(title: title)
    case "text": return graph.text + "\n"
    default: return graph.mermaid
    }
  }

  private struct Builder {
    let plan: WiringPlan
    var nodes: [DependencyGraph.WrittenNode] = []
    var edges: [(from: Int, to: Int, kind: DependencyGraph.Edge.Kind)] = []
    private var types: [String: Int] = [:]

    init(_ plan: WiringPlan) {
      self.plan = plan
    }

    mutating func build() {
      nodes = plan.registrations.map {
        DependencyGraph.WrittenNode($0.component.title, lifecycle: lifecycle($0.component))
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
      if isDirect { return edges.append((from, given.providers[0], kind)) }
      let title =
        type.text
        + (given.need.property.map { " named by '\($0)'" }
          ?? given.name.map { " named \"\($0)\"" } ?? "")
      let isNew = types[title] == nil
      let node = types[title] ?? nodes.count
      if isNew {
        types[title] = node
        nodes.append(DependencyGraph.WrittenNode(title))
        for provider in given.providers { edges.append((node, provider, .one)) }
      }
      edges.append((from, node, kind))
    }
  }

  private static func lifecycle(_ component: Component) -> Lifecycle {
    switch component.lifecycle {
    case .cached, .eager: .cached
    case .once: .once
    case .notCached, nil: .notCached
    }
  }

  private static func kind(_ need: Component.Need) -> DependencyGraph.Edge.Kind {
    switch need.kind {
    case .one: .one
    case .optional: .optional
    case .every: .every
    case .deferred: .deferred
    }
  }
}
