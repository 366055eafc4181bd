// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyTesting

private protocol Voice: Sendable {}

private struct LoudVoice: Voice {}

extension Partner: Voice {}

private enum Encore: Scope {}

/// Completions in other forms of requests, with failures, and under overrides.
@Suite struct `Completing later, at the edges` {
  let resolver = Resolver()

  /// A needs B at once, B needs C at once, and C gets A later, unless `then` throws.
  private func ring(
    on resolver: Resolver, then check: @escaping @Sendable (Resolver) throws -> Void = { _ in }
  ) {
    resolver.register(named: "A", lifecycle: .cached) { r in
      Partner("A", try r.resolve(named: "B"))
    }
    resolver.register(named: "B", lifecycle: .cached) { r in
      Partner("B", try r.resolve(named: "C"))
    }
    resolver.register(named: "C", lifecycle: .cached) {
      Partner("C")
    } then: { partner, r in
      try check(r)
      partner.other = try r.resolve(named: "A")
    }
  }

  private func isRing(_ partner: Partner) -> Bool {
    partner.name == "A" && partner.next?.next?.other === partner
  }

  /// A structure that is completed with a partner. Its number counts the creations.
  private func card(on resolver: Resolver, named name: Int, _ lifecycle: Lifecycle = .notCached) {
    resolver.register(named: name, lifecycle: lifecycle) {
      Card(number: name)
    } then: { card, r in
      card.partner = try r.resolve()
    }
  }

  // MARK: Values that are not complete yet

  @Test(.timeLimit(.minutes(20)))
  func `DE-22 a structure is handed out early, though its owners share an object`() throws {
    resolver.register((any Voice).self, scopedTo: Encore.self) {
      Partner("A")
    } then: { _, r in
      _ = try r.resolve([any Voice].self, named: "holder")
    }
    resolver.register(named: "holder", lifecycle: .cached) { r in
      [try r.resolve((any Voice).self, scopedTo: Encore.self)]
    }
    try withLayer(of: resolver) {
      $0.decorate((any Voice).self, scopedTo: Encore.self) { _ in LoudVoice() }
    } operation: {
      try #expect(resolver.resolve((any Voice).self, scopedTo: Encore.self) is LoudVoice)
    }
  }

  @Test(.timeLimit(.minutes(20)))
  func `DE-07 an object that its completion replaces is handed out early`() throws {
    resolver.register(scopedTo: Encore.self) {
      Partner("A")
    } then: { partner, _ in
      partner = Partner("B")
    } then: { _, r in
      _ = try r.resolve(named: "asks twice") as Int
    }
    resolver.register(named: "asks twice") { r in
      try ["A", "B"].contains(r.resolve(Partner.self, scopedTo: Encore.self).name) ? 1 : 0
    }
    // Nothing holds the partner when its completion runs.
    resolver.register { r in "\(try r.resolve(Partner.self, scopedTo: Encore.self).name)" }
    try #expect(resolver.resolve(String.self) == "A")
  }

  @Test func `DE-22 a completion gets a structure whose completion has run`() throws {
    resolver.register(lifecycle: .cached) {
      false
    } then: { isReady, _ in
      isReady = true
    }
    resolver.register(lifecycle: .cached) {
      "unknown"
    } then: { text, r in
      text = try r.resolve(Bool.self) ? "ready" : "not ready"
    }
    resolver.register { r in
      Partner("\(try r.resolve(Bool.self)) \(try r.resolve(String.self))")
    }
    _ = try resolver.resolve(Partner.self)
    try #expect(resolver.resolve(String.self) == "ready")
  }

  // MARK: Forms of requests

  @Test(arguments: Lifecycle.allCases)
  func `DE-07 a structure that its layer decorates is returned decorated`(lifecycle: Lifecycle)
    throws
  {
    resolver.register { Partner("A") }
    try withLayer(of: resolver) {
      $0.register(lifecycle: lifecycle) {
        Card(number: 1)
      } then: { card, r in
        card.partner = try r.resolve()
      }
      $0.decorate(Card.self) { Card(number: $0.number + 100) }
    } operation: {
      try #expect(resolver.resolve(Card.self).number == 101)
      if lifecycle != .once { try #expect(resolver.resolve(Card.self).number == 101) }
    }
  }

  @Test(arguments: Lifecycle.allCases)
  func `DE-07 a structure is complete in a request by any of its types`(lifecycle: Lifecycle) throws
  {
    resolver.register { Partner("A") }
    card(on: resolver, named: 1, lifecycle)
    resolver.alias(Key<Card>(named: 1), as: (any Sendable).self)
    let card = try resolver.resolve((any Sendable).self, named: 1) as? Card
    #expect(card?.partner != nil)
  }

  @Test(arguments: ["A", "B", "C"])
  func `DE-07 a cycle is complete when an asynchronous resolution returns`(first: String)
    async throws
  {
    ring(on: resolver)
    let resolver = resolver
    let partner = try await resolver.resolveAsync(Partner.self, named: first)
    #expect(partner.name == first)
    #expect(isRing(try resolver.resolve(named: "A")))
  }

  @Test func `DE-07 a cycle is complete within an asynchronous block and on the main actor`()
    async throws
  {
    ring(on: resolver)
    let resolver = resolver
    resolver.register(named: "async") { (r: Resolver) async throws in
      try r.resolve(Partner.self, named: "A")
    }
    #expect(isRing(try await resolver.resolveAsync(Partner.self, named: "async")))
    resolver.reset(.instances)
    resolver.register(named: "main") { @MainActor (r: Resolver) in
      try r.resolve(Partner.self, named: "A")
    }
    #expect(isRing(try await resolver.resolveAsync(Partner.self, named: "main")))
  }

  @Test func `X17 a structure is complete in every form of request`() async throws {
    let resolver = resolver
    resolver.register(lifecycle: .cached) { Partner("P") }
    card(on: resolver, named: 1)
    card(on: resolver, named: 2, .cached)
    resolver.register(named: "async") { (r: Resolver) async throws in
      try r.resolve(Card.self, named: 1)
    }
    let key = Key<Card>(named: 1)
    let cards: [Card] =
      try resolver.resolve(all: [key]) + resolver.resolve([Card].self, named: 1)
      + resolver.resolve([Card].self, named: 2)
      + [
        try resolver.resolve(Card?.self, named: 1) ?? Card(),
        try await resolver.resolveAsync(key),
        try await resolver.resolveAsync(Card?.self, named: 2) ?? Card(),
        try await resolver.resolveAsync(Card.self, named: "async"),
        withResolver(resolver) { Inject<Card>(named: 1).wrappedValue },
      ]
    #expect(cards.map(\.partner?.name) == Array(repeating: "P", count: 8))
  }

  @Test
  func `DE-16 a ring of an assembly is complete when all registrations of a type are resolved`()
    throws
  {
    let module = Module { registrar in
      registrar.register(named: "A", lifecycle: .cached) { r in
        Partner("A", try r.resolve(named: "C"))
      }
      registrar.register(named: "C", lifecycle: .cached) {
        Partner("C")
      } then: { partner, r in
        partner.other = try r.resolve(named: "A")
      }
    }
    try resolver.load(module)
    let partners = try resolver.resolve(all: Partner.self, from: .every)
    #expect(partners.map(\.name) == ["A", "C"])
    #expect(partners[0].next === partners[1])
    #expect(partners[1].other === partners[0])
  }

  @Test func `DE-11 an instance with a payload is completed with the rest later`() throws {
    resolver.register(lifecycle: .cached) { Partner("P") }
    resolver.register(named: "made") { (r: Resolver) in
      try r.resolve(Card.self, named: 7)
    } then: { card, r in
      card.number += 1
    }
    card(on: resolver, named: 7)
    #expect(try resolver.resolve(Card.self, named: "made").number == 8)
  }

  // MARK: Failures

  @Test
  func `DE-07 a failing completion caches nothing of its ring, and the next ring is complete`()
    throws
  {
    let counter = CallCounter()
    let line = #line + 1
    resolver.register(named: "C", lifecycle: .cached) {
      Partner("C")
    } then: { partner, r in
      if counter.next() == 1 { throw BlockFailure() }
      partner.other = try r.resolve(named: "A")
    }
    resolver.register(named: "B", lifecycle: .cached) { r in
      Partner("B", try r.resolve(named: "C"))
    }
    resolver.register(named: "A", lifecycle: .cached) { r in
      Partner("A", try r.resolve(named: "B"))
    }
    let error = resolutionError { try resolver.resolve(Partner.self, named: "A", line: 99) }
    #expect(
      error?.description == """
        The block registered for 'Partner' named "C" threw an error: BlockFailure()
          Requested by  Partner named "A"
          Path          Partner named "A" → Partner named "C"
          At            UnderstudyTests/CompletionEdgeTests.swift:99
          Registered    UnderstudyTests/CompletionEdgeTests.swift:\(line)
        """)
    for name in ["A", "B", "C"] { #expect(resolver.existing(Partner.self, named: name) == nil) }
    #expect(isRing(try resolver.resolve(named: "A")))
  }

  @Test func `DE-07 a request with a part of a failing ring gets a complete part`() throws {
    let (inThen, mayFail) = (Gate("the completion"), Gate("the failure"))
    let counter = CallCounter()
    ring(on: resolver) { _ in
      guard counter.next() == 1 else { return }
      inThen.open()
      try mayFail.pass()
      throw BlockFailure()
    }
    resolver.register(named: "X", lifecycle: .cached) { r in
      let partner = Partner("X", try r.resolve(named: "A"))
      mayFail.open()
      return partner
    }
    let resolver = resolver
    let found = Box<[Partner]>([])
    let failure = Box<String?>(nil)
    try Threads.run {
      failure.value = resolutionError { try resolver.resolve(Partner.self, named: "A") }?.kind
    } _: {
      try inThen.pass()
      let x = try resolver.resolve(Partner.self, named: "X")
      found.update { $0.append(x) }
    }
    #expect(failure.value == "failed")
    let x = try #require(found.value.first)
    #expect(isRing(try #require(x.next)))
    #expect(try resolver.resolve(Partner.self, named: "A") === x.next)
  }

  @Test func `DE-07 a value with a part of a ring is not returned before the ring is complete`()
    throws
  {
    let (inThen, mayEnd, isMade) = (Gate("the completion"), Gate("the end"), Gate("X"))
    ring(on: resolver) { _ in
      inThen.open()
      try mayEnd.pass()
    }
    resolver.register(named: "X", lifecycle: .cached) { r in
      let partner = Partner("X", try r.resolve(named: "A"))
      isMade.open()
      return partner
    }
    let resolver = resolver
    let found = Box<Partner?>(nil)
    try Threads.run {
      _ = try resolver.resolve(Partner.self, named: "A")
    } _: {
      try inThen.pass()
      _ = try resolver.resolve(Partner.self, named: "X")
    } _: {
      try isMade.pass()
      // If the resolution did not wait, it would return long before the ring is complete.
      let opener = Thread {
        for _ in 0..<10_000 { sched_yield() }
        mayEnd.open()
      }
      opener.start()
      let x = try resolver.resolve(Partner.self, named: "X")
      found.value = x
    }
    #expect(found.value?.next.map(isRing) == true)
  }

  /// The second request waits for the completion of the first, and the third for the second.
  @Test(arguments: [false, true])
  func `DE-07 a value is complete even if its part waits for the completion of another request`(
    isFailing: Bool
  ) throws {
    let (inThen, mayEnd, isPartMade) = (Gate("the completion"), Gate("the end"), Gate("B"))
    let counter = CallCounter()
    resolver.register(named: "C", lifecycle: .cached) {
      Partner("C")
    } then: { partner, _ in
      if counter.next() == 1 {
        inThen.open()
        try mayEnd.pass()
        if isFailing { throw BlockFailure() }
      }
      partner.other = partner
    }
    resolver.register(named: "B", lifecycle: .cached) { r in
      let partner = Partner("B", try r.resolve(named: "C"))
      isPartMade.open()
      return partner
    }
    resolver.register(named: "A", lifecycle: .cached) { r in
      Partner("A", try r.resolve(named: "B"))
    }
    let resolver = resolver
    let (found, isComplete) = (Box<Partner?>(nil), Box(false))
    try Threads.run {
      _ = try? resolver.resolve(Partner.self, named: "C")
    } _: {
      try inThen.pass()
      _ = try resolver.resolve(Partner.self, named: "B")
    } _: {
      try isPartMade.pass()
      // If the resolution did not wait, it would return long before the completion ends.
      let opener = Thread {
        for _ in 0..<10_000 where found.value == nil { sched_yield() }
        mayEnd.open()
      }
      opener.start()
      let partner = try resolver.resolve(Partner.self, named: "A")
      isComplete.value = partner.next?.next?.other != nil
      found.value = partner
    }
    #expect(isComplete.value)
    #expect(try resolver.resolve(Partner.self, named: "A") === found.value)
    #expect(try resolver.resolve(Partner.self, named: "B") === found.value?.next)
    #expect(try resolver.resolve(Partner.self, named: "C") === found.value?.next?.next)
  }

  @Test(arguments: [Lifecycle.cached, .notCached])
  func `O3 a part that another test completes with its double is not returned`(
    lifecycle: Lifecycle
  ) throws {
    let (inThen, mayEnd) = (Gate("the completion"), Gate("the end"))
    let counter = CallCounter()
    resolver.register(named: "leaf", lifecycle: .cached) { Partner("leaf") }
    resolver.register(named: "part", lifecycle: .cached) {
      Partner("part")
    } then: { partner, r in
      if counter.next() == 1 {
        inThen.open()
        try mayEnd.pass()
      }
      partner.other = try r.resolve(named: "leaf")
    }
    resolver.register(named: "whole", lifecycle: lifecycle) { r in
      let partner = Partner("whole", try r.resolve(named: "part"))
      mayEnd.open()
      return partner
    }
    let resolver = resolver
    let (completed, found) = (Box<Partner?>(nil), Box<Partner?>(nil))
    try Threads.run {
      completed.value = try withOverrides(of: resolver) {
        $0.register(named: "leaf", lifecycle: .cached) { Partner("double") }
      } operation: {
        try resolver.resolve(named: "part")
      }
    } _: {
      try inThen.pass()
      found.value = try withOverrides(of: resolver) { _ in
      } operation: {
        try resolver.resolve(named: "whole")
      }
    }
    #expect(completed.value?.other?.name == "double")
    #expect(found.value?.next?.other?.name == "leaf")
    #expect(try resolver.resolve(Partner.self, named: "part").other?.name == "leaf")
  }

  @Test func `L1 a one-time registration is restored when its completion throws`() throws {
    let counter = CallCounter()
    resolver.register(lifecycle: .once) {
      Prop(counter.next())
    } then: { prop, _ in
      if prop.id == 1 { throw BlockFailure() }
    }
    #expect(throws: ResolutionError.self) { try resolver.resolve(Prop.self) }
    #expect(try resolver.resolve(Prop.self).id == 2)
    #expect(try resolver.resolve(Prop?.self) == nil)
  }

  // MARK: Layers

  @Test func `DE-07 a ring with an overridden part is a ring of its own`() throws {
    ring(on: resolver)
    let production = try resolver.resolve(Partner.self, named: "A")
    try withOverrides(of: resolver) {
      $0.register(named: "B", lifecycle: .cached) { r in
        Partner("a double", try r.resolve(named: "C"))
      }
    } operation: {
      let double = try resolver.resolve(Partner.self, named: "A")
      #expect(double !== production)
      #expect(double.next?.name == "a double")
      #expect(isRing(double))
      try #expect(resolver.resolve(Partner.self, named: "C") === double.next?.next)
    }
    #expect(isRing(production))
    #expect(try resolver.resolve(Partner.self, named: "A") === production)
    #expect(production.next?.name == "B")
  }

  @Test func `X17 a structure that a double completed never reaches production`() throws {
    resolver.register(lifecycle: .cached) { Partner("production") }
    card(on: resolver, named: 1, .cached)
    #expect(try resolver.resolve(Card.self, named: 1).partner?.name == "production")
    try withOverrides(of: resolver) {
      $0.register { Partner("double") }
    } operation: {
      for _ in 1...2 {
        try #expect(resolver.resolve(Card.self, named: 1).partner?.name == "double")
      }
    }
    #expect(try resolver.resolve(Card.self, named: 1).partner?.name == "production")
  }

  @Test func `X17 a structure that an inner layer completed never reaches the outer one`() throws {
    resolver.register { Partner("production") }
    card(on: resolver, named: 1, .cached)
    func name() throws -> String? { try resolver.resolve(Card.self, named: 1).partner?.name }
    try withOverrides(of: resolver) {
      $0.register { Partner("outer") }
    } operation: {
      try #expect(name() == "outer")
      try withOverrides(of: resolver) {
        $0.register { Partner("inner") }
      } operation: {
        try #expect(name() == "inner")
      }
      try #expect(name() == "outer")
    }
    #expect(try name() == "production")
  }

  @Test func `a completion that fails under a layer leaves production's instance valid`() throws {
    resolver.register(1)
    resolver.register(lifecycle: .cached) {
      Prop()
    } then: { _, r in
      if try r.resolve(Int.self) == 2 { throw BlockFailure() }
    }
    let production = try resolver.resolve(Prop.self)
    withOverrides(of: resolver) {
      $0.register(2)
    } operation: {
      #expect(throws: ResolutionError.self) { try resolver.resolve(Prop.self) }
    }
    #expect(try resolver.resolve(Prop.self) === production)
  }

  @Test(arguments: [false, true])
  func `a layer's decorator outlives a used up completed override, with its lifecycle`(
    isCached: Bool
  ) throws {
    resolver.register(lifecycle: isCached ? .cached : .notCached) { Partner("production") }
    try withOverrides(of: resolver) {
      $0.register(lifecycle: .once) {
        Partner("override")
      } then: { _, _ in
      }
      $0.decorate(Partner.self) { Partner("wrapped \($0.name)") }
    } operation: {
      try #expect(resolver.resolve(Partner.self).name == "wrapped override")
      let wrapper = try resolver.resolve(Partner.self)
      #expect(wrapper.name == "wrapped production")
      try #expect((resolver.resolve(Partner.self) === wrapper) == isCached)
    }
  }

  @Test(arguments: [false, true])
  func `O2 a .once request uses up a decorated override with its wrapper`(isCompleted: Bool) throws
  {
    resolver.register { Partner("production") }
    try withOverrides(of: resolver) {
      if isCompleted {
        $0.register(lifecycle: .cached) {
          Partner("override")
        } then: { _, _ in
        }
      } else {
        $0.register(lifecycle: .cached) { Partner("override") }
      }
      $0.decorate(Partner.self) { Partner("wrapped \($0.name)") }
    } operation: {
      try #expect(resolver.resolve(Partner.self, lifecycle: .once).name == "wrapped override")
      try #expect(resolver.resolve(Partner.self).name == "production")
    }
  }
}
