// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy

@testable import UnderstudyDoubles

@Suite(.strayViolationsKept) struct UnstubbedTests {
  @Test func `a double that returns nothing and has no stubs may be called freely`() throws {
    let found = try violations { _ in
      let mailer = MailerSpy()
      try mailer.send("hello")
      #expect(mailer.sends.calls == ["hello"])
    }
    #expect(found == [])
  }

  @Test func `it is an issue once there are stubs and none of them matches`() {
    let found = violations { _ in
      let sends = Spy<String, Void, Never>("send(_:)")
      for _ in 0..<3 { sends("free") }
      sends.when("hello").returns()
      sends("hello")
      sends("bye")
      sends.reset()
      sends("free again")
    }
    #expect(found.map(\.firstLine) == ["No stub answers send(\"bye\")."])
  }

  @Test func `it is an issue if the double's policy, or its layer's, says so`() throws {
    let own = violations { _ in Spy<Void, Void, Never>("ping()", unstubbed: .report)() }
    #expect(own.map(\.firstLine) == ["No stub answers ping()."])
    let layers = violations { layer in
      layer.unstubbedPolicy = .report
      Spy<Void, Void, Never>("ping()")()
    }
    #expect(layers.map(\.firstLine) == ["No stub answers ping()."])
    let wins = violations { layer in
      layer.unstubbedPolicy = .report
      Spy<Void, Void, Never>("ping()", unstubbed: .relaxed)()
    }
    #expect(wins == [])
  }

  @Test func `a layer's policy holds for a double that was called freely before the layer`() {
    let pings = Spy<Int, Void, Never>("ping(_:)")
    for number in 1...3 { pings(number) }
    let found = violations { layer in
      layer.unstubbedPolicy = .report
      for number in 4...6 { pings(number) }
    }
    #expect(found.map(\.firstLine) == (4...6).map { "No stub answers ping(\($0))." })
  }

  @Test func `a layer's policy holds for its inner layers, unless they set another one`() {
    func inner(_ policy: UnstubbedPolicy?) -> [String] {
      let layer = OverrideLayer(
        LayerTraits(of: Resolver(), named: "inner", on: .current, at: CallSite()))
      layer.unstubbedPolicy = policy
      OverrideLayer.binding(layer) { #expect(Spy<Void, Int?, Never>("ping()")() == nil) }
      return layer.end().map(\.description.firstLine)
    }
    let found = violations { layer in
      layer.unstubbedPolicy = .relaxed
      #expect(inner(nil) == [])
      #expect(inner(.report) == ["No stub answers ping()."])
    }
    #expect(found == [])
  }

  @Test func `a double whose result type is Any does not invent a value`() async throws {
    let found = await asyncViolations { _ in
      #expect(throws: Unstubbed.self) { _ = try Spy<Int, Any, any Error>("f(_:)")(1) }
      #expect(throws: Unstubbed.self) { _ = try Spy<Int, any Sendable, any Error>("f(_:)")(1) }
      await #expect(throws: Unstubbed.self) {
        _ = try await AsyncSpy<Int, Any, any Error>("f(_:)")(1)
      }
      #expect(throws: Unstubbed.self) { _ = try GenericSpy<Int>("f(_:)")(1, as: Any.self) }
      let value = Spy<Int, Any?, Never>("f(_:)")(1)
      #expect(value == nil)
    }
    #expect(
      found.map(\.firstLine) == [
        "No stub answers f(1).", "No stub answers f(1).", "No stub answers f(1).",
        "No stub answers f(1) as Any.", "No stub answers f(1).",
      ])
  }

  @Test func `the message says which stubs did not match, why, and where they were created`() throws
  {
    let line = #line
    let found = try violations { _ in
      let removes = Spy<(Int, Bool), Int?, any Error>("remove(_:hard:)", placeholder: 0)
      removes.returns(1, times: 1)
      removes.when(7, .any).returns(1)
      removes.when { $0 > 100 && !$1 }.returns(2)
      try #expect(removes(7, true) == 1)
      try #expect(removes(101, false) == 2)
      try #expect(removes(8, true) == 1)
      try #expect(removes(9, false) == 0)
    }
    #expect(
      found == [
        """
        No stub answers remove(9, hard: false).
          Called at  UnderstudyDoublesTests/UnstubbedTests.swift:\(line + 9)
          Stubs      remove(any arguments), made at UnderstudyDoublesTests/UnstubbedTests.swift:\
        \(line + 3): used up after 1 answer
                     remove(7, hard: any), made at UnderstudyDoublesTests/UnstubbedTests.swift:\
        \(line + 4): argument 1 is 9, not 7
                     remove(matching { … }), made at UnderstudyDoublesTests/UnstubbedTests.swift:\
        \(line + 5): its predicate does not hold
        To fix, do one of these:
          • Stub this call:   .when(…).returns(…)
          • Stub every call:  .returns(…)
          • Allow it:         unstubbed(.relaxed, double)
        """
      ])
  }

  /// The remedies of a finding, without the last one.
  private func stubbings(in found: [String]) -> [Substring]? {
    found.first?.split(separator: "\n").filter { $0.contains("•") }.dropLast()
      .map { $0.trimmingPrefix { " •".contains($0) } }
  }

  @Test func `the message for a call without arguments chooses no arguments`() {
    let calls = violations { _ in #expect(Spy<Void, Int, Never>("ping()")() == 0) }
    #expect(stubbings(in: calls) == ["Stub every call:  .returns(…)"])
    let generic = violations { _ in #expect(GenericSpy<Void>("f()").value((), as: Int.self) == 0) }
    #expect(stubbings(in: generic) == ["Stub every call:  .returns(…)"])
    let strict = violations { _ in Spy<Void, Void, Never>("ping()").strict()() }
    #expect(
      strict.first?.hasSuffix(
        """
        To fix, do one of these:
          • Expect it:  .expects(.once)
          • Stub it:    .returns()
        """) == true, "\(strict)")
  }

  @Test func `the message for a property without a value says how to give one`() {
    let found = violations { _ in #expect(SpyProperty<Int>("age").value == 0) }
    let ways = ["Set a value:      .value = …", "Stub every get:   .gets.returns(…)"]
    #expect(stubbings(in: found)?.map(String.init) == ways)
  }

  @Test func `a call uses the placeholder rather than throw`() throws {
    let found = try violations { _ in
      let pings = Spy<Void, Bool?, any Error>("ping()", placeholder: true)
      try #expect(pings() == true)
    }
    #expect(found.count == 1)
  }

  @Test func `a call throws rather than return nil`() {
    let found = violations { _ in
      let pings = Spy<Void, Bool?, any Error>("ping()")
      let error = #expect(throws: Unstubbed.self) { try pings() }
      #expect(error?.description.firstLine == "No stub answers ping().")
    }
    #expect(found.count == 1)
  }

  @Test func `a call with a typed error, or none, returns nil`() throws {
    let found = try violations { _ in
      #expect(Spy<Void, Bool?, Never>("ping()")() == nil)
      try #expect(Spy<Void, Bool?, RepoError>("ping()")() == nil)
    }
    #expect(found.count == 2)
  }

  @Test(arguments: [0, -1])
  func `a stub that can answer no call is a violation`(times: Int) {
    let line = #line + 3
    let found = violations { _ in
      let pings = Spy<Void, Int?, Never>("ping()", unstubbed: .relaxed)
      pings.returns(7, times: times)
      #expect(pings() == nil)
    }
    #expect(
      found == [
        """
        The stub of ping() can answer no call: it is for \(times).
          Stubbed at  UnderstudyDoublesTests/UnstubbedTests.swift:\(line)
        To fix:  Stub a number of calls from 1, or leave it out.
        """
      ])
  }

  @Test func `a call that may throw only Unstubbed throws it, and is reported`() async {
    let found = violations { _ in
      let (calls, relaxed) = (
        Spy<Int, Sound, Unstubbed>("f(_:)"),
        Spy<Int, Sound, Unstubbed>("g(_:)", unstubbed: .relaxed)
      )
      #expect(throws: Unstubbed.self) { _ = try calls(1) }
      #expect(throws: Unstubbed.self) { _ = try relaxed(2) }
    }
    #expect(found.map(\.firstLine) == ["No stub answers f(1)."])
    #expect(found.first?.contains("Allow it:         unstubbed(.relaxed, double)") == true)
  }

  @Test func `a relaxed double reports nothing`() {
    let found = violations { _ in
      let pings = Spy<Void, Bool?, Never>("ping()", unstubbed: .relaxed)
      #expect(pings() == nil)
    }
    #expect(found == [])
  }

  /// Counts how often a stack is read for the place of a call.
  private final class StackReads: TestHost {
    let count = Lock(0)
    func testOfCallingTask() -> RunningTest? { nil }
    func runningCase() -> RunningTest? { nil }
    func isSkip(_ error: any Error) -> Bool { false }
    func report(_ violation: Violation) -> Bool { false }
    func callerOfDouble() -> CallerPlace? {
      count.withLock { $0 += 1 }
      return nil
    }
  }

  @Test func `a stack is read for a call that is reported, and for no other`() async {
    await #expect(processExitsWith: .success) {
      let reads = StackReads()
      TestHosts.install(reads)
      let spy = Spy<Int, Int, any Error>("f(_:)", unstubbed: .relaxed)
      for number in 1...3 { _ = try? spy(number) }
      #expect(reads.count.withLock { $0 } == 0)
      let reporting = Spy<Int, Int, any Error>("g(_:)")
      withKnownIssue { _ = try? reporting(1) }
      #expect(reads.count.withLock { $0 } == 1)
    }
  }

  @Test func `a call goes on with the value that its type obviously has`() {
    let found = violations { _ in
      #expect(Spy<Void, Bool, Never>("a")() == false)
      #expect(Spy<Void, Double, Never>("b")() == 0)
      #expect(Spy<Void, Duration, Never>("c")() == .zero)
      #expect(Spy<Void, String, Never>("d")() == "")
      #expect(Spy<Void, [Sound], Never>("e")().isEmpty)
      #expect(Spy<Void, Set<Int>, Never>("f")() == [])
      #expect(Spy<Void, [Int: Sound], Never>("g")().isEmpty)
      #expect(Spy<Void, UInt8, Never>("h", placeholder: 7)() == 7)
      #expect(throws: Unstubbed.self) { try Spy<Void, Int, any Error>("i")() }
      #expect(Spy<Void, Character, Never>("j")() == " ")
      #expect(Spy<Void, Range<Int>, Never>("k")() == 0..<0)
      #expect(Spy<Void, ClosedRange<Double>, Never>("l")() == 0...0)
      #expect(Spy<Void, Range<String>?, Never>("m")() == nil)
      #expect(GenericSpy<Void>("n").value((), as: Range<UInt8>.self) == 0..<0)
    }
    #expect(
      found.map(\.firstLine) == "abcdefghijklm".map { "No stub answers \($0)." }
        + ["No stub answers n as Range<UInt8>."])
  }

  @Test func `a call goes on with a finished stream or an obvious success`() async throws {
    let found = await asyncViolations { _ in
      for await _ in Spy<Void, AsyncStream<Sound>, Never>("a")() { Issue.record("A sound") }
      let stream = Spy<Void, AsyncThrowingStream<Sound, any Error>, Never>("b")()
      await #expect(throws: Never.self) { for try await _ in stream { Issue.record("A sound") } }
      #expect((try? Spy<Void, Result<Int, any Error>, Never>("c")().get()) == 0)
      #expect(Spy<Void, Result<Int?, RepoError>, Never>("d")() == .success(nil))
      #expect(throws: Never.self) { try Spy<Void, Result<Void, RepoError>, Never>("e")().get() }
      let nested = Spy<Void, Result<[Int: Sound], RepoError>, Never>("f")()
      #expect(throws: Never.self) { try nested.get() }
      #expect(GenericSpy<Void>("g").value((), as: Result<String, RepoError>.self) == .success(""))
    }
    let names = ["a", "b", "c", "d", "e", "f", "g as Result<String, RepoError>"]
    #expect(found.map(\.firstLine) == names.map { "No stub answers \($0)." })
  }

  @Test func `a success without an obvious value is none`() async {
    await #expect(processExitsWith: .failure) {
      withKnownIssue { _ = Spy<Void, Result<Sound, any Error>, Never>("ping()")() }
    }
  }

  @Test func `a call that can neither return nor throw traps with the message`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      withKnownIssue { _ = Spy<Int, Sound, Never>("ping(_:)", unstubbed: .relaxed)(7) }
    }
    #expect(result?.standardError.contains("No stub answers ping(7).") == true)
  }

  @Test func `the policy trap traps even if a call could return`() async {
    await #expect(processExitsWith: .failure) {
      withKnownIssue { Spy<Void, Void, Never>("ping()", unstubbed: .trap)() }
    }
  }

  /// The last remedy in the message of a call that traps, without a stub.
  private func remedy(of result: ExitTest.Result?) -> Substring? {
    result?.standardError.split(separator: "\n").last { $0.contains("•") }
      .flatMap { $0.split(separator: "• ").last }
  }

  private struct Car: HasPlaceholder, Equatable {
    let wheels: Int
    static var placeholder: Car { Car(wheels: 4) }
  }

  @Test func `a type of the tests has a placeholder`() {
    let found = violations { _ in
      #expect(Spy<Void, Car, Never>("car()")() == Car(wheels: 4))
      #expect(Spy<Void, Car, Never>("car()", placeholder: Car(wheels: 3))() == Car(wheels: 3))
      #expect(Spy<Void, Car?, Never>("optional()")() == nil)
      #expect(GenericSpy<String>("decode(key:)").value("k", as: Car.self) == Car(wheels: 4))
      #expect(throws: Unstubbed.self) { try Spy<Void, Car, any Error>("throws()")() }
    }
    #expect(found.count == 5, "\(found)")
  }

  @Test func `the message of a call that traps says how it can go on`() async {
    let report = "Let it go on:     unstubbed(.report, double)"
    let placeholder =
      "placeholder: …, where you write the spy yourself, or conform the returned type to HasPlaceholder"
    let trapped = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      withKnownIssue { _ = Spy<Void, Int, Never>("ping()", unstubbed: .trap)() }
    }
    #expect(remedy(of: trapped) == "\(report)")
    let both = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      withKnownIssue { _ = Spy<Void, Sound, Never>("ping()", unstubbed: .trap)() }
    }
    #expect(remedy(of: both) == "\(report), and \(placeholder)")
    let without = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      withKnownIssue { _ = Spy<Void, Sound, Never>("ping()")() }
    }
    #expect(remedy(of: without) == "Let it go on:     \(placeholder)")
  }

  @Test(arguments: [UnstubbedPolicy?.none, .report, .relaxed])
  func `an expected call needs a stub if it returns a value`(policy: UnstubbedPolicy?) {
    let found = violations { layer in
      layer.unstubbedPolicy = policy
      let loads = Spy<String, Int, Never>("load(_:)")
      loads.when("tea").expects(.once)
      #expect(loads("tea") == 0)
      let saves = Spy<String, Void, Never>("save(_:)")
      saves.when("tea").expects(.once)
      saves("tea")
    }
    let expected = policy == .relaxed ? [] : ["No stub answers load(\"tea\")."]
    #expect(found.map(\.firstLine) == expected)
  }

  @Test func `a call that a reset has taken the stubs from is answered by the stubs of now`() {
    let found = violations { _ in
      let spy = Spy<Int, Int, Never>("f(_:)", placeholder: 0)
      let resets = { (after: @escaping @Sendable () -> Void) in
        spy.returns(1)
        spy.when { _ in
          spy.reset()
          after()
          return false
        }.returns(2)
      }
      resets {}
      #expect(spy(1) == 0)
      resets { spy.returns(3) }
      #expect(spy(2) == 3)
    }
    #expect(found.map(\.firstLine) == ["No stub answers f(1)."])
    #expect(found.first?.contains("Stubs      none") == true, "\(found)")
  }

  @Test func `a spy that only records after a reset in a call reports nothing`() {
    let found = violations { _ in
      let spy = Spy<Int, Void, Never>("f(_:)")
      spy.returns()
      spy.when { _ in
        spy.reset()
        return false
      }.returns()
      spy(1)
    }
    #expect(found == [])
  }

  @Test func `the policy trap of a layer spares calls that are expected or already reported`() {
    let late = Spy<Void, Int?, Never>("late()")
    _ = late.finish()
    let found = violations { layer in
      layer.unstubbedPolicy = .trap
      let expected = Spy<Void, Void, Never>("expected()")
      expected.expects(.once)
      expected()
      #expect(Spy<Void, Int?, Never>("strict()").strict()() == nil)
      #expect(late() == nil)
    }
    #expect(
      found.map(\.firstLine) == [
        "strict() is unexpected: the double is strict.",
        "late() was called after its double was finished.",
      ])
  }

  @Test func `a layer that has ended leaves no policy behind`() {
    // All layers exist at once, since a new layer may have the address of one that was released.
    let layers = (0..<2_500).map { _ in
      OverrideLayer(LayerTraits(of: Resolver(), named: "many", on: nil, at: CallSite()))
    }
    for layer in layers { layer.unstubbedPolicy = .relaxed }
    #expect(LayerDoubles.all.withLock { $0.count } >= 2_500)
    for layer in consume layers { #expect(layer.end().isEmpty) }
    #expect(LayerDoubles.all.withLock { $0.count } < 2_000, "Only other tests have some now.")
  }

  @Test func `without a layer the double keeps the issue until it is finished`() {
    let pings = Spy<Void, Bool, Never>("ping()", placeholder: true)
    #expect(pings())
    #expect(pings.finish().map(\.description.firstLine) == ["No stub answers ping()."])
    #expect(pings.finish() == [])
  }

  @Test func `an adapter may listen for the issues of doubles without a layer`() async {
    await #expect(processExitsWith: .success) {
      let heard = Spy<String, Void, Never>("hear(_:)")
      StrayViolations.listener = { heard($0.description.firstLine) }
      let pings = Spy<Void, Bool, Never>("ping()", placeholder: true)
      #expect(pings())
      #expect(expectOrder { heard.called() }.count == 0)
      #expect(heard.calls == ["No stub answers ping()."])
      #expect(pings.finish() == [])
      #expect(expectOrder { heard.called(with: "never") }.count == 1)
      #expect(heard.callCount == 2)
    }
  }

  @Test func `a detached task reports to the layer that owns the double`() async {
    let found = await asyncViolations { _ in
      let pings = Spy<Void, Bool, Never>("ping()", placeholder: true)
      #expect(await Task.detached { pings() }.value)
    }
    #expect(found.map(\.firstLine) == ["No stub answers ping()."])
  }
}

/// A type without an obvious value.
private struct Sound {}

extension String {
  var firstLine: String { String(prefix { $0 != "\n" }) }
}

extension ExitTest.Result {
  var standardError: String { String(decoding: standardErrorContent, as: UTF8.self) }
}
