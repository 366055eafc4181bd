// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
@testable import Understudy

extension Dependencies {
  fileprivate static let leaf = Dependency<Leaf>(lifecycle: .cached) { Leaf("production") }
  fileprivate static let twin = Dependency<Leaf>(lifecycle: .cached) { Leaf("production's twin") }
}

/// Rule O6 of `Docs/Guarantees.md`: an override makes its layer create every cached instance again
/// that was made from the overridden key.
@Suite struct `The invalidation of cached instances` {
  @Test(arguments: Wiring.allCases, [1, 2, 3])
  func `an override reaches every instance that was made from its key`(
    wiring: Wiring, depth: Int
  ) throws {
    let resolver = wiring.makeResolver()
    try withResolver(resolver) {
      let warm: Root = try resolver.resolve()
      let bystander: Bystander = try resolver.resolve()
      func nest(_ left: Int) throws {
        guard left > 0 else {
          return try withLayer(of: resolver) {
            $0.register(lifecycle: .cached) { Leaf("double") }
          } operation: {
            let root: Root = try resolver.resolve()
            #expect(root.leaf.origin == "double")
            try #expect(resolver.resolve(Root.self) === root)
            try #expect(resolver.resolve(Middle.self) === root.middle)
            try #expect(resolver.resolve(Bystander.self) === bystander)
          }
        }
        try withLayer(of: resolver) {
          $0.register(left)
        } operation: {
          try nest(left - 1)
          try #expect(resolver.resolve(Root.self) === warm)
        }
      }
      try nest(depth - 1)
    }
  }

  @Test(arguments: Wiring.allCases)
  func `an instance of a middle layer is created again in an inner layer`(wiring: Wiring) throws {
    let resolver = wiring.makeResolver()
    try withResolver(resolver) {
      try withLayer(of: resolver) {
        $0.register(lifecycle: .cached) { Leaf("outer double") }
      } operation: {
        let outer: Root = try resolver.resolve()
        try withLayer(of: resolver) {
          $0.register(lifecycle: .cached) { Leaf("inner double") }
        } operation: {
          let inner: Root = try resolver.resolve()
          #expect(inner.leaf.origin == "inner double")
          try #expect(resolver.resolve(Root.self) === inner)
        }
        try #expect(resolver.resolve(Root.self) === outer)
        #expect(outer.leaf.origin == "outer double")
      }
    }
  }

  @Test(arguments: Wiring.allCases)
  func `an override in the middle of a test takes effect at once`(wiring: Wiring) throws {
    let resolver = wiring.makeResolver()
    try withResolver(resolver) {
      try withLayer(of: resolver) { _ in
      } operation: {
        let before: Root = try resolver.resolve()
        #expect(before.leaf.origin == "production")
        let layer = try #require(OverrideLayer.current)
        for double in ["first", "second"] {
          layer.register(lifecycle: .cached) { Leaf(double) }
          let root: Root = try resolver.resolve()
          #expect(root.leaf.origin == double)
          try #expect(resolver.resolve(Root.self) === root)
        }
        #expect(before.leaf.origin == "production")
      }
      try #expect(resolver.resolve(Root.self).leaf.origin == "production")
    }
  }

  @Test func `an override of a middle instance reuses instances below it`() throws {
    let resolver = Wiring.blockResolver.makeResolver()
    let warm: Root = try resolver.resolve()
    try withLayer(of: resolver) {
      Wiring.blockResolver.registerMiddle(on: $0, asking: resolver)
    } operation: {
      let root: Root = try resolver.resolve()
      #expect(root !== warm)
      #expect(root.middle !== warm.middle)
      #expect(root.leaf === warm.leaf)
    }
  }

  @Test func `a claimed one-time override makes no instance stale`() throws {
    let resolver = Wiring.blockResolver.makeResolver()
    let warm: Root = try resolver.resolve()
    try withLayer(of: resolver) {
      $0.register(Leaf("once"), lifecycle: .once)
    } operation: {
      let inside: Root = try resolver.resolve()
      #expect(inside.leaf.origin == "once")
      try #expect(resolver.resolve(Root.self) === inside)
      try #expect(resolver.resolve(Leaf.self) === warm.leaf)
    }
    try withLayer(of: resolver) {
      $0.register(Leaf("once"), lifecycle: .once)
    } operation: {
      try #expect(resolver.resolve(Leaf.self).origin == "once")
      try #expect(resolver.resolve(Root.self) === warm)
    }
  }

  @Test func `a new one-time override makes instances of the last one stale`() throws {
    let resolver = Wiring.blockResolver.makeResolver()
    try withLayer(of: resolver) {
      $0.register(Leaf("1"), lifecycle: .once)
    } operation: {
      try #expect(resolver.resolve(Root.self).leaf.origin == "1")
      OverrideLayer.current?.register(Leaf("2"), lifecycle: .once)
      try #expect(resolver.resolve(Root.self).leaf.origin == "2")
      try #expect(resolver.resolve(Root.self).leaf.origin == "2")
    }
  }

  @Test func `an override of a missing registration takes effect`() throws {
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { r in
      Middle(try r.resolve(Leaf?.self) ?? Leaf("none"))
    }
    let warm: Middle = try resolver.resolve()
    #expect(warm.leaf.origin == "none")
    try withLayer(of: resolver) {
      $0.register { Leaf("double") }
    } operation: {
      let inside: Middle = try resolver.resolve()
      #expect(inside.leaf.origin == "double")
      try #expect(resolver.resolve(Middle.self) === inside)
    }
    try #expect(resolver.resolve(Middle.self) === warm)
  }

  /// The layer still gives the same answer, so nothing has changed.
  @Test func `an instance that got nil for a released object is reused`() throws {
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { r in
      Middle(try r.resolve(Leaf?.self) ?? Leaf("none"))
    }
    try withLayer(of: resolver) {
      $0.register(weak: Leaf("gone"))
    } operation: {
      let first: Middle = try resolver.resolve()
      #expect(first.leaf.origin == "none")
      try #expect(resolver.resolve(Middle.self) === first)
    }
  }

  @Test func `a new element of an array takes effect`() throws {
    final class Chorus: Sendable {
      let voices: [String]
      init(_ leaves: [Leaf]) { voices = leaves.map(\.origin) }
    }
    let resolver = Resolver()
    resolver.register(named: 1) { Leaf("one") }
    resolver.register(autowiring: Chorus.init(_:), lifecycle: .cached)
    let warm: Chorus = try resolver.resolve()
    #expect(warm.voices == ["one"])
    try withLayer(of: resolver) {
      $0.register(named: 2) { Leaf("two") }
    } operation: {
      let inside: Chorus = try resolver.resolve()
      #expect(inside.voices == ["one", "two"])
      try #expect(resolver.resolve(Chorus.self) === inside)
      OverrideLayer.current?.register(named: 1) { Leaf("new") }
      try #expect(resolver.resolve(Chorus.self).voices == ["new", "two"])
    }
    try #expect(resolver.resolve(Chorus.self) === warm)
  }

  @Test func `an override of another name does not make an array stale`() throws {
    let resolver = Resolver()
    resolver.register(named: "a") { Leaf("a") }
    resolver.register(lifecycle: .cached) { r in
      Middle(Leaf("\(try r.resolve([Leaf].self, named: "a").count)"))
    }
    let warm: Middle = try resolver.resolve()
    try withLayer(of: resolver) {
      $0.register(named: "b") { Leaf("b") }
    } operation: {
      try #expect(resolver.resolve(Middle.self) === warm)
    }
  }

  @Test func `an override of a declared dependency does not make an array stale`() throws {
    let resolver = Resolver()
    resolver.register(named: "a") { Leaf("a") }
    resolver.register(lifecycle: .cached) { r in
      Middle(Leaf("\(try r.resolve([Leaf].self).count)"))
    }
    let warm: Middle = try resolver.resolve()
    try withLayer(of: resolver) {
      $0.override(\.leaf) { Leaf("double") }
    } operation: {
      let inside: Middle = try resolver.resolve()
      try #expect(resolver.resolve(Middle.self) === inside)
      #expect(inside === warm)
    }
  }

  @Test(arguments: [false, true])
  func `an override of a declared dependency reaches its dependents`(
    isByType: Bool
  ) throws {
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { r in Middle(r.resolve(\.leaf)) }
    let warm: Middle = try resolver.resolve()
    #expect(warm.leaf.origin == "production")
    try withLayer(of: resolver) {
      if isByType {
        $0.register(lifecycle: .cached) { Leaf("double") }
      } else {
        $0.override(\.leaf, lifecycle: .cached) { Leaf("double") }
      }
    } operation: {
      let inside: Middle = try resolver.resolve()
      #expect(inside.leaf.origin == "double")
      try #expect(resolver.resolve(Middle.self) === inside)
    }
    try #expect(resolver.resolve(Middle.self) === warm)
  }

  @Test func `an override of a declared dependency leaves its twin alone`() throws {
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { r in Middle(r.resolve(\.twin)) }
    let warm: Middle = try resolver.resolve()
    try withLayer(of: resolver) {
      $0.override(\.leaf) { Leaf("double") }
    } operation: {
      try #expect(resolver.resolve(Middle.self) === warm)
      #expect(resolver.resolve(\.twin).origin == "production's twin")
      #expect(resolver.resolve(\.leaf).origin == "double")
    }
  }

  @Test func `a decorator takes effect until an override hides it`() throws {
    let resolver = Wiring.blockResolver.makeResolver()
    let warm: Root = try resolver.resolve()
    try withLayer(of: resolver) {
      $0.decorate(Leaf.self) { Leaf("decorated \($0.origin)") }
    } operation: {
      let decorated: Root = try resolver.resolve()
      #expect(decorated.leaf.origin == "decorated production")
      try #expect(resolver.resolve(Root.self) === decorated)
      try withLayer(of: resolver) {
        $0.register { Leaf("double") }
      } operation: {
        try #expect(resolver.resolve(Root.self).leaf.origin == "double")
      }
      try #expect(resolver.resolve(Root.self) === decorated)
    }
    try #expect(resolver.resolve(Root.self) === warm)
  }

  @Test func `an override below a decorator takes effect through it`() throws {
    let resolver = Wiring.blockResolver.makeResolver()
    try withLayer(of: resolver) { _ in
    } operation: {
      let outer = try #require(OverrideLayer.current)
      try withLayer(of: resolver) {
        $0.decorate(Leaf.self) { Leaf("decorated \($0.origin)") }
      } operation: {
        try #expect(resolver.resolve(Root.self).leaf.origin == "decorated production")
        outer.register(lifecycle: .cached) { Leaf("double") }
        try #expect(resolver.resolve(Root.self).leaf.origin == "decorated double")
      }
    }
  }

  @Test func `a layer of another resolver makes no instance stale`() throws {
    let resolver = Wiring.blockResolver.makeResolver()
    let other = Resolver()
    let warm: Root = try resolver.resolve()
    try withLayer(of: other) {
      $0.register { Leaf("double") }
    } operation: {
      try #expect(resolver.resolve(Root.self) === warm)
      try #expect(other.resolve(Leaf.self).origin == "double")
    }
  }

  @Test func `a second override of a type makes answers of the first one stale`() throws {
    let resolver = Wiring.blockResolver.makeResolver()
    try withLayer(of: resolver) {
      $0.override(\.leaf) { Leaf("leaf's double") }
    } operation: {
      try #expect(resolver.resolve(Root.self).leaf.origin == "leaf's double")
      OverrideLayer.current?.override(\.twin) { Leaf("twin's double") }
      try #expect(resolver.resolve(Leaf.self).origin == "production")
      try #expect(resolver.resolve(Root.self).leaf.origin == "production")
    }
  }

  /// A generated program of registrations, layers and overrides. A value is the text of its parts,
  /// so the expected text can be computed.
  @Test(arguments: 0..<40 as Range<UInt64>)
  func `no instance shows an override that is not in force, in any graph`(
    seed: UInt64
  ) throws {
    final class Node: Sendable {
      let text: String
      init(_ text: String) { self.text = text }
    }
    var random = SeededGenerator(seed: seed)
    let count = 7
    let needs = (0..<count).map { index in
      (index + 1..<count).filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
    }
    let resolver = Resolver()
    @Sendable func make(_ index: Int, _ mark: String, _ r: Resolver) throws -> Node {
      let parts = try needs[index].map { try r.resolve(Node.self, named: $0).text }
      return Node("\(index)\(mark)(\(parts.joined(separator: ",")))")
    }
    for index in 0..<count {
      let lifecycle: Lifecycle = Bool.random(using: &random) ? .cached : .notCached
      resolver.register(named: index, lifecycle: lifecycle) { r in try make(index, "", r) }
    }
    func expected(_ index: Int, _ marks: [Int: String]) -> String {
      let parts = needs[index].map { expected($0, marks) }
      return "\(index)\(marks[index] ?? "")(\(parts.joined(separator: ",")))"
    }
    func check(_ marks: [Int: String]) throws {
      for index in (0..<count).shuffled(using: &random) {
        let node = try resolver.resolve(Node.self, named: index)
        #expect(node.text == expected(index, marks))
      }
    }
    func nest(_ depth: Int, _ marks: [Int: String]) throws {
      if Bool.random(using: &random) { try check(marks) }
      guard depth < 4 else { return try check(marks) }
      var marks = marks
      var layerMarks: [Int: String] = [:]
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        layerMarks[Int.random(in: 0..<count, using: &random)] = "@\(depth)"
      }
      marks.merge(layerMarks) { $1 }
      let isBoundary = Int.random(in: 0..<4, using: &random) == 0
      let lifecycle: Lifecycle = Bool.random(using: &random) ? .cached : .notCached
      try withLayer(of: resolver, isBoundary: isBoundary) { layer in
        for (index, mark) in layerMarks {
          layer.register(named: index, lifecycle: lifecycle) { r in try make(index, mark, r) }
        }
      } operation: {
        try check(marks)
        try nest(depth + 1, marks)
        if Bool.random(using: &random), let layer = OverrideLayer.current {
          let index = Int.random(in: 0..<count, using: &random)
          marks[index] = "+\(depth)"
          layer.register(named: index, lifecycle: .cached) { r in try make(index, "+\(depth)", r) }
        }
        try check(marks)
        try nest(depth + 1, marks)
        try check(marks)
      }
    }
    try nest(0, [:])
    try check([:])
  }
}
