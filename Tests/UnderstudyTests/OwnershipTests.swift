// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
@testable import Understudy

/// Rule O5 of `Docs/Guarantees.md`: an instance belongs to the innermost layer that contributed to
/// its creation.
@Suite struct `The ownership of instances` {
  @Test(arguments: Wiring.allCases, [false, true])
  func `an instance with a layer's double belongs to that layer`(
    wiring: Wiring, isBoundary: Bool
  ) throws {
    let resolver = wiring.makeResolver()
    let made = try withResolver(resolver) {
      try withLayer(of: resolver, isBoundary: isBoundary) {
        $0.register(lifecycle: .cached) { Leaf("double") }
      } operation: {
        let root: Root = try resolver.resolve()
        #expect(root.leaf.origin == "double")
        try #expect(resolver.resolve(Root.self) === root)
        try #expect(resolver.resolve(Middle.self) === root.middle)
        return [
          Witness(root), Witness(root.middle), Witness(root.leaf),
        ]
      }
    }
    #expect(made.map(\.isGone) == [true, true, true])
    let root = try withResolver(resolver) { try resolver.resolve(Root.self) }
    #expect(root.leaf.origin == "production")
  }

  @Test(arguments: Wiring.allCases, [false, true])
  func `warm production stays as it was`(wiring: Wiring, isBoundary: Bool) throws {
    let resolver = wiring.makeResolver()
    try withResolver(resolver) {
      let warm: Root = try resolver.resolve()
      #expect(warm.leaf.origin == "production")
      try withLayer(of: resolver, isBoundary: isBoundary) {
        $0.register(lifecycle: .cached) { Leaf("double") }
      } operation: {
        let root: Root = try resolver.resolve()
        #expect(root !== warm)
        #expect(root.leaf.origin == "double")
      }
      try #expect(resolver.resolve(Root.self) === warm)
      try #expect(resolver.resolve(Root.self).leaf.origin == "production")
    }
  }

  @Test(arguments: Wiring.allCases)
  func `a plain layer shares the instances that it does not change`(wiring: Wiring) throws {
    let resolver = wiring.makeResolver()
    try withResolver(resolver) {
      let (bystander, inside) = try withLayer(of: resolver) {
        $0.register(lifecycle: .cached) { Leaf("double") }
      } operation: {
        (try resolver.resolve(Bystander.self), try resolver.resolve(Root.self))
      }
      try #expect(resolver.resolve(Bystander.self) === bystander)
      try #expect(resolver.resolve(Root.self) !== inside)
      let shared = try withLayer(of: resolver) {
        $0.register { 1 }
      } operation: {
        try resolver.resolve(Root.self)
      }
      try #expect(resolver.resolve(Root.self) === shared)
    }
  }

  @Test(arguments: Wiring.allCases, [false, true])
  func `a boundary owns every instance that is first created under it`(
    wiring: Wiring, isWarm: Bool
  ) throws {
    let resolver = wiring.makeResolver()
    try withResolver(resolver) {
      let warm = isWarm ? try resolver.resolve(Root.self) : nil
      let made = try withLayer(of: resolver, isBoundary: true) { _ in
      } operation: {
        let root: Root = try resolver.resolve()
        #expect(root !== warm)
        #expect(root.leaf.origin == "production")
        try #expect(resolver.resolve(Root.self) === root)
        // A plain layer inside shares the boundary's instances.
        try withLayer(of: resolver) {
          $0.register { 1 }
        } operation: {
          try #expect(resolver.resolve(Root.self) === root)
        }
        return Witness(root)
      }
      #expect(made.isGone)
      if let warm { try #expect(resolver.resolve(Root.self) === warm) }
    }
  }

  /// One of the layers 1 to 3 overrides the leaf, and the innermost one requests the root.
  @Test(arguments: [1, 2, 3], [false, true])
  func `of three layers the owner is the one with the double`(
    level: Int, isBoundary: Bool
  ) throws {
    let resolver = Wiring.blockResolver.makeResolver()
    func layer(_ at: Int, _ operation: () throws -> Void) throws {
      try withLayer(of: resolver, isBoundary: isBoundary && at == 1) {
        if at == level { $0.register(lifecycle: .cached) { Leaf("double") } }
        $0.register(at, named: "unrelated")
      } operation: {
        try operation()
      }
    }
    let roots = Box<[Int: Root]>([:])
    try layer(1) {
      try layer(2) {
        try layer(3) { roots.update { $0[3] = try? resolver.resolve(Root.self) } }
        roots.update { $0[2] = try? resolver.resolve(Root.self) }
      }
      roots.update { $0[1] = try? resolver.resolve(Root.self) }
    }
    let found = roots.value
    let origins = (1...3).map { found[$0]?.leaf.origin }
    #expect(origins == (1...3).map { $0 >= level ? "double" : "production" })
    #expect((found[3] === found[2]) == (level <= 2))
    #expect((found[2] === found[1]) == (level <= 1 || level == 3))
    let production = try resolver.resolve(Root.self)
    #expect(production.leaf.origin == "production")
    #expect((production === found[1]) == (level > 1 && !isBoundary))
  }

  @Test(arguments: [false, true])
  func `a layer is released after its end, with its registrations and instances`(
    isBoundary: Bool
  ) throws {
    let resolver = Wiring.blockResolver.makeResolver()
    func run() throws -> [Witness] {
      let token = Coin(1)
      return try withLayer(of: resolver, isBoundary: isBoundary) {
        $0.register(lifecycle: .cached) { Leaf("double \(token)") }
        $0.decorate(Bystander.self) { $0 }
      } operation: {
        _ = try resolver.resolve(Root.self)
        _ = try resolver.resolve(Bystander.self)
        let layer = try #require(OverrideLayer.current)
        let registration = try #require(layer.store.all.first)
        return [Witness(layer), Witness(token), Witness(registration)]
      }
    }
    try #expect(run().map(\.isGone) == [true, true, true])
  }

  @Test func `the end of a layer releases its instances in the reverse order of creation`() throws {
    final class Mourned: Sendable {
      let name: String
      let order: Box<[String]>
      init(_ name: String, _ order: Box<[String]>) { (self.name, self.order) = (name, order) }
      deinit { order.update { [name] in $0.append(name) } }
    }
    let resolver = Resolver()
    let order = Box<[String]>([])
    try withLayer(of: resolver) { layer in
      for name in ["a", "b", "c", "d"] {
        layer.register(named: name, lifecycle: .cached) { Mourned(name, order) }
      }
    } operation: {
      for name in ["c", "a", "d", "b"] { _ = try resolver.resolve(Mourned.self, named: name) }
    }
    #expect(order.value == ["b", "d", "a", "c"])
  }

  @Test func `a layer that a block pushes stores no part of the outer instance`() throws {
    let resolver = Wiring.blockResolver.makeResolver()
    resolver.register(named: "own", lifecycle: .cached) { r in
      try withLayer(of: r) {
        $0.register(lifecycle: .cached) { Leaf("of the block") }
      } operation: {
        Middle(try r.resolve(Leaf.self))
      }
    }
    let first = try resolver.resolve(Middle.self, named: "own")
    let second = try resolver.resolve(Middle.self, named: "own")
    #expect(first.leaf.origin == "of the block")
    #expect(first !== second)
  }

  /// Neither the inner instance nor an instance that retains it can be cached.
  @Test func `an instance with a part from a layer that a block pushed is not cached`() throws {
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { Leaf("production") }
    resolver.register(lifecycle: .cached) { r in
      try withLayer(of: r) {
        $0.register(lifecycle: .cached) { Leaf("of the block") }
      } operation: {
        Middle(try r.resolve())
      }
    }
    resolver.register(autowiring: Root.init(middle:), lifecycle: .cached)
    let first = Witness(try resolver.resolve(Root.self))
    #expect(first.isGone)
  }

  /// A claim must not apply to another registration at the same address.
  @Test func `a claim under a boundary hides no later registration of production`() throws {
    let resolver = Resolver()
    let found = try withLayer(of: resolver, isBoundary: true) { _ in
    } operation: {
      try (0..<200).map { (id: Int) in
        resolver.register(id, lifecycle: .once)
        return try resolver.resolve(Int?.self)
      }
    }
    #expect(found == Array(0..<200))
  }

  /// A test claims production's registrations for itself only.
  @Test func `a claim under a boundary leaves production's registration to others`() throws {
    let resolver = Resolver()
    resolver.register(1, lifecycle: .once)
    resolver.register(lifecycle: .cached) { Coin(2) }
    for _ in 0..<2 {
      try withLayer(of: resolver, isBoundary: true) { _ in
      } operation: {
        try #expect(resolver.resolve(Int?.self) == 1)
        try #expect(resolver.resolve(Int?.self) == nil)
        try #expect(resolver.resolve(Coin?.self, lifecycle: .once)?.id == 2)
        try #expect(resolver.resolve(Coin?.self) == nil)
      }
    }
    try #expect(resolver.resolve(Int?.self) == 1)
    try #expect(resolver.resolve(Int?.self) == nil)
    try #expect(resolver.resolve(Coin.self).id == 2)
  }

  /// Production's middle depends on the leaf, and the layer's does not. The layer overrides the
  /// leaf, so the middle is created again, and so are its dependents.
  @Test func `an instance with a part that was created again belongs to the layer, too`() throws {
    let resolver = Resolver()
    let asks = Box(true)
    resolver.register(lifecycle: .cached) { Leaf("production") }
    resolver.register(lifecycle: .cached) { r in
      Middle(asks.value ? try r.resolve() : Leaf("of its own"))
    }
    resolver.register(autowiring: Root.init(middle:), lifecycle: .cached)
    let warm: Middle = try resolver.resolve()
    asks.value = false
    let inside = try withLayer(of: resolver) {
      $0.register(lifecycle: .cached) { Leaf("double") }
    } operation: {
      let root: Root = try resolver.resolve()
      #expect(root.middle !== warm)
      return Witness(root)
    }
    #expect(inside.isGone)
    try #expect(resolver.resolve(Root.self).middle === warm)
  }

  @Test func `a lazy dependency with an overridden part belongs to the layer`() throws {
    struct LazyMiddle: Sendable { @LazyInject var middle: Middle }
    final class Holder: Sendable {
      let lazy = LazyMiddle()
    }
    let resolver = Wiring.blockResolver.makeResolver()
    resolver.register(lifecycle: .cached) { Holder() }
    try withResolver(resolver) {
      let inside = try withLayer(of: resolver, isBoundary: true) {
        $0.register(lifecycle: .cached) { Leaf("double") }
      } operation: {
        let holder: Holder = try resolver.resolve()
        #expect(holder.lazy.middle.leaf.origin == "double")
        return Witness(holder)
      }
      #expect(inside.isGone)
      try #expect(resolver.resolve(Holder.self).lazy.middle.leaf.origin == "production")
    }
  }

  @Test func `an instance of production with a lazy dependency does not retain an ended layer`()
    throws
  {
    final class Holder: Sendable {
      let lazy = LazyLeaf()
    }
    let resolver = Wiring.blockResolver.makeResolver()
    resolver.register(lifecycle: .cached) { Holder() }
    let layer = try withResolver(resolver) {
      try withLayer(of: resolver) {
        $0.register { 1 }
      } operation: {
        _ = try resolver.resolve(Holder.self)
        return Witness(try #require(OverrideLayer.current))
      }
    }
    #expect(layer.isGone)
  }

  @Test func `a block's requests on another thread, with the context, count too`() throws {
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { Leaf("production") }
    resolver.register(lifecycle: .cached) { r in
      let context = OverrideContext.current
      let outcome = try Threads.run(1) { _ in try context.run { try r.resolve(Leaf.self) } }[0]
      return Middle(try outcome.get())
    }
    try withLayer(of: resolver) {
      $0.register(lifecycle: .cached) { Leaf("double") }
    } operation: {
      try #expect(resolver.resolve(Middle.self).leaf.origin == "double")
    }
    try #expect(resolver.resolve(Middle.self).leaf.origin == "production")
  }

  @Test func `a block's requests in another task, with the context, count too`() async throws {
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { Leaf("production") }
    resolver.register(lifecycle: .cached) { (r: Resolver) async throws -> Middle in
      let context = OverrideContext.current
      let leaf = try await Task.detached {
        try await context.run { try await r.resolveAsync(Leaf.self) }
      }.value
      return Middle(leaf)
    }
    try await withLayer(of: resolver) {
      $0.register(lifecycle: .cached) { Leaf("double") }
    } operation: {
      let middle = try await resolver.resolveAsync(Middle.self)
      #expect(middle.leaf.origin == "double")
    }
    let middle = try await resolver.resolveAsync(Middle.self)
    #expect(middle.leaf.origin == "production")
  }

  @Test(arguments: [false, true])
  func `a layer that ends while a block runs stores nothing`(isBoundary: Bool) throws {
    let resolver = Resolver()
    let (isRunning, isEnded) = (Gate("running"), Gate("ended"))
    resolver.register(lifecycle: .cached) { Leaf("production") }
    resolver.register(lifecycle: .cached) { r in
      let leaf: Leaf = try r.resolve()
      isRunning.open()
      try isEnded.pass()
      return Middle(leaf)
    }
    let group = DispatchGroup()
    let result = Box<Middle?>(nil)
    try withLayer(
      .check(.unfinishedWork, .off), of: resolver, isBoundary: isBoundary
    ) {
      $0.register(lifecycle: .cached) { Leaf("double") }
    } operation: {
      let context = OverrideContext.current
      group.enter()
      Thread.detachNewThread {
        result.value = context.run { try? resolver.resolve(Middle.self) }
        group.leave()
      }
      try isRunning.pass()
    }
    isEnded.open()
    #expect(group.wait(timeout: .now() + 300) == .success)
    #expect(result.value?.leaf.origin == "double")
    let made = Witness(try #require(result.value))
    result.value = nil
    #expect(made.isGone)
    try #expect(resolver.resolve(Middle.self).leaf.origin == "production")
  }

  @Test func `an instance belongs to the contributing layer of another resolver`() throws {
    let below = Wiring.blockResolver.makeResolver()
    let above = Resolver()
    above.register(lifecycle: .cached) { Root(middle: try below.resolve()) }
    let inside = try withLayer(of: below) {
      $0.register(lifecycle: .cached) { Leaf("double") }
    } operation: {
      let root: Root = try above.resolve()
      #expect(root.leaf.origin == "double")
      try #expect(above.resolve(Root.self) === root)
      return Witness(root)
    }
    #expect(inside.isGone)
    try #expect(above.resolve(Root.self).leaf.origin == "production")
  }

  /// A value of another resolver's production raises no owner: the instance is cached.
  @Test(arguments: Mode.allCases)
  func `an instance may have parts of any other resolver`(mode: Mode) throws {
    let family = Resolver()
    let other = mode == .childOfFamily ? Resolver(parent: family) : family
    other.register(lifecycle: .cached) { Leaf("production") }
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) {
      switch mode {
      case .provider:
        let provider = Provider<Leaf>(of: other)
        return Root(middle: Middle(try provider()))
      default: return Root(middle: Middle(try other.resolve()))
      }
    }
    let root: Root = try resolver.resolve()
    try #expect(resolver.resolve(Root.self) === root)
    try withLayer(of: resolver) { _ in
    } operation: {
      try #expect(resolver.resolve(Root.self) === root)
    }
  }

  enum Mode: CaseIterable { case plain, childOfFamily, provider }

  @Test func `a boundary applies to all resolvers`() throws {
    let resolver = Wiring.blockResolver.makeResolver()
    let other = Resolver()
    let warm: Root = try resolver.resolve()
    let inside = try withLayer(of: other, isBoundary: true) { _ in
    } operation: {
      let root: Root = try resolver.resolve()
      #expect(root !== warm)
      try #expect(resolver.resolve(Root.self) === root)
      return Witness(root)
    }
    #expect(inside.isGone)
    try #expect(resolver.resolve(Root.self) === warm)
  }
}
