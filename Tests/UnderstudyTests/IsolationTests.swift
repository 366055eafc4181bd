// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy

/// A nonisolated function runs on its caller's actor, and so must the function that it is passed
/// to. An isolated closure would switch back by itself, so the tests use none. Each test has its
/// own process, since it traps.
@Suite struct `A function on its caller's actor stays there` {
  private static func isThere() async {
    MainActor.preconditionIsolated()
    await Task.yield()
    MainActor.preconditionIsolated()
  }

  private static func underOverrides() async {
    await withOverrides(.check(.unusedOverride, .off)) {
      $0.register(1)
    } operation: {
      await isThere()
      await withOverrides(isBoundary: true) { _ in
      } operation: {
        await isThere()
      }
      await isThere()
    }
    await isThere()
  }

  private static func underAResolver() async {
    await withResolver(Resolver()) { await isThere() }
    await isThere()
  }

  private static func inAContext() async {
    let context = withResolver(Resolver()) { OverrideContext.current }
    await context.run { await isThere() }
    await isThere()
  }

  @Test func `under overrides`() async {
    await #expect(processExitsWith: .success) {
      await Task { @MainActor in
        await `A function on its caller's actor stays there`.underOverrides()
      }
      .value
    }
  }

  @Test func `under a resolver`() async {
    await #expect(processExitsWith: .success) {
      await Task { @MainActor in
        await `A function on its caller's actor stays there`.underAResolver()
      }
      .value
    }
  }

  @Test func `in a context`() async {
    await #expect(processExitsWith: .success) {
      await Task { @MainActor in await `A function on its caller's actor stays there`.inAContext() }
        .value
    }
  }
}

/// Code reads a layer through its address, so the layer must live as long as a task can see it.
@Suite(.compactMapIssues { "\($0)".contains("under the ended layer") ? nil : $0 })
struct `A layer that a task sees is alive` {
  @Test func `for a child of a group that outlives the scope in which it was added`() async {
    let resolver = Resolver()
    resolver.register(0)
    let scopeEnded = Passage()
    await withTaskGroup(of: String?.self) { group in
      for _ in 0..<50 {
        withOverrides(of: resolver) {
          $0.register(1)
        } operation: {
          #expect((try? resolver.resolve(Int.self)) == 1)
          group.addTask {
            await scopeEnded.wait()
            return resolutionError { try resolver.resolve(Int.self) }?.kind
          }
        }
      }
      scopeEnded.open()
      for await kind in group { #expect(kind == "layerEnded") }
    }
  }

  @Test func `for an unstructured task that retains it last`() async {
    let resolver = Resolver()
    let scopeEnded = Passage()
    var tasks: [Task<String?, Never>] = []
    for _ in 0..<50 {
      withOverrides(.check(.unusedOverride, .off), of: resolver) {
        $0.register(1)
      } operation: {
        tasks.append(
          Task {
            await scopeEnded.wait()
            return resolutionError { try resolver.resolve(Int.self) }?.kind
          })
      }
    }
    scopeEnded.open()
    for task in tasks { #expect(await task.value == "layerEnded") }
  }
}
