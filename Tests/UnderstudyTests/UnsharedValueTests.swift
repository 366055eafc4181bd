// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import Understudy
import UnderstudyCompatibility
import UnderstudyTesting

/// Values that must not be shared between tasks are created for each request, in every form.
@Suite struct `A value that is not Sendable` {
  final class Ledger {
    let lines: [Int]
    init(_ lines: Int...) { self.lines = lines }
  }

  final class Report {
    let ledger: Ledger
    init(ledger: Ledger) { self.ledger = ledger }
  }

  let resolver = Resolver()

  @Test func `comes from a block that gets the resolver`() throws {
    resolver.register(7)
    resolver.register { (resolver: Resolver) in Ledger(try resolver.resolve()) }
    let first: Ledger = try resolver.resolve()
    let second: Ledger = try resolver.resolve()
    #expect(first.lines == [7])
    #expect(first !== second)
  }

  @Test func `comes from a block that gets the resolver and arguments`() throws {
    resolver.register(7)
    resolver.register(named: 1) { (resolver: Resolver, line: Int) in
      Ledger(try resolver.resolve(), line)
    }
    resolver.register(named: 2) { (resolver: Resolver, first: Int, second: Int) in
      Ledger(try resolver.resolve(), first, second)
    }
    resolver.register(named: 3) { (resolver, line: Int) in Ledger(try resolver.resolve(), line) }
    try #expect(resolver.resolve(Ledger.self, with: 8, named: 1).lines == [7, 8])
    try #expect(resolver.resolve(Ledger.self, with: 6, named: 3).lines == [7, 6])
    try #expect(resolver.resolve(Ledger.self, with: (8, 9), named: 2).lines == [7, 8, 9])
  }

  @Test func `comes from an initialiser, with all that it needs`() throws {
    resolver.register { Ledger(1) }
    resolver.register(autowiring: Report.init(ledger:))
    let first: Report = try resolver.resolve()
    let second: Report = try resolver.resolve()
    #expect(first.ledger.lines == [1])
    #expect(first !== second && first.ledger !== second.ledger)
  }

  @Test func `is overridden in each of these forms`() throws {
    resolver.register { Ledger(0) }
    resolver.register(autowiring: Report.init(ledger:))
    try withOverrides(of: resolver) {
      $0.register(5)
      $0.register { (resolver: Resolver) in Ledger(try resolver.resolve()) }
    } operation: {
      try #expect(resolver.resolve(Report.self).ledger.lines == [5])
    }
    try #expect(resolver.resolve(Report.self).ledger.lines == [0])
  }
}

/// Blocks that await, and get arguments.
@Suite struct `An asynchronous block` {
  @Test func `gets the resolver and the arguments`() async throws {
    let resolver = Resolver()
    resolver.register(7)
    resolver.register(named: 1) { (resolver: Resolver, number: Int) in
      await Coin(Task { number }.value + (try resolver.resolve()))
    }
    resolver.register(named: 2) { (resolver: Resolver, a: Int, b: Int) in
      await Coin(Task { a * b }.value + (try resolver.resolve()))
    }
    try await #expect(resolver.resolveAsync(Coin.self, with: 1, named: 1).id == 8)
    try await #expect(resolver.resolveAsync(Coin.self, with: (2, 3), named: 2).id == 13)
  }

  @MainActor final class Panel {
    let numbers: [Int]
    init(_ numbers: Int...) { self.numbers = numbers }
  }

  @Test @MainActor func `on the main actor gets the resolver and the arguments`() throws {
    let resolver = Resolver()
    resolver.register(7)
    resolver.register(named: 1) { @MainActor (resolver: Resolver, a: Int) in
      Panel(try resolver.resolve(), a)
    }
    resolver.register(named: 2) { @MainActor (resolver: Resolver, a: Int, b: Int) in
      Panel(try resolver.resolve(), a, b)
    }
    resolver.register(named: 3) { @MainActor (a: Int, b: Int) in Panel(a, b) }
    try #expect(resolver.resolve(Panel.self, with: 1, named: 1).numbers == [7, 1])
    try #expect(resolver.resolve(Panel.self, with: (2, 3), named: 2).numbers == [7, 2, 3])
    try #expect(resolver.resolve(Panel.self, with: (4, 5), named: 3).numbers == [4, 5])
  }

  @Test func `creates one instance for each argument`() async throws {
    let resolver = Resolver()
    let creations = Lock<[Int]>([])
    resolver.register(lifecycle: .cached, per: { $0 }) { (number: Int) in
      creations.withLock { $0.append(number) }
      return Coin(number)
    }
    let first = try await resolver.resolveAsync(Coin.self, with: 1)
    let again = try await resolver.resolveAsync(Coin.self, with: 1)
    let other = try await resolver.resolveAsync(Coin.self, with: 2)
    #expect(first === again)
    #expect(other.id == 2)
    #expect(creations.withLock { $0 } == [1, 2])
  }
}

extension Dependencies {
  fileprivate static let purse = Dependency<Purse>(lifecycle: .cached) { Purse(1) }
}

final class Purse: Sendable {
  let number: Int
  init(_ number: Int) { self.number = number }
}

/// The wrappers for prior systems, with declared dependencies and under layers.
@Suite struct `A wrapper` {
  struct Weak {
    @WeakInject(\.purse) var purse: Purse?
  }

  struct Late {
    @WeakLazyInject(\.purse) var purse: Purse?
  }

  @Test func `reads a declared dependency weakly, until its layer has ended`() throws {
    var reader: Weak?
    withOverrides(of: .main) {
      $0.override(\.purse, lifecycle: .cached) { Purse(2) }
    } operation: {
      reader = Weak()
      #expect(reader?.purse?.number == 2)
      #expect(reader?.$purse.isAvailable == true)
    }
    #expect(reader?.purse === nil)
    #expect(reader?.$purse.isAvailable == false)
    try #expect(#require(reader).$purse.get() === nil)
  }

  @Test func `reads a declared dependency weakly when it is used`() {
    withOverrides(of: .main) {
      $0.override(\.purse, lifecycle: .cached) { Purse(3) }
    } operation: {
      let reader = Late()
      #expect(reader.purse?.number == 3)
      #expect(reader.purse === reader.purse)
    }
  }

  struct All {
    @InjectAll var purses: [Purse]
  }

  @Test func `for all values keeps the layer of its owner, and can be set`() async throws {
    try await withOverrides(of: .main) {
      $0.register(named: 1) { Purse(4) }
      $0.register(named: 2) { Purse(5) }
    } operation: {
      var reader = All()
      #expect(reader.purses.map(\.number) == [4, 5])
      let found = try await Task.detached { [reader] in
        try withOverrides(from: reader) { try Resolver.main.resolve(Purse.self, named: 2).number }
      }.value
      #expect(found == 5)
      reader.purses = [Purse(6)]
      #expect(reader.purses.map(\.number) == [6])
      try #expect(reader.$purses.get().map(\.number) == [6])
    }
  }
}
