// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyTesting

private let file = #fileID

/// Wrong uses of layers, and their messages.
@Suite struct `Misuse of layers` {
  private let resolver: Resolver = {
    let resolver = Resolver()
    resolver.register { RealPostman() as any Postman }
    return resolver
  }()

  init() { RunIssues.claim() }

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
    let task = await OverrideLayer.binding(layer) {
      // A detached task belongs to no test, so the issue is the run's. The task still sees the
      // layer.
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
        ended("popped", "popped", line: 411, isOfOperation: false)
      ])
  }

  @Test func `an ended layer in the middle does not let a request pass to production`() async throws
  {
    let resolver = resolver
    let pushed = Passage()
    let goOn = Passage()
    let root = Stage.root("between", of: resolver, adoptsEscapedWork: false)
    let context = OverrideLayer.binding(root) { OverrideContext.current }
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

  @Test func `onDispose on a layer that has ended never runs and is an issue`() async throws {
    let resolver = resolver
    let steps = Transcript<String>()
    func text(_ subject: String, line: Int) -> String {
      """
      \(subject) was given to a layer that has ended; it does not run.
        Given   \(file):\(line)
        Layer   'closed'
        Pushed  \(file):510
      To fix, do one of these:
        • Call 'onDispose' before the scope ends, and wait for the work that calls it.
        • Call it on the layer of the running test:  OverrideLayer.current
      """
    }
    let subjects = [
      (511, "A disposer"), (512, "A disposer"), (513, "A disposer of 'any Postman'"),
      (514, "A disposer of 'any Postman'"),
    ]
    try await expect(issues: subjects.map { .error(text($1, line: $0), line: $0) }) {
      let ended = withOverrides(of: resolver, named: "closed", line: 510) { _ in
      } operation: {
        OverrideLayer.current
      }
      let layer = try #require(ended)
      let key = Key<any Postman>()
      layer.onDispose(line: 511) { steps.say("sync") }
      layer.onDispose(line: 512) { () async in steps.say("async") }
      layer.onDispose(of: key, line: 513) { _ in steps.say("sync of a key") }
      layer.onDispose(of: key, line: 514) { (_: any Postman) async in
        steps.say("async of a key")
      }
      await layer.dispose()
    }
    #expect(steps.all.isEmpty)
  }

  // MARK: Assertions

  @Test func `counting without a layer is an error that says so`() async throws {
    let text = """
      'any Postman' cannot be counted: no layer is live here.
      To fix, do one of these:
        • Give the test a layer:  @Test(.overrides())
        • Carry the context:  let context = OverrideContext.current … context.run { … }
      """
    try await expect(issues: (601...603).map { .error(text, line: $0) }) {
      assertResolved((any Postman).self, line: 601)
      assertNeverResolved((any Postman).self, line: 602)
      assertCreated((any Postman).self, line: 603)
    }
  }

  // MARK: Decorators and blocks that fail

  @Test func `decorating without a registration below throws`() throws {
    let resolver = Resolver()
    withOverrides(of: resolver, named: "decorated") {
      $0.decorate((any Postman).self, line: 701) { $0 }
    } operation: {
      let error = #expect(throws: ResolutionError.self) {
        try resolver.resolve((any Postman).self, line: 702)
      }
      #expect(
        error?.description == """
          'any Postman' is decorated, and nothing below the decorator answers it.
            At          \(file):702
            Consulted   layer 'decorated' (any Postman), production of an unnamed resolver (0 registrations)
            Registered  \(file):701
          To fix, do one of these:
            • Register the decorated value:  resolver.register { … as any Postman }
            • Override it instead:  $0.register { … as any Postman }
          """)
    }
  }

  @Test func `an override whose block throws makes the request throw, with an explanation`() throws
  {
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

  @Test func `overrides that cannot be created fail the test with their error`() async throws {
    #expect(throws: Strike.self) {
      try withOverrides(of: resolver) { _ in
        throw Strike()
      } operation: {
        Issue.record("the operation runs without its overrides")
      }
    }
  }
}
