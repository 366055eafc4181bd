// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import Understudy

/// Threads that create instances for each other notice a cycle, and none waits for ever.
@Suite struct `A cycle across threads` {
  final class A: Sendable {}
  final class B: Sendable {}
  final class C: Sendable {}

  /// T1 creates A and needs B, while T2 creates B and needs A. Both blocks are already running.
  @Test(arguments: [false, true])
  func `of two is an error with the path, not a hang`(areUncachedBetween: Bool) throws {
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
  func `of many is an error on each, not a hang`(count: Int) throws {
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

  /// T2 creates B and waits for C. T1 creates C, and completes it with B. T2 continues with C
  /// before C is complete.
  @Test func `is not reported if the waiting thread can already continue`() throws {
    for _ in 1...20 {
      let resolver = Resolver()
      let cRuns = Gate("C's block")
      let creation = Box<Creation?>(nil)
      resolver.register(lifecycle: .cached) { (r: Resolver) throws -> B in
        creation.value = Construction.current?.creation
        _ = try r.resolve(C.self)
        return B()
      }
      resolver.register(lifecycle: .cached) { () throws -> C in
        cRuns.open()
        try Threads.spin(
          until: { creation.value.map { Understudy.Waiting.isWaiting($0) } == true },
          "B's waiting for C")
        return C()
      } then: { _, r in
        _ = try r.resolve(B.self)
      }
      try Threads.run(within: 300) {
        _ = try resolver.resolve(C.self)
      } _: {
        try cRuns.pass()
        _ = try resolver.resolve(B.self)
      }
    }
  }

  /// T1 completes B. The block of a task needs B and C. Nothing would complete at the end of such a
  /// block, so it waits for B, and C is there for all.
  @Test func `does not keep an asynchronous block from waiting for a completion`() async throws {
    let resolver = Resolver()
    let isIncomplete = Latch()
    let creation = Box<Creation?>(nil)
    let (isCreated, isComplete) = (AtomicInt(0), AtomicInt(0))
    resolver.register(lifecycle: .cached) {
      B()
    } then: { _, _ in
      isIncomplete.open()
      // The task may have to wait for its turn in a run of many tests.
      try Threads.spin(
        until: {
          isCreated.isSet || creation.value.map { Understudy.Waiting.isWaiting($0) } == true
        }, "A's waiting for B", within: 900)
      isComplete.set()
    }
    resolver.register(lifecycle: .cached) { C() }
    resolver.register(lifecycle: .cached) { (r: Resolver) async throws -> A in
      await isIncomplete.opened()
      creation.value = Construction.current?.creation
      _ = try (r.resolve(B.self), r.resolve(C.self))
      return A()
    }
    // A thread of the pool that spins could keep the task from its turn.
    Threads.start { _ = try? resolver.resolve(B.self) }
    _ = try await resolver.resolveAsync(A.self)
    #expect(isComplete.isSet)
    isCreated.set()
    let outcomes = try Threads.run(1, within: 300) { _ in _ = try resolver.resolve(C.self) }
    #expect(outcomes.allSatisfy { $0.failure == nil })
  }

  /// T1 creates A in one layer and needs B. T2 creates B in a sibling layer, needs C, and waits for
  /// A.
  @Test(arguments: [false, true])
  func `of two in sibling layers, through three keys, is an error on both, not a hang`(
    isT1InLayer: Bool
  ) throws {
    let resolver = Resolver()
    let (aRuns, cAsks) = (Gate("A's block"), Gate("C's block"))
    let creation = Box<Creation?>(nil)
    let (isFirstA, isFirstC) = (FirstTime(), FirstTime())
    resolver.register(lifecycle: .cached) { (r: Resolver) throws -> A in
      if isFirstA() {
        aRuns.open()
        try cAsks.pass()
        try Threads.spin(
          until: { creation.value.map { Understudy.Waiting.isWaiting($0) } == true },
          "C's waiting for A")
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
        creation.value = Construction.current?.creation
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

  /// Registers A and B, which need each other. Neither makes its request before the other has
  /// begun.
  private func needingEachOther() -> Resolver {
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
    return resolver
  }

  /// Each thread is under a layer of its own that overrides a dependency of the other.
  @Test(arguments: [false, true])
  func `under sibling layers is not a hang`(areBoundaries: Bool) throws {
    let resolver = needingEachOther()
    let outcomes = try Threads.run(2, within: 300) { index in
      try withLayer(of: resolver, isBoundary: areBoundaries) {
        $0.register(index)
      } operation: {
        if index == 0 { _ = try resolver.resolve(A.self) } else { _ = try resolver.resolve(B.self) }
      }
    }
    #expect(outcomes.map { ($0.failure as? ResolutionError)?.kind } == ["cycle", "cycle"])
  }

  @Test func `is not reported if each layer cuts the other's edge`() throws {
    let resolver = needingEachOther()
    let outcomes = try Threads.run(2, within: 300) { index in
      try withLayer(of: resolver) {
        if index == 0 { $0.register { B() } } else { $0.register { A() } }
      } operation: {
        if index == 0 { _ = try resolver.resolve(A.self) } else { _ = try resolver.resolve(B.self) }
      }
    }
    #expect(outcomes.compactMap { "\($0.failure as Any)" }.allSatisfy { $0 == "nil" })
  }

  /// Every node needs all nodes of the level below it, and some blocks throw at first.
  @Test(arguments: [2, 4, 8, 16])
  func `is not reported in a diamond, however many threads and throwing blocks there are`(
    count: Int
  ) throws {
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
