// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension AnyKey {
  /// How the key that this one stands for is needed: by `T?`, by `[T]` or by a provider.
  fileprivate var impliedKind: DependencyGraph.Edge.Kind {
    switch type {
    case is any AskingForAll.Type: .every
    case is any AskingLater.Type: .deferred
    default: .optional
    }
  }
}

/// State of a resolver that adds findings to its graph.
package protocol GraphContributor: ResolverAttachment {
  var notices: [DependencyGraph.Finding] { get }
}

extension Resolver {
  /// The dependency graph, as the calling task sees it, with the registrations of the resolver's
  /// parents. Work that lost its context sees the layers of the test that adopts such work.
  ///
  /// - Complexity: O(registrations + edges).
  public var graph: DependencyGraph {
    GraphBuilder(self, under: OverrideLayer.ofCaller?.nearest(of: self)).graph()
  }
}

private struct GraphBuilder {
  private let resolver: Resolver
  /// The layers, innermost first.
  private let layers: [OverrideLayer]
  private var nodes: [DependencyGraph.Node] = []
  private var registrations: [AnyRegistration?] = []
  private var index: [AnyKey: Int] = [:]
  private var byType: [ObjectIdentifier: [Int]] = [:]
  private var edges = DependencyGraph.Edges()
  private var notices: [DependencyGraph.Finding] = []
  /// For each key with a decorator: the registrations that the decorator shadows, nearest first.
  private var decorated: [AnyKey: [AnyRegistration]] = [:]

  init(_ resolver: Resolver, under layer: OverrideLayer?) {
    self.resolver = resolver
    layers = layer.map { Array($0.stack(of: resolver)) } ?? []
  }

  consuming func graph() -> DependencyGraph {
    let production = resolver.lineage.reversed().flatMap { resolver in
      resolver.store.all.map { ($0, Layer?.none, resolver.store) }
    }
    let overrides = layers.reversed().enumerated().flatMap { index, layer in
      layer.store.all.map { ($0, Layer?.some((layer.name, index)), layer.store) }
    }
    for (registration, layer, store) in production + overrides {
      noteDecorated(by: registration)
      add(registration, layer)
      if !registration.traits.isMerged,
        let replaced = store.reading({ $0.replaced(by: registration) })
      {
        notices.append(
          DependencyGraph.Finding(
            .duplicate, [registration.key], at: registration.callSite, and: replaced.callSite))
      }
    }
    for attachment in resolver.lineage.flatMap(\.attachments) {
      notices += (attachment as? any GraphContributor)?.notices ?? []
    }
    for from in nodes.indices {
      guard let registration = registrations[from] else { continue }
      for registration in [registration] + (decorated[registration.key] ?? []) {
        for need in registration.needs { connect(from, to: need, .autowired) }
        for need in registration.traits.statedNeeds { connect(from, to: need, .stated) }
      }
    }
    connectWhatWasSeen()
    takeArgumentsOfAliased()
    return DependencyGraph(
      nodes: nodes, edges: edges.all, layers: layers.reversed().map(\.name), notices: notices,
      droppedEvents: layers.map(\.log.droppedEvents).max() ?? 0)
  }

  /// Stores the registrations that a decorator or a fault shadows: those of its own layer, or the
  /// earlier answer.
  private mutating func noteDecorated(by registration: AnyRegistration) {
    let key = registration.key
    var chain: [AnyRegistration] = []
    var next = registration
    while next.isDecoration, let replaced = next.replaced {
      chain.append(replaced)
      next = replaced
    }
    guard next.isDecoration else { return decorated[key] = chain }
    let below = index[key].flatMap { registrations[$0] } ?? key.declaredDefault
    if let below { chain += [below] + (decorated[key] ?? []) }
    decorated[key] = chain
  }

  private typealias Layer = (name: String, index: Int)

  private mutating func add(_ registration: AnyRegistration, _ layer: Layer?) {
    // A decorator or a fault has the lifecycle and the argument of the shadowed registration.
    let maker = decorated[registration.key]?.last ?? registration
    add(
      DependencyGraph.Node(
        registration.key, .registered, answeredBy: registration, madeBy: maker, layer: layer),
      registration)
  }

  /// Adds a node, in the place of an outer level's node of the same key.
  @discardableResult
  private mutating func add(_ node: DependencyGraph.Node, _ registration: AnyRegistration?) -> Int {
    if let known = index[node.key] {
      nodes[known] = node
      registrations[known] = registration
      return known
    }
    let position = nodes.count
    nodes.append(node)
    registrations.append(registration)
    index[node.key] = position
    if node.kind == .registered {
      byType[ObjectIdentifier(node.key.type), default: []].append(position)
    }
    return position
  }

  /// An alias passes the argument of a request on, and waits as its target does.
  private mutating func takeArgumentsOfAliased() {
    for position in nodes.indices {
      var (maker, seen) = (position, Set([position]))
      while let aliased = registrations[maker]?.aliased, let next = answer(to: aliased),
        seen.insert(next).inserted
      {
        maker = next
      }
      if maker == position { continue }
      nodes[position].argumentType = nodes[maker].argumentType
      nodes[position].isAwaitedEachTime = nodes[maker].isAwaitedEachTime
    }
  }

  private mutating func connectWhatWasSeen() {
    for layer in layers.reversed() {
      for event in layer.log.events where event.outcome == .made || event.outcome == .reused {
        guard let requester = event.requester,
          let from = answer(to: requester.whole ?? requester), answers(from, for: event)
        else { continue }
        // A value does not need itself. A decorator requested the value below it, and a function of
        // an argument requested another argument.
        guard let to = answer(to: event.key.whole ?? event.key), to != from else { continue }
        append(from, to, .seen, .one)
      }
    }
  }

  /// False if another registration than the one that made a request answers its key now.
  private func answers(_ node: Int, for event: ResolutionEvent) -> Bool {
    guard let registration = registrations[node] else { return false }
    // Each access of a computed static makes another registration of its default.
    if registration.isDeclaredDefault { return true }
    return ([registration] + (decorated[registration.key] ?? []))
      .contains { $0.serial == event.requesterSerial }
  }

  private mutating func connect(
    _ from: Int, to key: AnyKey, _ origin: DependencyGraph.Edge.Origin,
    _ kind: DependencyGraph.Edge.Kind = .one, mayBeMissing: Bool = false
  ) {
    if let to = answer(to: key) {
      // Another node requires the missing one.
      if mayBeMissing, nodes[to].kind == .missing { return }
      return append(from, to, origin, kind)
    }
    guard let inner = key.implied else {
      if mayBeMissing { return }
      return append(from, add(DependencyGraph.Node(key, .missing), nil), origin, kind)
    }
    let implied = key.impliedKind
    // A provider resolves all that it stands for later.
    let combined = kind == .deferred ? kind : implied
    guard implied == .every else {
      var next = inner
      if implied == .deferred, let made = inner.madeByFunction, answer(to: inner) == nil {
        next = made
      }
      return connect(
        from, to: next, origin, combined, mayBeMissing: mayBeMissing || implied == .optional)
    }
    for element in key.elements {
      let members = (byType[ObjectIdentifier(element.type)] ?? [])
        .filter { nodes[$0].key.isElement(of: element) }
      let isLater = element != inner && inner.type is any AskingLater.Type
      for to in members { append(from, to, origin, isLater ? .deferred : combined) }
      if !members.isEmpty { return }
    }
  }

  private mutating func answer(to key: AnyKey) -> Int? {
    for layer in layers {
      if let registration = layer.registration(for: key) { return index[registration.key] }
    }
    if let position = index[key] { return position }
    guard let declared = key.declaredDefault else { return nil }
    return add(
      DependencyGraph.Node(key, .declared, answeredBy: declared, madeBy: declared), declared)
  }

  private mutating func append(
    _ from: Int, _ to: Int, _ origin: DependencyGraph.Edge.Origin,
    _ kind: DependencyGraph.Edge.Kind
  ) {
    edges.append(DependencyGraph.Edge(from: from, to: to, origin: origin, kind: kind))
  }
}
