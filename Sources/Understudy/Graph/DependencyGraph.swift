// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The dependencies of a resolver as a value: the answering registrations, and the keys that their
/// blocks resolve.
///
/// Edges come from the parameters of `autowiring:`, from the statements of `needing(_:)`, and from
/// the log of a layer. No block runs to find them.
///
/// Nodes and edges have a fixed order, the order of registration. So the same graph is drawn in
/// the same way each time.
public struct DependencyGraph: Sendable {
  /// The answering registrations, in the order of registration, and then the missing ones.
  public let nodes: [Node]
  /// The dependencies, in the order of the nodes and of the dependencies of each.
  public let edges: [Edge]
  /// The layers that the graph was seen through, outermost first.
  package let layers: [String]

  let notices: [Finding]
  /// The number of resolutions that the log dropped, so their edges may be missing.
  package let droppedEvents: Int

  /// A registration that answers a key, or a missing one.
  public struct Node: Sendable {
    /// The kinds of nodes.
    public enum Kind: String, Hashable, Sendable {
      /// A registration.
      case registered
      /// A declared dependency, answered by production's default.
      case declared
      /// A dependency that no registration answers.
      case missing
    }

    /// The key of the node.
    public let key: AnyKey
    /// The kind of the node.
    public let kind: Kind
    /// How often the value is created.
    public let lifecycle: Lifecycle
    /// How a cached instance is held.
    package let retention: Retention
    /// The layer that answers, or `nil` for production.
    package let layer: String?
    /// The index of that layer in the layers of the graph. Two layers may have one name.
    package let layerIndex: Int?
    /// The place of the registration.
    public let callSite: CallSite?
    package internal(set) var argumentType: (any Any.Type)?

    /// True if a completion (`then:`) may request its dependencies.
    let isCompletedLater: Bool
    /// True if each request waits for a task that runs the block.
    var isAwaitedEachTime: Bool

    /// A node of a key.
    ///
    /// - Parameters:
    ///   - registration: The registration that answers it.
    ///   - maker: The registration whose block creates the value.
    init(
      _ key: AnyKey, _ kind: Kind, answeredBy registration: AnyRegistration? = nil,
      madeBy maker: AnyRegistration? = nil, lifecycle: Lifecycle = .notCached,
      layer: (name: String, index: Int)? = nil
    ) {
      self.key = key
      self.kind = kind
      self.lifecycle = maker?.lifecycle ?? lifecycle
      retention = maker?.retention ?? .strong
      self.layer = layer?.name
      layerIndex = layer?.index
      callSite = registration?.callSite
      argumentType = maker?.argumentType
      isCompletedLater = maker?.traits.isCompletedLater ?? false
      isAwaitedEachTime = maker?.place == .anywhere && self.lifecycle != .cached
    }
  }

  /// One node needs another.
  public struct Edge: Hashable, Sendable {
    /// How an edge is known.
    package enum Origin: String, Hashable, Sendable {
      /// From the parameters of `autowiring:`.
      case autowired
      /// From `needing(_:)`.
      case stated
      /// From the log of a layer.
      case seen
    }

    /// The kind of dependency.
    public enum Kind: String, Hashable, Sendable {
      /// The value itself.
      case one
      /// The value if there is one: `T?`.
      case optional
      /// Every value of the type: `[T]`.
      case every
      /// A provider of the value: `Provider<T>`. It breaks a cycle.
      case deferred

      /// How strict an edge of this kind is. A stricter edge replaces another one.
      fileprivate var strictness: Int {
        switch self {
        case .deferred: 0
        case .optional: 1
        case .every: 2
        case .one: 3
        }
      }
    }

    /// The requester, as an index into `nodes`. If it depends on a node in several ways, there is
    /// one edge, of the strictest kind.
    public let from: Int
    /// The dependency, as an index into `nodes`.
    public let to: Int
    /// How the edge is known.
    package let origin: Origin
    /// The kind of dependency.
    public let kind: Kind
  }
}

extension DependencyGraph {
  /// Edges in their order: between two nodes there is one, of the strictest kind.
  struct Edges {
    private(set) var all: [Edge] = []
    /// The indices of the edges, by their two nodes.
    private var known: [SIMD2<Int>: Int] = [:]

    mutating func append(_ edge: Edge) {
      guard let position = known[SIMD2(edge.from, edge.to)] else {
        known[SIMD2(edge.from, edge.to)] = all.count
        return all.append(edge)
      }
      // The log does not tell whether the request came later.
      guard edge.origin != .seen, edge.kind.strictness > all[position].kind.strictness else {
        return
      }
      all[position] = edge
    }
  }

  /// Creates the graph of a program from its source, with edges between positions of nodes.
  package init(
    written nodes: [(text: String, lifecycle: Lifecycle)],
    edges: [(from: Int, to: Int, kind: Edge.Kind)]
  ) {
    self.nodes = nodes.map {
      Node(AnyKey(written: $0.text), .registered, lifecycle: $0.lifecycle)
    }
    var unique = Edges()
    for edge in edges {
      unique.append(Edge(from: edge.from, to: edge.to, origin: .autowired, kind: edge.kind))
    }
    self.edges = unique.all
    layers = []
    notices = []
    droppedEvents = 0
  }
}

extension AnyKey {
  package var visibleStep: String { step.withInvisibleScalarsEscaped }
}
