// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
@testable import UnderstudyDoubles

private final class Store: Sendable {
  let saves = Spy<(Int, Bool), Void, Never>("save(_:hard:)")
  let counts = Spy<Void, Int, Never>("count()", placeholder: 0)
  let regions = SpyProperty<String>("region", "eu")
}

/// As in a generated double.
private enum Clock {
  struct StaticSpies: StaticSpyList {
    var now: Spy<Void, Int, Never> { .static(of: Clock.self, "now()", placeholder: 0) }
    var zone: Spy<Void, Int, Never> { .static(of: Clock.self, "zone()", placeholder: 0) }
    subscript(all _: Void) -> [any Verifiable] { [self.now, self.zone] }
  }
  static var spy: StaticSpies { StaticSpies() }
}

/// Calls that apply to all spies of a double at once.
@Suite(.strayViolationsKept) struct WholeDoubleTests {
  @Test func `strict holds for every spy`() {
    let found = violations { _ in
      let store = Store()
      strict(store)
      store.saves(1, true)
      _ = store.counts()
      store.regions.set("us")
    }
    #expect(
      found.map(\.firstLine) == [
        "save(1, hard: true) is unexpected: the double is strict.",
        "count() is unexpected: the double is strict.",
        "region = \"us\" is unexpected: the double is strict.",
      ])
  }

  @Test func `the spies of static requirements are one double`() {
    let found = violations { _ in
      strict(Clock.spy)
      _ = Clock.spy.zone()
      reset(Clock.spy)
      unstubbed(.relaxed, Clock.spy)
      #expect(Clock.spy.zone.callCount == 0)
      #expect(Clock.spy.now() == 0)
      expectNoMoreCalls(Clock.spy)
      _ = Clock.spy.now()
    }
    #expect(
      found.map(\.firstLine) == [
        "zone() is unexpected: the double is strict.",
        "now() is one call too many: no more calls were expected.",
      ])
  }

  @Test func `expectNoMoreCalls allows only calls that are already expected`() {
    let found = violations { _ in
      let store = Store()
      store.saves.when(2, true).expects(.once)
      store.saves(1, true)
      expectNoMoreCalls(store)
      store.saves(2, true)
      store.saves(3, true)
      _ = store.counts()
    }
    #expect(
      found.map(\.firstLine) == [
        "save(3, hard: true) is one call too many: no more calls were expected.",
        "count() is one call too many: no more calls were expected.",
      ])
  }

  @Test func `reset forgets the calls, stubs and side effects of every spy`() {
    let store = Store()
    let effects = AtomicInt(0)
    store.saves.onCall { _ in effects.add(1) }
    store.counts.returns(7)
    store.saves(1, true)
    _ = store.counts()
    reset(store)
    #expect(store.saves.callCount == 0 && store.counts.callCount == 0)
    store.saves(1, true)
    #expect(effects.relaxedValue == 1)
    unstubbed(.relaxed, store)
    #expect(store.counts() == 0)
    #expect(finish(store) == [])
  }

  @Test func `the calls of every spy are forgotten, and the stubs stay`() {
    let found = violations { _ in
      let first = Spy<Int, Int, Never>("first(_:)")
      let second = Spy<Int, Int, Never>("second(_:)")
      first.returns(1)
      second.returns(2)
      #expect(first(0) + second(0) == 3)
      forgetCalls([first, second])
      #expect(first.callCount + second.callCount == 0)
      #expect(first(0) + second(0) == 3)
    }
    #expect(found == [])
  }

  @Test func `reset forgets that a double was strict`() {
    let found = violations { _ in
      let store = Store()
      strict(store)
      reset(store)
      store.saves(1, true)
    }
    #expect(found == [])
  }

  @Test func `a policy for calls without a stub holds for every spy`() {
    let found = violations { _ in
      let store = Store()
      unstubbed(.relaxed, store)
      #expect(store.counts() == 0)
      unstubbed(.report, store)
      store.saves(1, true)
      #expect(store.counts() == 0)
    }
    #expect(
      found.map(\.firstLine) == [
        "No stub answers save(1, hard: true).", "No stub answers count().",
      ])
  }

  @Test func `a policy holds for a spy that was already called freely`() {
    let found = violations { _ in
      let store = Store()
      for id in 1...2 { store.saves(id, true) }
      unstubbed(.report, store)
      store.saves(3, true)
    }
    #expect(found.map(\.firstLine) == ["No stub answers save(3, hard: true)."])
  }

  @Test func `a double without a spy is a violation of each of these calls`() {
    let found = violations { _ in
      strict(7)
      reset("a")
      expectNoMoreCalls(1.5)
      unstubbed(.trap, true)
    }
    #expect(
      found.map(\.firstLine)
        == ["Int", "String", "Double", "Bool"].map {
          "'\($0)' has no spy."
        })
  }

  @Test func `a double without a spy is written to standard error, if there is no test`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      StrayViolations.listener = nil
      strict(7)
    }
    #expect(
      result?.standardError.contains("'Int' has no spy.") == true,
      "\(result?.standardError ?? "")")
  }

  @Test func `spies are found in objects, payloads of enumerations, optionals and mixed arrays`() {
    final class Inner { let pings = Spy<Void, Void, Never>("inner()") }
    enum Mode { case live(Spy<Void, Void, Never>), off }
    struct Wrapped { let spy = Spy<Void, Void, Never>("wrapped()") }
    final class Outer {
      let inner = Inner()
      let mode = Mode.live(Spy("payload()"))
      let wrapped: Wrapped? = Wrapped()
      let mixed: [Any] = [1, "two", Wrapped(), Inner()]
      var me: Outer?
      var off = Mode.off
    }
    let outer = Outer()
    outer.me = outer
    defer { outer.me = nil }
    outer.inner.pings.expects(.once)
    if case .live(let spy) = outer.mode { spy.expects(.once) }
    outer.wrapped?.spy.expects(.once)
    (outer.mixed[2] as? Wrapped)?.spy.expects(.once)
    (outer.mixed[3] as? Inner)?.pings.expects(.once)
    let error = #expect(throws: VerificationError.self) { try verify(outer) }
    #expect(error?.violations.count == 5)
  }

  @Test func `spies are found in sixteen levels of values`() {
    indirect enum Nested { case spy(Spy<Void, Void, Never>), inner(Nested) }
    for (levels, isFound) in [(1, true), (16, true), (17, false)] {
      var nested = Nested.spy(Spy("deep()"))
      var list: [Any] = [Spy<Void, Void, Never>("deep()")]
      for _ in 1..<levels {
        nested = .inner(nested)
        list = [list]
      }
      for value in [nested, list] as [Any] {
        let found = violations { _ in strict(value) }
        #expect(found.isEmpty == isFound, "\(levels): \(found)")
      }
    }
  }

  @Test func `every spy of a long collection is found`() {
    let spies = (1...100).map { Spy<Void, Void, Never>("ping\($0)()") }
    for spy in spies { spy.expects(.once) }
    let error = #expect(throws: VerificationError.self) { try verify(spies) }
    #expect(error?.violations.count == 100)
  }

  @Test func `a spy in a noncopyable value cannot be found, which is reported`() {
    struct Place: ~Copyable, Sendable {
      let spy = Spy<Void, Void, Never>("hidden()")
    }
    final class Hiding: Sendable {
      let state = Place()
      let pings = Spy<Void, Void, Never>("ping()")
    }
    for check in [{ try verify($0) }, { #expect(finish($0) == []) }] as [(Any) throws -> Void] {
      let told = violations { _ in #expect(throws: Never.self) { try check(Hiding()) } }
      #expect(
        told.map(\.firstLine) == ["'Hiding' may have a spy in 'state', which cannot be inspected."])
    }
    final class Holding: Sendable { let hiding = Place() }
    final class Deep: Sendable { let holding = Holding() }
    final class Deeper: Sendable {
      let pings = Spy<Void, Void, Never>("ping()")
      let deep = Deep()
    }
    // Farther away it is a part of something else.
    #expect(finish(Deeper()) == [])
  }

  @Test func `an order without a step is a violation`() {
    let found = violations { _ in expectOrder {} }
    #expect(found.map(\.firstLine) == ["No order is expected: there are no steps."])
    let steps: [OrderStep] = []
    #expect(throws: VerificationError.self) { try verifyOrder { for step in steps { step } } }
  }

  @Test func `a side effect runs for the chosen calls, and answers none`() {
    let seen = Lock<[Int]>([])
    let found = violations { _ in
      let spy = Spy<Int, Int, Never>("f(_:)", placeholder: -1)
      spy.when(.in(1...2)).onCall { id in seen.withLock { $0.append(id) } }
      spy.when(2).returns(4)
      #expect([1, 2, 3].map { spy($0) } == [-1, 4, -1])
    }
    #expect(seen.withLock { $0 } == [1, 2])
    #expect(found.map(\.firstLine) == ["No stub answers f(1).", "No stub answers f(3)."])
  }

  @Test func `a snapshot is recorded of an argument that changes after the call`() {
    final class Draft {
      var text: String
      init(_ text: String) { self.text = text }
    }
    let plain = Spy<Draft, Void, Never>("save(_:)")
    let copying = Spy<Draft, Void, Never>("save(_:)").recording { Draft($0.text) }
    let draft = Draft("first")
    for text in ["first", "second", "third"] {
      draft.text = text
      plain(draft)
      copying(draft)
    }
    #expect(plain.calls.map(\.text) == ["third", "third", "third"])
    #expect(copying.calls.map(\.text) == ["first", "second", "third"])
    #expect(copying.calls(where: { $0.text == "second" }).count == 1)
  }

  @Test func `a wait can be for calls with certain arguments`() async {
    let spy = Spy<(Int, Bool), Void, Never>("save(_:hard:)")
    spy(7, true)
    let clock = ManualClock()
    let second = Task {
      await spy.when(7, .any).calls(reach: 2, within: .seconds(1), of: clock)
    }
    let never = Task {
      await spy.when(8, .any).calls(reach: 1, within: .seconds(2), of: clock)
    }
    await clock.sleepers(reach: 2)
    spy(6, true)
    spy(7, false)
    #expect(await second.value)
    await clock.sleepers(reach: 1)
    clock.advance(by: .seconds(2))
    #expect(await !never.value)
    #expect(await spy.when(6, true).calls(reach: 1, within: .zero))
    // Ten seconds are enough for most tests.
    #expect(await spy.when(6, true).calls(reach: 1))
    #expect(await spy.calls(reach: 3))
  }
}
