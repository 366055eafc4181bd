// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
@testable import Understudy

/// Rules O3 and O4 of `Docs/Guarantees.md`: which work sees a layer.
@Suite struct `Layers in tasks` {
  @Test func `are seen by child tasks, and carried to threads by their context`() async throws {
    let resolver = Resolver()
    resolver.register { 0 }
    try await withLayer(of: resolver) {
      $0.register { 1 }
    } operation: {
      async let child = resolver.resolve(Int.self)
      try #expect(await child == 1)
      try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<8 { group.addTask { try resolver.resolve(Int.self) } }
        for try await value in group { #expect(value == 1) }
      }
      let context = OverrideContext.current
      let values = try Threads.run(4) { _ in try context.run { try resolver.resolve(Int.self) } }
      #expect(values.map(\.success) == [1, 1, 1, 1])
      let asynchronous = try await Task.detached {
        try await context.run {
          await Task.yield()
          return try resolver.resolve(Int.self)
        }
      }.value
      #expect(asynchronous == 1)
    }
  }

  @Test func `a context carries the current resolver too`() throws {
    let resolver = Resolver()
    let context = withResolver(resolver) { OverrideContext.current }
    let outcome = try Threads.run(1) { _ in context.run { Resolver.current === resolver } }
    #expect(outcome[0].success == true)
    #expect(Resolver.current === Resolver.main)
  }

  @Test func `an empty context hides the layers of the code that runs it`() throws {
    let resolver = Resolver()
    resolver.register { 0 }
    let empty = OverrideContext.current
    try withLayer(of: resolver) {
      $0.register { 1 }
    } operation: {
      try empty.run { try #expect(resolver.resolve(Int.self) == 0) }
      try #expect(resolver.resolve(Int.self) == 1)
    }
  }

  @Test(arguments: [2, 8, 16])
  func `siblings share one instance of the layer below them`(count: Int) async throws {
    let resolver = Resolver()
    let made = Tally()
    resolver.register(lifecycle: .cached) { Coin(made.next()) }
    let cells = try await withLayer(of: resolver, isBoundary: true) { _ in
    } operation: {
      try await withThrowingTaskGroup(of: Coin.self) { group in
        for index in 0..<count {
          group.addTask {
            try withLayer(of: resolver) {
              $0.register(index)
            } operation: {
              try #expect(resolver.resolve(Int.self) == index)
              return try resolver.resolve(Coin.self)
            }
          }
        }
        return try await group.reduce(into: [Coin]()) { $0.append($1) }
      }
    }
    #expect(made.count == 1)
    #expect(cells.count == count && cells.allSatisfy { $0 === cells[0] })
  }

  /// One sibling overrides the leaf, and the other does not. Both start while the block runs.
  @Test func `siblings wait for each other only if they can share the instance`() throws {
    let resolver = Resolver()
    let made = Tally()
    resolver.register(lifecycle: .cached) { Leaf("production") }
    resolver.register(lifecycle: .cached) { (r: Resolver) throws -> Middle in
      made.next()
      return Middle(try r.resolve())
    }
    for _ in 0..<50 {
      let before = made.count
      try withLayer(of: resolver, isBoundary: true) { _ in
      } operation: {
        let context = OverrideContext.current
        let outcomes = try Threads.run(8) { index in
          try context.run {
            try withLayer(of: resolver) {
              if index % 2 == 0 { $0.register(lifecycle: .cached) { Leaf("\(index)") } }
            } operation: {
              try resolver.resolve(Middle.self)
            }
          }
        }
        let middles = try outcomes.map { try $0.get() }
        let origins = middles.map(\.leaf.origin)
        #expect(origins == (0..<8).map { $0 % 2 == 0 ? "\($0)" : "production" })
        #expect(Set([1, 3, 5, 7].map { ObjectIdentifier(middles[$0]) }).count == 1)
        #expect(made.count - before == 5)
      }
    }
  }
}
