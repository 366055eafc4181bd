// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyCompatibility

@Suite struct `One registration on two registrars` {
  private final class Pool: Sendable {}

  @Test func `has an instance on each, and one is released without the other`() throws {
    let (first, second) = (Resolver(), Resolver())
    let key = first.register(lifecycle: .cached) { Pool() }
    second.add(try #require(first.registration(for: key.erased)))
    let (one, other): (Pool, Pool) = (try first.resolve(), try second.resolve())
    #expect(one !== other)
    first.unregister(key)
    #expect(throws: ResolutionError.self) { try first.resolve(Pool.self) }
    for _ in 0..<3 { try #expect(second.resolve(Pool.self) === other) }
    second.reset(.instances)
    try #expect(second.resolve(Pool.self) !== other)
  }

  @Test func `that is added again to its registrar forgets its cached value`() throws {
    let resolver = Resolver()
    let key = resolver.register(lifecycle: .cached) { Pool() }
    let first: Pool = try resolver.resolve()
    resolver.add(try #require(resolver.registration(for: key.erased)))
    try #expect(resolver.resolve(Pool.self) !== first)
  }
}

@Suite struct `An array that is requested with a part of a key` {
  private enum Novel: Qualifier {}
  private enum Wide: Scope {}
  private final class Book: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
  }

  @Test func `has every registration with that part, whatever its other parts`() throws {
    let resolver = Resolver()
    resolver.register { Book(0) }
    resolver.register(qualifiedBy: Novel.self) { Book(1) }
    resolver.register(named: "two", qualifiedBy: Novel.self) { Book(2) }
    resolver.register(named: "two") { Book(3) }
    resolver.register(named: "two", in: "shelf") { Book(4) }
    resolver.register(scopedTo: Wide.self, named: "two", qualifiedBy: Novel.self) { Book(5) }
    func numbers(_ books: [Book]) -> [Int] { books.map(\.number) }
    try #expect(numbers(resolver.resolve([Book].self)) == [0, 1, 2, 3, 4, 5])
    try #expect(numbers(resolver.resolve([Book].self, qualifiedBy: Novel.self)) == [1, 2, 5])
    try #expect(numbers(resolver.resolve([Book].self, named: "two")) == [2, 3, 4, 5])
    try #expect(
      numbers(resolver.resolve([Book].self, named: "two", qualifiedBy: Novel.self)) == [2, 5])
    try #expect(numbers(resolver.resolve([Book].self, in: "shelf")) == [4])
  }

  private protocol Readable: Sendable { var number: Int { get } }
  private final class Paper: Readable { let number = 8 }
  private final class Screen: Readable { let number = 9 }

  @Test func `has two aliases of one type under one qualifier, each with its target's name`() throws
  {
    let resolver = Resolver()
    let paper = resolver.register(named: "paper", qualifiedBy: Novel.self) { Paper() }
    let screen = resolver.register(named: "screen", qualifiedBy: Novel.self) { Screen() }
    resolver.alias(paper, as: (any Readable).self)
    resolver.alias(screen, as: (any Readable).self)
    try #expect(
      resolver.resolve([any Readable].self, qualifiedBy: Novel.self).map(\.number) == [8, 9])
  }
}
