// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyTesting

private let file = "UnderstudyTests/LateTests.swift"

private func ended(_ layer: String, _ test: String, line: Int, key: String = "'any Postman'")
  -> Caught
{
  .error(
    """
    \(key) was asked for under the layer '\(layer)', which has ended with the test '\(test)'.
      At  \(file):\(line)
    To fix, do one of these:
      • Wait for the work before the scope ends.
      • Cancel the work, or let it resolve what it needs while the scope lasts.
    """, line: line, file: file)
}

private func late(_ layer: String, captured: Int, line: Int, isError: Bool = false) -> Caught {
  Caught(
    """
    'any Postman' is overridden after it was captured: whoever holds it keeps the old one.
      Captured    \(file):\(captured)
      Overridden  \(file):\(line)
      Layer       '\(layer)'
    To fix, do one of these:
      • Override it before the code under test is made.
      • Ask for it when it is needed:  @LazyInject
    """, isError: isError, line: line, file: file)
}

private final class Office: Sendable {
  let postman: any Postman
  init(_ postman: any Postman) { self.postman = postman }
}

/// What comes after its time (O9), and other bad use.
@Suite struct `Late work` {
  private let resolver: Resolver = {
    let resolver = Resolver()
    resolver.register { RealPostman() as any Postman }
    return resolver
  }()

  init() { RunIssues.claim() }

  private func endedContext(_ name: String) -> OverrideContext {
    withOverrides(.check(.unusedOverride, .off), of: resolver, named: name) {
      $0.register { PostmanDouble() as any Postman }
    } operation: {
      OverrideContext.current
    }
  }

  // MARK: Contexts that have ended

  @Test func `a context that has ended throws on a call that can throw`() async throws {
    let resolver = resolver
    let issue = ended("ended 1", currentTestName, line: 101)
    try await expect(issues: [issue]) {
      let context = endedContext("ended 1")
      // Asked again at the same place, it throws again and is reported once.
      for _ in 1...2 {
        let error = #expect(throws: ResolutionError.self) {
          try context.run { try resolver.resolve((any Postman).self, line: 101) }
        }
        #expect(error?.description == issue.text)
      }
    }
  }

  @Test func `a context that has ended answers a declared dependency with production`()
    async throws
  {
    let issue = ended(
      "ended 2", currentTestName, line: 102,
      key: "'any Postman' declared at UnderstudyTests/Postman.swift:7001")
    try await expect(issues: [issue]) {
      let context = endedContext("ended 2")
      #expect(context.run { Resolver.main.resolve(\.postman, line: 102).name } == "production")
    }
  }

  @Test func `a context that has ended injects production, and reports it`() async throws {
    struct Sender {
      @Inject(line: 103) var postman: any Postman
    }
    let resolver = resolver
    try await expect(issues: [ended("ended 3", currentTestName, line: 103)]) {
      let context = endedContext("ended 3")
      let name = context.run { withResolver(resolver) { Sender().postman.name } }
      #expect(name == "production")
    }
  }

  @Test func `a lazy injection that is first read after the end says so`() async throws {
    struct Sender {
      @LazyInject(line: 104) var postman: any Postman
    }
    let resolver = resolver
    try await expect(issues: [ended("ended 4", currentTestName, line: 104)]) {
      let sender = withOverrides(.check(.unusedOverride, .off), of: resolver, named: "ended 4") {
        $0.register { PostmanDouble() as any Postman }
      } operation: {
        withResolver(resolver) { Sender() }
      }
      #expect(sender.postman.name == "production")
    }
  }

  @Test(arguments: WayOut.allCases)
  func `from a thread, what is asked too late is an issue of the run`(way: WayOut) async {
    let stage = Stage("late, \(way)")
    let context = await stage.play { OverrideContext.current }
    let arrivals = await Task.detached {
      await way.send { context.run { ask(stage, line: way.line) } }
    }.value
    let issue = ended(stage.name, stage.name, line: way.line)
    #expect(arrivals.filter { $0.value != issue.text }.isEmpty)
    #expect(RunIssues.take(mentioning: "'\(stage.name)'").map { Caught($0) } == [issue])
  }

  private func ask(_ stage: Stage, line: Int) -> String {
    do throws(ResolutionError) {
      return try stage.resolver.resolve((any Postman).self, line: line).name
    } catch {
      return error.description
    }
  }

  @Test func `a task that outlives its scope is told so`() async throws {
    let resolver = resolver
    let isOver = Passage()
    try await expect(issues: [ended("outlived", currentTestName, line: 105)]) {
      let task = withOverrides(.check(.unusedOverride, .off), of: resolver, named: "outlived") {
        $0.register { PostmanDouble() as any Postman }
      } operation: {
        Task {
          await isOver.wait()
          return try? resolver.resolve((any Postman).self, line: 105).name
        }
      }
      isOver.open()
      #expect(await task.value == nil)
    }
  }

  // MARK: Work that still runs

  @Test func `a block that runs when the layer ends is named`() async throws {
    let resolver = resolver
    let started = Passage()
    let goOn = Passage()
    let text = """
      Work that was started under the layer was still running when it ended.
        Layer  'unfinished'
      To fix:  Wait for the work that the test started before it ends.
      """
    try await expect(issues: [.error(text, line: 200)]) {
      let task = await withOverrides(of: resolver, named: "unfinished", line: 200) {
        $0.register { () -> any Postman in
          started.open()
          goOn.block()
          return PostmanDouble()
        }
      } operation: {
        // The actor's own queue is blocked, and not the threads of all tasks.
        let task = Task {
          await WayOut.actorExecutor.send { try? resolver.resolve((any Postman).self).name }
        }
        await started.wait()
        return task
      }
      goOn.open()
      let names = await task.value.map(\.value)
      #expect(names == ["double"])
    }
  }

  /// A body that has said that it is done may still be returning: only what it asks for later counts.
  @Test func `a carried context that asks for nothing when the layer ends is no finding`()
    async throws
  {
    let resolver = resolver
    let started = Passage()
    let goOn = Passage()
    try await expect(issues: []) {
      let task = await withOverrides(of: resolver, named: "in use", line: 210) { _ in
      } operation: {
        let context = OverrideContext.current
        let task = Task.detached {
          await elsewhere {
            context.run {
              started.open()
              goOn.block()
            }
          }
        }
        await started.wait()
        return task
      }
      goOn.open()
      await task.value
    }
  }

  @Test func `one piece of work that runs in a carried context and a block is one`() async throws {
    let resolver = resolver
    let started = Passage()
    let goOn = Passage()
    let text = """
      Work that was started under the layer was still running when it ended.
        Layer  'counted'
      To fix:  Wait for the work that the test started before it ends.
      """
    try await expect(issues: [.error(text, line: 220)]) {
      let task = await withOverrides(of: resolver, named: "counted", line: 220) {
        $0.register { () -> any Postman in
          started.open()
          goOn.block()
          return PostmanDouble()
        }
      } operation: {
        let context = OverrideContext.current
        let task = Task.detached {
          await elsewhere { context.run { try? resolver.resolve((any Postman).self).name } }
        }
        await started.wait()
        return task
      }
      goOn.open()
      #expect(await task.value == "double")
    }
  }

  // MARK: Overrides that come too late

  @Test(arguments: [OverrideOptions.Weight.off, .warning, .error])
  func `an override of what a live object was handed is reported with both places`(
    weight: OverrideOptions.Weight
  ) async throws {
    let resolver = resolver
    let issue = late("too late", captured: 301, line: 302, isError: weight == .error)
    try await expect(issues: weight == .off ? [] : [issue]) {
      try withOverrides(
        [.check(.lateOverride, weight), .check(.unusedOverride, .off)], of: resolver,
        named: "too late"
      ) {
        $0.register { PostOffice() as any Postman }
      } operation: {
        let office = Office(try resolver.resolve((any Postman).self, line: 301))
        let layer = try #require(OverrideLayer.current)
        layer.register((any Postman).self, line: 302) { PostmanDouble() }
        #expect(office.postman.name == "office")
      }
    }
  }

  @Test func `an override in an inner layer of what a live object was handed is reported`()
    async throws
  {
    let resolver = resolver
    try await expect(issues: [late("inner", captured: 311, line: 312)]) {
      try withOverrides(.check(.unusedOverride, .off), of: resolver, named: "outer") {
        $0.register { PostOffice() as any Postman }
      } operation: {
        let office = Office(try resolver.resolve((any Postman).self, line: 311))
        withOverrides(of: resolver, named: "inner") {
          $0.register((any Postman).self, line: 312) { PostmanDouble() }
        } operation: {
        }
        #expect(office.postman.name == "office")
      }
    }
  }

  @Test func `an override of the type after the declared dependency was handed out is reported`()
    async throws
  {
    try await expect(issues: [late("declared", captured: 321, line: 322)]) {
      try withOverrides(.check(.unusedOverride, .off), named: "declared") {
        $0.override(\.postman) { PostOffice() }
      } operation: {
        let office = Office(Resolver.main.resolve(\.postman, line: 321))
        try #require(OverrideLayer.current).register((any Postman).self, line: 322) {
          PostmanDouble()
        }
        #expect(office.postman.name == "office")
      }
    }
  }

  @Test func `an override after the object is gone is in time`() async throws {
    let resolver = resolver
    try await expect(issues: []) {
      try withOverrides(of: resolver) {
        $0.register { PostOffice() as any Postman }
      } operation: {
        _ = Office(try resolver.resolve((any Postman).self))
        try #require(OverrideLayer.current).register { PostmanDouble() as any Postman }
        _ = try resolver.resolve((any Postman).self)
      }
    }
  }

  @Test func `an override after a value was handed out cannot be known to be late`() async throws {
    let resolver = resolver
    try await expect(issues: []) {
      try withOverrides(of: resolver) { _ in
      } operation: {
        let office = Office(try resolver.resolve((any Postman).self))
        try #require(OverrideLayer.current).register { PostmanDouble() as any Postman }
        _ = try resolver.resolve((any Postman).self)
        #expect(office.postman.name == "production")
      }
    }
  }

  // MARK: Layers out of order

  @Test func `a layer that ends before an inner one is an error that names both`() async throws {
    let resolver = resolver
    let pushed = Passage()
    let goOn = Passage()
    let text = """
      The layer 'outer' ended before the layer 'inner' that was pushed on it.
        Inner layer  \(file):402
        Outer layer  \(file):401
      To fix:  Wait for the work that pushed the inner layer before the outer one ends.
      """
    try await expect(issues: [.error(text, line: 402)]) {
      let task = await withOverrides(of: resolver, named: "outer", line: 401) { _ in
      } operation: {
        let task = Task {
          await withOverrides(of: resolver, named: "inner", line: 402) { _ in
          } operation: {
            pushed.open()
            await goOn.wait()
          }
        }
        await pushed.wait()
        return task
      }
      goOn.open()
      await task.value
    }
  }

  @Test func `an inner layer whose outer one has ended answers nothing`() async throws {
    let resolver = resolver
    let pushed = Passage()
    let goOn = Passage()
    let layer = Stage.root("popped", of: resolver, adoptsEscapedWork: false)
    let task = await OverrideLayer.$bound.withValue(layer) {
      // Detached, so that the issue is the run's; under the layer all the same.
      let context = OverrideContext.current
      let task = Task.detached {
        await context.run {
          await withOverrides(.check(.unusedOverride, .off), of: resolver, named: "inner") {
            $0.register { PostmanDouble() as any Postman }
          } operation: {
            pushed.open()
            await goOn.wait()
            return (try? resolver.resolve((any Postman).self, line: 411).name) == nil
          }
        }
      }
      await pushed.wait()
      return task
    }
    #expect(layer.end().count == 1)
    goOn.open()
    #expect(await task.value)
    #expect(
      RunIssues.take(mentioning: "'popped'").map { Caught($0) } == [
        ended("popped", "popped", line: 411)
      ])
  }

  @Test func `a layer between that has ended is no silent way to production`() async throws {
    let resolver = resolver
    let pushed = Passage()
    let goOn = Passage()
    let root = Stage.root("between", of: resolver, adoptsEscapedWork: false)
    let context = OverrideLayer.$bound.withValue(root) { OverrideContext.current }
    let task = await context.run {
      await withOverrides(.check(.unusedOverride, .off), of: resolver, named: "middle") {
        $0.register { PostmanDouble() as any Postman }
      } operation: {
        let context = OverrideContext.current
        let task = Task.detached {
          await context.run {
            await withOverrides(of: resolver, named: "innermost") { _ in
            } operation: {
              pushed.open()
              await goOn.wait()
              return (try? resolver.resolve((any Postman).self, line: 421).name) == nil
            }
          }
        }
        await pushed.wait()
        return task
      }
    }
    goOn.open()
    let isRefused = await task.value
    let violations = root.end()
    #expect(violations.map(\.callSite.line).count == 1)
    #expect(isRefused)
    #expect(
      RunIssues.take(mentioning: "'between'").map { Caught($0) } == [
        ended("middle", "between", line: 421)
      ])
  }

  // MARK: Registering

  @Test func `registering on a layer that has ended adds nothing and is an issue`() async throws {
    let resolver = resolver
    let text = """
      'any Postman' was registered on a layer that has ended; nothing was added.
        Registered  \(file):501
        Layer       'closed'
        Pushed      \(file):500
      To fix, do one of these:
        • Register before the scope ends, and wait for the work that registers.
        • Register on the layer of the running test:  OverrideLayer.current
      """
    try await expect(issues: [.error(text, line: 501)]) {
      let layer = withOverrides(of: resolver, named: "closed", line: 500) { _ in
      } operation: {
        OverrideLayer.current
      }
      try #require(layer).register((any Postman).self, line: 501) { PostmanDouble() }
      #expect(try resolver.resolve((any Postman).self).name == "production")
    }
  }

  // MARK: Assertions

  @Test func `counting without a layer says so`() async throws {
    let text = """
      'any Postman' cannot be counted: no layer is live here.
      To fix, do one of these:
        • Give the test a layer:  @Test(.overrides { _ in })
        • Carry the context:  let context = OverrideContext.current … context.run { }
      """
    try await expect(issues: (601...603).map { .error(text, line: $0) }) {
      assertResolved((any Postman).self, line: 601)
      assertNeverResolved((any Postman).self, line: 602)
      assertCreated((any Postman).self, line: 603)
    }
  }

  // MARK: Decorators and blocks that fail

  @Test func `decorating what nothing below answers throws`() throws {
    let resolver = Resolver()
    withOverrides(of: resolver) {
      $0.decorate((any Postman).self, line: 701) { $0 }
    } operation: {
      let error = #expect(throws: ResolutionError.self) {
        try resolver.resolve((any Postman).self, line: 702)
      }
      #expect(
        error?.description == """
          'any Postman' is decorated, and nothing below the decorator answers it.
            At          \(file):702
            Registered  \(file):701
          To fix, do one of these:
            • Register what is decorated:  resolver.register { … as any Postman }
            • Override it instead:  $0.register { … as any Postman }
          """)
    }
  }

  @Test func `an override whose block throws makes the call throw, and explains`() throws {
    withOverrides(of: resolver) {
      $0.register((any Postman).self, line: 801) { throw Strike() }
    } operation: {
      let error = #expect(throws: ResolutionError.self) {
        try resolver.resolve((any Postman).self, line: 802)
      }
      #expect(
        error?.description == """
          The block registered for 'any Postman' threw an error: on strike
            At          \(file):802
            Registered  \(file):801
          """)
    }
  }

  @Test func `a declared override whose block throws is a violation, and production answers`()
    async throws
  {
    let text = """
      The block registered for 'any Postman' declared at UnderstudyTests/Postman.swift:7001 threw \
      an error: on strike
        At          \(file):812
        Registered  \(file):811
      """
    try await expect(issues: [.error(text, line: 812)]) {
      withOverrides {
        $0.override(\.postman, line: 811) { throw Strike() }
      } operation: {
        #expect(Resolver.main.resolve(\.postman, line: 812).name == "production")
      }
    }
  }

  @Test func `overrides that cannot be made fail the test with their error`() async throws {
    #expect(throws: Strike.self) {
      try withOverrides(of: resolver) { _ in
        throw Strike()
      } operation: {
        Issue.record("the operation runs without its overrides")
      }
    }
  }
}
