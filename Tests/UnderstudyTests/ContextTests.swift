// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Dispatch
import Testing
import Understudy
import UnderstudyTesting

private struct Sender: Sendable {
  @LazyInject var lazy: any Postman
  @LazyInject(\.postman) var declared
}

private struct Visitor: Sendable {
  @WeakInject var office: PostOffice?
}

private actor Desk {
  private(set) var asked: [String] = []

  func ask(_ context: OverrideContext, of resolver: Resolver) async throws -> String {
    // Access to the actor's state without 'await' compiles only if the isolation is kept.
    try await context.run {
      await Task.yield()
      assertIsolated()
      asked.append(try resolver.resolve((any Postman).self).name)
      return asked[asked.count - 1]
    }
  }
}

/// A context carries a task's layers and resolver to any thread or task.
@Suite struct `A context` {
  private let stage = Stage("context", adoptsEscapedWork: false)

  private func ask() throws(ResolutionError) -> String {
    try stage.resolver.resolve((any Postman).self).name
  }

  @Test(arguments: WayOut.allCases)
  func `carries the doubles synchronously`(way: WayOut) async throws {
    let names = try await stage.play {
      let context = OverrideContext.current
      return try await way.send { Result { try context.run { try ask() } } }.map {
        try $0.value.get()
      }
    }
    #expect(Set(names) == ["double"])
  }

  @Test func `carries the doubles asynchronously`() async throws {
    let name = try await stage.play {
      let context = OverrideContext.current
      return try await Task.detached {
        try await context.run {
          await Task.yield()
          async let child = ask()
          return try await child
        }
      }.value
    }
    #expect(name == "double")
  }

  @Test func `throws exactly its body's error`() async {
    let context = OverrideContext.current
    do {
      try context.run { () throws(Strike) in throw Strike() }
    } catch {
      let strike: Strike = error
      #expect(strike == Strike())
    }
    do {
      try await context.run { () async throws(Strike) in throw Strike() }
    } catch {
      let strike: Strike = error
      #expect(strike == Strike())
    }
  }

  @Test func `needs no try for a body that does not throw`() async {
    let context = OverrideContext.current
    #expect(context.run { 1 } == 1)
    #expect(
      await context.run {
        await Task.yield(); return 2
      } == 2)
  }

  @MainActor @Test func `keeps the main actor`() async throws {
    var steps: [String] = []
    try await stage.play {
      let context = OverrideContext.current
      try await context.run {
        MainActor.assertIsolated()
        await Task.yield()
        MainActor.assertIsolated()
        steps.append(try ask())
      }
      context.run { steps.append("sync") }
    }
    #expect(steps == ["double", "sync"])
  }

  @Test func `keeps an actor's isolation`() async throws {
    let desk = Desk()
    let name = try await stage.play {
      let context = OverrideContext.current
      return try await Task.detached { try await desk.ask(context, of: stage.resolver) }.value
    }
    #expect(name == "double")
  }

  @Test func `carries the resolver`() async {
    let carried = withResolver(stage.resolver) { OverrideContext.current }
    let isCarried = await elsewhere { carried.run { Resolver.current === stage.resolver } }
    #expect(isCarried)
    #expect(await elsewhere { Resolver.current === Resolver.main })
  }

  @Test func `hides the layers of the task that runs it`() async throws {
    let outside = OverrideContext.current
    let name = try await stage.play { try outside.run { try ask() } }
    #expect(name == "production")
  }

  @Test func `ends when its body throws`() async throws {
    try await stage.play {
      let outside = OverrideContext(layerOf: nil)
      #expect(throws: Strike.self) { try outside.run { throw Strike() } }
      await #expect(throws: Strike.self) {
        try await outside.run { () async throws in throw Strike() }
      }
      let name = try ask()
      #expect(name == "double")
    }
  }

  @Test func `is captured by a lazy injection`() async {
    let name = await stage.play {
      let sender = withResolver(stage.resolver) { Sender() }
      return await elsewhere { sender.lazy.name }
    }
    #expect(name == "double")
  }

  @Test func `is captured by a lazy injection of a declared dependency`() async {
    let name = await withOverrides {
      $0.override(\.postman) { PostmanDouble() }
    } operation: {
      let sender = Sender()
      return await elsewhere { sender.declared.name }
    }
    #expect(name == "double")
  }

  /// This package's providers are functions of type `() -> T`.
  @Test(arguments: WayOut.allCases)
  func `is captured by a provider when that is created or resolved`(way: WayOut) async throws {
    let names = try await stage.play {
      let made = Provider<any Postman>(of: stage.resolver)
      let resolved = try stage.resolver.resolve(Provider<any Postman>.self)
      return try await way.send { Result { [try made().name, try resolved().name] } }.map {
        try $0.value.get()
      }
    }
    #expect(names.allSatisfy { $0 == ["double", "double"] } && !names.isEmpty)
  }

  @Test func `is captured by a provider that takes a payload`() async throws {
    let name = try await withOverrides(of: stage.resolver) {
      $0.register { (name: String) in "\(name) of the layer" }
    } operation: {
      let provider = try stage.resolver.resolve(Provider<(String) -> String>.self)
      return try await Task.detached { try provider("the double") }.value
    }
    #expect(name == "the double of the layer")
  }

  @Test func `is not needed by a weak injection, which resolves when its owner is created`() async {
    let office = PostOffice()
    let isSame = await withOverrides(of: stage.resolver) {
      $0.register(weak: office)
    } operation: {
      let visitor = withResolver(stage.resolver) { Visitor() }
      return await elsewhere { visitor.office === office }
    }
    #expect(isSame)
  }

  @Test func `of a lazy injection wins over the layers of the reading code`() async throws {
    let sender = withResolver(stage.resolver) { Sender() }
    let name = await stage.play { sender.lazy.name }
    #expect(name == "production")
  }
}

extension OverrideContext {
  /// The view of a task without layers.
  fileprivate init(layerOf nothing: Void?) {
    self = OverrideLayer.binding(nil) { .current }
  }
}
