// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy

/// The effects of `then:` stay within its registration.
@Suite struct `A completion` {
  private final class Node: Sendable {
    let name: String
    private let held = Lock<[Node]>([])
    init(_ name: String) { self.name = name }
    var parts: [Node] { held.withLock { $0 } }
    func add(_ part: Node) { held.withLock { $0.append(part) } }
    func drop() { held.withLock { $0 = [] } }
  }
  private enum Shared: Scope {}

  /// Registers a chain or a ring, in which each node is completed with the next one.
  private func chain(_ names: [String], closed isRing: Bool = false, on resolver: Resolver) {
    for (index, name) in names.enumerated() {
      let isLast = index == names.count - 1
      let next = isLast ? (isRing ? names[0] : nil) : names[index + 1]
      resolver.register(named: name, lifecycle: .cached) {
        Node(name)
      } then: { node, r in
        if let next { node.add(try r.resolve(named: next)) }
      }
    }
  }

  /// The outer instance is kept before its part is complete, and belongs to the innermost layer
  /// that has a share in the part by then.
  @Test func `moves the instance that reads it lazily to the innermost of two layers`() throws {
    struct Reader {
      @LazyInject(named: "part") var part: Node
    }
    let resolver = Resolver()
    resolver.register(named: "outer leaf", lifecycle: .cached) { Node("production") }
    resolver.register(named: "inner leaf", lifecycle: .cached) { Node("production") }
    resolver.register(named: "part", lifecycle: .cached) { r in
      let node = Node("part")
      node.add(try r.resolve(named: "outer leaf"))
      node.add(try r.resolve(named: "inner leaf"))
      return node
    } then: { _, _ in
    }
    let whole = resolver.register(named: "whole", lifecycle: .cached) { r in
      let node = Node("whole")
      node.add(withResolver(r) { Reader().part })
      return node
    }
    resolver.register(named: "root", lifecycle: .cached) { r in
      let node = Node("root")
      node.add(try r.resolve(named: "whole"))
      return node
    }
    let disposed = Lock<[String]>([])
    try withOverrides(of: resolver, isBoundary: true) { _ in
    } operation: {
      try withOverrides(of: resolver) {
        $0.register(named: "outer leaf", lifecycle: .cached) { Node("outer double") }
      } operation: {
        try withOverrides(of: resolver) {
          $0.register(named: "inner leaf", lifecycle: .cached) { Node("inner double") }
          $0.onDispose(of: whole) { (node: Node) in
            disposed.withLock { $0 += node.parts.flatMap(\.parts).map(\.name) }
          }
        } operation: {
          _ = try resolver.resolve(Node.self, named: "root")
        }
        #expect(disposed.withLock { $0 } == ["outer double", "inner double"])
      }
    }
  }

  @Test func `retains nothing`() throws {
    weak var resolver: Resolver?
    let witness: Witness
    do {
      let strong = Resolver()
      resolver = strong
      chain(["a", "b"], on: strong)
      witness = Witness(try strong.resolve(Node.self, named: "a"))
      _ = try strong.resolve(Node.self, named: "a")
    }
    #expect(witness.isGone)
    #expect(resolver == nil)
  }

  @Test func `of a scoped registration creates a new instance once the last one is released`()
    throws
  {
    let resolver = Resolver()
    resolver.register(scopedTo: Shared.self) {
      Node("scoped")
    } then: { node, _ in
      node.add(Node("part"))
    }
    var first: Node? = try resolver.resolve(scopedTo: Shared.self)
    try #expect(resolver.resolve(Node.self, scopedTo: Shared.self) === first)
    let witness = Witness(try #require(first))
    first = nil
    #expect(witness.isGone)
    try #expect(resolver.resolve(Node.self, scopedTo: Shared.self).parts.map(\.name) == ["part"])
  }

  @Test(arguments: [2, 3, 4, 8])
  func `passes an override on through any number of completions`(length: Int) throws {
    let resolver = Resolver()
    let names = (0..<length).map { "node \($0)" }
    chain(names + ["leaf"], on: resolver)
    // Production has instances of all nodes.
    let production: Node = try resolver.resolve(named: names[0])
    func leaf(of node: Node) -> Node { node.parts.first.map(leaf) ?? node }
    try withOverrides(of: resolver) {
      $0.register(named: "leaf", lifecycle: .cached) { Node("double") }
    } operation: {
      let node: Node = try resolver.resolve(named: names[0])
      #expect(node !== production && leaf(of: node).name == "double")
    }
    try #expect(resolver.resolve(Node.self, named: names[0]) === production)
    #expect(leaf(of: production).name == "leaf")
  }

  @Test func `passes an override on through a ring of four`() throws {
    let resolver = Resolver()
    let names = ["a", "b", "c", "d"]
    chain(names, closed: true, on: resolver)
    let production: Node = try resolver.resolve(named: "a")
    try withOverrides(of: resolver) {
      $0.register(named: "c", lifecycle: .cached) { Node("double") }
    } operation: {
      let node: Node = try resolver.resolve(named: "a")
      #expect(node !== production)
      #expect(node.parts.first?.parts.first?.name == "double")
    }
    try #expect(resolver.resolve(Node.self, named: "a") === production)
    for name in names { try resolver.resolve(Node.self, named: name).drop() }
  }

  @Test func `passes an override on to a node that is needed at once`() throws {
    let resolver = Resolver()
    chain(["b", "leaf"], on: resolver)
    resolver.register(named: "a", lifecycle: .cached) { r in
      let node = Node("a")
      node.add(try r.resolve(named: "b"))
      return node
    }
    let production: Node = try resolver.resolve(named: "a")
    try withOverrides(of: resolver) {
      $0.register(named: "leaf", lifecycle: .cached) { Node("double") }
    } operation: {
      let node: Node = try resolver.resolve(named: "a")
      #expect(node !== production)
      #expect(node.parts[0].parts[0].name == "double")
    }
  }

  // MARK: Incomplete instances

  @Test func `completes the parts of a plain block each time that it runs`() async throws {
    let resolver = Resolver()
    resolver.register(named: "part", lifecycle: .notCached) {
      Node("part")
    } then: { node, _ in
      node.add(Node("leaf"))
    }
    resolver.register(named: "whole") { r in
      let node = Node("whole")
      node.add(try r.resolve(named: "part"))
      return node
    }
    func checkOften() async throws {
      for _ in 0..<3 {
        let whole: Node = try resolver.resolve(named: "whole")
        #expect(whole.parts.first?.parts.map(\.name) == ["leaf"])
        let awaited: Node = try await resolver.resolveAsync(named: "whole")
        #expect(awaited.parts.first?.parts.map(\.name) == ["leaf"])
      }
    }
    try await checkOften()
    try await withOverrides(of: resolver) { _ in
    } operation: {
      try await checkOften()
    }
  }

  @Test func `fails each request of a plain block whose part cannot be completed`() {
    let resolver = Resolver()
    resolver.register(named: "part", lifecycle: .cached) {
      Node("part")
    } then: { node, r in
      node.add(try r.resolve(named: "leaf"))
    }
    resolver.register(named: "whole") { r in try r.resolve(Node.self, named: "part") }
    withOverrides(of: resolver) { _ in
    } operation: {
      for _ in 0..<3 {
        #expect(throws: ResolutionError.self) { try resolver.resolve(Node.self, named: "whole") }
      }
      resolver.register(named: "leaf") { Node("leaf") }
      for _ in 0..<3 {
        #expect(throws: Never.self) { try resolver.resolve(Node.self, named: "whole") }
      }
    }
  }

  @Test func `claims an incomplete instance that is requested as .once`() throws {
    let resolver = Resolver()
    resolver.register(named: "part", lifecycle: .cached) {
      Node("part")
    } then: { _, _ in
    }
    resolver.register(named: "whole") { r in
      let node = Node("whole")
      node.add(try r.resolve(named: "part"))
      // The part is not complete yet.
      node.add(try r.resolve(named: "part", lifecycle: .once))
      return node
    }
    let whole: Node = try resolver.resolve(named: "whole")
    #expect(whole.parts[0] === whole.parts[1])
    #expect(!resolver.contains(Key<Node>(named: "part")))
  }

  @Test func `of a double keeps the whole ring out of production`() throws {
    let resolver = Resolver()
    // a is completed with b, the block of b requests a, and then a is completed with a double.
    resolver.register(named: "a", lifecycle: .cached) {
      Node("a")
    } then: { node, r in
      node.add(try r.resolve(named: "b"))
      node.add(try r.resolve(named: "leaf"))
    }
    resolver.register(named: "b", lifecycle: .cached) { r in
      let node = Node("b")
      node.add(try r.resolve(named: "a"))
      return node
    }
    resolver.register(named: "leaf", lifecycle: .cached) { Node("leaf") }
    func leaf(of b: Node) -> String? { b.parts.first?.parts.last?.name }
    try withOverrides(of: resolver) {
      $0.register(named: "leaf", lifecycle: .cached) { Node("double") }
    } operation: {
      _ = try resolver.resolve(Node.self, named: "a")
      try #expect(leaf(of: resolver.resolve(named: "b")) == "double")
    }
    let production: Node = try resolver.resolve(named: "b")
    #expect(leaf(of: production) == "leaf")
    for name in ["a", "b"] { try resolver.resolve(Node.self, named: name).drop() }
  }

  @Test func `captures the caller's context if no instance is cached`() throws {
    let resolver = Resolver()
    let captured = Lock<OverrideContext?>(nil)
    resolver.register(named: "part", lifecycle: .notCached) {
      Node("part")
    } then: { _, _ in
      captured.withLock { $0 = .current }
    }
    struct Lost: Error {}
    // The instance for which the part was created is lost before the part is completed.
    resolver.register(named: "lost", lifecycle: .cached) { r -> Node in
      _ = try r.resolve(Node.self, named: "part")
      throw Lost()
    }
    resolver.register(named: "whole", lifecycle: .cached) { r in
      _ = try? r.resolve(Node.self, named: "lost")
      return Node("whole")
    }
    try withOverrides(of: resolver, named: "layer") { _ in
    } operation: {
      _ = try resolver.resolve(Node.self, named: "whole")
      let context = try #require(captured.withLock { $0 })
      #expect(context.layer?.name == "layer")
      // No block is running now.
      let name = context.run { try? resolver.resolve(Node.self, named: "part").name }
      #expect(name == "part")
    }
  }

  /// Without the double, production's instance answers while the layer's is created.
  @Test func `of a double that is used up leaves the layer its own instance`() throws {
    let resolver = Resolver()
    resolver.register(named: "whole", lifecycle: .cached) { r in
      let node = Node("whole")
      if let leaf: Node = try r.resolve(named: "leaf") { node.add(leaf) }
      _ = try r.resolve(Node.self, named: "part")
      return node
    }
    resolver.register(named: "part", lifecycle: .notCached) {
      Node("part")
    } then: { _, r in
      _ = try r.resolve(Node.self, named: "whole")
    }
    let production: Node = try resolver.resolve(named: "whole")
    try withOverrides(of: resolver) {
      $0.register(named: "leaf", lifecycle: .once) { Node("double") }
    } operation: {
      let first: Node = try resolver.resolve(named: "whole")
      #expect(first !== production && first.parts.map(\.name) == ["double"])
      try #expect(resolver.resolve(Node.self, named: "whole") === first)
    }
  }
}
