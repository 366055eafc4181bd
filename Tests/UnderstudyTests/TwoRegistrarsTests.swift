// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyCompatibility

@Suite struct `One registration on two registrars` {
  private final class Pool: Sendable {}

  enum Layer: CaseIterable, Sendable {
    case none
    case plain
    case boundary

    func run(_ body: () throws -> Void) throws {
      if self == .none { return try body() }
      try withOverrides(isBoundary: self == .boundary) { _ in
      } operation: {
        try body()
      }
    }
  }

  @Test(arguments: Layer.allCases)
  func `has an instance on each, and one is released without the other`(layer: Layer) throws {
    try layer.run {
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
  }

  @Test(arguments: Layer.allCases)
  func `is handed out once by each`(layer: Layer) throws {
    try layer.run {
      let (first, second) = (Resolver(), Resolver())
      let key = first.register(lifecycle: .once) { Pool() }
      second.add(try #require(first.registration(for: key.erased)))
      try #expect(first.resolve(Pool?.self) != nil)
      try #expect(second.resolve(Pool?.self) != nil)
      try #expect(first.resolve(Pool?.self) == nil)
      try #expect(second.resolve(Pool?.self) == nil)
    }
  }

  @Test(arguments: Layer.allCases)
  func `and another one under the same key are each handed out once`(layer: Layer) throws {
    try layer.run {
      let (first, second) = (Resolver(), Resolver())
      first.register(1, lifecycle: .once)
      second.register(2, lifecycle: .once)
      try #expect(
        [first, second, first, second].map { try $0.resolve(Int?.self) } == [1, 2, nil, nil])
    }
  }

  @Test(arguments: Layer.allCases)
  func `that is added again to its registrar forgets its cached value`(layer: Layer) throws {
    let resolver = Resolver()
    let key = resolver.register(lifecycle: .cached) { Pool() }
    let child = Resolver(parent: resolver)
    try layer.run {
      let first: Pool = try resolver.resolve()
      try #expect(child.resolve(Pool.self) === first)
      for _ in 0..<2 { resolver.add(try #require(resolver.registration(for: key.erased))) }
      try #expect(resolver.resolve(Pool.self) !== first)
      try #expect(child.resolve(Pool.self) === resolver.resolve(Pool.self))
    }
  }

  @Test func `that is added again is the newest`() throws {
    let resolver = Resolver()
    let first = resolver.register("first", named: 1)
    resolver.register("second", named: 2)
    let registration = try #require(resolver.registration(for: first.erased))
    resolver.unregister(first)
    resolver.add(registration)
    try #expect(resolver.resolve([String].self) == ["second", "first"])
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
    resolver.register(named: "two", scopedTo: Wide.self, qualifiedBy: Novel.self) { Book(5) }
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
