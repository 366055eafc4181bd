// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy

/// A registration with `then:` is its own matter.
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

  /// A ring or a chain: each node is completed with the next one.
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

  @Test func `leaves nothing behind`() throws {
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

  @Test func `of a scoped registration makes a new instance when the last is gone`() throws {
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
  func `lets an override bite through any number of completions`(length: Int) throws {
    let resolver = Resolver()
    let names = (0..<length).map { "node \($0)" }
    chain(names + ["leaf"], on: resolver)
    // Production has instances of all.
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

  @Test func `lets an override bite through a ring of four`() throws {
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

  @Test func `lets an override bite behind an initialiser`() throws {
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
}
