// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyDoubles

@Suite struct SpyTests {
  let removes = Spy<(Int, Bool), Int, RepoError>("remove(_:hard:)")
  let sends = Spy<String, Void, any Error>("send(_:)")

  @Test func `calls are plain values`() throws {
    try sends("hello")
    try sends("bye")
    #expect(sends.calls == ["hello", "bye"])
    #expect(sends.callCount == 2)
  }

  @Test func `the calls of several arguments are tuples`() throws {
    removes.returns(1)
    _ = try removes(7, true)
    _ = try removes(8, false)
    #expect(removes.calls.map(\.0) == [7, 8])
    #expect(removes.calls(with: .any, true).count == 1)
    #expect(removes.calls(with: 8, false).count == 1)
    #expect(removes.calls(with: 9, .any).isEmpty)
    #expect(removes.calls { $0 > 7 || $1 }.count == 2)
  }

  @Test func `the newest stub that matches answers`() throws {
    removes.returns(1)
    removes.when(.any, true).returns(2)
    removes.when(7, true).returns(3)
    try #expect(removes(7, true) == 3)
    try #expect(removes(8, true) == 2)
    try #expect(removes(7, false) == 1)
    removes.returns(4)
    try #expect(removes(7, true) == 4)
  }

  @Test func `a stub throws the typed error`() {
    removes.returns(0)
    removes.when(.any, true).throws(.missing)
    #expect(throws: RepoError.missing) { try removes(1, true) }
    #expect(throws: Never.self) { try removes(1, false) }
    do throws(RepoError) {
      _ = try removes(1, true)
    } catch {
      #expect(error == .missing)
    }
  }

  @Test func `a predicate takes the arguments one by one`() throws {
    removes.returns(1)
    removes.when { $0 > 100 && !$1 }.returns(0)
    try #expect(removes(101, false) == 0)
    try #expect(removes(101, true) == 1)
  }

  @Test func `variables match as literals do`() throws {
    let id = 7
    let hard = true
    removes.returns(0)
    removes.when(id, hard).returns(1)
    removes.when(.equal(id + 1), .any).returns(2)
    removes.when(.matching { $0 > 100 }, .any).returns(3)
    try #expect([removes(7, true), removes(8, false), removes(101, true)] == [1, 2, 3])
    try #expect(removes(7, false) == 0)
  }

  @Test func `a sequence of values stays at the last one`() {
    let pings = Spy<Void, Bool, Never>("ping()")
    pings.returns(true, then: false, true)
    #expect((0..<5).map { _ in pings() } == [true, false, true, true, true])
  }

  @Test func `a stub for some calls gives way to older ones`() throws {
    removes.returns(0)
    removes.returns(1, times: 2)
    removes.throws(.busy, times: 1)
    #expect(throws: RepoError.busy) { try removes(1, true) }
    try #expect((0..<4).map { _ in try removes(1, true) } == [1, 1, 0, 0])
  }

  @Test func `a handler sees the arguments and may throw`() throws {
    removes.does { (id, hard) throws(RepoError) in
      if hard { throw .busy }
      return id * 2
    }
    try #expect(removes(21, false) == 42)
    #expect(throws: RepoError.busy) { try removes(1, true) }
  }

  @Test func `a handler for one call gives way`() throws {
    removes.returns(0)
    removes.does(times: 1) { id, _ in id }
    removes.when(5, .any).does(times: 1) { id, _ in -id }
    try #expect((0..<4).map { _ in try removes(5, true) } == [-5, 5, 0, 0])
  }

  @Test func `forwarding is recorded, and every stub wins over it`() throws {
    removes.when(1, .any).returns(-1)
    removes.forwards { id, _ in id * 10 }
    try #expect([removes(1, true), removes(2, true)] == [-1, 20])
    #expect(removes.calls.map(\.0) == [1, 2])
  }

  @Test func `the newest matching stub answers on the fast path and on the slow path`() throws {
    removes.forwards { id, _ in id * 10 }
    removes.when(1, .any).returns(-1)
    removes.when(2, .any).returns(-2)
    removes.when(1, true).does(times: 1) { _, _ in 0 }
    // As long as a stub can be used up, each call takes the slow path.
    try #expect(
      [3, 2, 1, 1, 1, 2, 3].map { try removes($0, true) } == [30, -2, 0, -1, -1, -2, 30])
    removes.when(.any, false).returns(7)
    try #expect([1, 3].map { try removes($0, false) } == [7, 7])
    try #expect([1, 2, 3].map { try removes($0, true) } == [-1, -2, 30])
    #expect(removes.callCount == 12)
    #expect(removes.finish() == [])
  }

  @Test func `a stub that is added after the first call answers the next one`() throws {
    try sends("free")
    sends.returns()
    for _ in 0..<2 { try sends("stubbed") }
    sends.throws(Bounced())
    #expect(throws: Bounced.self) { try sends("bounced") }
    #expect(sends.finish() == [])
  }

  @Test func `a double may be used in its own handler and predicate`() throws {
    let sends = sends
    sends.when { _ in sends.callCount > 1 }.throws(Bounced())
    sends.does { [sends] text in if text == "outer" { try? sends("inner") } }
    try sends("outer")
    #expect(sends.calls == ["outer", "inner"])
  }

  @Test(arguments: [1, 2])
  func `a call is answered by the stubs that existed when it was made`(call number: Int) {
    let spy = Spy<Int, String, Never>("f(_:)")
    spy.when { call in
      if call == number { spy.returns("newer") }
      return true
    }.returns("older")
    // The first call takes the slow path. The second one need not.
    for _ in 1..<number { #expect(spy(0) == "older") }
    #expect(spy(number) == "older")
    #expect(spy(number) == "newer")
  }

  @Test(arguments: [1, 2])
  func `a stub that is removed while it matches answers nothing`(call number: Int) {
    let spy = Spy<Int, String, Never>("f(_:)", placeholder: "none", unstubbed: .relaxed)
    spy.when { call in
      if call == number { spy.reset() }
      return true
    }.returns("gone")
    for _ in 1..<number { #expect(spy(0) == "gone") }
    #expect(spy(number) == "none")
    #expect(spy.finish() == [])
  }

  @Test func `a call without arguments is recorded and matched`() {
    let spy = Spy<Void, Int, Never>("f", placeholder: 0, unstubbed: .relaxed)
    spy.returns(1)
    #expect(spy() == 1)
    #expect(spy.calls.count == 1)
  }

  @Test func `one argument is recorded and matched`() {
    let spy = Spy<Int, Int, Never>("f", placeholder: 0, unstubbed: .relaxed)
    spy.when(1).returns(1)
    #expect(spy(1) == 1)
    #expect(spy.calls == [1])
    #expect(spy(0) == 0)
    #expect(spy.calls(with: 1).count == 1)
    spy.when(0).returns(2)
    #expect(spy(0) == 2)
  }

  @Test func `two arguments are recorded and matched`() {
    let spy = Spy<(Int, Int), Int, Never>("f", placeholder: 0, unstubbed: .relaxed)
    spy.when(1, 2).returns(1)
    #expect(spy(1, 2) == 1)
    #expect("\(spy.calls)" == "[(1, 2)]")
    #expect(spy(1, 0) == 0)
    #expect(spy.calls(with: 1, 2).count == 1)
    spy.when(.any, 0).returns(2)
    #expect(spy(1, 0) == 2)
  }

  @Test func `three arguments are recorded and matched`() {
    let spy = Spy<(Int, Int, Int), Int, Never>("f", placeholder: 0, unstubbed: .relaxed)
    spy.when(1, 2, 3).returns(1)
    #expect(spy(1, 2, 3) == 1)
    #expect("\(spy.calls)" == "[(1, 2, 3)]")
    #expect(spy(1, 2, 0) == 0)
    #expect(spy.calls(with: 1, 2, 3).count == 1)
    spy.when(.any, .any, 0).returns(2)
    #expect(spy(1, 2, 0) == 2)
  }

  @Test func `four arguments are recorded and matched`() {
    let spy = Spy<(Int, Int, Int, Int), Int, Never>("f", placeholder: 0, unstubbed: .relaxed)
    spy.when(1, 2, 3, 4).returns(1)
    #expect(spy(1, 2, 3, 4) == 1)
    #expect("\(spy.calls)" == "[(1, 2, 3, 4)]")
    #expect(spy(1, 2, 3, 0) == 0)
    #expect(spy.calls(with: 1, 2, 3, 4).count == 1)
    spy.when(.any, .any, .any, 0).returns(2)
    #expect(spy(1, 2, 3, 0) == 2)
  }

  @Test func `five arguments are recorded and matched`() {
    let spy = Spy<(Int, Int, Int, Int, Int), Int, Never>("f", placeholder: 0, unstubbed: .relaxed)
    spy.when(1, 2, 3, 4, 5).returns(1)
    #expect(spy(1, 2, 3, 4, 5) == 1)
    #expect("\(spy.calls)" == "[(1, 2, 3, 4, 5)]")
    #expect(spy(1, 2, 3, 4, 0) == 0)
    #expect(spy.calls(with: 1, 2, 3, 4, 5).count == 1)
    spy.when(.any, .any, .any, .any, 0).returns(2)
    #expect(spy(1, 2, 3, 4, 0) == 2)
  }

  @Test func `six arguments are recorded and matched`() {
    let spy = Spy<(Int, Int, Int, Int, Int, Int), Int, Never>(
      "f", placeholder: 0, unstubbed: .relaxed)
    spy.when(1, 2, 3, 4, 5, 6).returns(1)
    #expect(spy(1, 2, 3, 4, 5, 6) == 1)
    #expect("\(spy.calls)" == "[(1, 2, 3, 4, 5, 6)]")
    #expect(spy(1, 2, 3, 4, 5, 0) == 0)
    #expect(spy.calls(with: 1, 2, 3, 4, 5, 6).count == 1)
    spy.when(.any, .any, .any, .any, .any, 0).returns(2)
    #expect(spy(1, 2, 3, 4, 5, 0) == 2)
  }

  @Test func `reset forgets everything, forgetCalls only the calls`() throws {
    removes.returns(1)
    _ = try removes(1, true)
    removes.forgetCalls()
    #expect(removes.callCount == 0)
    try #expect(removes(2, true) == 1)
    removes.forwards { _, _ in 9 }
    removes.reset()
    #expect(removes.calls.isEmpty)
    removes.returns(2)
    try #expect(removes(3, true) == 2)
    #expect(removes.finish() == [])
  }

  @Test(arguments: [0, 1, 3, 4, 10])
  func `only the newest calls are stored, and all are counted`(limit: Int) throws {
    sends.returns()
    for text in ["a", "b"] { try sends(text) }
    sends.keepsLast(limit)
    for text in ["c", "d", "e"] { try sends(text) }
    #expect(sends.calls == ["a", "b", "c", "d", "e"].suffix(limit))
    #expect(sends.callCount == 5)
  }

  @Test func `a smaller limit keeps the newest calls of the ring`() throws {
    sends.returns()
    sends.keepsLast(3)
    for text in ["a", "b", "c", "d"] { try sends(text) }
    sends.keepsLast(2)
    #expect(sends.calls == ["c", "d"])
    try sends("e")
    #expect(sends.calls == ["d", "e"])
  }

  @Test func `an argument may use the double in its deinit`() {
    final class Talker: Sendable {
      let spy: Spy<Talker, Void, Never>
      let counter: Spy<Int, Void, Never>
      init(_ spy: Spy<Talker, Void, Never>, _ counter: Spy<Int, Void, Never>) {
        self.spy = spy
        self.counter = counter
      }
      deinit { counter(spy.callCount) }
    }
    let counter = Spy<Int, Void, Never>("count(_:)")
    let spy = Spy<Talker, Void, Never>("f(_:)").keepsLast(1)
    spy.returns()
    for _ in 0..<3 { spy(Talker(spy, counter)) }
    #expect(counter.calls == [2, 3])
    spy.forgetCalls()
    spy(Talker(spy, counter))
    spy.keepsLast(0)
    spy(Talker(spy, counter))
    #expect(counter.calls == [2, 3, 0, 1, 2])
    spy.keepsLast(1)
    spy(Talker(spy, counter))
    spy.reset()
    #expect(counter.calls == [2, 3, 0, 1, 2, 0])
  }

  @Test func `a used answer may use the double in its deinit`() {
    let counts = Spy<Int, Void, Never>("count(_:)")
    let isEnded = endsInTime {
      let spy = Spy<Void, Farewell, Never>("f()")
      let answers = spy.returns(Farewell { counts(spy.callCount) })
      _ = spy()
      answers.returns(Farewell {})
    }
    #expect(isEnded)
    #expect(counts.calls == [1])
  }

  @Test func `a matcher of a side effect may use the double in its deinit`() {
    let counts = Spy<Int, Void, Never>("count(_:)")
    let isEnded = endsInTime {
      let spy = Spy<Int, Void, Never>("f(_:)")
      do {
        let farewell = Farewell { counts(spy.callCount) }
        spy.when { _ in withExtendedLifetime(farewell) { true } }.onCall { _ in }
      }
      spy(7)
      _ = spy.finish()
    }
    #expect(isEnded)
    #expect(counts.calls == [1])
  }

  @Test func `copies record into the same history`() throws {
    let copy = sends
    try copy("hello")
    #expect(sends.calls == ["hello"])
  }

  @Test func `an expectation after verify counts later calls alone`() throws {
    let sends = Spy<String, Void, Never>("send(_:)")
    sends.expects(.once)
    sends("a")
    try sends.verify()
    sends.expects(.once)
    sends("b")
    try sends.verify()
  }

  @Test func `a kept chain stubs again after a reset`() throws {
    let (loads, texts) = (Spy<Int, Int, any Error>("load(_:)"), GenericSpy<Int>("text(_:)"))
    let (chain, generic) = (loads.when(7).returns(1), texts.when(7).returns("a"))
    loads.reset()
    texts.reset()
    chain.returns(2)
    generic.returns("b")
    try #expect(loads(7) == 2)
    #expect(texts.value(7, as: String.self) == "b")
  }

  @Test func `a matcher of all arguments is told as a predicate`() {
    let found = violations { _ in
      let removes = Spy<(Int, Bool), Int, any Error>("remove(_:hard:)")
      removes.when(.matching { $0.1 }).returns(1)
      _ = try? removes((7, false))
    }
    #expect(found.first?.contains("its predicate does not hold") == true)
  }
}

/// Calls a function in its deinit.
private final class Farewell: Sendable {
  private let say: @Sendable () -> Void
  init(_ say: @escaping @Sendable () -> Void) { self.say = say }
  deinit { say() }
}
