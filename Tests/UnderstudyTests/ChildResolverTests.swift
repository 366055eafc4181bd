// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyCompatibility

private final class Ocean: Sendable {}

extension Dependencies {
  fileprivate static var ocean: Dependency<Ocean> { Dependency(lifecycle: .cached) { Ocean() } }
}

/// `Resolver(parent:)`: sessions, plug-ins, windows.
@Suite struct `A child resolver` {
  private final class Pool: Sendable {
    let name: String
    init(_ name: String) { self.name = name }
  }
  private final class Session: Sendable {
    let pool: Pool
    init(_ pool: Pool) { self.pool = pool }
  }

  private let parent = Resolver(named: "app")
  private let child: Resolver

  init() {
    child = Resolver(named: "session", parent: parent)
    parent.register(lifecycle: .cached) { Pool("app") }
    parent.register(lifecycle: .cached) { r in Session(try r.resolve()) }
  }

  @Test func `answers with the registrations and instances of its parent`() throws {
    let pool: Pool = try child.resolve()
    #expect(pool.name == "app")
    try #expect(parent.resolve(Pool.self) === pool)
    try #expect(child.resolve(Session.self) === parent.resolve(Session.self))
  }

  @Test func `prefers its own registrations, which the parent does not see`() throws {
    child.register(lifecycle: .cached) { Pool("session") }
    try #expect(child.resolve(Pool.self).name == "session")
    try #expect(parent.resolve(Pool.self).name == "app")
    try #expect(child.resolve([Pool].self).map(\.name) == ["session"])
    #expect(throws: ResolutionError.self) {
      child.register(1)
      _ = try parent.resolve(Int.self)
    }
  }

  @Test func `stores an instance of its parent that was created with one of its own registrations`()
    throws
  {
    let shared: Session = try parent.resolve()
    child.register(lifecycle: .cached) { Pool("session") }
    let own: Session = try child.resolve()
    #expect(own !== shared && own.pool.name == "session")
    try #expect(child.resolve(Session.self) === own)
    try #expect(parent.resolve(Session.self) === shared)
  }

  @Test(arguments: [false, true])
  func `is overridden by a layer of either`(isOfChild: Bool) throws {
    child.register { 1 }
    try withOverrides(of: isOfChild ? child : parent) {
      $0.register { Pool("double") }
      $0.register { 2 }
    } operation: {
      try #expect(child.resolve(Pool.self).name == "double")
      try #expect(child.resolve(Session.self).pool.name == "double")
      try #expect(child.resolve(Int.self) == 2)
      #expect(OverrideLayer.current?.log.count(of: Int.self) == 1)
      if isOfChild { try #expect(parent.resolve(Pool.self).name == "app") }
    }
    try #expect(child.resolve(Session.self).pool.name == "app")
  }

  @Test func `sees a registration of its parent that is replaced`() throws {
    try #expect(child.resolve(Pool.self).name == "app")
    parent.register(lifecycle: .cached) { Pool("newer") }
    for _ in 0..<3 { try #expect(child.resolve(Pool.self).name == "newer") }
    parent.unregister(Key<Pool>())
    #expect(throws: ResolutionError.self) { try child.resolve(Pool.self) }
  }

  @Test func `has a graph with the registrations of its parents`() throws {
    parent.register(named: "second") { Pool("app") }
    child.register(lifecycle: .cached) { Pool("session") }
    child.register(autowiring: { (_: Session, all: [Pool]) in all.count })
    let graph = child.graph
    try graph.validate()
    #expect(graph.nodes.count == 4)
    #expect(graph.edges.map(\.kind) == [.one, .every, .every])
    #expect(parent.graph.nodes.count == 3)
  }

  @Test(arguments: [false, true])
  func `forgets the default that it replaces, and its parent keeps it`(isPrepared: Bool) {
    let shared = parent.resolve(\.ocean)
    if isPrepared { child.prepare(\.ocean) { Ocean() } }
    #expect((child.resolve(\.ocean) === shared) != isPrepared)
    #expect(parent.resolve(\.ocean) === shared)
  }

  enum Asker: CaseIterable {
    case child, grandchild, layerOfChild, layerOfParent
  }

  /// Expects that something releases the pool that a resolver has handed out and cached.
  private func expectGone(heldBy asker: Asker, after letGo: () throws -> Void) throws {
    func check(_ resolver: Resolver) throws {
      let pool = Witness(try resolver.resolve(Pool.self))
      // The second request is answered by the cache.
      for _ in 1...2 { _ = try resolver.resolve(Pool.self) }
      #expect(pool.isThere)
      try letGo()
      #expect(pool.isGone)
    }
    switch asker {
    case .child: try check(child)
    case .grandchild: try check(Resolver(parent: child))
    case .layerOfChild, .layerOfParent:
      try withOverrides(of: asker == .layerOfChild ? child : parent) { _ in
      } operation: {
        try check(child)
      }
    }
  }

  @Test(arguments: Asker.allCases)
  func `retains no instance that its parent lets go of`(asker: Asker) throws {
    try expectGone(heldBy: asker) { #expect(parent.unregister(Key<Pool>())) }
  }

  @Test(arguments: [Asker.child, .grandchild])
  func `retains no instance that a sibling uses up`(asker: Asker) throws {
    try expectGone(heldBy: asker) {
      _ = try Resolver(parent: parent).resolve(Pool.self, lifecycle: .once)
    }
  }

  @Test func `is released with all that it stores, and the parent stays`() throws {
    let witness: Witness
    do {
      let session = Resolver(parent: parent)
      session.register(named: "own", lifecycle: .cached) { r in Session(try r.resolve()) }
      witness = Witness(try session.resolve(Session.self, named: "own"))
      #expect(witness.isThere)
    }
    #expect(witness.isGone)
    try #expect(parent.resolve(Pool.self).name == "app")
  }

  @Test func `gives a one-time registration of its parent out once`() throws {
    parent.register(7, lifecycle: .once)
    try #expect(child.resolve(Int?.self) == 7)
    try #expect(child.resolve(Int?.self) == nil)
    try #expect(parent.resolve(Int?.self) == nil)
  }

  @Test func `is the current resolver of the blocks that it runs`() throws {
    child.register(lifecycle: .cached) { Pool("session") }
    parent.register(named: "lazy") { Session(Resolver.injected()) }
    try #expect(child.resolve(Session.self, named: "lazy").pool.name == "session")
    try #expect(parent.resolve(Session.self, named: "lazy").pool.name == "app")
  }

  @Test func `is overridden by a layer of its parent, and a layer of its own leaves the parent`()
    throws
  {
    parent.register { Pool("app") }
    try withOverrides(of: parent) {
      $0.register { Pool("double") }
    } operation: {
      try #expect(parent.resolve(Pool.self).name == "double")
      try #expect(child.resolve(Pool.self).name == "double")
    }
    try withOverrides(of: child) {
      $0.register { Pool("double") }
    } operation: {
      try #expect(parent.resolve(Pool.self).name == "app")
      try #expect(child.resolve(Pool.self).name == "double")
    }
  }

  @Test func `is logged by its layer, also under a layer of its parent`() throws {
    try withOverrides(of: child) {
      $0.register { 1 }
    } operation: {
      let layer = OverrideLayer.current
      try withOverrides(of: parent) {
        $0.register { Pool("double") }
      } operation: {
        try #expect(child.resolve(Int.self) == 1)
        try #expect(child.resolve(Pool.self).name == "double")
        #expect(layer?.log.count(of: Int.self) == 1)
      }
      #expect(layer?.log.count(of: Int.self) == 1)
    }
  }
}
