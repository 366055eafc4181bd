// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import Understudy
import UnderstudyDoubles

extension Dependencies {
  fileprivate static let leaf = Dependency<Leaf> { Leaf("production") }
}

/// Rule O6 of `Docs/Guarantees.md`, for lazy wrappers and providers: the known needs of their value
/// count before the value is created.
@Suite struct `A known need of a lazy value` {
  /// The source of the knowledge about the leaf.
  enum Knowledge: CaseIterable, Sendable {
    case autowired, stated, ofAnAlias, throughOthers, belowADecorator
  }

  private enum Preparation: CaseIterable {
    case none, madeByOthers, madeByItself
  }

  private final class Tree: Sendable {
    private let ask: @Sendable () throws -> Middle

    init(isLazy: Bool) {
      if isLazy {
        let later = LazyInject<Middle>()
        ask = { later.wrappedValue }
      } else {
        let later = Provider<Middle>()
        ask = { try later() }
      }
    }

    func origin() throws -> String { try ask().leaf.origin }
  }

  private struct Branch: Sendable { let leaf: Leaf }

  private func resolver(_ knowledge: Knowledge, _ lifecycle: Lifecycle) -> Resolver {
    let resolver = Resolver()
    resolver.register { Leaf("production") }
    switch knowledge {
    case .autowired, .belowADecorator:
      resolver.register(autowiring: { (leaf: Leaf) in Middle(leaf) }, lifecycle: lifecycle)
    case .stated:
      resolver.needing(Leaf.self).register(lifecycle: lifecycle) { r in Middle(try r.resolve()) }
    case .ofAnAlias:
      resolver.needing(Key<Middle>(named: "real")).register(lifecycle: lifecycle) { r in
        try r.resolve(Middle.self, named: "real")
      }
      resolver.register(
        autowiring: { (leaf: Leaf) in Middle(leaf) }, named: "real", lifecycle: lifecycle)
    case .throughOthers:
      resolver.register(autowiring: Branch.init(leaf:))
      resolver.register(
        autowiring: { (branches: [Branch], _: Coin?) in
          Middle(branches.first?.leaf ?? Leaf("none"))
        }, lifecycle: lifecycle)
    }
    return resolver
  }

  @Test(arguments: Knowledge.allCases, [Lifecycle.notCached, .cached])
  func `counts like a need at once`(knowledge: Knowledge, lifecycle: Lifecycle) throws {
    for (isLazy, preparation) in Preparation.allCases.flatMap({ [(true, $0), (false, $0)] }) {
      let resolver = resolver(knowledge, lifecycle)
      resolver.register(lifecycle: .cached) { Tree(isLazy: isLazy) }
      func check() throws {
        let warm: Tree = try resolver.resolve()
        switch preparation {
        case .none: break
        case .madeByOthers: _ = try resolver.resolve(Middle.self)
        case .madeByItself: try #expect(warm.origin() == "production")
        }
        try withLayer(of: resolver) {
          $0.register { Leaf("double") }
        } operation: {
          let inside: Tree = try resolver.resolve()
          try #expect(inside.origin() == "double")
          try #expect(resolver.resolve(Tree.self) === inside)
        }
        try withLayer(of: resolver) {
          $0.register { Bystander() }
        } operation: {
          try #expect(resolver.resolve(Tree.self) === warm)
        }
        try #expect(resolver.resolve(Tree.self) === warm)
        try #expect(warm.origin() == "production")
      }
      try withResolver(resolver) {
        guard knowledge == .belowADecorator else { return try check() }
        try withLayer(of: resolver) {
          $0.decorate(Middle.self) { $0 }
          $0.fault(Middle.self, .throwing(Strike()), on: .nth(99))
        } operation: {
          try check()
        }
      }
    }
  }

  @Test func `is found below a decorated array`() throws {
    let resolver = Resolver()
    resolver.register { Leaf("production") }
    resolver.register(autowiring: Branch.init(leaf:), named: 1)
    resolver.register(
      autowiring: { (branches: Provider<[Branch]>) in Grove(branches) },
      lifecycle: .cached)
    try withLayer(of: resolver) {
      $0.decorate([Branch].self) { $0 }
    } operation: {
      let outer: Grove = try resolver.resolve()
      try withLayer(of: resolver) {
        $0.register { Leaf("double") }
      } operation: {
        let inner: Grove = try resolver.resolve()
        #expect(inner !== outer)
        try #expect(inner.branches().map(\.leaf.origin) == ["double"])
      }
    }
  }

  private final class Grove: Sendable {
    let branches: Provider<[Branch]>

    init(_ branches: Provider<[Branch]>) { self.branches = branches }
  }

  @Test func `is found below a decorated override of the same layer`() throws {
    let resolver = Resolver()
    resolver.register { Leaf("production") }
    resolver.register(lifecycle: .cached) { Tree(isLazy: true) }
    try withResolver(resolver) {
      try withLayer(of: resolver) {
        $0.needing(Leaf.self).register { r in Middle(try r.resolve()) }
        $0.decorate(Middle.self) { $0 }
      } operation: {
        let outer: Tree = try resolver.resolve()
        #expect(resolver.graph.edges.map(\.origin) == [.stated])
        try withLayer(of: resolver) {
          $0.register { Leaf("double") }
        } operation: {
          let inner: Tree = try resolver.resolve()
          #expect(inner !== outer)
          try #expect(inner.origin() == "double")
        }
      }
    }
  }

  @Test func `may be a declared dependency`() throws {
    let resolver = Resolver()
    resolver.needing(Dependencies.leaf.key).register { r in Middle(r.resolve(\.leaf)) }
    resolver.register(lifecycle: .cached) { Tree(isLazy: false) }
    try withResolver(resolver) {
      let warm: Tree = try resolver.resolve()
      try withLayer(of: resolver) {
        $0.override(\.leaf) { Leaf("double") }
      } operation: {
        let inside: Tree = try resolver.resolve()
        #expect(inside !== warm)
        try #expect(inside.origin() == "double")
      }
    }
  }

  @Test func `may be circular, or far away`() throws {
    final class Bird: Sendable { init(_: Provider<Nest>) {} }
    final class Nest: Sendable { init(_: Provider<Bird>, _: Int) {} }
    let resolver = Resolver()
    let count = 5_000
    resolver.register(autowiring: { (nest: Provider<Nest>) in Bird(nest) }, lifecycle: .cached)
    resolver.needing([AnyKey(type: Provider<Bird>.self), AnyKey(type: Int.self, named: 0)])
      .register { r in Nest(try r.resolve(), 0) }
    for number in 0..<count {
      resolver.needing([AnyKey(type: Int.self, named: number + 1)])
        .register(named: number) { number }
    }
    let warm: Bird = try resolver.resolve()
    try withLayer(of: resolver) {
      $0.register(1, named: count)
    } operation: {
      let inside: Bird = try resolver.resolve()
      #expect(inside !== warm)
      try #expect(resolver.resolve(Bird.self) === inside)
    }
    try #expect(resolver.resolve(Bird.self) === warm)
  }
}
