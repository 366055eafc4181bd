// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import Understudy
import UnderstudyDoubles
import UnderstudyCompatibility
import UnderstudyGraph

private protocol Post: Sendable {}
private struct LaterFirst: Sendable {
  init(later: Provider<any Post>, maybe: (any Post)?, every: [any Post], now: any Post) {}
}
private struct LaterLast: Sendable {
  init(now: any Post, every: [any Post], maybe: (any Post)?, later: Provider<any Post>) {}
}
private struct LaterAndAll: Sendable {
  init(later: Provider<any Post>, every: [any Post]) {}
}
private struct EachLater: Sendable {
  init(each: [Provider<any Post>], maybe: [(any Post)?]) {}
}
private struct LaterAlone: Sendable { init(later: Provider<any Post>) {} }
private struct LaterMaybe: Sendable { init(later: Provider<any Post>?) {} }
private struct Handler<Input>: Sendable {}
private final class Letter: Sendable {}
private enum Counter: Scope {}
private struct Office<Part: Sendable>: Post { init(part: Part) {} }

extension Dependencies {
  fileprivate static var increased: Dependency<Int> {
    Dependency { Resolver.injected(Int.self, named: "base") + 1 }
  }
}

/// A node that needs another one in several ways has one edge to it, of the strictest kind.
@Suite struct `An edge of the graph` {
  private func graph<Part: Sendable>(_ autowire: (Resolver) -> Key<Part>) -> DependencyGraph {
    let resolver = Resolver()
    _ = autowire(resolver)
    resolver.register(autowiring: { (part: Part) in Office(part: part) as any Post })
    return resolver.graph
  }

  @Test func `is immediate if any parameter is, in whatever order`() {
    for graph in [
      graph { $0.register(autowiring: LaterFirst.init(later:maybe:every:now:)) },
      graph { $0.register(autowiring: LaterLast.init(now:every:maybe:later:)) },
      graph { $0.register(autowiring: LaterAndAll.init(later:every:)) },
    ] {
      #expect(graph.findings.map(\.kind) == [.cycle])
      #expect(graph.edges.count == 2)
    }
    #expect(graph { $0.register(autowiring: LaterAlone.init(later:)) }.findings.isEmpty)
  }

  @Test func `leads to each element of an array of providers, and is deferred`() {
    let resolver = Resolver()
    resolver.register(autowiring: { (_: [Provider<any Post>]) in "each later" })
    resolver.register(autowiring: { (_: String) in Office(part: 1) as any Post })
    resolver.register(named: "second") { Office(part: 2) as any Post }
    #expect(resolver.graph.findings.isEmpty)
    #expect(
      resolver.graph.edges.map { [$0.from, $0.to] } == [[0, 1], [0, 2], [1, 0]])
    #expect(resolver.graph.edges.map(\.kind) == [.deferred, .deferred, .one])
    let graph = graph { $0.register(autowiring: EachLater.init(each:maybe:)) }
    #expect(graph.findings.map(\.kind) == [.cycle])
    #expect(graph.edges.map(\.kind) == [.every, .one])
  }

  @Test func `stays deferred if its provider is optional, or provides an optional`() {
    let graph = graph { $0.register(autowiring: LaterMaybe.init(later:)) }
    #expect(graph.findings.isEmpty)
    #expect(graph.edges.map(\.kind) == [.deferred, .one])
    let resolver = Resolver()
    resolver.register(autowiring: { (_: Provider<Int?>) in "maybe later" })
    #expect(resolver.graph.findings.isEmpty)
    resolver.register(7)
    #expect(resolver.graph.edges.map(\.kind) == [.deferred])
  }

  @Test(arguments: [false, true])
  func `of an optional is no finding, also if another node requires the type`(isFirst: Bool) {
    let resolver = Resolver()
    func require() { resolver.register(autowiring: { (_: Int) in "required" }) }
    if isFirst { require() }
    resolver.register(autowiring: { (_: Int?) in 1.5 })
    resolver.register(autowiring: { (_: [Int]) in true })
    if !isFirst { require() }
    #expect(resolver.graph.findings.map(\.kind) == [.missing])
    #expect(resolver.graph.findings.map(\.path.first) == [AnyKey(type: String.self)])
  }

  @Test func `of a declared dependency that the test itself requests is seen`() throws {
    let resolver = Resolver()
    resolver.register(7, named: "base")
    try withOverrides(of: resolver) { _ in
    } operation: {
      #expect(resolver.resolve(\.increased) == 8)
      let graph = resolver.graph
      #expect(graph.nodes.map(\.kind) == [.registered, .declared])
      let edge = try #require(graph.edges.first)
      #expect((edge.from, edge.to) == (1, 0))
      #expect(edge.origin == .seen)
    }
  }

  @Test func `stays deferred after the provider was called`() throws {
    let resolver = Resolver()
    resolver.needing(Provider<Int>.self).register { (r: Resolver) in
      "\(try r.resolve(Int.self))"
    }
    resolver.register(7)
    try withOverrides(of: resolver) { _ in
    } operation: {
      _ = try resolver.resolve(String.self)
      #expect(resolver.graph.edges.map(\.kind) == [.deferred])
    }
  }

  @Test func `of a written graph is immediate if any need is, too`() {
    let graph = DependencyGraph(
      written: [("A", .notCached), ("B", .notCached)],
      edges: [(0, 1, .deferred), (0, 1, .one), (0, 1, .optional), (1, 0, .every)])
    #expect(graph.edges.map(\.kind) == [.one, .every])
    #expect(graph.findings.map(\.kind) == [.cycle])
  }

  /// A decorated registration has the same needs as without its decorator.
  @Test(arguments: [false, true])
  func `includes the needs of a decorated registration, with its lifecycle`(isOwn: Bool) {
    let resolver = Resolver()
    func office(in registering: some Registering) {
      registering.register(
        autowiring: { (part: Int) in Office(part: part) as any Post }, lifecycle: .cached)
    }
    resolver.register(7, lifecycle: .once)
    if !isOwn { office(in: resolver) }
    withOverrides(.check(.unusedOverride, .off), of: resolver) {
      if isOwn { office(in: $0) }
      $0.decorate((any Post).self) { $0 }
      $0.fault((any Post).self, .throwing(Mishap()))
    } operation: {
      let graph = resolver.graph
      #expect(graph.edges.count == 1)
      #expect(graph.findings.map(\.kind) == [.captive])
      withOverrides(.check(.unusedOverride, .off), of: resolver) {
        $0.decorate((any Post).self) { $0 }
      } operation: {
        #expect(resolver.graph.findings.map(\.path) == graph.findings.map(\.path))
      }
      withOverrides(.check(.unusedOverride, .off), of: resolver) {
        $0.register { Office(part: 1) as any Post }
      } operation: {
        #expect(resolver.graph.findings.isEmpty)
        #expect(resolver.graph.edges.isEmpty)
      }
    }
  }

  /// The inner layer replaces the requester, so the request of the outer one is no need of it.
  @Test func `of the log is left out if another layer answers its requester now`() throws {
    let resolver = Resolver()
    resolver.register { (r: Resolver) in Office(part: try r.resolve(Int.self)) as any Post }
    resolver.register(7)
    try withOverrides(of: resolver) { _ in
    } operation: {
      _ = try resolver.resolve((any Post).self)
      #expect(resolver.graph.edges.count == 1)
      try withOverrides(of: resolver) {
        $0.register { Office(part: 1) as any Post }
        $0.register { (r: Resolver) in
          _ = try r.resolve((any Post).self)
          return 8
        }
      } operation: {
        #expect(resolver.graph.edges.isEmpty)
        #expect(try resolver.resolve(Int.self) == 8)
        #expect(resolver.graph.edges.count == 1)
        #expect(resolver.graph.findings.isEmpty)
        _ = try resolver.resolve((any Post).self)
      }
      #expect(resolver.graph.edges.count == 1)
    }
  }

  @Test func `of a provider of a type that is made of functions is missing if nothing answers it`()
  {
    let resolver = Resolver()
    resolver.register("made")
    resolver.register(autowiring: { (_: Provider<Handler<(Int) -> Void>>) in 1 })
    resolver.register(autowiring: { (_: Provider<() -> String>) in 1.5 })
    resolver.register(autowiring: { (_: Provider<(Int) throws -> String>) in true })
    resolver.register(autowiring: { (_: Provider<(Int) -> String>) in Int8(1) })
    #expect(resolver.graph.findings.map(\.kind) == [.missing, .missing, .missing])
    resolver.register(Handler<(Int) -> Void>())
    #expect(resolver.graph.findings.map(\.path.first) == [Double.self, Bool.self].map(AnyKey.init))
  }

  @Test func `of an alias takes the argument of the aliased registration`() throws {
    let resolver = Resolver()
    let key = resolver.register { (_: Int) in Office(part: 1) }
    resolver.alias(key, as: (any Post).self)
    resolver.register(autowiring: { (_: any Post) in "posted" })
    #expect(resolver.graph.findings.map(\.kind) == [.argumentNeeded])
    withOverrides(.check(.unusedOverride, .off), of: resolver) {
      $0.register { Office(part: 1) }
    } operation: {
      #expect(resolver.graph.findings.isEmpty)
    }
  }

  @Test func `to an intermediate node holds the captives of each kind`() {
    let resolver = Resolver()
    let weak = resolver.register(weak: Letter())
    let once = resolver.register(7, lifecycle: .once)
    resolver.needing([AnyKey(weak), AnyKey(once)]).register { 1.5 }
    resolver.needing(Double.self).register(scopedTo: Counter.self) { Letter() }
    resolver.needing(Double.self).register(lifecycle: .cached) { "kept" }
    let key = AnyKey(Key<Letter>(scopedTo: Counter.self))
    let types: [any Any.Type] = [Double.self, String.self]
    let (middle, holder) = (AnyKey(type: types[0]), AnyKey(type: types[1]))
    #expect(resolver.graph.findings.map(\.kind) == [.captive, .captive, .captive])
    #expect(
      Set(resolver.graph.findings.map(\.path)) == [
        [key, middle, AnyKey(once)], [holder, middle, AnyKey(once)],
        [holder, middle, AnyKey(weak)],
      ])
  }

  @Test func `of an earlier request may be missing, which the graph says`() throws {
    let resolver = Resolver()
    resolver.register { (r: Resolver) in Office(part: try r.resolve(Int.self)) as any Post }
    resolver.register(7)
    try withOverrides(of: resolver) { _ in
    } operation: {
      _ = try resolver.resolve((any Post).self)
      #expect(resolver.graph.droppedEvents == 0)
      for _ in 0..<(2 * ResolutionLog.tailCapacity) { _ = try resolver.resolve(Int.self) }
      let graph = resolver.graph
      #expect(graph.edges.isEmpty)
      #expect(graph.droppedEvents > 0)
      let notice = "(the log dropped \(graph.droppedEvents) resolutions, so edges may be missing)"
      #expect(graph.text.hasSuffix("\n\(notice)"))
      #expect(graph.html().contains("dropped \(graph.droppedEvents) resolutions"))
      #expect(graph.json.contains("\"droppedEvents\": \(graph.droppedEvents)"))
    }
  }

  @Test func `to one of many candidates names ten of them`() {
    let resolver = Resolver()
    for name in 0..<30 { resolver.register("v", named: name) }
    resolver.needing(String.self).register { 1 }
    let lines = resolver.graph.findings.map(\.description)[0].split(separator: "\n")
    #expect(lines.count { $0.contains("'String' named") } == 10)
    #expect(lines.contains { $0.hasSuffix("… and 20 more") })
    #expect(!lines.contains { $0.hasSuffix("'String' named 10") })
  }
}
