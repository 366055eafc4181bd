// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import Testing
import UnderstudyCompatibility

@testable import Understudy

extension Dependencies {
  fileprivate static let cell = Dependency<Coin>(lifecycle: .cached) { Coin(0) }
  fileprivate static let number = Dependency<Int> { 0 }
  fileprivate static let otherNumber = Dependency<Int> { 100 }
}

/// Rules O1, O2, O7 and O12 of `Docs/Guarantees.md`.
@Suite struct `Override layers` {
  @Test(.timeLimit(.minutes(20)), arguments: [false, true])
  func `do not use up a declared dependency in any form of request`(isBoundary: Bool) throws {
    let resolver = Resolver()
    try withOverrides(of: resolver, isBoundary: isBoundary) { _ in
    } operation: {
      let first = try resolver.resolve(Dependencies.cell.key, lifecycle: .once)
      #expect(try resolver.resolve(Dependencies.cell.key, lifecycle: .once) === first)
      #expect(try resolver.resolve(all: [Dependencies.cell.key], lifecycle: .once).first === first)
      #expect(resolver.resolve(\.cell) === first)
    }
    #expect(try resolver.resolve(Dependencies.number.key, lifecycle: .once) == 0)
  }

  @Test func `lose an override that a request takes as once, and a declared default stays`()
    throws
  {
    let resolver = Resolver()
    withLayer(of: resolver) {
      $0.override(\.cell) { Coin(1) }
    } operation: {
      #expect(resolver.resolve(\.cell, lifecycle: .once).id == 1)
      #expect(resolver.resolve(\.cell).id == 0)
      #expect(resolver.resolve(\.cell, lifecycle: .once).id == 0)
      #expect(resolver.resolve(\.cell).id == 0)
    }
  }

  @Test func `lose the decorator of a declared default that a request takes as once`() throws {
    let resolver = Resolver()
    withLayer(of: resolver) {
      $0.decorate(\.cell) { Coin($0.id + 5) }
    } operation: {
      #expect(resolver.resolve(\.cell, lifecycle: .once).id == 5)
      #expect(resolver.resolve(\.cell).id == 0)
      #expect(resolver.resolve(\.cell, lifecycle: .once).id == 0)
    }
    resolver.prepare(\.cell) { Coin(7) }
    #expect(resolver.resolve(\.cell, lifecycle: .once).id == 7)
    #expect(resolver.resolve(\.cell).id == 0)
  }

  // MARK: O1

  @Test func `hold from the start of the operation to its end`() throws {
    let resolver = Resolver()
    resolver.register { 1 }
    try withLayer(of: resolver) {
      $0.register { 2 }
    } operation: {
      try #expect(resolver.resolve(Int.self) == 2)
    }
    try #expect(resolver.resolve(Int.self) == 1)
    #expect(OverrideLayer.current == nil)
  }

  @Test func `do not hold while they are being configured`() throws {
    let resolver = Resolver()
    resolver.register { 1 }
    let seen = Box(0)
    try withLayer(of: resolver) {
      $0.register { 2 }
      seen.value = try resolver.resolve(Int.self)
    } operation: {
    }
    #expect(seen.value == 1)
  }

  @Test func `end when the operation throws`() throws {
    let resolver = Resolver()
    resolver.register { 1 }
    let layer = Box<Witness?>(nil)
    #expect(throws: Mishap.self) {
      try withLayer(of: resolver) {
        $0.register { 2 }
      } operation: {
        layer.value = OverrideLayer.current.map { Witness($0) }
        throw Mishap()
      }
    }
    try #expect(resolver.resolve(Int.self) == 1)
    #expect(layer.value?.isGone == true)
  }

  @Test func `end when the configuration throws, before the operation begins`() throws {
    let resolver = Resolver()
    resolver.register { 1 }
    let begun = Tally()
    #expect(throws: Mishap.self) {
      try withLayer(of: resolver) {
        $0.register { 2 }
        throw Mishap()
      } operation: {
        begun.next()
      }
    }
    #expect(begun.count == 0)
    try #expect(resolver.resolve(Int.self) == 1)
  }

  @Test func `end when the task is cancelled`() async throws {
    let resolver = Resolver()
    resolver.register { 1 }
    let task = Task {
      try await withLayer(of: resolver) {
        $0.register { 2 }
      } operation: {
        try #expect(resolver.resolve(Int.self) == 2)
        while true {
          try Task.checkCancellation()
          await Task.yield()
        }
      }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try #expect(resolver.resolve(Int.self) == 1)
  }

  @Test(arguments: [1, 2, 3, 64])
  func `nest, and the innermost one that answers a key wins`(depth: Int) throws {
    let resolver = Resolver()
    resolver.register(named: "each") { 0 }
    resolver.register(named: "outermost") { 0 }
    func nest(_ level: Int) throws {
      guard level <= depth else { return }
      try withLayer(of: resolver) {
        $0.register(named: "each") { level }
        if level == 1 { $0.register(named: "outermost") { level } }
      } operation: {
        try #expect(resolver.resolve(Int.self, named: "each") == level)
        try #expect(resolver.resolve(Int.self, named: "outermost") == 1)
        try nest(level + 1)
        try #expect(resolver.resolve(Int.self, named: "each") == level)
      }
    }
    try nest(1)
    try #expect(resolver.resolve(Int.self, named: "each") == 0)
  }

  @Test func `answer with the last registration for a key`() throws {
    let resolver = Resolver()
    try withLayer(of: resolver) {
      $0.register(lifecycle: .cached) { 1 }
      $0.register(lifecycle: .cached) { 2 }
    } operation: {
      try #expect(resolver.resolve(Int.self) == 2)
      OverrideLayer.current?.register(lifecycle: .cached) { 3 }
      try #expect(resolver.resolve(Int.self) == 3)
    }
  }

  // MARK: O2

  @Test(arguments: [1, 2, 3])
  func `answer once with a one-time override, then fall through`(count: Int) throws {
    let resolver = Resolver()
    resolver.register { 0 }
    func nest(_ level: Int) throws {
      guard level <= count else {
        for expected in (0...count).reversed() {
          try #expect(resolver.resolve(Int.self) == expected)
        }
        try #expect(resolver.resolve(Int.self) == 0)
        return
      }
      try withLayer(of: resolver) {
        $0.register(level, lifecycle: .once)
      } operation: {
        try nest(level + 1)
      }
    }
    try nest(1)
  }

  @Test func `restore a one-time override when its block throws`() throws {
    let resolver = Resolver()
    resolver.register { 0 }
    let isFirst = FirstTime()
    try withLayer(of: resolver) {
      $0.register(lifecycle: .once) { () throws -> Int in
        if isFirst() { throw Mishap() }
        return 1
      }
    } operation: {
      #expect(resolutionError { try resolver.resolve(Int.self) }?.kind == "failed")
      try #expect(resolver.resolve(Int.self) == 1)
      try #expect(resolver.resolve(Int.self) == 0)
    }
  }

  @Test func `hide a one-time override from its own block`() throws {
    let resolver = Resolver()
    resolver.register { 10 }
    try withLayer(of: resolver) {
      $0.register(lifecycle: .once) { r in 1 + (try r.resolve(Int.self)) }
    } operation: {
      try #expect(resolver.resolve(Int.self) == 11)
    }
  }

  @Test func `answer a declared dependency once, then production does`() {
    let resolver = Resolver()
    withLayer(of: resolver) {
      $0.override(\.cell, lifecycle: .once) { Coin(1) }
    } operation: {
      #expect(resolver.resolve(\.cell).id == 1)
      #expect(resolver.resolve(\.cell).id == 0)
    }
  }

  // MARK: Declared dependencies and bare types

  @Test func `answer a declared dependency with an override of its type`() {
    let resolver = Resolver()
    withLayer(of: resolver) {
      $0.register { 5 }
    } operation: {
      #expect(resolver.resolve(\.number) == 5)
      #expect(resolver.resolve(\.otherNumber) == 5)
    }
  }

  @Test func `prefer a declared dependency's own override`() throws {
    let resolver = Resolver()
    try withLayer(of: resolver) {
      $0.override(\.number) { 6 }
      $0.register { 5 }
    } operation: {
      #expect(resolver.resolve(\.number) == 6)
      #expect(resolver.resolve(\.otherNumber) == 5)
      try #expect(resolver.resolve(Int.self) == 5)
    }
  }

  @Test func `answer the bare type with the only override of a declared dependency`() throws {
    let resolver = Resolver()
    resolver.register { 1 }
    try withLayer(of: resolver) {
      $0.override(\.number) { 6 }
    } operation: {
      try #expect(resolver.resolve(Int.self) == 6)
      try #expect(resolver.resolve([Int].self) == [6])
      OverrideLayer.current?.override(\.otherNumber) { 7 }
      try #expect(resolver.resolve(Int.self) == 1)
    }
  }

  @Test func `count under the requested key and under the answering one`() throws {
    let resolver = Resolver()
    try withLayer(of: resolver) {
      $0.register { 5 }
    } operation: {
      let log = try #require(OverrideLayer.current?.log)
      _ = resolver.resolve(\.number)
      #expect(log.count(of: \.number) == 1)
      #expect(log.count(of: Int.self) == 1)
      #expect(log.count(of: \.otherNumber) == 0)
    }
    try withLayer(of: resolver) {
      $0.override(\.number) { 5 }
    } operation: {
      let log = try #require(OverrideLayer.current?.log)
      _ = try resolver.resolve(Int.self)
      #expect(log.count(of: \.number) == 1)
      #expect(log.count(of: Int.self) == 1)
    }
  }

  @Test func `do not share instances between resolvers for a declared dependency`() {
    let (first, second) = (Resolver(), Resolver())
    #expect(first.resolve(\.cell) === first.resolve(\.cell))
    #expect(first.resolve(\.cell) !== second.resolve(\.cell))
    #expect(first.resolve(\.cell) !== Resolver.main.resolve(\.cell))
    #expect(Resolver.main.resolve(\.cell) === Resolver.main.resolve(\.cell))
    // The main resolver's instance exists by now.
    #expect(Resolver().resolve(\.cell) !== Resolver.main.resolve(\.cell))
  }

  @Test func `a declared dependency's own key resolves it`() throws {
    let resolver = Resolver()
    try #expect(resolver.resolve(Dependencies.cell.key) === resolver.resolve(\.cell))
  }

  @Test func `report a violation of a nested layer to the layer below it`() throws {
    let resolver = Resolver()
    let layer = OverrideLayer.unscoped(of: resolver, ofTest: "a test")
    OverrideLayer.binding(layer) {
      withLayer(of: resolver) {
        $0.unimplemented(\.number)
      } operation: {
        _ = #expect(throws: ResolutionError.self) {
          try resolver.resolve(Dependencies.number.key)
        }
      }
    }
    #expect(layer.end().count == 1)
  }

  // MARK: Two resolvers

  @Test func `of two resolvers form one stack, and answer for their own resolver`() throws {
    let (first, second) = (Resolver(), Resolver())
    first.register { 1 }
    second.register { r in 100 + (try first.resolve(Int.self)) }
    try withLayer(of: second) {
      $0.register("second")
    } operation: {
      try withLayer(of: first) {
        $0.register { 2 }
      } operation: {
        try #expect(first.resolve(Int.self) == 2)
        try #expect(second.resolve(Int.self) == 102)
        try #expect(second.resolve(String.self) == "second")
        #expect(resolutionError { try first.resolve(String.self) }?.kind == "missing")
      }
    }
  }

  // MARK: O12

  @Test func `describe themselves`() throws {
    let resolver = Resolver()
    try withLayer(of: resolver, named: "a confirmed order") {
      $0.register { 1 }
      $0.register("x", named: "n")
    } operation: {
      let layer = try #require(OverrideLayer.current)
      let text = String(describing: layer)
      #expect(text.contains("a confirmed order"))
      #expect(text.contains("\n  Int  overridden at UnderstudyTests/OverrideTests.swift:"))
      #expect(text.contains("\n  String named \"n\"  overridden at "))
    }
  }

  @Test func `are named after the place that pushed them`() throws {
    let line = #line + 1
    withLayer(of: Resolver()) { _ in
    } operation: {
      #expect(OverrideLayer.current?.name == "UnderstudyTests/OverrideTests.swift:\(line)")
      #expect(OverrideLayer.current?.callSite.line == line)
    }
  }
}
