// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import Testing
import UnderstudyTesting

@testable import Understudy

extension Dependencies {
  fileprivate static let escapingPostman = Dependency<any Postman>(line: 7002) { RealPostman() }
}

/// Every way out of a test's task tree, and the answer there.
@Suite struct `Escaped work` {
  init() { RunIssues.claim() }

  /// The message for work that has lost its context.
  private func lost(_ tests: String..., line: Int, key: String = "'any Postman'") -> String {
    """
    \(key) was asked for by work that belongs to no test, and \
    \(tests.count == 1 ? "a running test overrides it" : "running tests override it").
      At             UnderstudyTests/EscapeTests.swift:\(line)
      Overridden by  \(tests.map { "'\($0)'" }.joined(separator: "\n                 "))
    To fix, do one of these:
      • Carry the context:  let context = OverrideContext.current … context.run { … }
      • Resolve before the work is sent off, and hand it the value.
    """
  }

  private func ask(_ stage: Stage, line: Int) -> String {
    do throws(ResolutionError) {
      return try stage.resolver.resolve((any Postman).self, line: line).name
    } catch {
      return error.description
    }
  }

  /// Resolves a clerk, which needs a postman, in work that has lost its context.
  private func askForClerk(_ stage: Stage, line: Int) async -> String {
    await stage.play {
      await Task.detached { () -> String in
        do throws(ResolutionError) {
          return try stage.resolver.resolve(Clerk.self, line: line).postman.name
        } catch {
          return error.description
        }
      }.value
    }
  }

  @Test(arguments: WayOut.allCases, Company.allCases)
  func `gets the test's double everywhere with a carried context`(
    way: WayOut, company: Company
  ) async {
    let stage = Stage("carried, \(way), \(company)", company)
    let arrivals = await stage.play {
      let context = OverrideContext.current
      return await way.send { context.run { ask(stage, line: way.line) } }
    }
    #expect(!arrivals.isEmpty)
    #expect(arrivals.filter { $0.value != "double" }.isEmpty)
    #expect(RunIssues.take(mentioning: stage.name).isEmpty)
  }

  @Test(arguments: WayOut.allCases, Company.allCases)
  func `without a carried context gets the double in the task tree, and an issue elsewhere`(
    way: WayOut, company: Company
  ) async {
    let stage = Stage("lost, \(way), \(company)", company)
    let arrivals = await stage.play { await way.send { ask(stage, line: way.line) } }
    let text =
      company == .besideATestThatOverridesIt
      ? lost(stage.name, "\(stage.name), the other", line: way.line)
      : lost(stage.name, line: way.line)
    #expect(!arrivals.isEmpty)
    #expect(arrivals.filter { $0.value != ($0.keptContext ? "double" : text) }.isEmpty)
    let isLost = arrivals.contains { !$0.keptContext }
    #expect(
      RunIssues.take(mentioning: stage.name).map { Caught($0) }
        == (isLost ? [.error(text, line: way.line)] : []))
  }

  @Test(arguments: WayOut.allCases)
  func `gets production's answer for a key that no layer overrides, without an issue`(way: WayOut)
    async throws
  {
    let stage = Stage("of no interest, \(way)")
    let arrivals = await stage.play {
      await way.send {
        (try? stage.resolver.resolve(String.self, line: 4000 + way.line)) ?? "error"
      }
    }
    #expect(!arrivals.isEmpty)
    #expect(arrivals.filter { $0.value != "nobody overrides this" }.isEmpty)
    #expect(RunIssues.take(mentioning: "EscapeTests.swift:\(4000 + way.line)").isEmpty)
  }

  /// The context says that the work belongs to a test, and which layers that has: none.
  @Test(arguments: WayOut.allCases)
  func `of a test without a layer sees production with a carried context`(way: WayOut) async {
    let stage = Stage("beside a context without a layer, \(way)")
    let context = OverrideContext.current
    let arrivals = await stage.play {
      let ofLayer = OverrideContext.current
      return await way.send {
        [context, ofLayer].map { $0.run { ask(stage, line: way.line) } }.joined(separator: ", ")
      }
    }
    #expect(!arrivals.isEmpty)
    #expect(arrivals.filter { $0.value != "production, double" }.isEmpty)
    #expect(RunIssues.take(mentioning: stage.name).isEmpty)
  }

  @Test func `keeps what its carried context says in its tasks, and in asynchronous code`() async {
    let stage = Stage("beside an asynchronous context without a layer")
    let context = OverrideContext.current
    await stage.play {
      let answers = await Task.detached {
        await context.run { () async -> [String] in
          await Task.yield()
          async let child = ask(stage, line: #line)
          let nested = await Task.detached { [context = OverrideContext.current] in
            context.run { ask(stage, line: #line) }
          }.value
          return await [child, nested, Task { ask(stage, line: #line) }.value]
        }
      }.value
      #expect(answers == ["production", "production", "production"])
    }
    #expect(RunIssues.take(mentioning: stage.name).isEmpty)
  }

  @Test func `of a test without a layer sees production beside a test that has one`() async throws {
    let stage = Stage("beside a test without a layer")
    let pushed = Passage()
    let asked = Passage()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        await stage.play {
          pushed.open()
          await asked.wait()
        }
      }
      await pushed.wait()
      for way in WayOut.allCases {
        for arrival in await way.send({ ask(stage, line: 2000 + way.line) })
        where arrival.keptContext {
          #expect(arrival.value == "production", "\(way)")
        }
      }
      async let child = ask(stage, line: #line)
      #expect(await child == "production")
      let grandchild = await withTaskGroup(of: String.self) { group in
        group.addTask { await Task { ask(stage, line: #line) }.value }
        return await group.next()
      }
      #expect(grandchild == "production")
      asked.open()
      try await group.waitForAll()
    }
    let lines = Set(RunIssues.take(mentioning: stage.name).map(\.callSite.line))
    let unattributable = WayOut.allCases.filter { $0.line >= WayOut.detachedTask.line }
    #expect(lines.isSubset(of: unattributable.map { 2000 + $0.line }))
  }

  // MARK: Forms of requests

  @Test func `gets production's answer for a declared dependency, with an issue of the run`() async
  {
    let test = "a declared dependency escapes"
    let layer = Stage.root(test, of: .main, adoptsEscapedWork: false)
    layer.override(\.escapingPostman) { PostmanDouble() }
    let name = await OverrideLayer.binding(layer) {
      await Task.detached { Resolver.main.resolve(\.escapingPostman, line: 3001).name }.value
    }
    _ = layer.end()
    #expect(name == "production")
    let text = lost(
      test, line: 3001, key: "'any Postman' declared at UnderstudyTests/EscapeTests.swift:7002")
    #expect(RunIssues.take(mentioning: test).map { Caught($0) } == [.error(text, line: 3001)])
  }

  @Test func `gets production's answer in an injected property, with an issue of the run`() async {
    struct Sender: Sendable {
      @Inject(line: 3002) var postman: any Postman
    }
    let stage = Stage("an injected property escapes")
    let name = await stage.play {
      await Task.detached { withResolver(stage.resolver) { Sender().postman.name } }.value
    }
    #expect(name == "production")
    #expect(
      RunIssues.take(mentioning: stage.name).map { Caught($0) }
        == [.error(lost(stage.name, line: 3002), line: 3002)])
  }

  @Test func `an injected property keeps the error for a form that can throw`() async {
    struct Sender: Sendable {
      @Inject(line: 3020) var postman: any Postman
      @LazyInject(line: 3021) var later: any Postman
      @InjectAll([Key<any Postman>()], line: 3022) var all: [any Postman]
      @WeakInject(line: 3023) var weak: (any Postman)?
      @WeakLazyInject(line: 3024) var found: (any Postman)?

      /// For each property, whether reading it with `get` throws the error of lost work.
      var escapes: [Bool] {
        [
          resolutionError { _ = try $postman.get() }, resolutionError { _ = try $later.get() },
          resolutionError { _ = try $all.get() }, resolutionError { _ = try $weak.get() },
          resolutionError { _ = try $found.get() },
        ].map { $0?.isEscape == true }
      }
    }
    let stage = Stage("a property that is read with get escapes")
    stage.resolver.register(lifecycle: .cached) { PostOffice() as any Postman }
    let (thrown, available, read) = await stage.play {
      await Task.detached { () -> ([Bool], [Bool], [Bool]) in
        withResolver(stage.resolver) {
          let sender = Sender()
          let before = sender.escapes
          let available = [
            sender.$postman.isAvailable, sender.$later.isAvailable, sender.$all.isAvailable,
            sender.$weak.isAvailable, sender.$found.isAvailable,
          ]
          let read = [
            sender.postman is PostOffice, sender.later is PostOffice, sender.all.count == 1,
            sender.weak is PostOffice, sender.found is PostOffice,
          ]
          // A form that cannot throw was read before.
          return (before + sender.escapes, available, read)
        }
      }.value
    }
    #expect(thrown == Array(repeating: true, count: 10))
    #expect(available == Array(repeating: false, count: 5))
    // Production answers these.
    #expect(read == Array(repeating: true, count: 5))
    #expect(
      RunIssues.take(mentioning: stage.name).map(\.callSite.line).sorted()
        == [3020, 3021, 3022, 3023, 3024])
  }

  @Test func `an override that escaped work asked for says so`() async {
    let resolver = Resolver()
    resolver.register { RealPostman() as any Postman }
    let layer = Stage.root("asked by escaped work", of: resolver, adoptsEscapedWork: false)
    layer.register(line: 3025) { PostmanDouble() as any Postman }
    await OverrideLayer.binding(layer) {
      await Task.detached { _ = try? resolver.resolve((any Postman).self, line: 3026) }.value
    }
    #expect(
      layer.end().map(\.description) == [
        """
        The override of 'any Postman' was never resolved.
          Asked by    work that lost its context, perhaps another test's, \
        at UnderstudyTests/EscapeTests.swift:3026
          Overridden  UnderstudyTests/EscapeTests.swift:3025
          Layer       'asked by escaped work'
        To fix, do one of these:
          • Carry the context:  let context = OverrideContext.current … context.run { … }
          • Remove it, or let the code under test ask for 'any Postman'.
          • Allow it:  .overrides(.check(.unusedOverride, .off)) { … }
        """
      ])
    #expect(RunIssues.take(mentioning: layer.name).map(\.callSite.line) == [3026])
  }

  @Test func `never gets production's answer silently for an overridden optional`() async {
    let stage = Stage("an optional escapes")
    _ = await stage.play {
      await Task.detached { try? stage.resolver.resolve((any Postman)?.self, line: 3003) }.value
    }
    #expect(RunIssues.take(mentioning: stage.name).map(\.callSite.line) == [3003])
  }

  @Test func `never gets production's answer silently for an overridden array`() async {
    let stage = Stage("an array escapes")
    _ = await stage.play {
      await Task.detached { try? stage.resolver.resolve([any Postman].self, line: 3004) }.value
    }
    #expect(RunIssues.take(mentioning: stage.name).map(\.callSite.line) == [3004])
  }

  @Test
  func `never gets production's answer silently for an array with an overridden named element`()
    async
  {
    let resolver = Resolver()
    resolver.register("production", named: "a")
    let layer = Stage.root("a named element escapes", of: resolver, adoptsEscapedWork: false)
    layer.register("double", named: "a")
    let (escaped, carried) = await OverrideLayer.binding(layer) {
      let context = OverrideContext.current
      return await Task.detached { () -> ([String]?, [String]?) in
        (
          try? resolver.resolve([String].self, line: 3006),
          context.run { try? resolver.resolve([String].self) }
        )
      }.value
    }
    _ = layer.end()
    #expect(escaped == nil)
    #expect(carried == ["double"])
    #expect(RunIssues.take(mentioning: layer.name).map(\.callSite.line) == [3006])
  }

  @Test func `never gets production's answer silently for an overridden weak injection`() async {
    struct Sender: Sendable {
      @WeakInject(line: 3005) var postman: (any Postman)?
    }
    let stage = Stage("a weak injection escapes")
    stage.resolver.register { PostOffice() as any Postman }
    _ = await stage.play {
      await Task.detached { withResolver(stage.resolver) { _ = Sender() } }.value
    }
    #expect(RunIssues.take(mentioning: stage.name).map(\.callSite.line) == [3005])
  }

  @Test func `is an issue if production has an instance with an overridden dependency`() async {
    let stage = Stage("something kept escapes")
    stage.resolver.register(lifecycle: .cached) { r in Clerk(postman: try r.resolve()) }
    #expect((try? stage.resolver.resolve(Clerk.self).postman.name) == "production")
    let answer = await askForClerk(stage, line: 3008)
    let text = """
      'Clerk' was asked for by work that belongs to no test, and a running test overrides what it was \
      made from.
        Requested by   Clerk
        Path           Clerk → any Postman
        At             UnderstudyTests/EscapeTests.swift:3008
        Overridden by  'something kept escapes'
      To fix, do one of these:
        • Carry the context:  let context = OverrideContext.current … context.run { … }
        • Resolve before the work is sent off, and hand it the value.
      """
    #expect(answer == text)
    #expect(
      RunIssues.take(mentioning: stage.name).map { Caught($0) } == [.error(text, line: 3008)])
  }

  @Test func `is an issue if a dependency of its key is overridden`() async {
    let stage = Stage("a dependency escapes")
    stage.resolver.register { r in Clerk(postman: try r.resolve(line: 3006)) }
    let error = await askForClerk(stage, line: 3007)
    let text = """
      'any Postman' was asked for by work that belongs to no test, and a running test overrides it.
        Requested by   Clerk
        Path           Clerk → any Postman
        At             UnderstudyTests/EscapeTests.swift:3006
        Overridden by  'a dependency escapes'
      To fix, do one of these:
        • Carry the context:  let context = OverrideContext.current … context.run { … }
        • Resolve before the work is sent off, and hand it the value.
      """
    #expect(error == text)
    #expect(
      RunIssues.take(mentioning: stage.name).map { Caught($0) } == [.error(text, line: 3006)])
  }

  @Test func `stores no instance in production whose block continues in spite of the error`()
    async throws
  {
    struct Sender: Sendable {
      @Inject(line: 3031) var postman: any Postman
    }
    let stage = Stage("a block continues")
    stage.resolver.register(lifecycle: .cached) { r in
      (try? r.resolve((any Postman).self, line: 3030).name) ?? "nobody"
    }
    stage.resolver.register(lifecycle: .cached) { Sender() }
    let escaped = await stage.play {
      await Task.detached {
        _ = try? stage.resolver.resolve(Sender.self)
        return try? stage.resolver.resolve(String.self)
      }.value
    }
    #expect(escaped == "nobody")
    #expect(try stage.resolver.resolve(String.self) == "production")
    #expect(try stage.resolver.resolve(Sender.self).$postman.isAvailable)
    #expect(
      RunIssues.take(mentioning: stage.name).map(\.callSite.line).sorted() == [3030, 3031])
  }

  @Test func `stores no instance in production whose layer ends while its block runs`() throws {
    let test = "a layer ends under a block"
    let resolver = Resolver()
    resolver.register { RealPostman() as any Postman }
    let (begun, ended, done) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    let isFirst = Lock(true)
    resolver.register(lifecycle: .cached) { r in
      if isFirst.withLock({ exchange(&$0, with: false) }) {
        begun.signal()
        ended.wait()
      }
      return (try? r.resolve((any Postman).self, line: 3032).name) ?? "nobody"
    }
    let layer = Stage.root(test, of: resolver, adoptsEscapedWork: false)
    layer.register { PostmanDouble() as any Postman }
    let escaped = Lock<String?>(nil)
    Thread.detachNewThread {
      let value = OverrideLayer.binding(layer) { try? resolver.resolve(String.self) }
      escaped.withLock { $0 = value }
      done.signal()
    }
    begun.wait()
    _ = layer.end()
    ended.signal()
    done.wait()
    #expect(escaped.withLock { $0 } == "nobody")
    #expect(try resolver.resolve(String.self) == "production")
    #expect(RunIssues.take(mentioning: test).map(\.callSite.line) == [3032])
  }

  @Test func `gets an error if its layer ends while it waits for another thread`() throws {
    let test = "a layer ends before a waiting thread"
    let resolver = Resolver()
    resolver.register { "production" }
    let waiting = Box<Creation?>(nil)
    resolver.register(lifecycle: .cached) { (r: Resolver) throws -> [String] in
      waiting.value = Construction.current?.creation
      return [try r.resolve()]
    }
    let layer = Stage.root(test, of: resolver, adoptsEscapedWork: false)
    let isCreating = Gate("the double's block")
    layer.register(lifecycle: .cached) { () throws -> String in
      isCreating.open()
      try Threads.spin(
        until: { waiting.value.map { Understudy.Waiting.isWaiting($0) } == true }, "the wait")
      _ = layer.end()
      return "double"
    }
    let answer = Lock("")
    try Threads.run(within: 300) {
      _ = try OverrideLayer.binding(layer) { try resolver.resolve(String.self) }
    } _: {
      try isCreating.pass()
      let text = OverrideLayer.binding(layer) { () -> String in
        do throws(ResolutionError) {
          return try resolver.resolve([String].self)[0]
        } catch {
          return error.kind
        }
      }
      answer.withLock { $0 = text }
    }
    #expect(answer.withLock { $0 } == "layerEnded")
    #expect(RunIssues.take(mentioning: test).count == 1)
  }

  @Test func `gets an error if its layer ends while it collects values`() throws {
    let test = "a layer ends before the last element"
    let resolver = Resolver()
    resolver.register(named: "first") { "production" }
    resolver.register { "production" }
    let layer = Stage.root(test, of: resolver, adoptsEscapedWork: false)
    layer.register(named: "first") { () -> String in
      _ = layer.end()
      return "first"
    }
    layer.register { "double" }
    // The test's own task asks, so the issue is the test's.
    withKnownIssue {
      let error = resolutionError {
        try OverrideLayer.binding(layer) { _ = try resolver.resolve([String].self) }
      }
      #expect(error?.kind == "layerEnded")
    } matching: { issue in
      "\(issue.comments)".contains("under the ended layer")
    }
  }

  @Test func `is found although it pushes a layer of its own`() async {
    let stage = Stage("escapes with a layer of its own")
    _ = await stage.play {
      await Task.detached {
        withOverrides(.check(.unusedOverride, .off), of: stage.resolver) {
          $0.register { 1 }
        } operation: {
          ask(stage, line: 3008)
        }
      }.value
    }
    #expect(RunIssues.take(mentioning: stage.name).map(\.callSite.line) == [3008])
  }

  @Test func `of one place in two cases of a test is an issue of each`() async {
    var issues: [Violation] = []
    for _ in 1...2 {
      let stage = Stage("escapes twice")
      _ = await stage.play { await Task.detached { ask(stage, line: 3009) }.value }
      issues += RunIssues.take(mentioning: stage.name)
    }
    #expect(issues.map(\.callSite.line) == [3009, 3009])
  }

  @Test func `sees production once a one-time override is claimed`() async throws {
    let stage = Stage("claimed once")
    let name = try await stage.play {
      try #require(OverrideLayer.current).register(lifecycle: .once) {
        PostmanDouble() as any Postman
      }
      #expect(ask(stage, line: #line) == "double")
      return await Task.detached { ask(stage, line: 3010) }.value
    }
    #expect(name == "production")
    #expect(RunIssues.take(mentioning: stage.name).isEmpty)
  }

  @Test func `is reported for overrides of an inner layer`() async {
    let resolver = Resolver()
    resolver.register { RealPostman() as any Postman }
    let root = Stage.root("an inner layer overrides it", of: resolver, adoptsEscapedWork: false)
    let isLost = await OverrideLayer.binding(root) {
      await withOverrides(of: resolver) {
        $0.register { PostmanDouble() as any Postman }
      } operation: {
        _ = try? resolver.resolve((any Postman).self)
        return await Task.detached {
          (try? resolver.resolve((any Postman).self, line: 3011)) == nil
        }.value
      }
    }
    _ = root.end()
    #expect(isLost)
    let text = lost("an inner layer overrides it", line: 3011)
    #expect(
      RunIssues.take(mentioning: "an inner layer overrides it").map { Caught($0) }
        == [.error(text, line: 3011)])
  }
}
