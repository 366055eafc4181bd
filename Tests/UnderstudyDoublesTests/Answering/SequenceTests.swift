// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
@testable import UnderstudyDoubles

/// Stubs with a sequence of values and errors, given in the order of the calls.
@Suite(.strayViolationsKept) struct SequenceTests {
  private func outcomes(_ count: Int, of call: () throws -> Int) -> [String] {
    (0..<count).map { _ in
      do { return try "\(call())" } catch { return "\(error)" }
    }
  }

  @Test func `values and errors are given in the order of the chain, and the last one stays`() {
    let spy = Spy<Int, Int, any Error>("f(_:)")
    spy.returns(1).throws(RepoError.busy).returns(2)
    #expect(outcomes(5) { try spy(0) } == ["1", "busy", "2", "2", "2"])
  }

  @Test func `a chain of a generic double is one stub of one type`() {
    let generic = GenericSpy<Int>("h(_:)")
    generic.returns("a")
    generic.returns(1).throws(RepoError.busy).returns(2)
    #expect(outcomes(4) { try generic(0) } == ["1", "busy", "2", "2"])
    generic.when(7).throws(RepoError.missing, as: Int.self, times: 2).does { $0 * 2 }.returns(3)
    #expect(outcomes(4) { try generic(7) } == ["missing", "missing", "14", "3"])
    generic.returns(5, times: 1)
    #expect(outcomes(2) { try generic(0) } == ["5", "2"])
    generic.throws(RepoError.busy, times: 1)
    #expect(outcomes(2) { try generic(0) } == ["busy", "2"])
    #expect((try? generic(0, as: String.self)) == "a")
    #expect(generic.finish() == [])
  }

  @Test func `a type that changes in a chain of a generic double is a violation`() {
    let line = #line
    let generic = GenericSpy<Int>("h(_:)")
    generic.returns(1).returns("a")
    generic.when(7).throws(RepoError.missing).returns(2)
    func found(_ line: Int, _ call: String, _ first: String, _ second: String) -> String {
      """
      A chain of stubs of \(call) changes its type from \(first) to \(second).
        Stubbed at  UnderstudyDoublesTests/SequenceTests.swift:\(line)
      To fix, do one of these:
        • Stub each type in a statement of its own.
        • Say the type of an error:  .throws(…, as: \(second).self)
      """
    }
    #expect(
      generic.finish().map(\.description).filter { $0.contains("chain") } == [
        found(line + 2, "h(any arguments)", "Int", "String"), found(line + 3, "h(7)", "any", "Int"),
      ])
  }

  /// Layers of other tests do not keep a layer's own double from the fast path of a call.
  @Test func `the answers of a layer's double are given in the order of the chain, too`() {
    let found = violations { _ in
      let spy = Spy<Int, Int, any Error>("f(_:)")
      spy.returns(1).throws(RepoError.busy).returns(2)
      #expect(outcomes(5) { try spy(0) } == ["1", "busy", "2", "2", "2"])
      let later = Spy<Int, Int, any Error>("g(_:)")
      let stub = later.returns(1)
      #expect(outcomes(3) { try later(0) } == ["1", "1", "1"])
      stub.returns(2).returns(3)
      #expect(outcomes(3) { try later(0) } == ["2", "3", "3"])
    }
    #expect(found == [])
  }

  @Test func `a sequence for chosen calls leaves other calls alone`() {
    let spy = Spy<Int, Int, any Error>("f(_:)")
    spy.returns(9)
    spy.when(2).throws(RepoError.busy).returns(0)
    #expect(outcomes(3) { try spy(2) } == ["busy", "0", "0"])
    #expect(outcomes(2) { try spy(1) } == ["9", "9"])
  }

  @Test func `a sequence of an asynchronous double may have handlers`() async throws {
    let spy = AsyncSpy<Int, Int, any Error>("f(_:)")
    spy.returns(1).does { id in
      await Task.yield()
      return id * 10
    }.throws(RepoError.busy)
    try #expect(await spy(3) == 1)
    try #expect(await spy(3) == 30)
    await #expect(throws: RepoError.busy) { try await spy(3) }
    await #expect(throws: RepoError.busy) { try await spy(3) }
  }

  @Test func `an answer for a number of calls is repeated in the chain that many times`() {
    let spy = Spy<Int, Int, any Error>("f(_:)")
    spy.returns(7)
    spy.returns(1, times: 2).throws(RepoError.missing, times: 1).returns(2, then: 3).returns(
      4, times: 1)
    #expect(
      outcomes(8) { try spy(0) } == ["1", "1", "missing", "2", "3", "4", "7", "7"])
  }

  @Test func `an answer that was already given gives way to a later one`() throws {
    let spy = Spy<Int, Int, any Error>("f(_:)")
    let stub = spy.returns(1)
    #expect(outcomes(2) { try spy(0) } == ["1", "1"])
    stub.returns(2)
    #expect(outcomes(2) { try spy(0) } == ["2", "2"])
    stub.returns(3).returns(4)
    #expect(outcomes(3) { try spy(0) } == ["3", "4", "4"])
  }

  @Test func `each chain after when is a stub of its own`() {
    let found = violations { _ in
      let spy = Spy<Int, Int, any Error>("f(_:)")
      let chosen = spy.when(1)
      chosen.returns(1)
      chosen.returns(2)
      #expect(outcomes(2) { try spy(1) } == ["2", "2"])
    }
    #expect(found.map(\.firstLine) == ["The stub of f(1) answered no call."])
  }

  @Test(arguments: [(calls: 1, left: 2), (2, 1), (3, 0), (4, 0)])
  func `under strict, answers that no call used are reported`(calls: Int, left: Int) {
    var traits = LayerTraits(of: Resolver(), named: "strict", on: nil, at: CallSite())
    traits.options = .strict
    for isStrict in [true, false] {
      if !isStrict { traits = LayerTraits(of: Resolver(), named: "lax", on: nil, at: CallSite()) }
      let layer = OverrideLayer(traits)
      traits = LayerTraits(of: Resolver(), named: "next", on: nil, at: CallSite())
      OverrideLayer.binding(layer) {
        let spy = Spy<Int, Int, Never>("f(_:)")
        spy.returns(1, then: 2, 3)
        for _ in 0..<calls { _ = spy(0) }
      }
      let found = layer.end().map(\.description.firstLine)
      let line =
        "\(left) of 3 answers of the stub of f(any arguments) \(left == 1 ? "was" : "were") not asked for."
      #expect(found == (isStrict && left > 0 ? [line] : []))
    }
  }

  @Test func `under strict, one answer for several calls may be asked for less often`() {
    let found = violations(.strict) { _ in
      let spy = Spy<Int, Int, Never>("f(_:)", placeholder: 0)
      spy.returns(1, times: 3)
      #expect(spy(0) == 1)
    }
    #expect(found == [])
  }

  @Test(arguments: [(calls: 1, left: 3), (3, 1), (4, 0)])
  func `under strict, an answer of a chain counts once for each of its calls`(
    calls: Int, left: Int
  ) {
    let found = violations(.strict) { _ in
      let spy = Spy<Int, Int, Never>("f(_:)")
      spy.returns(1, times: 3).returns(2)
      for _ in 0..<calls { _ = spy(0) }
    }
    let line =
      "\(left) of 4 answers of the stub of f(any arguments) \(left == 1 ? "was" : "were") not asked for."
    #expect(found.map(\.firstLine) == (left > 0 ? [line] : []))
  }

  /// What an initialiser prepares.
  private struct Prepared {
    let spy = Spy<Int, Int, Never>("f(_:)", placeholder: 0)
    let asynchronous = AsyncSpy<Int, Int, Never>("g(_:)", placeholder: 0)
    let generic = GenericSpy<Int>("h(_:)")

    init() {
      spy.returns(1)
      spy.when(2).returns(2)
      asynchronous.returns(1)
      asynchronous.when(2).returns(2)
      generic.returns(1)
      generic.when(2).returns(2)
    }

    func prepare() { generic.returns("a") }
  }

  @Test func `a stub that an initialiser prepares may stay unused, whatever the double`() {
    #expect(violations { _ in _ = Prepared() } == [])
    let found = violations { _ in Prepared().prepare() }
    #expect(found.map(\.firstLine) == ["The stub of h(any arguments) as String answered no call."])
  }

  @Test func `an optional stub may stay unused, completely or in part`() {
    var traits = LayerTraits(of: Resolver(), named: "strict", on: nil, at: CallSite())
    traits.options = .strict
    let layer = OverrideLayer(traits)
    OverrideLayer.binding(layer) {
      let spy = Spy<Int, Int, any Error>("f(_:)")
      spy.when(2).returns(0).optional()
      spy.when(3).optional().throws(RepoError.busy)
      spy.when(4).returns(1).returns(2).optional()
      spy.when(5).returns(0)
      #expect(outcomes(1) { try spy(4) } == ["1"])
      let decodes = GenericSpy<String>("decode(_:)")
      decodes.when("age").returns(42).optional()
    }
    #expect(layer.end().map(\.description.firstLine) == ["The stub of f(5) answered no call."])
  }

  @Test(arguments: [0, -1])
  func `a count of zero calls in a chain is a violation, and the chain continues`(times: Int) {
    let found = violations { _ in
      let spy = Spy<Int, Int, any Error>("f(_:)")
      spy.returns(1).throws(RepoError.busy, times: times).returns(2)
      #expect(outcomes(3) { try spy(0) } == ["1", "2", "2"])
    }
    #expect(
      found.map(\.firstLine) == [
        "The stub of f(any arguments) can answer no call: it is for \(times)."
      ])
  }

  @Test func `concurrent calls get each answer of a sequence once`() async {
    let spy = Spy<Int, Int, Never>("f(_:)")
    var chain = spy.returns(0)
    for value in 1..<100 { chain = chain.returns(value) }
    let values = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<100 { group.addTask { spy(0) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(values.sorted() == Array(0..<100))
  }
}
