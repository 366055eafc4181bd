// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
@testable import Understudy
import UnderstudyCompatibility

extension Dependencies {
  fileprivate static let number = Dependency<Int> { 1 }
}

/// The log: exact counts for every key, a bounded tail of events, and a tree.
@Suite struct `The log` {
  private func counts<Value>(of key: Key<Value>) throws -> String {
    try #require(OverrideLayer.current).log.counts(of: key).text
  }

  @Test func `counts made, reused, missed and failed`() throws {
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { Coin(1) }
    resolver.register { 1 }
    resolver.register { () throws -> String in throw Mishap() }
    try withLayer(of: resolver) { _ in
    } operation: {
      for _ in 0..<3 { _ = try resolver.resolve(Coin.self) }
      for _ in 0..<2 { _ = try resolver.resolve(Int.self) }
      _ = try? resolver.resolve(String.self)
      _ = try? resolver.resolve(Bool.self)
      _ = try resolver.resolve(Bool?.self)
      try #expect(counts(of: Key<Coin>()) == "made 1, reused 2, missed 0, failed 0")
      try #expect(counts(of: Key<Int>()) == "made 2, reused 0, missed 0, failed 0")
      try #expect(counts(of: Key<String>()) == "made 0, reused 0, missed 0, failed 1")
      try #expect(counts(of: Key<Bool>()) == "made 0, reused 0, missed 2, failed 0")
      try #expect(counts(of: Key<Double>()) == "made 0, reused 0, missed 0, failed 0")
    }
  }

  @Test func `distinguishes names and containers`() throws {
    let resolver = Resolver()
    resolver.register(1, named: "a")
    resolver.register(2, named: "a", in: "c")
    try withLayer(of: resolver) { _ in
    } operation: {
      _ = try resolver.resolve(Int.self, named: "a")
      _ = try resolver.resolve([Int].self)
      let log = try #require(OverrideLayer.current).log
      #expect(log.count(of: Int.self) == 0)
      #expect(log.count(of: Int.self, named: "a") == 2)
      #expect(log.count(of: Int.self, named: "a", in: "c") == 1)
    }
  }

  @Test(arguments: [2, 8, 16])
  func `counts exactly from many threads`(count: Int) throws {
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { Leaf("x") }
    resolver.register { r in Middle(try r.resolve()) }
    try withLayer(of: resolver, isBoundary: true) {
      $0.override(\.number) { 2 }
    } operation: {
      let context = OverrideContext.current
      let outcomes = try Threads.run(count) { thread in
        try context.run {
          for _ in 0..<500 {
            _ = try resolver.resolve(Middle.self)
            _ = resolver.resolve(\.number)
            _ = try resolver.resolve(String?.self, named: thread)
          }
        }
      }
      #expect(outcomes.allSatisfy { $0.failure == nil })
      let total = count * 500
      try #expect(counts(of: Key<Middle>()) == "made \(total), reused 0, missed 0, failed 0")
      try #expect(counts(of: Key<Leaf>()) == "made 1, reused \(total - 1), missed 0, failed 0")
      try #expect(
        counts(of: Dependencies.number.key) == "made \(total), reused 0, missed 0, failed 0")
      for thread in 0..<count {
        try #expect(
          counts(of: Key<String>(named: thread)) == "made 0, reused 0, missed 500, failed 0")
      }
    }
  }

  /// Only one of the requests gets the value, and only that is counted as resolved.
  @Test func `counts a resolution that lost a race as missed, and as nothing else`() throws {
    let resolver = Resolver()
    for _ in 0..<50 {
      resolver.register(lifecycle: .cached) { Coin(1) }
      try withLayer(of: resolver) { _ in
      } operation: {
        let context = OverrideContext.current
        _ = try Threads.run(4) { _ in
          context.run { try? resolver.resolve(Coin.self, lifecycle: .once) }
        }
        let counts = try #require(OverrideLayer.current).log.counts(of: Key<Coin>())
        #expect(counts.resolved == 1)
        #expect(counts.missed == 3)
      }
    }
  }

  @Test func `of an outer layer has the events of inner layers, while they live and after`() throws
  {
    let resolver = Resolver()
    resolver.register { 1 }
    try withLayer(of: resolver) { _ in
    } operation: {
      let outer = try #require(OverrideLayer.current)
      _ = try resolver.resolve(Int.self)
      try withLayer(of: resolver) {
        $0.register { 2 }
      } operation: {
        _ = try resolver.resolve(Int.self)
        try withLayer(of: resolver) { _ in
        } operation: {
          _ = try resolver.resolve(Int.self)
          #expect(outer.log.count(of: Int.self) == 3)
          #expect(OverrideLayer.current?.log.count(of: Int.self) == 1)
        }
        #expect(outer.log.count(of: Int.self) == 3)
        #expect(OverrideLayer.current?.log.count(of: Int.self) == 2)
      }
      #expect(outer.log.count(of: Int.self) == 3)
      #expect(outer.log.events.map(\.outcome) == [.made, .made, .made])
    }
  }

  @Test(arguments: [2, 8])
  func `of an outer layer is exact while inner layers come and go`(count: Int) throws {
    let resolver = Resolver()
    resolver.register { 1 }
    try withLayer(of: resolver, isBoundary: true) { _ in
    } operation: {
      let outer = try #require(OverrideLayer.current)
      let context = OverrideContext.current
      let (isDone, isOutOfOrder) = (Box(false), Box(false))
      let total = count * 200
      let outcomes = try Threads.run(count + 1) { thread in
        if thread == count {
          var last = 0
          while !isDone.value {
            let now = outer.log.count(of: Int.self)
            guard now >= last, now <= total else { isOutOfOrder.value = true; break }
            last = now
            if now >= total { break }
          }
          return
        }
        try context.run {
          for _ in 0..<100 {
            try withLayer(of: resolver) { _ in
            } operation: {
              _ = try resolver.resolve(Int.self)
              _ = try resolver.resolve(Int.self)
            }
          }
        }
      }
      isDone.value = true
      #expect(!isOutOfOrder.value, "counts go neither back nor beyond")
      #expect(outcomes.allSatisfy { $0.failure == nil })
      #expect(outer.log.count(of: Int.self) == total)
    }
  }

  /// The innermost layer of the resolver logs. Layers of others lie between.
  @Test func `skips the layers of other resolvers`() throws {
    let (resolver, other) = (Resolver(), Resolver())
    resolver.register { 1 }
    other.register { "x" }
    try withLayer(of: resolver) { _ in
    } operation: {
      let outer = try #require(OverrideLayer.current)
      try withLayer(of: other) { _ in
      } operation: {
        let middle = try #require(OverrideLayer.current)
        _ = try resolver.resolve(Int.self)
        _ = try other.resolve(String.self)
        try withLayer(of: resolver) { _ in
        } operation: {
          _ = try resolver.resolve(Int.self)
        }
        #expect(middle.log.count(of: Int.self) == 0)
        #expect(middle.log.count(of: String.self) == 1)
      }
      #expect(outer.log.count(of: Int.self) == 2)
      #expect(outer.log.count(of: String.self) == 0)
    }
  }

  @Test func `keeps a bounded tail of events, and exact counts`() throws {
    let resolver = Resolver()
    resolver.register { (id: Int) in Coin(id) }
    try withLayer(of: resolver) { _ in
    } operation: {
      let log = try #require(OverrideLayer.current).log
      let total = ResolutionLog.tailCapacity + 100
      for id in 0..<total { _ = try resolver.resolve(Coin.self, with: id) }
      #expect(log.count(of: Coin.self) == total)
      #expect(log.events.map(\.argument) == (100..<total).map { "\($0)" })
      #expect(
        log.tree.hasPrefix(
          "(100 earlier resolutions are not shown)\nCoin  made by production with 100\n"))
    }
  }

  @Test func `says how many events it leaves out while an inner layer lives`() throws {
    let resolver = Resolver()
    resolver.register { (id: Int) in Coin(id) }
    try withLayer(of: resolver) { _ in
    } operation: {
      let outer = try #require(OverrideLayer.current).log
      for id in 0..<300 { _ = try resolver.resolve(Coin.self, with: id) }
      try withLayer(of: resolver) { _ in
      } operation: {
        for id in 300..<600 { _ = try resolver.resolve(Coin.self, with: id) }
        #expect(outer.events.map(\.argument) == (88..<600).map { "\($0)" })
        #expect(outer.tree.hasPrefix("(88 earlier resolutions are not shown)\n"))
      }
      #expect(outer.tree.hasPrefix("(88 earlier resolutions are not shown)\n"))
    }
  }

  @Test func `keeps the newest events when older ones of an inner layer are merged`() throws {
    let resolver = Resolver()
    resolver.register { (id: Int) in Coin(id) }
    try withLayer(of: resolver) { _ in
    } operation: {
      let log = try #require(OverrideLayer.current).log
      let outer = OverrideContext.current
      try withLayer(of: resolver) { _ in
      } operation: {
        for _ in 0..<50 { _ = try resolver.resolve(Coin.self, with: -1) }
        try outer.run {
          for id in 0..<ResolutionLog.tailCapacity { _ = try resolver.resolve(Coin.self, with: id) }
        }
      }
      #expect(log.events.map(\.argument) == (0..<ResolutionLog.tailCapacity).map { "\($0)" })
      #expect(log.count(of: Coin.self) == ResolutionLog.tailCapacity + 50)
    }
  }

  @Test(arguments: [(450, 600, 0), (300, 400, 400)])
  func `keeps the newest events when those of an ended inner layer are merged`(
    outer: Int, inner: Int, later: Int
  ) throws {
    let resolver = Resolver()
    resolver.register { (id: Int) in Coin(id) }
    try withLayer(of: resolver) { _ in
    } operation: {
      let log = try #require(OverrideLayer.current).log
      for id in 0..<outer { _ = try resolver.resolve(Coin.self, with: id) }
      try withLayer(of: resolver) { _ in
      } operation: {
        for id in outer..<outer + inner { _ = try resolver.resolve(Coin.self, with: id) }
      }
      let total = outer + inner + later
      for id in outer + inner..<total { _ = try resolver.resolve(Coin.self, with: id) }
      let newest = total - ResolutionLog.tailCapacity..<total
      #expect(log.events.map(\.argument) == newest.map { "\($0)" })
      #expect(log.tree.hasPrefix("(\(newest.lowerBound) earlier resolutions are not shown)\n"))
    }
  }

  @Test func `shows each request below its requester, as a tree`() throws {
    let resolver = Wiring.blockResolver.makeResolver()
    try withLayer(of: resolver, named: "a test") {
      $0.register(lifecycle: .cached) { Leaf("double") }
    } operation: {
      let log = try #require(OverrideLayer.current).log
      #expect(log.tree == "Nothing was resolved.")
      resolver.register(named: "both") { r in
        _ = try r.resolve(Root.self)
        _ = try r.resolve(Leaf.self)
        return "both"
      }
      _ = try resolver.resolve(String.self, named: "both")
      _ = try? resolver.resolve(Bool.self)
      #expect(
        log.tree == """
          String named "both"  made by production
          ├─ Root  made by production
          │  └─ Middle  made by production
          │     └─ Leaf  made by layer 'a test'
          └─ Leaf  reused from layer 'a test'
          Bool  missed
          """)
    }
  }

  @Test func `distinguishes a decorator from the registration that it decorates`() throws {
    let resolver = Resolver()
    resolver.register { Coin(1) }
    try withLayer(of: resolver, named: "a test") {
      $0.decorate(Coin.self) { Coin($0.id + 1) }
    } operation: {
      let log = try #require(OverrideLayer.current).log
      _ = try resolver.resolve(Coin.self)
      #expect(
        log.tree == """
          Coin  decorated by layer 'a test'
          └─ Coin  made by production
          """)
    }
  }

  /// L4 of `Docs/Guarantees.md`.
  @Test func `says which arguments were ignored`() throws {
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { (id: Int) in Coin(id) }
    resolver.register { "takes none" }
    try withLayer(of: resolver) { _ in
    } operation: {
      let log = try #require(OverrideLayer.current).log
      _ = try resolver.resolve(Coin.self, with: 1)
      _ = try resolver.resolve(Coin.self, with: 2)
      _ = try resolver.resolve(Coin.self)
      _ = try resolver.resolve(String.self, with: 3)
      _ = try? resolver.resolve(String?.self, with: 4, named: "missing")
      #expect(log.events.map(\.ignoredArgument) == [false, true, false, true, false])
      #expect(
        log.tree == """
          Coin  made by production with 1
          Coin  reused from production with 2 (ignored)
          Coin  reused from production
          String  made by production with 3 (ignored)
          String named "missing"  missed with 4
          """)
    }
  }

  /// Each event takes one line, whatever its argument.
  @Test func `prints an argument in one line, and shortens a long one`() throws {
    let resolver = Resolver()
    resolver.register { (r: Resolver, text: String) in
      Coin(text.count + (try r.resolve(Int.self)))
    }
    resolver.register { 1 }
    try withLayer(of: resolver, named: "log") { _ in
    } operation: {
      let layer = try #require(OverrideLayer.current)
      let text = String(repeating: "x", count: 120)
      _ = try resolver.resolve(Coin.self, with: "two\r\nlines\n")
      _ = try resolver.resolve(Coin.self, with: text)
      #expect(
        layer.log.tree == """
          Coin  made by production with two lines
          └─ Int  made by production
          Coin  made by production with \(text.prefix(100))… (120 characters)
          └─ Int  made by production
          """)
      #expect(layer.log.events.compactMap(\.argument) == ["two\r\nlines\n", text])
    }
  }

  @Test func `does not mark an argument that is passed on as ignored`() throws {
    let resolver = Resolver()
    resolver.register { (x: Int) in "\(x)" }
    resolver.alias(Key<String>(), as: (any Sendable).self)
    try withLayer(of: resolver) {
      $0.decorate(String.self) { "<\($0)>" }
    } operation: {
      let text = try resolver.resolve((any Sendable).self, with: 7) as? String
      #expect(text == "<7>")
      let log = try #require(OverrideLayer.current).log
      #expect(log.events.map(\.ignoredArgument) == [false, false, false])
    }
  }

  @Test func `has one event for a value whose completion fails`() throws {
    let resolver = Resolver()
    resolver.register(Coin.self) { _ in
      Coin(0)
    } then: { _, _ in
      throw Mishap()
    }
    try withLayer(of: resolver) { _ in
    } operation: {
      for number in 0..<20 { _ = try? resolver.resolve(Coin.self, with: number) }
      let events = try #require(OverrideLayer.current).log.events
      #expect(events.map(\.argument) == (0..<20).map { "\($0)" })
      #expect(events.map(\.outcome) == (0..<20).map { _ in .failed })
    }
  }

  @Test func `knows the requester, the place and the order of each resolution`() throws {
    let resolver = Wiring.blockResolver.makeResolver()
    try withLayer(of: resolver) { _ in
    } operation: {
      let line = #line + 1
      _ = try resolver.resolve(Middle.self)
      let events = try #require(OverrideLayer.current).log.events
      #expect(events.map(\.key) == [AnyKey(Key<Middle>()), AnyKey(Key<Leaf>())])
      #expect(events.map(\.requester) == [nil, AnyKey(Key<Middle>())])
      #expect(events.map(\.parent) == [nil, events[0].order])
      #expect(events[0].callSite.line == line)
      #expect(events[0].order < events[1].order)
    }
  }
}
