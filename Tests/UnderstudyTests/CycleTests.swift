// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import Testing
@testable import Understudy

/// A cycle is an error that names the path, from any number of threads: never a hang, never a crash.
@Suite struct `A cycle` {
  final class A: Sendable {}
  final class B: Sendable {}
  final class C: Sendable {}
  final class D: Sendable {}

  /// Asks for itself in an initialiser.
  struct InjectedA { @Inject var b: B }

  // MARK: On one thread

  @Test(arguments: Lifecycle.allCases.filter { $0 != .once })
  func `of one is an error`(lifecycle: Lifecycle) {
    let resolver = Resolver()
    resolver.register(lifecycle: lifecycle) { r in
      _ = try r.resolve(A.self)
      return A()
    }
    let error = resolutionError { try resolver.resolve(A.self) }
    #expect(error?.kind == "cycle")
    #expect(error?.steps == ["A", "A"])
  }

  @Test func `of one asked by an autowired initialiser is an error`() {
    let resolver = Resolver()
    resolver.register(autowiring: { (_: A) in A() })
    #expect(resolutionError { try resolver.resolve(A.self) }?.kind == "cycle")
  }

  @Test(arguments: [Lifecycle.cached, .notCached], [Lifecycle.cached, .notCached])
  func `of three is an error with the whole path`(first: Lifecycle, second: Lifecycle) {
    let resolver = Resolver()
    resolver.register(lifecycle: first) { r in
      _ = try r.resolve(B.self)
      return A()
    }
    resolver.register(lifecycle: second) { r in
      _ = try r.resolve(C.self)
      return B()
    }
    resolver.register(lifecycle: first) { r in
      _ = try r.resolve(A.self)
      return C()
    }
    resolver.register { r in
      _ = try r.resolve(A.self)
      return D()
    }
    let error = resolutionError { try resolver.resolve(D.self) }
    #expect(error?.kind == "cycle")
    #expect(error?.steps == ["D", "A", "B", "C", "A"])
    #expect(error?.key == AnyKey(type: A.self))
  }

  @Test func `through the current resolver of an initialiser is an error`() {
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { () throws -> A in
      _ = try Resolver.current.resolve(B.self)
      return A()
    }
    resolver.register(lifecycle: .cached) { () throws -> B in
      _ = try Resolver.current.resolve(A.self)
      return B()
    }
    let error = resolutionError { try withResolver(resolver) { try resolver.resolve(A.self) } }
    #expect(error?.steps == ["A", "B", "A"])
  }

  @Test func `through the main resolver is an error`() {
    struct Name: Hashable, Sendable {}
    Resolver.main.register(named: Name(), lifecycle: .cached) { () throws -> A in
      _ = try Resolver.main.resolve(B.self, named: Name())
      return A()
    }
    Resolver.main.register(named: Name(), lifecycle: .cached) { () throws -> B in
      _ = try Resolver.main.resolve(A.self, named: Name())
      return B()
    }
    let error = resolutionError { try Resolver.main.resolve(A.self, named: Name()) }
    #expect(error?.kind == "cycle")
    let types: [any Any.Type] = [A.self, B.self, A.self]
    #expect(error?.path.map { ObjectIdentifier($0.type) } == types.map { ObjectIdentifier($0) })
  }

  #if os(Linux) || os(macOS)
    @Test func `through an injected property ends the process with the path`() async {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let resolver = Resolver()
        resolver.register(lifecycle: .cached) { () -> A in
          _ = InjectedA().b
          return A()
        }
        resolver.register(lifecycle: .cached) { (r: Resolver) throws -> B in
          _ = try r.resolve(A.self)
          return B()
        }
        _ = try? withResolver(resolver) { try resolver.resolve(A.self) }
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("Making 'A' needs 'A' itself."))
      #expect(text.contains("Path          A → B → A"))
    }
  #endif

  @Test func `leaves nothing behind`() throws {
    let resolver = Resolver()
    let isCyclic = Box(true)
    resolver.register(lifecycle: .cached) { r in
      _ = try r.resolve(B.self)
      return A()
    }
    resolver.register(lifecycle: .cached) { r in
      if isCyclic.value { _ = try r.resolve(A.self) }
      return B()
    }
    #expect(resolutionError { try resolver.resolve(A.self) }?.kind == "cycle")
    #expect(resolutionError { try resolver.resolve(B.self) }?.kind == "cycle")
    isCyclic.value = false
    let a: A = try resolver.resolve()
    try #expect(resolver.resolve(A.self) === a)
  }

  @Test func `through a decorator is an error`() {
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { A() }
    let error = resolutionError {
      try withLayer(of: resolver) {
        $0.decorate(A.self) { _ in try resolver.resolve(A.self) }
      } operation: {
        try resolver.resolve(A.self)
      }
    }
    #expect(error?.kind == "cycle")
  }

  @Test func `that an override cuts is none`() throws {
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { r in
      _ = try r.resolve(B.self)
      return A()
    }
    resolver.register(lifecycle: .cached) { r in
      _ = try r.resolve(A.self)
      return B()
    }
    try withLayer(of: resolver) {
      $0.register { B() }
    } operation: {
      _ = try resolver.resolve(A.self)
    }
    #expect(resolutionError { try resolver.resolve(A.self) }?.kind == "cycle")
  }

  // MARK: Depth

  @Test func `is none where an argument ends the recursion`() throws {
    let resolver = Resolver()
    resolver.register { (r, n: Int) in n == 0 ? 1 : n * (try r.resolve(Int.self, with: n - 1)) }
    try #expect(resolver.resolve(Int.self, with: 10) == 3_628_800)
  }

  @Test(arguments: [Lifecycle.cached, .notCached, .once])
  func `is one where nothing takes the argument`(lifecycle: Lifecycle) {
    let resolver = Resolver()
    resolver.register(lifecycle: lifecycle == .once ? .notCached : lifecycle) { r throws -> A in
      try r.resolve(A.self, with: 1, lifecycle: .notCached)
    }
    let error = resolutionError { try resolver.resolve(A.self, with: 2, lifecycle: lifecycle) }
    #expect(error?.kind == (lifecycle == .once ? "missing" : "cycle"))
    #expect(error?.path.count == 2)
  }

  @Test func `with arguments that never end is an error at the maximum depth`() {
    let resolver = Resolver()
    let calls = Tally()
    resolver.register { (r, n: Int) throws -> Int in
      calls.next()
      return try r.resolve(Int.self, with: n + 1)
    }
    let error = resolutionError { try resolver.resolve(Int.self, with: 0) }
    #expect(error?.kind == "tooDeep")
    #expect(calls.count == Resolver.maximumDepth)
    #expect(error?.path.count == Resolver.maximumDepth + 1)
  }

  @Test func `with an argument through a cached registration is an error`() {
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { (r, n: Int) throws -> A in
      n == 0 ? A() : try r.resolve(A.self, with: n - 1)
    }
    #expect(resolutionError { try resolver.resolve(A.self, with: 3) }?.kind == "cycle")
  }

  @Test(arguments: [Lifecycle.cached, .notCached])
  func `is not what a long chain is`(lifecycle: Lifecycle) throws {
    let resolver = Resolver()
    let length = Resolver.maximumDepth
    for index in 0..<length {
      resolver.register(named: index, lifecycle: lifecycle) { r in
        index == length - 1 ? 0 : 1 + (try r.resolve(Int.self, named: index + 1))
      }
    }
    try #expect(resolver.resolve(Int.self, named: 0) == length - 1)
  }

  // MARK: Across threads

  /// T1 makes A and needs B while T2 makes B and needs A, each having begun.
  @Test(arguments: [false, true])
  func `across two threads is an error with the path, and no hang`(areUncachedBetween: Bool) throws
  {
    let resolver = Resolver()
    let barrier = Barrier(2)
    let isFirst = (FirstTime(), FirstTime())
    resolver.register(named: "b") { r in try r.resolve(B.self) }
    resolver.register(named: "a") { r in try r.resolve(A.self) }
    resolver.register(lifecycle: .cached) { r in
      if isFirst.0() { try barrier.arrive() }
      _ = try r.resolve(B.self, named: areUncachedBetween ? "b" : nil)
      return A()
    }
    resolver.register(lifecycle: .cached) { r in
      if isFirst.1() { try barrier.arrive() }
      _ = try r.resolve(A.self, named: areUncachedBetween ? "a" : nil)
      return B()
    }
    let outcomes = try Threads.run(2, within: 300) { index in
      if index == 0 { _ = try resolver.resolve(A.self) } else { _ = try resolver.resolve(B.self) }
    }
    let errors = outcomes.compactMap { $0.failure as? ResolutionError }
    #expect(errors.map(\.kind) == ["cycle", "cycle"])
    for error in errors {
      #expect(Set(error.path.map { ObjectIdentifier($0.type) }).count == 2)
      #expect(error.path.count >= 3)
    }
  }

  @Test(arguments: 3...8)
  func `across many threads is an error on each, and no hang`(count: Int) throws {
    let resolver = Resolver()
    let barrier = Barrier(count)
    let begun = Box<Set<Int>>([])
    for index in 0..<count {
      resolver.register(named: index, lifecycle: .cached) { r throws -> Coin in
        if begun.update({ $0.insert(index).inserted }) { try barrier.arrive() }
        return Coin(try r.resolve(Coin.self, named: (index + 1) % count).id)
      }
    }
    let outcomes = try Threads.run(count, within: 300) {
      try resolver.resolve(Coin.self, named: $0)
    }
    #expect(
      outcomes.map { ($0.failure as? ResolutionError)?.kind }
        == Array(repeating: "cycle", count: count))
  }

  /// T1 makes A in one layer and needs B. T2, in a sibling layer, makes B, needs C, and waits for A.
  @Test(arguments: [false, true])
  func `of three across sibling layers is an error on both, and no hang`(isT1InLayer: Bool) throws {
    let resolver = Resolver()
    let (aRuns, cAsks) = (Gate("A's block"), Gate("C's block"))
    let flight = Box<Flight?>(nil)
    let (isFirstA, isFirstC) = (FirstTime(), FirstTime())
    resolver.register(lifecycle: .cached) { (r: Resolver) throws -> A in
      if isFirstA() {
        aRuns.open()
        try cAsks.pass()
        try Threads.spin(until: { flight.value?.blockedOn.isEmpty == false }, "C's waiting for A")
      }
      _ = try r.resolve(B.self)
      return A()
    }
    resolver.register(lifecycle: .cached) { (r: Resolver) throws -> B in
      _ = try r.resolve(C.self)
      return B()
    }
    resolver.register(lifecycle: .cached) { (r: Resolver) throws -> C in
      if isFirstC() {
        flight.value = Construction.current?.tracker?.flight
        cAsks.open()
      }
      _ = try r.resolve(A.self)
      return C()
    }
    let kinds = Box<[String: String]>([:])
    try Threads.run(within: 300) {
      let error =
        if isT1InLayer {
          withLayer(of: resolver) {
            $0.register { 1 }
          } operation: {
            resolutionError { try resolver.resolve(A.self) }
          }
        } else {
          resolutionError { try resolver.resolve(A.self) }
        }
      kinds.update { $0["T1"] = error?.kind }
    } _: {
      try aRuns.pass()
      let error = withLayer(of: resolver) {
        $0.register { 2 }
      } operation: {
        resolutionError { try resolver.resolve(B.self) }
      }
      kinds.update { $0["T2"] = error?.kind }
    }
    #expect(kinds.value == ["T1": "cycle", "T2": "cycle"])
  }

  /// Each thread is under a layer of its own that changes what the other waits for.
  @Test(arguments: [false, true])
  func `across two threads under sibling layers is no hang`(areBoundaries: Bool) throws {
    let resolver = Resolver()
    let barrier = Barrier(2)
    let begun = Box<Set<String>>([])
    resolver.register(lifecycle: .cached) { r in
      if begun.update({ $0.insert("A").inserted }) { try barrier.arrive() }
      _ = try r.resolve(B.self)
      return A()
    }
    resolver.register(lifecycle: .cached) { r in
      if begun.update({ $0.insert("B").inserted }) { try barrier.arrive() }
      _ = try r.resolve(A.self)
      return B()
    }
    let outcomes = try Threads.run(2, within: 300) { index in
      try withLayer(of: resolver, isBoundary: areBoundaries) {
        $0.register(index)
      } operation: {
        if index == 0 { _ = try resolver.resolve(A.self) } else { _ = try resolver.resolve(B.self) }
      }
    }
    #expect(outcomes.map { ($0.failure as? ResolutionError)?.kind } == ["cycle", "cycle"])
  }

  @Test func `across two threads is none where each layer cuts the other's edge`() throws {
    let resolver = Resolver()
    let barrier = Barrier(2)
    let begun = Box<Set<String>>([])
    resolver.register(lifecycle: .cached) { r in
      if begun.update({ $0.insert("A").inserted }) { try barrier.arrive() }
      _ = try r.resolve(B.self)
      return A()
    }
    resolver.register(lifecycle: .cached) { r in
      if begun.update({ $0.insert("B").inserted }) { try barrier.arrive() }
      _ = try r.resolve(A.self)
      return B()
    }
    let outcomes = try Threads.run(2, within: 300) { index in
      try withLayer(of: resolver) {
        if index == 0 { $0.register { B() } } else { $0.register { A() } }
      } operation: {
        if index == 0 { _ = try resolver.resolve(A.self) } else { _ = try resolver.resolve(B.self) }
      }
    }
    #expect(outcomes.compactMap { "\($0.failure as Any)" }.allSatisfy { $0 == "nil" })
  }

  /// Every node needs all of the layer below it; some blocks throw the first time.
  @Test(arguments: [2, 4, 8, 16])
  func `is none in a diamond, however many threads and throwing blocks`(count: Int) throws {
    for round in 0..<20 {
      let resolver = Resolver()
      let calls = Box<[String: Int]>([:])
      let (depth, width) = (4, 3)
      for level in 0..<depth {
        for column in 0..<width {
          resolver.register(named: "\(level).\(column)", lifecycle: .cached) { r throws -> Coin in
            let call = calls.update { calls in
              calls["\(level).\(column)", default: 0] += 1
              return calls["\(level).\(column)", default: 0]
            }
            if call == 1, (level + column + round) % 3 == 0 { throw Mishap() }
            guard level + 1 < depth else { return Coin(1) }
            let below = try (0..<width).map { offset in
              try r.resolve(Coin.self, named: "\(level + 1).\((column + offset + round) % width)")
                .id
            }
            return Coin(below.reduce(0, +))
          }
        }
      }
      let outcomes = try Threads.run(count, within: 300) { index in
        for _ in 0..<200 {
          if let cell = try? resolver.resolve(Coin.self, named: "0.\(index % width)") {
            return cell
          }
        }
        return try resolver.resolve(Coin.self, named: "0.\(index % width)")
      }
      for column in 0..<min(width, count) {
        let cells = stride(from: column, to: count, by: width).compactMap { outcomes[$0].success }
        #expect(cells.allSatisfy { $0 === cells.first && $0.id == 27 })
        #expect(cells.count == (count - column + width - 1) / width)
      }
      #expect(calls.value.values.allSatisfy { $0 <= 2 + depth * width })
    }
  }
}
