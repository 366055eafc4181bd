// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Dispatch
import Testing
import UnderstudyTesting

/// An object with a partner that is set after its creation.
final class Partner: Sendable {
  let name: String
  let next: Partner?
  private let late = Lock<Partner?>(nil)
  init(_ name: String, _ next: Partner? = nil) {
    self.name = name
    self.next = next
  }
  var other: Partner? {
    get { late.withLock { $0 } }
    set { late.withLock { $0 = newValue } }
  }
}

struct Card: Sendable {
  var number = 0
  var partner: Partner?
}

struct Session: Sendable, Equatable { let user: String, level: Int }
struct Catalogue: Sendable {
  let session: Provider<(String) -> Session>
  let level: Provider<Int>
}

protocol Printer: AnyObject, Sendable {}
final class Secretary: Printer, Mailer { func send(_ text: String) throws {} }

@Suite struct `Completing later` {
  let resolver = Resolver()

  /// A needs B at once, B needs C at once, and C gets A later.
  private func ring(_ resolver: Resolver) {
    resolver.register(named: "A", lifecycle: .cached) { r in
      Partner("A", try r.resolve(named: "B"))
    }
    resolver.register(named: "B", lifecycle: .cached) { r in
      Partner("B", try r.resolve(named: "C"))
    }
    resolver.register(named: "C", lifecycle: .cached) {
      Partner("C")
    } then: { partner, r in
      partner.other = try r.resolve(named: "A")
    }
  }

  @Test(arguments: ["A", "B", "C"])
  func `DE-07 a cycle with one late member is complete when the outermost resolution returns`(
    first: String
  ) throws {
    ring(resolver)
    _ = try resolver.resolve(Partner.self, named: first)
    let a = try resolver.resolve(Partner.self, named: "A")
    #expect(a.next?.next?.other === a)
    #expect(try resolver.resolve(Partner.self, named: "C") === a.next?.next)
  }

  @Test func `several completions of one key run in their order`() throws {
    resolver.register(lifecycle: .cached) {
      Card()
    } then: { card, _ in
      card.number += 1
    } then: { card, r in
      card.number *= 10
      card.partner = try r.resolve()
    } then: { card, _ in
      card.number += 2
    }
    resolver.register(named: "direct", lifecycle: .notCached) { (_: Resolver) in
      Card()
    } then: { card, _ in
      card.number = 3
    } then: { card, _ in
      card.number *= 2
    }
    resolver.register { Partner("A") }
    let card = try resolver.resolve(Card.self)
    #expect(card.number == 12 && card.partner?.name == "A")
    try #expect(resolver.resolve(Card.self, named: "direct").number == 6)
  }

  @Test func `DE-07 it completes on any thread, without a run loop`() async throws {
    ring(resolver)
    let resolver = resolver
    // The thread sanitizer understands a lock, but not the order that a continuation creates.
    let outcome = Box<Result<Partner, any Error>?>(nil)
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        outcome.value = Result { try resolver.resolve(Partner.self, named: "A") }
        continuation.resume()
      }
    }
    let a = try #require(outcome.value).get()
    #expect(a.next?.next?.other === a)
  }

  @Test func `DE-07 each of many threads gets a complete ring`() async throws {
    for _ in 0..<50 {
      let resolver = Resolver()
      ring(resolver)
      let rings = try await withThrowingTaskGroup(of: Bool.self) { group in
        for name in ["A", "B", "C", "A", "B", "C"] {
          group.addTask {
            let partner = try resolver.resolve(Partner.self, named: name)
            let c = name == "A" ? partner.next?.next : name == "B" ? partner.next : partner
            return c?.other?.next?.next === c
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(rings == Array(repeating: true, count: 6))
    }
  }

  @Test func `X17 a structure is complete in the cache and as a result`() throws {
    let counter = CallCounter()
    resolver.register(lifecycle: .cached) { Partner("P") }
    resolver.register(lifecycle: .cached) {
      Card(number: counter.next())
    } then: { card, r in
      card.partner = try r.resolve()
    }
    resolver.register(named: "new") {
      Card(number: counter.next())
    } then: { card, r in
      card.partner = try r.resolve()
    }
    for _ in 1...2 {
      let card = try resolver.resolve(Card.self)
      #expect(card.number == 1)
      #expect(card.partner?.name == "P")
    }
    #expect(try resolver.resolve(Card.self, named: "new").partner?.name == "P")
  }

  @Test func `a cycle without a cached member stays a cycle`() throws {
    resolver.register(named: "A") {
      Partner("A")
    } then: { partner, r in
      partner.other = try r.resolve(named: "A")
    }
    let error = #expect(throws: ResolutionError.self) {
      try resolver.resolve(Partner.self, named: "A")
    }
    #expect(error.map { if case .cycle = $0.reason { true } else { false } } == true)
  }

  @Test func `a failing completion fails the resolution and caches nothing`() throws {
    let counter = CallCounter()
    resolver.register(lifecycle: .cached) {
      Prop(counter.next())
    } then: { cell, _ in
      if cell.id == 1 { throw BlockFailure() }
    }
    #expect(throws: ResolutionError.self) { try resolver.resolve(Prop.self) }
    #expect(try resolver.resolve(Prop.self).id == 2)
    #expect(try resolver.resolve(Prop.self).id == 2)
  }

  @Test func `an override of a dependency of a completion rebuilds the instance and its ring`()
    throws
  {
    resolver.register(1)
    resolver.register(named: "A", lifecycle: .cached) { r in
      Partner("A", try r.resolve(named: "C"))
    }
    resolver.register(named: "C", lifecycle: .cached) {
      Partner("C")
    } then: { partner, r in
      _ = try r.resolve(Int.self)
      partner.other = try r.resolve(named: "A")
    }
    let a = try resolver.resolve(Partner.self, named: "A")
    try withOverrides(of: resolver) {
      $0.register(2)
    } operation: {
      let double = try resolver.resolve(Partner.self, named: "A")
      #expect(double !== a)
      #expect(double.next?.other === double)
    }
    #expect(try resolver.resolve(Partner.self, named: "A") === a)
  }

  @Test func `an instance that a double completed stays in its layer`() throws {
    resolver.register(1)
    resolver.register(lifecycle: .cached) {
      Partner("P")
    } then: { _, r in
      _ = try r.resolve(Int.self)
    }
    let double = try withOverrides(of: resolver) {
      $0.register(2)
    } operation: {
      try resolver.resolve(Partner.self)
    }
    #expect(try resolver.resolve(Partner.self) !== double)
  }

  /// The layer that the block pushes owns the part, and ends with the block.
  @Test func `an instance with a completed part of a layer that has ended is not stored`() throws {
    final class Holder: Sendable {
      let partner: Partner
      init(_ partner: Partner) { self.partner = partner }
    }
    let resolver = resolver
    resolver.register(lifecycle: .cached) {
      Partner("P")
    } then: { _, _ in
    }
    resolver.register(lifecycle: .cached) { r in
      try withOverrides(of: resolver, isBoundary: true) { _ in
      } operation: {
        Holder(try r.resolve(Partner.self))
      }
    }
    let holder = try resolver.resolve(Holder.self)
    #expect(try resolver.resolve(Holder.self) !== holder)
    #expect(try resolver.resolve(Partner.self) !== holder.partner)
  }

  @Test func `DE-10 a provider of a function creates one instance for each payload`() throws {
    resolver.register(3)
    resolver.register { (r, user: String) in Session(user: user, level: try r.resolve()) }
    resolver.register(autowiring: Catalogue.init(session:level:))
    let catalogue = try resolver.resolve(Catalogue.self)
    #expect(try catalogue.session("a") == Session(user: "a", level: 3))
    #expect(try catalogue.session("b") == Session(user: "b", level: 3))
    #expect(try catalogue.level() == 3)
    #expect(throws: ResolutionError.self) {
      let _: Double = try resolver.resolve(Provider<(Int) -> Double>.self)(1)
    }
  }

  @Test func `DE-10 a closure type is resolved like any other`() throws {
    resolver.register(3)
    resolver.register { r -> @Sendable (String) throws -> Session in
      { user in Session(user: user, level: try r.resolve()) }
    }
    let make = try resolver.resolve((@Sendable (String) throws -> Session).self)
    #expect(try make("a") == Session(user: "a", level: 3))
  }

  @Test func `DE-11 the payload is available at once, and the rest when the request returns`()
    throws
  {
    resolver.register(lifecycle: .cached) { Partner("P") }
    resolver.register { (r, number: Int) in Card(number: number, partner: try r.resolve()) }
    #expect(try resolver.resolve(Card.self, with: 4).partner?.name == "P")
  }

  @Test func `a provider keeps the doubles of the test in which it was created`() throws {
    resolver.register(3)
    try withOverrides(of: resolver) {
      $0.register(4)
    } operation: {
      let provider = try resolver.resolve(Provider<Int>.self)
      #expect(try Threads.run(1) { _ in try provider() }[0].get() == 4)
    }
  }

  @Test func `DE-01 one registration answers to several types with the same instance`() throws {
    resolver.register(
      Secretary.self, as: (any Printer).self, (any Mailer).self, lifecycle: .cached
    ) { _ in Secretary() }
    let clerk = try resolver.resolve(Secretary.self)
    #expect(try resolver.resolve((any Printer).self) === clerk)
    #expect(try resolver.resolve((any Mailer).self) as? Secretary === clerk)
    try resolver.graph.validate()
    #expect(resolver.graph.edges.count == 2)
  }

  @Test func `DE-13 an alias of the wrong type is an error with an explanation`() throws {
    resolver.alias(resolver.register(lifecycle: .cached) { Prop() }, as: (any Printer).self)
    let error = #expect(throws: ResolutionError.self) {
      try resolver.resolve((any Printer).self)
    }
    #expect(error?.description.contains("'Prop' is not of type 'any Printer'") == true)
  }

  @Test func `DE-13 an asynchronous registration answers to other types, too`() async throws {
    let counter = CallCounter()
    resolver.alias(
      resolver.register(lifecycle: .cached) { () async throws -> Secretary in
        _ = counter.next()
        return Secretary()
      }, as: (any Printer).self)
    let printer = try await resolver.resolveAsync((any Printer).self)
    let secretary = try await resolver.resolveAsync(Secretary.self)
    #expect(printer === secretary)
    #expect(try await resolver.resolveAsync([any Printer].self).map { $0 === secretary } == [true])
    #expect(try resolver.resolve((any Printer).self) === secretary)
    #expect(counter.value == 1)
  }

  @Test func `DE-13 a main-actor registration answers to other types from elsewhere`()
    async throws
  {
    resolver.alias(
      resolver.register { @MainActor () -> Secretary in Secretary() }, as: (any Printer).self)
    let resolver = resolver
    let isThere = try await Task.detached {
      try await resolver.resolveAsync((any Printer).self) is Secretary
    }.value
    #expect(isThere)
  }

  @Test func `DE-13 an alias that must be awaited is an error in a synchronous request`() {
    resolver.alias(
      resolver.register { () async -> Secretary in Secretary() }, as: (any Printer).self)
    let error = #expect(throws: ResolutionError.self) {
      try resolver.resolve((any Printer).self)
    }
    guard case .asynchronous? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `DE-13 an awaited alias is decorated, and its cycle is an error`() async throws {
    resolver.alias(
      resolver.register { () async -> Secretary in Secretary() }, as: (any Printer).self)
    let other = Secretary()
    let decorated = try await withOverrides(of: resolver) {
      $0.decorate((any Printer).self) { _ in other }
    } operation: {
      try await resolver.resolveAsync((any Printer).self)
    }
    #expect(decorated === other)
    resolver.register { (r: Resolver) async throws -> Secretary in
      _ = try await r.resolveAsync((any Printer).self)
      return Secretary()
    }
    let error = await #expect(throws: ResolutionError.self) {
      try await resolver.resolveAsync((any Printer).self)
    }
    guard case .cycle? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `DE-13 an alias that is awaited stays on the actor of the request`() async throws {
    resolver.alias(
      resolver.register { () -> Secretary in MainActor.assumeIsolated { Secretary() } },
      as: (any Printer).self)
    let isThere = try await Task { @MainActor [resolver] in
      try await resolver.resolveAsync((any Printer).self) is Secretary
    }.value
    #expect(isThere)
  }

  @Test func `DE-20 an existing instance is looked up without creating one`() throws {
    resolver.register(lifecycle: .cached) { Prop(1) }
    #expect(resolver.existing(Prop.self) == nil)
    let cell = try resolver.resolve(Prop.self)
    #expect(resolver.existing(Prop.self) === cell)
    #expect(resolver.existing(Int.self) == nil)
  }
}
