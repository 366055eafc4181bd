// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyTesting

private final class Ticket: Sendable {
  let seat: Int

  init(seat: Int) { self.seat = seat }
}

/// An array of a type that needs no registration of its own has an element for each registration of
/// the type that it is made of.
@Suite struct `An array` {
  @Test func `of providers has one for each registration, with its name`() async throws {
    let resolver = Resolver()
    resolver.register { 1 }
    resolver.register(named: "two") { 2 }
    try withLayer(of: resolver) {
      $0.register(named: "two") { 22 }
      $0.register(named: "three") { 33 }
    } operation: {
      let providers = try resolver.resolve([Provider<Int>].self)
      assertNeverResolved(Int.self, named: "two", of: resolver)
      try #expect(providers.map { try $0() } == [1, 22, 33])
      assertResolved(Int.self, named: "two", of: resolver, count: .once)
      try #expect(resolver.resolve([Provider<Int>].self, named: "two").map { try $0() } == [22])
    }
    let providers = try await resolver.resolveAsync([Provider<Int>]?.self)
    try #expect(providers?.map { try $0() } == [1, 2])
  }

  @Test func `of providers of a function has one for each registration of its result`() throws {
    let resolver = Resolver()
    resolver.register { (_, seat: Int) in Ticket(seat: seat) }
    resolver.register(named: "double") { (_, seat: Int) in Ticket(seat: 2 * seat) }
    let providers = try resolver.resolve([Provider<(Int) -> Ticket>].self)
    try #expect(providers.map { try $0(4).seat } == [4, 8])
    resolver.register { { Ticket(seat: 3 * $0) } as (Int) -> Ticket }
    let functions = try resolver.resolve([Provider<(Int) -> Ticket>].self)
    try #expect(functions.map { try $0()(4).seat } == [12])
  }

  @Test func `of optionals has nil for an object that is gone`() throws {
    let resolver = Resolver()
    let ticket = Ticket(seat: 1)
    resolver.register(weak: ticket, named: 1)
    resolver.register(weak: Ticket(seat: 2), named: 2)
    try #expect(resolver.resolve([Ticket?].self).map { $0?.seat } == [1, nil])
    try #expect(resolver.resolve([Ticket].self).map(\.seat) == [1])
  }

  @Test func `of providers prefers the registrations of a provider`() throws {
    let resolver = Resolver()
    let other = Resolver()
    resolver.register { 1 }
    other.register { 2 }
    resolver.register(named: "other") { Provider<Int>(of: other) }
    try #expect(resolver.resolve([Provider<Int>].self).map { try $0() } == [2])
  }

  @Test func `of providers is strict for each element`() throws {
    let resolver = Resolver()
    resolver.register { 1 }
    try withLayer(.strict, of: resolver) { _ in
    } operation: {
      let provider = try #require(resolver.resolve([Provider<Int>].self).first)
      withKnownIssue {
        _ = #expect(throws: ResolutionError.self) { try provider() }
      }
    }
  }
}
