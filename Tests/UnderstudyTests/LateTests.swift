// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyTesting

private let file = #fileID

/// Work that comes after the end of its layer.
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

  @Test func `a context that has ended throws if the call can throw`() async throws {
    let resolver = resolver
    let issue = ended("ended 1", currentTestName, line: 101)
    try await expect(issues: [issue]) {
      let context = endedContext("ended 1")
      // A second request at the same place throws again, and is reported once.
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

  @Test func `a context that has ended injects production's value, and reports it`() async throws {
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

  @Test func `a lazy injection that is first read after the end is reported`() async throws {
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
      #expect(throws: ResolutionError.self) { try sender.$postman.get() }
      #expect(!sender.$postman.isAvailable)
      #expect(sender.postman.name == "production")
      #expect(throws: ResolutionError.self) { try sender.$postman.get() }
    }
  }

  @Test(arguments: WayOut.allCases)
  func `a late request from a thread is an issue of the run`(way: WayOut) async {
    let stage = Stage("late, \(way)")
    let context = await stage.play { OverrideContext.current }
    let arrivals = await Task.detached {
      await way.send { context.run { ask(stage, line: way.line) } }
    }.value
    let issue = ended(stage.name, stage.name, line: way.line, isOfOperation: false)
    #expect(arrivals.filter { $0.value != issue.text }.isEmpty)
    #expect(RunIssues.take(mentioning: "'\(stage.name)'").map { Caught($0) } == [issue])
  }

  @Test func `that several threads report about several layers is reported once`() throws {
    let layers = (1...2).map {
      Stage.root("layer \($0)", of: resolver, adoptsEscapedWork: false)
    }
    _ = try Threads.run(3) { _ in
      for round in 0..<5_000 {
        let violation = Violation(Message("told once, \(round)"), at: CallSite(line: 111))
        TestHosts.reportOnRun(violation, about: layers)
      }
    }
    for layer in layers { #expect(layer.end() == []) }
    #expect(RunIssues.take(mentioning: "told once").count == 5_000)
  }

  private func ask(_ stage: Stage, line: Int) -> String {
    do throws(ResolutionError) {
      return try stage.resolver.resolve((any Postman).self, line: line).name
    } catch {
      return error.description
    }
  }

  @Test func `a task that outlives its scope is reported`() async throws {
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

  // MARK: Work that is still running

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
        // This blocks the actor's own queue, not the threads of all tasks.
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

  /// A body that has signalled its end may still be returning. Only a later request counts.
  @Test func `a carried context without a later request is no finding`()
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

  @Test func `work in a carried context and in a block is counted once`() async throws {
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
}
