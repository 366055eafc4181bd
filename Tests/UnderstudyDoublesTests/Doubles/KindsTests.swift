// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyDoubles

@Suite(.strayViolationsKept) struct AsyncSpyTests {
  let repo = RepoDouble()

  @Test func `stubs answer, throw and suspend`() async throws {
    repo.fetches.returns(User(id: 1))
    repo.fetches.when(404).throws(RepoError.missing)
    repo.fetches.when(9).does { id in
      await Task.yield()
      return User(id: id * 10)
    }
    try await #expect(repo.fetch(7) == User(id: 1))
    try await #expect(repo.fetch(9) == User(id: 90))
    await #expect(throws: RepoError.missing) { try await repo.fetch(404) }
    #expect(repo.fetches.calls == [7, 9, 404])
  }

  @Test func `forwarding awaits the real dependency`() async throws {
    repo.fetches.when(1).returns(User(id: -1))
    repo.fetches.forwards { id in
      await Task.yield()
      return User(id: id)
    }
    try await #expect(repo.fetch(1) == User(id: -1))
    try await #expect(repo.fetch(2) == User(id: 2))
  }

  @Test func `a call runs on the caller's actor`() async throws {
    try await onMainActor()
  }

  @MainActor private func onMainActor() async throws {
    repo.fetches.does { id in
      MainActor.preconditionIsolated()
      return User(id: id)
    }
    try await #expect(repo.fetch(7) == User(id: 7))
  }

  @Test func `an unstubbed call throws`() async {
    await #expect(throws: Unstubbed.self) { try await repo.fetch(7) }
    #expect(repo.fetches.finish().count == 1)
  }
}

@Suite(.strayViolationsKept) struct GenericSpyTests {
  @Test func `a strict double reports a call that is neither expected nor stubbed`() {
    let found = violations { _ in
      let makes = GenericSpy<Int>("make(_:)").strict()
      #expect(throws: Unstubbed.self) { _ = try makes(7, as: String.self) }
    }
    #expect(found.map(\.firstLine) == ["make(7) as String is unexpected: the double is strict."])
  }

  @Test func `every call can be expected, or answered by a function, without choosing one`() throws
  {
    let found = violations { _ in
      let makes = GenericSpy<Int>("make(_:)")
      makes.expects(2...)
      makes.does(as: String.self) { "\($0)" }
      makes.does { (number: Int) -> [Int] in [number] }
      #expect((try? makes(7, as: String.self)) == "7")
      #expect((try? makes(8, as: [Int].self)) == [8])
      let few = GenericSpy<Int>("few(_:)")
      few.expects(.once)
      few.when(7).expects(1...)
    }
    #expect(
      found.map(\.firstLine) == [
        "few(any arguments) was expected once, and was never called.",
        "few(7) was expected at least once, and was never called.",
      ])
  }

  let repo = RepoDouble()

  @Test func `the requested type chooses the stub`() throws {
    repo.decodes.returns(42)
    repo.decodes.returns("text", then: "more")
    repo.decodes.when("age").returns(7)
    try #expect(repo.decode(Int.self, key: "x") == 42)
    try #expect(repo.decode(Int.self, key: "age") == 7)
    try #expect(repo.decode(String.self, key: "x") == "text")
    try #expect(repo.decode(String.self, key: "age") == "more")
    #expect(repo.decodes.calls == ["x", "age", "x", "age"])
    #expect(repo.decodes.calls(as: Int.self) == ["x", "age"])
    #expect(repo.decodes.calls(with: "age").count == 2)
  }

  @Test func `a requested type without a stub is named in the error`() throws {
    let line = #line
    repo.decodes.when("age").returns(7)
    let error = #expect(throws: Unstubbed.self) { try repo.decode(String.self, key: "age") }
    #expect(
      error?.description == """
        No stub answers decode(key: "age") as String.
          Called at  UnderstudyDoublesTests/Subjects.swift:48
          Stubs      decode(key: "age") as Int, made at UnderstudyDoublesTests/KindsTests.swift:\
        \(line + 1): it was asked for as String
        To fix, do one of these:
          • Stub this call:   .when(…).returns(…)
          • Stub every call:  .returns(…)
          • Allow it:         unstubbed(.relaxed, double)
        """)
  }

  @Test func `a default for a type may stay unused if another stub answers`() throws {
    let found = try violations { _ in
      let decodes = GenericSpy<String>("decode(key:)")
      decodes.returns(0)
      decodes.when("age").returns(42)
      try #expect(decodes("age", as: Int.self) == 42)
    }
    #expect(found == [])
  }

  @Test func `a default for a type that no call requests is unused`() throws {
    let found = try violations { _ in
      let decodes = GenericSpy<String>("decode(key:)")
      decodes.throws(Bounced())
      decodes.returns(0)
      decodes.returns("text")
      try #expect(decodes("age", as: Int.self) == 0)
    }
    #expect(
      found.map(\.firstLine) == [
        "The stub of decode(key: any arguments) as String answered no call."
      ])
  }

  @Test func `an error and a function may be for one type and a number of calls`() throws {
    let makes = GenericSpy<Int>("make(_:)")
    makes.returns("text")
    makes.returns(0)
    makes.throws(Bounced(), as: String.self, times: 1)
    makes.does(times: 1) { $0 + 1 }
    makes.when(7).does(times: 1) { $0 + 2 }
    try #expect((1...2).map { _ in try makes(7, as: Int.self) } == [9, 8])
    try #expect(makes(7, as: Int.self) == 0)
    #expect(throws: Bounced.self) { try makes(7, as: String.self) }
    try #expect(makes(7, as: String.self) == "text")
  }

  @Test func `a wait for certain calls may use another clock`() async {
    let (makes, clock) = (GenericSpy<Int>("make(_:)"), ManualClock())
    let never = Task { await makes.when(1).calls(reach: 1, within: .seconds(2), of: clock) }
    await clock.sleepers(reach: 1)
    clock.advance(by: .seconds(2))
    #expect(await !never.value)
    _ = makes.value(1, placeholder: 0)
    #expect(await makes.when(1).calls(reach: 1))
  }

  @Test func `a newer default hides an older one of its type, and no other`() throws {
    let found = try violations { _ in
      let decodes = GenericSpy<String>("decode(key:)")
      decodes.returns("one")
      decodes.returns(1)
      decodes.returns(2)
      try #expect(decodes("age", as: Int.self) == 2)
      try #expect(decodes("age", as: String.self) == "one")
    }
    #expect(
      found.map(\.firstLine) == ["The stub of decode(key: any arguments) as Int answered no call."])
    #expect(found.first?.contains("Hidden by") == true, "\(found)")
  }

  @Test func `a missing expected call of a generic double is one violation, even if stubbed`() {
    let found = violations { _ in
      let decodes = GenericSpy<String>("decode(key:)")
      decodes.when("age").expects(.once).returns(42)
    }
    #expect(
      found.map(\.firstLine) == ["decode(key: \"age\") was expected once, and was never called."])
  }

  @Test func `optionals and handlers keep their type`() throws {
    repo.decodes.when("none").returns(Int?.none)
    repo.decodes.when("length").does { key in key.count }
    repo.decodes.when("bad").throws(Bounced())
    try #expect(repo.decode(Int?.self, key: "none") == nil)
    try #expect(repo.decode(Int.self, key: "length") == 6)
    #expect(throws: Bounced.self) { try repo.decode(Int.self, key: "bad") }
  }

  @Test func `calls run side effects, wake waiters and are recorded as snapshots`() async throws {
    let makes = GenericSpy<Int>("make(_:)").recording { $0 * 10 }
    let seen = Lock<[Int]>([])
    makes.onCall { number in seen.withLock { $0.append(number) } }
    makes.when(2).onCall { _ in seen.withLock { $0.append(0) } }.returns("b")
    makes.returns("a")
    makes.when(2).returns("b")
    let work = Task { try (1...2).map { try makes($0, as: String.self) } }
    #expect(await makes.when(20).calls(reach: 1, within: .seconds(600)))
    try #expect(await work.value == ["a", "b"])
    #expect(seen.withLock { $0 } == [1, 2, 0])
    #expect(makes.calls == [10, 20])
    #expect(await !makes.when(3).calls(reach: 1, within: .zero))
  }

  @Test func `a double that cannot throw returns the value`() {
    let makes = GenericSpy<Void>("make()")
    makes.returns(3)
    #expect(makes.value((), as: Int.self) == 3)
    #expect(makes.value((), as: Int?.self) == nil)
  }

  @Test func `a double that throws one type of errors throws the stub's, and else goes on`() {
    let found = violations { _ in
      let finds = GenericSpy<Int>("find(_:)")
      finds.when(1).throws(RepoError.missing)
      #expect(throws: RepoError.missing) { try finds(1, as: Int?.self, throwing: RepoError.self) }
      #expect((try? finds(2, as: Int?.self, throwing: RepoError.self)) == .some(nil))
    }
    #expect(found.map(\.firstLine) == ["No stub answers find(2) as Optional<Int>."])
  }

  @Test func `an error that a call cannot throw is reported, and the call goes on`() {
    let found = violations { _ in
      let makes = GenericSpy<Int>("make(_:)")
      makes.throws(RepoError.missing)
      #expect(makes.value(7, as: Int.self) == 0)
      #expect(makes.value(7, placeholder: [1]) == [1])
    }
    #expect(found.count == 2)
    #expect(found.allSatisfy { $0.contains("threw an error, and the call cannot throw.") })
  }

  @Test func `an error that a call cannot throw ends the process if there is no value`() async {
    final class Made {}
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let makes = GenericSpy<Int>("make(_:)")
      makes.throws(RepoError.missing)
      let _: Made = makes.value(7)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("threw an error, and the call cannot throw."))
  }
}

@Suite(.strayViolationsKept) struct SpyPropertyTests {
  @Test func `gets and sets are recorded`() {
    let repo = RepoDouble()
    #expect(repo.region == "eu")
    repo.region = "us"
    #expect(repo.region == "us")
    #expect(repo.regions.gets.callCount == 2)
    #expect(repo.regions.sets.calls == ["us"])
  }

  @Test func `a stub wins over a value that was set`() {
    let repo = RepoDouble()
    repo.region = "us"
    repo.regions.gets.returns("a", then: "b")
    #expect([repo.region, repo.region, repo.region] == ["a", "b", "b"])
    repo.regions.reset()
    #expect(repo.region == "us")
    #expect(repo.regions.finish() == [])
  }

  @Test func `modifying in place is a get and a set`() {
    let repo = RepoDouble()
    repo.region += "-1"
    #expect(repo.region == "eu-1")
    #expect(repo.regions.sets.calls == ["eu-1"])
  }

  @Test func `a wrong value is reported with the place where the property was created`() {
    let line = #line + 1
    let regions = SpyProperty<String>("region", "eu")
    regions.sets.when("bad").expects(.never)
    regions.value = "bad"
    let found = regions.finish()
    #expect(found.map(\.callSite.line) == [line])
    #expect(
      found.map(\.description) == [
        """
        region = "bad" was called once, and no call was expected.
          Made at      UnderstudyDoublesTests/KindsTests.swift:\(line)
          Expected at  UnderstudyDoublesTests/KindsTests.swift:\(line + 1)
          Calls        + region = "bad"
        """
      ])
  }

  @Test func `a property without a value uses its placeholder, which is a violation`() {
    let found = violations { _ in
      let levels = SpyProperty<Int>("level", placeholder: 7)
      #expect(levels.get() == 7)
      levels.set(8)
      #expect(levels.get() == 8)
    }
    #expect(found.map(\.firstLine) == ["No stub answers level."])
  }

  @Test func `a property without a value traps`() async {
    await #expect(processExitsWith: .failure) {
      // The issue goes to the test first.
      withKnownIssue { _ = SpyProperty<ContinuousClock>("clock").value }
    }
  }
}

@Suite(.strayViolationsKept) struct StaticTests {
  @Test func `a static spy belongs to the layer`() {
    let first = violations { _ in
      RepoDouble.nows.returns(1)
      #expect(RepoDouble.now() == 1)
      let second = violations { _ in
        RepoDouble.nows.returns(2)
        #expect(RepoDouble.now() == 2)
        #expect(RepoDouble.nows.callCount == 1)
      }
      #expect(second == [])
      #expect(RepoDouble.now() == 1)
      #expect(RepoDouble.nows.callCount == 2)
    }
    #expect(first == [])
  }

  @Test func `a static spy is finished with its layer`() {
    let found = violations { _ in RepoDouble.nows.returns(1) }
    #expect(found.map(\.firstLine) == ["The stub of now() answered no call."])
  }

  /// Runs `body` in a layer on top of the current one, and returns the violations of that layer.
  private func inner(_ body: () -> Void) -> [String] {
    let layer = OverrideLayer(
      LayerTraits(of: Resolver(), named: "inner", on: .current, at: CallSite()))
    OverrideLayer.binding(layer) { body() }
    return layer.end().map(\.description.firstLine)
  }

  @Test func `a static spy answers under the inner layers of the test`() {
    let found = violations { _ in
      RepoDouble.nows.returns(7)
      for _ in 0..<2 {
        let inner = inner { #expect(RepoDouble.now() == 7) }
        #expect(inner == [])
      }
      #expect(RepoDouble.nows.callCount == 2)
    }
    #expect(found == [])
  }

  @Test func `a static spy that an inner layer used first belongs to the test`() {
    let found = violations { _ in
      let inner = inner {
        RepoDouble.nows.returns(7)
        RepoDouble.nows.expects(.once)
      }
      #expect(inner == [])
      #expect(RepoDouble.nows.callCount == 0)
    }
    #expect(found.map(\.firstLine) == ["now() was expected once, and was never called."])
  }

  @Test func `a static spy that is called after its layer is late, and still answers`() {
    let layer = OverrideLayer(
      LayerTraits(of: Resolver(), named: "ended", on: nil, at: CallSite()))
    OverrideLayer.binding(layer) {
      RepoDouble.nows.returns(7)
      #expect(RepoDouble.now() == 7)
    }
    #expect(layer.end().isEmpty)
    let other = Spy<Void, Void, Never>.static
    for (name, call) in [
      ("now()", { #expect(RepoDouble.now() == 7) }),
      ("first()", { other(Int.self, "first()", nil, #fileID, #filePath, #line, #column)() }),
    ] {
      withKnownIssue {
        OverrideLayer.binding(layer, operation: call)
      } matching: { issue in
        issue.comments.map(\.rawValue.firstLine)
          == ["\(name) was called after its double was finished."]
      }
    }
  }

  @Test func `static spies of different owners and names are different`() {
    let found = violations { _ in
      let a = Spy<Void, Int, Never>.static(of: Int.self, "a()")
      let b = Spy<Void, Int, Never>.static(of: String.self, "a()")
      let c = Spy<Void, Int, Never>.static(of: Int.self, "c()")
      a.returns(1)
      b.returns(2)
      c.returns(3)
      #expect([a(), b(), c()] == [1, 2, 3])
      #expect(Spy<Void, Int, Never>.static(of: Int.self, "a()")() == 1)
    }
    #expect(found == [])
  }
}
