// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyTesting

/// Requests that cannot throw get production's answer and are an issue of the run. Each test has
/// its own process, which would end otherwise.
@Suite struct `Escaped work that cannot throw` {
  @Test func `is injected with production's values for some keys`() async {
    await #expect(processExitsWith: .success) {
      RunIssues.claim(fileID: "UnderstudyTests/EscapedFormsTests.swift")
      let stage = Stage("some keys escape")
      stage.resolver.register(named: "kept") { PostOffice() as any Postman }
      let names = await stage.play {
        await Task.detached {
          withResolver(stage.resolver) {
            InjectAll(
              [Key<any Postman>(), Key(named: "missing"), Key(named: "kept")], line: 3101
            ).wrappedValue.map(\.name)
          }
        }.value
      }
      #expect(names == ["production", "office"])
      #expect(RunIssues.take(mentioning: stage.name).map(\.callSite.line) == [3101])
    }
  }

  @Test func `is injected with nothing if production's instance is gone`() async {
    await #expect(processExitsWith: .success) {
      RunIssues.claim(fileID: "UnderstudyTests/EscapedFormsTests.swift")
      let resolver = Resolver()
      let held = Transcript<PostOffice>()
      do {
        let office = PostOffice()
        resolver.register(weak: office)
      }
      let layer = Stage.root("what is gone escapes", of: resolver, adoptsEscapedWork: false)
      layer.register { () -> PostOffice in
        held.say(PostOffice())
        return held.all[0]
      }
      let isThere = await OverrideLayer.binding(layer) {
        await Task.detached {
          withResolver(resolver) { WeakInject<PostOffice>(line: 3102).wrappedValue != nil }
        }.value
      }
      _ = layer.end()
      #expect(!isThere)
      #expect(RunIssues.take(mentioning: layer.name).map(\.callSite.line) == [3102])
    }
  }

  @Test func `is injected with production's instance of an overridden dependency`() async {
    await #expect(processExitsWith: .success) {
      RunIssues.claim(fileID: "UnderstudyTests/EscapedFormsTests.swift")
      let stage = Stage("a dependency of what is injected escapes")
      stage.resolver.register { r in Clerk(postman: try r.resolve(line: 3103)) }
      let names = await stage.play {
        await Task.detached {
          withResolver(stage.resolver) {
            [
              Inject<Clerk>(line: 3104).wrappedValue,
              LazyInject<Clerk>(line: 3104).wrappedValue,
              InjectAll<Clerk>(line: 3104).wrappedValue[0],
              InjectAll([Key<Clerk>()], line: 3104).wrappedValue[0],
            ].map(\.postman.name)
          }
        }.value
      }
      #expect(names == Array(repeating: "production", count: 4))
      #expect(Set(RunIssues.take(mentioning: stage.name).map(\.callSite.line)) == [3103])
    }
  }

  /// A task that production starts during a request has lost its context like any other.
  @Test func `gets an answer for that one request`() async {
    await #expect(processExitsWith: .success) {
      RunIssues.claim(fileID: "UnderstudyTests/EscapedFormsTests.swift")
      RunIssues.claim(fileID: "UnderstudyTests/Stage.swift")
      let stage = Stage("a task of production's escapes")
      let isAnswered = Passage()
      let answers = Transcript<String>()
      let task = Transcript<Task<Void, Never>>()
      stage.resolver.register { r in
        task.say(
          Task {
            await isAnswered.wait()
            answers.say(stage.ask(line: 3106))
          })
        return Clerk(postman: try r.resolve(line: 3107))
      }
      await stage.play {
        await Task.detached { withResolver(stage.resolver) { _ = Inject<Clerk>() } }.value
        isAnswered.open()
        for task in task.all { await task.value }
      }
      #expect(!answers.all.isEmpty && !answers.all.contains("production"))
      #expect(RunIssues.take(mentioning: stage.name).map(\.callSite.line) == [3107, 3106])
    }
  }

  @Test func `reads production's instance, and is an issue`() async {
    await #expect(processExitsWith: .success) {
      RunIssues.claim(fileID: "UnderstudyTests/EscapedFormsTests.swift")
      let resolver = Resolver()
      resolver.register((any Postman).self, lifecycle: .cached) { PostOffice() }
      _ = try resolver.resolve((any Postman).self)
      let layer = Stage.root("a look escapes", of: resolver, adoptsEscapedWork: false)
      layer.register { PostmanDouble() as any Postman }
      let names = await OverrideLayer.binding(layer) {
        await Task.detached {
          [
            resolver.existing((any Postman).self, line: 3108)?.name,
            resolver.existing(Clerk.self)?.postman.name,
          ]
        }.value
      }
      _ = layer.end()
      #expect(names == ["office", nil])
      #expect(RunIssues.take(mentioning: layer.name).map(\.callSite.line) == [3108])
    }
  }

  @Test func `reads the instance of the test that adopts it`() async {
    await #expect(processExitsWith: .success) {
      let resolver = Resolver()
      let layer = Stage.root("adopts a look", of: resolver, adoptsEscapedWork: true)
      layer.register(lifecycle: .cached) { PostOffice() }
      let isSame = await OverrideLayer.binding(layer) {
        let office = try? resolver.resolve(PostOffice.self)
        return await elsewhere { office != nil && resolver.existing(PostOffice.self) === office }
      }
      _ = layer.end()
      #expect(isSame)
    }
  }
}
