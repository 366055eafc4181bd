// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The dependencies of a resolver as a value: the answering registrations, and the keys that their
/// blocks resolve.
///
/// Edges come from what is registered `autowiring:`, from what `needing(_:)` states, and from what
/// the log of a layer has seen. Nothing is made to find them.
///
/// Nodes and edges have a fixed order, that of registering, so what is drawn from them is the same
/// each time.
public struct DependencyGraph: Sendable {
  /// What answers, in the order of registering; then what is missing.
  public let nodes: [Node]
  /// The dependencies, in the order of the nodes and of the dependencies of each.
  public let edges: [Edge]
  /// The layers that the graph was seen through, outermost first.
  public let layers: [String]

  let notices: [Finding]

  /// Something that answers a key, or should.
  public struct Node: Sendable {
    /// What a node is.
    public enum Kind: String, Hashable, Sendable {
      /// A registration.
      case registered
      /// A declared dependency, answered by production's default.
      case declared
      /// Something that is needed and that nothing answers.
      case missing
    }

    /// What is asked for.
    public let key: AnyKey
    /// What this is.
    public let kind: Kind
    /// How often it is made.
    public let lifecycle: Lifecycle
    /// How it is held.
    public let retention: Retention
    /// The layer that answers; `nil` for production.
    public let layer: String?
    /// Where it was registered.
    public let callSite: CallSite?
    /// The type of argument that its block takes.
    public let argumentType: (any Any.Type)?

    /// True if it may ask for what it needs after it is made: `then:`.
    let isCompletedLater: Bool
  }

  /// One node needs another.
  public struct Edge: Hashable, Sendable {
    /// How an edge is known.
    public enum Origin: String, Hashable, Sendable {
      /// From the parameters of what is autowired.
      case autowired
      /// From `needing(_:)`.
      case stated
      /// From the log of a layer.
      case seen
    }

    /// What is needed.
    public enum Kind: String, Hashable, Sendable {
      /// The value itself.
      case one
      /// The value if there is one: `T?`.
      case optional
      /// Every value of the type: `[T]`.
      case every
      /// The means to get the value later: `Provider<T>`. Breaks cycles.
      case deferred
    }

    /// The requester, as an index into `nodes`. A dependency of several kinds has one edge, of the
    /// strictest.
    public let from: Int
    /// What is needed, as an index into `nodes`.
    public let to: Int
    /// How the edge is known.
    public let origin: Origin
    /// What is needed.
    public let kind: Kind
  }
}

extension DependencyGraph.Edge.Kind {
  private var strictness: Int {
    switch self {
    case .deferred: 0
    case .optional: 1
    case .every: 2
    case .one: 3
    }
  }

  /// True if an edge of this kind says more of what has to be there first.
  func isStricter(than other: Self) -> Bool { strictness > other.strictness }
}

extension DependencyGraph.Node {
  /// The key as it is drawn and printed: `any Mailer named "wall"`.
  package var label: String { key.visibleStep }

  var isShortLived: Bool { lifecycle == .once || retention == .weak }
}

extension AnyKey {
  /// The key as a step of a path, with escapes for invisible characters.
  package var visibleStep: String { step.withInvisibleScalarsEscaped }
}
