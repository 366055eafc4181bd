// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyDoubles

@Suite struct FinishingTests {
  @Test func `an unused stub is reported at the end of the layer`() throws {
    let line = #line
    let found = try violations { _ in
      let mailer = MailerSpy()
      mailer.sends.when("hello").returns(())
      mailer.sends.when("bye").throws(Bounced())
      try mailer.send("hello")
    }
    #expect(
      found == [
        """
        The stub of send("bye") answered no call.
          Stubbed at  UnderstudyDoublesTests/FinishingTests.swift:\(line + 4)
          Calls       1 call
        To fix, do one of these:
          • Remove it, or make the call that it is for.
          • Allow it:  .optional()
        """
      ])
  }

  @Test func `a stub that is hidden by a newer one names it`() throws {
    let line = #line
    let found = try violations { _ in
      let mailer = MailerSpy()
      mailer.sends.when("hello").throws(Bounced())
      mailer.sends.returns()
      try mailer.send("hello")
    }
    #expect(
      found == [
        """
        The stub of send("hello") answered no call.
          Stubbed at  UnderstudyDoublesTests/FinishingTests.swift:\(line + 3)
          Calls       1 call
          Hidden by   the newer stub of send(any arguments), made at \
        UnderstudyDoublesTests/FinishingTests.swift:\(line + 4)
        To fix, do one of these:
          • Stub any arguments first and special arguments after that: the newest stub wins.
          • Allow it:  .optional()
        """
      ])
  }

  @Test func `a stub that is hidden by a newer one for any arguments names it`() {
    let found = violations { _ in
      let spy = Spy<(Int, Int), Int, Never>("f(_:_:)")
      spy.when(1, .any).returns(1)
      spy.when(.any, .any).returns(2)
      #expect(spy(1, 1) == 2)
    }
    #expect(found.map(\.firstLine) == ["The stub of f(1, any) answered no call."])
    #expect(found.first?.contains("Hidden by   the newer stub of f(any, any)") == true, "\(found)")
  }

  @Test func `a stub that is hidden by an equal one names it`() {
    let line = #line
    let found = violations { _ in
      let prices = Spy<String, Int, Never>("price(of:)")
      prices.when("tea").returns(1)
      prices.when("tea").returns(2)
      #expect(prices("tea") == 2)
    }
    #expect(
      found == [
        """
        The stub of price(of: "tea") answered no call.
          Stubbed at  UnderstudyDoublesTests/FinishingTests.swift:\(line + 3)
          Calls       1 call
          Hidden by   the newer stub of price(of: "tea"), made at \
        UnderstudyDoublesTests/FinishingTests.swift:\(line + 4)
        To fix, do one of these:
          • Remove it, or write both as one stub:  .returns(…, then: …)
          • Allow it:  .optional()
        """
      ])
  }

  @Test func `only an equal stub that stays hides a stub of chosen arguments`() {
    let chains: [(isHidden: Bool, @Sendable (Spy<Int, Int, Never>) -> Void)] = [
      (true, { for _ in 1...2 { $0.when(1).expects(.once).returns(1) } }),
      (
        true,
        {
          $0.returns(1, times: 1)
          $0.returns(2)
        }
      ),
      (
        false,
        {
          $0.when(.not(1)).returns(1)
          $0.when(1).returns(2)
        }
      ),
      (false, { spy in for _ in 1...2 { spy.when { $0 == 1 }.returns(1) } }),
    ]
    for (isHidden, chain) in chains {
      let found = violations { _ in
        let spy = Spy<Int, Int, Never>("f(_:)")
        chain(spy)
        for _ in 1...2 { _ = spy(1) }
      }
      #expect(found.map { $0.contains("write both as one stub") } == [isHidden], "\(found)")
    }
  }

  @Test func `an expectation of a finished double is reported`() {
    let found = violations { _ in
      let spy = Spy<Int, Void, Never>("f(_:)")
      #expect(spy.finish() == [])
      spy.expects(.once)
    }
    #expect(found.count == 1)
    #expect(found.first?.contains("its double was finished") == true, "\(found)")
  }

  @Test func `a stub that can never match says why`() {
    let found = violations { _ in
      let waits = Spy<Double, Void, Never>("wait(_:)")
      waits.returns()
      waits.when(.equal(.nan)).returns()
      waits(.nan)
    }
    #expect(found.count == 1)
    #expect(found.first?.contains("Never matches  argument 1: nan is not equal to itself") == true)
    #expect(found.first?.contains("• Match it with a predicate: .matching { … }") == true)
  }

  @Test func `a default may stay unused if other stubs answer`() throws {
    let found = try violations { _ in
      let mailer = MailerSpy()
      mailer.sends.throws(Bounced())
      mailer.sends.when("hello").returns(())
      try mailer.send("hello")
    }
    #expect(found == [])
  }

  @Test func `a stub for a number of calls is not a default, even for any arguments`() throws {
    let found = violations { _ in
      let prices = Spy<String, Int, Never>("price(of:)")
      prices.returns(2, times: 1)
      prices.returns(1, times: 1)
      #expect(prices("tea") == 1)
    }
    #expect(found.map(\.firstLine) == ["The stub of price(of: any arguments) answered no call."])
  }

  @Test func `a default of a double that was never called is unused`() {
    let found = violations { _ in MailerSpy().sends.throws(Bounced()) }
    #expect(found.map(\.firstLine) == ["The stub of send(any arguments) answered no call."])
  }

  @Test
  func `a double that was created outside a layer is adopted by the first layer that uses it`()
    throws
  {
    let mailer = MailerSpy()
    let found = try violations { _ in
      try mailer.send("hello")
      mailer.sends.when("bye").throws(Bounced())
    }
    #expect(found.map(\.firstLine) == ["The stub of send(\"bye\") answered no call."])
  }

  @Test func `a double that was stubbed outside a layer is adopted by the layer that calls it`() {
    let sends = Spy<String, Void, Never>("send(_:)")
    sends.when("bye").returns()
    sends.returns()
    let found = violations { _ in sends("hello") }
    #expect(found.map(\.firstLine) == ["The stub of send(\"bye\") answered no call."])
  }

  @Test func `a call that has not returned is reported`() async {
    let line = #line
    let gate = Gate()
    let (found, task) = await {
      var task: Task<User, any Error>?
      let found = await asyncViolations { _ in
        let repo = RepoDouble()
        repo.fetches.does { id in
          try await gate.wait()
          return User(id: id)
        }
        task = Task.detached { try await repo.fetch(7) }
        await gate.waiters(reach: 1)
      }
      return (found, task)
    }()
    gate.open()
    _ = try? await task?.value
    #expect(found.map(\.firstLine) == ["fetch(7) had not returned when its double was finished."])
    _ = line
  }

  @Test func `a call that returns in time is not reported`() async throws {
    let found = try await asyncViolations { _ in
      let gate = Gate()
      let repo = RepoDouble()
      repo.fetches.does { id in
        try await gate.wait()
        return User(id: id)
      }
      async let user = repo.fetch(7)
      await gate.waiters(reach: 1)
      gate.open()
      try await #expect(user == User(id: 7))
    }
    #expect(found == [])
  }

  @Test func `a double that is used after its layer ended is reported to the layer of the call`()
    throws
  {
    let mailer = MailerSpy()
    try #expect(violations { _ in try mailer.send("in time") } == [])
    let found = try violations { _ in try mailer.send("late") }
    #expect(mailer.sends.calls == ["in time", "late"])
    #expect(
      found.map { $0.split(separator: "\n").prefix(2).joined(separator: "\n") } == [
        """
        send("late") was called after its double was finished.
          Called at    UnderstudyDoublesTests/Subjects.swift:23
        """
      ])
  }

  /// The outermost layer of a test finishes doubles that were created before it.
  @Test func `a call after the first of two layers proposes that the test finishes its doubles`()
    throws
  {
    let mailer = MailerSpy()
    let found = Spy<[String], Void, Never>("found(_:)")
    let test = try #require(TestHosts.current?.testOfCallingTask())
    for isBoundary in [false, true] {
      let mailer = isBoundary ? MailerSpy() : mailer
      let layer = OverrideLayer(traits(of: test, isBoundary: isBoundary))
      try OverrideLayer.binding(layer) { try mailer.send("in time") }
      #expect(layer.end() == [])
      found(try violations { _ in try mailer.send("late") })
    }
    func message(_ remedies: String) -> [String] {
      [
        """
        send("late") was called after its double was finished.
          Called at    UnderstudyDoublesTests/Subjects.swift:23
          Double       send(_:), made at UnderstudyDoublesTests/Subjects.swift:22
          Finished by  layer 'first' of test '\(test.name)'
        To fix, do one of these:
        \(remedies)
        """
      ]
    }
    #expect(
      found.calls == [
        message(
          """
            • Have the test finish it, not the layer that it was first used under:  \
          @Test(.overrides()), or OverridesTestCase
            • Make a new double for each layer.
          """),
        message(
          """
            • Resolve it when it is needed: a static or a global keeps the double of an earlier test.
            • Make a new double for each test.
          """),
      ])
  }

  private func traits(of test: RunningTest, isBoundary: Bool) -> LayerTraits {
    var traits = LayerTraits(of: Resolver(), named: "first", on: nil, at: CallSite())
    traits.isBoundary = isBoundary
    traits.test = test
    return traits
  }

  @Test(arguments: [UnstubbedPolicy?.none, .report, .relaxed])
  func `a late call is reported once, whatever the policy`(policy: UnstubbedPolicy?) {
    var spy: Spy<Int, Int, Never>?
    _ = violations { _ in spy = Spy("f(_:)", placeholder: 0, unstubbed: policy) }
    let found = violations { _ in _ = spy?(2) }
    #expect(found.map(\.firstLine) == ["f(2) was called after its double was finished."])
  }

  @Test func `an unexpected call of a strict double is reported once, whatever the policy`() {
    let found = violations { _ in
      let spy = Spy<Int, Int, Never>("f(_:)", placeholder: 0, unstubbed: .report).strict()
      _ = spy(1)
      spy.expects(.once)
      _ = spy(2)
    }
    #expect(
      found.map(\.firstLine) == [
        "f(1) is unexpected: the double is strict.",
        "The expectation of f(any arguments) once cannot be met: it was called once before, "
          + "and only later calls count.",
        "No stub answers f(2).",
      ])
  }

  @Test func `a call whose double is finished during the call is late, and uses no stub`() {
    let told = Spy<[String], Void, Never>("told(_:)")
    let found = violations { _ in
      let spy = Spy<Int, String, Never>("f(_:)")
      spy.returns("any")
      spy.when { call in
        if call == 2 { told(spy.finish().map(\.description.firstLine)) }
        return call > 0
      }.returns("one")
      // Finishing has released the predicate. The value stays.
      #expect(spy(0) == "any" && spy(2) == "any")
    }
    #expect(told.calls.first == ["The stub of f(matching { … }) answered no call."])
    #expect(found.map(\.firstLine) == ["f(2) was called after its double was finished."])
  }

  @Test
  func `a violation is reported to the layer that owns the double, not to the layer of the call`() {
    let outer = violations { _ in
      let pings = Spy<Void, Bool, Never>("ping()", placeholder: true)
      let inner = violations { _ in #expect(pings()) }
      #expect(inner == [])
    }
    #expect(outer.map(\.firstLine) == ["No stub answers ping()."])
  }

  @Test func `a stub that any call has used is not unused`() {
    let found = violations { _ in
      let sends = Spy<String, Void, Never>("send(_:)")
      for text in ["a", "b", "c", "d"] { sends.when(text).returns() }
      for text in ["a", "b", "c", "b"] { sends(text) }
    }
    #expect(found.map(\.firstLine) == ["The stub of send(\"d\") answered no call."])
  }

  @Test func `finish reports each violation once`() {
    let spy = Spy<Int, Void, Never>("f(_:)")
    spy.when(1).returns()
    #expect(spy.finish().count == 1)
    #expect(spy.finish() == [])
  }

  @Test func `finish and verify look into doubles and their superclasses`() throws {
    class Base { let pings = Spy<Void, Void, Never>("ping()") }
    final class Derived: Base { let pongs = Spy<Void, Void, Never>("pong()") }
    let double = Derived()
    double.pings.expects(.once)
    double.pongs.expects(.once)
    let error = #expect(throws: VerificationError.self) { try verify(double) }
    #expect(error?.violations.count == 2)
    double.pings.when { true }.returns()
    #expect(finish(double).count == 1)
  }

  @Test func `spies in arrays, dictionaries and tuples are finished and verified`() throws {
    struct Pair { var both = (1, Spy<Void, Void, Never>("pong()")) }
    final class Double {
      let list = [Spy<Void, Void, Never>("ping()")]
      let named = ["a": AsyncSpy<Int, Int, Never>("fetch(_:)", placeholder: 0)]
      let pair = Pair()
      let pairs = [Pair()]
      let byName = ["b": Pair()]
      let numbers = [1, 2]
      let nothing: [Spy<Void, Void, Never>] = []
    }
    let double = Double()
    double.list[0].expects(.once)
    double.named["a"]?.expects(.once)
    double.pair.both.1.expects(.once)
    double.pairs[0].both.1.expects(.once)
    double.byName["b"]?.both.1.expects(.once)
    let error = #expect(throws: VerificationError.self) { try verify(double) }
    #expect(error?.violations.count == 5)
    double.list[0].when { true }.returns()
    #expect(finish(double).count == 1)
    // A double without a spy is still reported.
    struct Empty { var numbers = [1]; var nothing: [Int] = [] }
    #expect(
      finish(Empty()).map(\.description.firstLine) == [
        "'Empty' has no spy."
      ])
  }

  @Test func `tasks that still wait at a gate or sleep are reported`() async {
    let (found, gate, clock) = await {
      var fakes: (Gate, ManualClock)?
      let found = await asyncViolations { _ in
        let gate = Gate()
        let clock = ManualClock()
        Task.detached { try await gate.wait() }
        Task.detached { try await clock.sleep(for: .seconds(1)) }
        await gate.waiters(reach: 1)
        await clock.sleepers(reach: 1)
        fakes = (gate, clock)
      }
      return (found, fakes?.0, fakes?.1)
    }()
    gate?.open()
    clock?.advance(by: .seconds(1))
    #expect(
      found.map(\.firstLine) == [
        "1 task still waits for a gate at the end of the test.",
        "1 task still waits for a manual clock at the end of the test.",
      ])
  }

  @Test func `a task that still waits for an element of a sequence is reported`() async {
    let line = #line + 4
    let (found, sequences) = await {
      var made: [ScriptedSequence<Int, Never>] = []
      let found = await asyncViolations { _ in
        made = [ScriptedSequence(1), ScriptedSequence(1), ScriptedSequence(1)]
        for sequence in made { Task.detached { for await _ in sequence {} } }
        let stopped = Task.detached { [made] in for await _ in made[1] {} }
        await made[0].consumers(reach: 1)
        await made[1].consumers(reach: 2)
        await made[2].consumers(reach: 1)
        made[2].finish()
        stopped.cancel()
      }
      return (found, made)
    }()
    for sequence in sequences { sequence.finish() }
    #expect(
      found.map(\.firstLine)
        == Array(
          repeating: "1 task still waits for a scripted sequence at the end of the test.", count: 2)
    )
    #expect(found.allSatisfy { $0.contains("FinishingTests.swift:\(line)") })
  }
}

/// Two scopes of one test may use the same double, one after the other.
@Suite struct `A double of two scopes` {
  private let test = RunningTest(
    name: "a test", adoptsEscapedWork: false, file: "ShopTests/CheckoutTests.swift", line: 12)

  /// Runs a scope of a test without a layer of its own. Returns the first lines of its findings.
  private func scope(
    of test: RunningTest? = nil, _ options: OverrideOptions = [], _ body: () throws -> Void
  ) rethrows -> [String] {
    var traits = LayerTraits(of: Resolver(), named: "a scope", on: nil, at: CallSite())
    traits.test = test ?? self.test
    traits.options = options
    let layer = OverrideLayer(traits)
    try OverrideLayer.binding(layer, operation: body)
    return layer.end().map(\.description.firstLine)
  }

  @Test func `records and answers the calls of both`() {
    let prices = Spy<String, Int, Never>("price(of:)", placeholder: 0)
    prices.when("tea").returns(3)
    prices.when("cake").does { _ in 5 }
    for _ in 1...2 {
      let found = scope { for name in ["tea", "cake"] { #expect(prices(name) > 0) } }
      #expect(found == [])
    }
    #expect(prices.calls == ["tea", "cake", "tea", "cake"])
  }

  @Test func `works in the scopes of a running test`() throws {
    let (resolver, mailer) = (Resolver(), MailerSpy())
    mailer.sends.returns()
    for name in ["Ann", "Bob"] {
      try withOverrides(of: resolver) {
        $0.register { mailer as any Mailer }
      } operation: {
        try resolver.resolve((any Mailer).self).send(name)
      }
    }
    #expect(mailer.sends.calls == ["Ann", "Bob"])
  }

  @Test func `has the findings of each at its end, and each once`() {
    let sends = Spy<String, Void, Never>("send(_:)")
    let first = scope {
      sends.when("Eve").returns()
      sends.expects(.exactly(2))
      sends("Ann")
    }
    #expect(
      first == [
        "send(any arguments) was expected twice, and was called once.",
        "The stub of send(\"Eve\") answered no call.",
      ])
    let second = scope {
      sends.when("Bob").expects(.once)
      sends.when("Cid").returns()
    }
    #expect(
      second == [
        "send(\"Bob\") was expected once, and was never called.",
        "The stub of send(\"Cid\") answered no call.",
      ])
    #expect(sends.callCount == 1)
  }

  @Test(arguments: [nil, 1])
  func `expects the same call in both`(limit: Int?) {
    let sends = Spy<String, Void, Never>("send(_:)")
    if let limit { sends.keepsLast(limit) }
    for _ in 1...2 {
      let found = scope {
        sends.expects(.exactly(2))
        sends.when("Ann").expects(.once)
        for name in ["Ann", "Bob", "Cid"] { sends(name) }
        sends.when("Cid").expects(.never)
        sends.expects(.never)
      }
      #expect(
        found == [
          "The expectation of send(\"Cid\") never cannot be met: it was called once before, "
            + "and only later calls count.",
          "The expectation of send(any arguments) never cannot be met: it was called 3 times "
            + "before, and only later calls count.",
        ])
    }
  }

  @Test func `may be stubbed and expected between them`() throws {
    let (resolver, prices) = (Resolver(), Spy<String, Int, Never>("price(of:)", placeholder: 0))
    func price() throws -> Int {
      try withOverrides(of: resolver) {
        $0.register { prices("tea") }
      } operation: {
        try resolver.resolve()
      }
    }
    prices.returns(3)
    #expect(try price() == 3)
    prices.returns(4)
    prices.when("cake").expects(.never)
    #expect(try price() == 4)
    #expect(prices.callCount == 2)
  }

  @Test(arguments: [1, 2, 3])
  func `has a finding about the answers that neither has asked for, under strict`(calls: Int) {
    let prices = Spy<String, Int, Never>("price(of:)")
    prices.returns(1, then: 2, 3)
    #expect(scope(.strict) { _ = prices("tea") } == [])
    #expect(scope(.strict) { for _ in 1..<calls { _ = prices("tea") } } == [])
    let left = "\(3 - calls) of 3 answers of the stub of price(of: any arguments)"
    let finding = "\(left) \(calls == 2 ? "was" : "were") not asked for."
    #expect(prices.finish().map(\.description.firstLine) == (calls < 3 ? [finding] : []))
    #expect(prices.finish() == [])
  }

  @Test func `has that finding when it is released`() async {
    await #expect(processExitsWith: .success) {
      let heard = Spy<String, Void, Never>("hear(_:)")
      StrayViolations.listener = { heard($0.description.firstLine) }
      let scopes = `A double of two scopes`()
      for isStrict in [true, false] {
        let prices = Spy<String, Int, Never>("price(of:)")
        prices.returns(1, then: 2)
        for _ in 1...2 {
          let found = scopes.scope(isStrict ? .strict : []) {
            if prices.callCount == 0 { _ = prices("tea") }
          }
          precondition(found == [])
        }
      }
      precondition(
        heard.calls == [
          "1 of 2 answers of the stub of price(of: any arguments) was not asked for."
        ], "\(heard.calls)")
    }
  }

  @Test func `is late in another test`() {
    let sends = Spy<String, Void, Never>("send(_:)")
    for name in ["Ann", "Bob"] { #expect(scope { sends(name) } == []) }
    let other = RunningTest(name: "another", adoptsEscapedWork: false, file: "", line: 1)
    #expect(
      scope(of: other) { sends("Eve") } == [
        "send(\"Eve\") was called after its double was finished."
      ])
    // Not known to be the same run: the cases of a test with arguments run at the same time.
    let cases = RunningTest(name: "a test", adoptsEscapedWork: false)
    #expect(scope(of: cases) { sends("Eve") }.count == 1)
  }

  /// A double that a scope made is its own.
  @Test func `is late if the first scope made it`() {
    var sends: Spy<String, Void, Never>?
    #expect(scope { sends = Spy("send(_:)") } == [])
    #expect(
      scope { sends?("Eve") } == ["send(\"Eve\") was called after its double was finished."])
  }
}
