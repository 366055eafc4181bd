// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A type that stands for another dependency and says how it is needed: `T?`, `[T]`, a provider.
protocol ImpliedDependency {
  static var impliedType: any Any.Type { get }
  static var impliedKind: DependencyGraph.Edge.Kind { get }
}

extension Optional: ImpliedDependency {
  static var impliedType: any Any.Type { Wrapped.self }
  static var impliedKind: DependencyGraph.Edge.Kind { .optional }
}

extension Array: ImpliedDependency {
  static var impliedType: any Any.Type { Element.self }
  static var impliedKind: DependencyGraph.Edge.Kind { .every }
}

/// State of a resolver that adds findings to its graph.
package protocol GraphContributor: ResolverAttachment {
  var notices: [DependencyGraph.Finding] { get }
}

extension Resolver {
  /// The dependency graph, as the calling task sees it. Work that lost its context sees the layers
  /// of the test that adopts such work.
  ///
  /// - Complexity: O(registrations + edges).
  public var graph: DependencyGraph {
    GraphBuilder(self, under: OverrideLayer.ofCaller?.nearest(of: self)).graph()
  }
}

/// Builds the graph of a resolver under a stack of layers.
private struct GraphBuilder {
  private let resolver: Resolver
  /// The layers, innermost first.
  private let layers: [OverrideLayer]
  private var nodes: [DependencyGraph.Node] = []
  private var registrations: [AnyRegistration?] = []
  private var index: [AnyKey: Int] = [:]
  private var byType: [ObjectIdentifier: [Int]] = [:]
  private var edges: [DependencyGraph.Edge] = []
  /// The indices of the edges, by their two nodes.
  private var known: [SIMD2<Int>: Int] = [:]
  private var notices: [DependencyGraph.Finding] = []
  /// For each key with a decorator: the registrations that the decorator shadows, nearest first.
  private var decorated: [AnyKey: [AnyRegistration]] = [:]

  init(_ resolver: Resolver, under layer: OverrideLayer?) {
    self.resolver = resolver
    layers = Array(sequence(first: layer) { $0?.next(of: resolver) }.compactMap { $0 })
  }

  consuming func graph() -> DependencyGraph {
    var answering: [AnyKey: (registration: AnyRegistration, layer: String?)] = [:]
    var order: [AnyKey] = []
    let production = resolver.store.all.map { ($0, String?.none, resolver.store) }
    let overrides = layers.reversed().flatMap { layer in
      layer.store.all.map { ($0, Optional(layer.name), layer.store) }
    }
    for (registration, layer, store) in production + overrides {
      noteDecorated(by: registration, over: answering[registration.key]?.registration)
      if answering.updateValue((registration, layer), forKey: registration.key) == nil {
        order.append(registration.key)
      }
      if !registration.isMerged, let replaced = store.replaced(by: registration) {
        notices.append(
          DependencyGraph.Finding(
            .duplicate, [registration.key], at: registration.callSite, and: replaced))
      }
    }
    for key in order {
      guard let (registration, layer) = answering[key] else { continue }
      _ = add(registration, layer)
    }
    for attachment in resolver.attachments {
      notices += (attachment as? any GraphContributor)?.notices ?? []
    }
    for from in nodes.indices {
      guard let registration = registrations[from] else { continue }
      for registration in [registration] + (decorated[registration.key] ?? []) {
        for need in registration.needs { connect(from, to: need, .autowired) }
        for need in registration.statedNeeds { connect(from, to: need, .stated) }
      }
    }
    connectWhatWasSeen()
    return DependencyGraph(
      nodes: nodes, edges: edges, layers: layers.reversed().map(\.name), notices: notices)
  }

  /// Stores the registrations that a decorator or a fault shadows: those of its own layer, or the
  /// earlier answer.
  private mutating func noteDecorated(
    by registration: AnyRegistration, over below: AnyRegistration?
  ) {
    let key = registration.key
    var chain: [AnyRegistration] = []
    var next = registration
    while next.isDecoration, let replaced = next.replaced {
      chain.append(replaced)
      next = replaced
    }
    guard next.isDecoration else { return decorated[key] = chain }
    if let below = below ?? key.declaredDefault { chain += [below] + (decorated[key] ?? []) }
    decorated[key] = chain
  }

  private mutating func add(_ registration: AnyRegistration, _ layer: String?) -> Int {
    // A decorator has the lifecycle of the wrapped registration.
    let maker = decorated[registration.key]?.last ?? registration
    let node = DependencyGraph.Node(
      key: registration.key, kind: .registered, lifecycle: maker.lifecycle,
      retention: maker.retention, layer: layer, callSite: registration.callSite,
      argumentType: registration.argumentType,
      isCompletedLater: registration.isCompletedLater)
    return add(node, registration)
  }

  private mutating func add(
    _ node: DependencyGraph.Node, _ registration: AnyRegistration?
  ) -> Int {
    let position = nodes.count
    nodes.append(node)
    registrations.append(registration)
    index[node.key] = position
    if node.kind == .registered {
      byType[ObjectIdentifier(node.key.type), default: []].append(position)
    }
    return position
  }

  private mutating func connectWhatWasSeen() {
    for layer in layers.reversed() {
      for event in layer.log.events where event.outcome == .made || event.outcome == .reused {
        guard let requester = event.requester, let from = index[requester] else { continue }
        // A value does not need itself. A decorator requested the value below it, and a function of
        // an argument requested another argument.
        guard let to = answer(to: event.key), to != from else { continue }
        append(from, to, .seen, .one)
      }
    }
  }

  private mutating func connect(
    _ from: Int, to key: AnyKey, _ origin: DependencyGraph.Edge.Origin,
    _ kind: DependencyGraph.Edge.Kind = .one
  ) {
    if let to = answer(to: key) { return append(from, to, origin, kind) }
    guard let type = key.type as? any ImpliedDependency.Type else {
      guard kind != .optional, kind != .every else { return }
      // The dependencies of other functions are unknown.
      if kind == .deferred, String(describing: key.type).contains("->") { return }
      let missing = DependencyGraph.Node(
        key: key, kind: .missing, lifecycle: .notCached, retention: .strong, layer: nil,
        callSite: nil, argumentType: nil, isCompletedLater: false)
      return append(from, add(missing, nil), origin, kind)
    }
    let inner = AnyKey(type: type.impliedType, name: key.name, container: key.container)
    let implied = type.impliedKind
    if implied == .deferred, let made = inner.madeByFunction, answer(to: inner) == nil {
      return connect(from, to: made, origin, implied)
    }
    guard implied == .every else {
      return connect(from, to: inner, origin, kind == .one ? implied : kind)
    }
    for to in byType[ObjectIdentifier(inner.type)] ?? [] where nodes[to].key.isElement(of: inner) {
      append(from, to, origin, kind == .deferred ? .deferred : .every)
    }
  }

  /// The node that answers a key.
  private mutating func answer(to key: AnyKey) -> Int? {
    for layer in layers {
      if let registration = layer.registration(for: key) { return index[registration.key] }
    }
    if let position = index[key] { return position }
    guard let declared = key.declaredDefault else { return nil }
    let node = DependencyGraph.Node(
      key: key, kind: .declared, lifecycle: declared.lifecycle, retention: declared.retention,
      layer: nil, callSite: declared.callSite, argumentType: nil, isCompletedLater: false)
    return add(node, declared)
  }

  private mutating func append(
    _ from: Int, _ to: Int, _ origin: DependencyGraph.Edge.Origin,
    _ kind: DependencyGraph.Edge.Kind
  ) {
    let edge = DependencyGraph.Edge(from: from, to: to, origin: origin, kind: kind)
    guard let position = known[SIMD2(from, to)] else {
      known[SIMD2(from, to)] = edges.count
      edges.append(edge)
      return
    }
    // The log does not tell whether the request came later.
    guard origin != .seen, kind.isStricter(than: edges[position].kind) else { return }
    edges[position] = edge
  }
}
