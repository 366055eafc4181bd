// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy

@globalActor private actor Backstage {
  static let shared = Backstage()
}

@Backstage private final class Props {
  let part: Part
  init(_ part: Part) { self.part = part }
}

private actor Journal {
  let part: Part
  init(_ part: Part) { self.part = part }
}

@MainActor private final class Model {
  let journal: Journal
  init(_ journal: Journal) { self.journal = journal }
}

/// A door that one task opens. Another waits at it, until it is opened or cancelled.
private final class Door: Sendable {
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func open() { continuation.finish() }
  func wait() async { for await _ in stream {} }
}

@MainActor private func screen(of resolver: Resolver) async throws {
  _ = try await resolver.resolveAsync(Journal.self, named: "screen")
}

@Suite struct `Isolated dependencies` {
  let resolver = Resolver()

  @Test func `of a global actor are resolved from anywhere, and created once`() async throws {
    resolver.register(lifecycle: .cached) { Part(1, of: 0) }
    resolver.register(lifecycle: .cached) { r in await Props(try r.resolve()) }
    let here = try await resolver.resolveAsync(Props.self)
    let onMain = try await Task { @MainActor in try await resolver.resolveAsync(Props.self) }.value
    let backstage = try await Task { @Backstage in
      try await resolver.resolveAsync(Props.self)
    }.value
    let escaped = try await Task.detached { try await resolver.resolveAsync(Props.self) }.value
    #expect(here === onMain && here === backstage && here === escaped)
    #expect(here.part.serial == 1)
  }

  @Test func `that are actors are shared by all requests`() async throws {
    resolver.register(lifecycle: .cached) { Part(1, of: 0) }
    resolver.register(lifecycle: .cached) { r in Journal(try r.resolve()) }
    let first = try resolver.resolve(Journal.self)
    try await withThrowingTaskGroup(of: Journal.self) { group in
      for _ in 0..<16 { group.addTask { try resolver.resolve() } }
      for try await journal in group { #expect(journal === first) }
    }
  }

  @Test func `are resolved from within an actor`() async throws {
    actor Clerk {
      func journal(of resolver: Resolver) throws -> Journal { try resolver.resolve() }
      func props(of resolver: Resolver) async throws -> Props { try await resolver.resolveAsync() }
    }
    resolver.register(lifecycle: .cached) { Journal(Part(1, of: 0)) }
    resolver.register { await Props(Part(2, of: 0)) }
    let journal = try await Clerk().journal(of: resolver)
    let props = try await Clerk().props(of: resolver)
    #expect(journal.part.serial == 1)
    #expect(props.part.serial == 2)
  }

  @Test func `never make the main actor and detached tasks wait for each other`() async throws {
    for _ in 0..<Effort.of(200) {
      let resolver = Resolver()
      resolver.register(lifecycle: .cached) { Part(1, of: 0) }
      resolver.register(lifecycle: .cached) { r in
        await Task.yield()
        return Journal(try await r.resolveAsync())
      }
      resolver.register(named: "sync", lifecycle: .cached) { Journal(Part(2, of: 0)) }
      resolver.register(lifecycle: .cached) { @MainActor r in
        Model(try r.resolve(Journal.self, named: "sync"))
      }
      resolver.register(named: "screen", lifecycle: .cached) { r in
        _ = try await r.resolveAsync(Model.self)
        return try await r.resolveAsync(Journal.self)
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for index in 0..<16 {
          switch index % 4 {
          case 0:
            group.addTask { _ = try await resolver.resolveAsync(Journal.self, named: "screen") }
          case 1: group.addTask { @MainActor in _ = try resolver.resolve(Model.self) }
          case 2: group.addTask { try await screen(of: resolver) }
          default: group.addTask { _ = try await resolver.resolveAsync(Model.self) }
          }
        }
        try await group.waitForAll()
      }
    }
  }
}

@Suite struct `A cancelled task` {
  let resolver = Resolver()

  @Test func `leaves an instance that others wait for to one of them`() async throws {
    let begun = Door()
    let made = AtomicInt(0)
    resolver.register(lifecycle: .cached) {
      if made.add(1).newValue == 1 {
        begun.open()
        await Door().wait()
        try Task.checkCancellation()
      }
      return Part(made.relaxedValue, of: 0)
    }
    let leader = Task { try await resolver.resolveAsync(Part.self) }
    await begun.wait()
    let waiters = (0..<8).map { _ in Task { try await resolver.resolveAsync(Part.self) } }
    leader.cancel()
    await #expect(throws: ResolutionError.self) { try await leader.value }
    for waiter in waiters { #expect(try await waiter.value.serial == 2) }
    let count = made.relaxedValue
    #expect(count == 2)
  }
}

@Suite struct `A cycle` {
  let resolver = Resolver()

  @Test(arguments: [Lifecycle.notCached, .cached])
  func `through asynchronous and synchronous blocks is an error with the path`(
    lifecycle: Lifecycle
  ) async {
    resolver.register(named: "a", lifecycle: lifecycle) { r in
      await Task.yield()
      return try await r.resolveAsync(Part.self, named: "b")
    }
    resolver.register(named: "b", lifecycle: lifecycle) { r in
      try r.resolve(Part.self, named: "a")
    }
    let error = await #expect(throws: ResolutionError.self) {
      try await resolver.resolveAsync(Part.self, named: "a")
    }
    #expect(error?.path.map(\.step) == ["a", "b", "a"].map { "Part named \"\($0)\"" })
    guard case .cycle = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `through the main actor is an error with the path`() async {
    resolver.register(named: "a", lifecycle: .cached) { r in
      await Task.yield()
      return try await r.resolveAsync(Part.self, named: "b")
    }
    resolver.register(named: "b", lifecycle: .cached) { @MainActor r in
      try r.resolve(Part.self, named: "a")
    }
    let error = await #expect(throws: ResolutionError.self) {
      try await resolver.resolveAsync(Part.self, named: "a")
    }
    #expect(error?.path.map(\.step) == ["a", "b", "a"].map { "Part named \"\($0)\"" })
  }

  @Test func `through tasks that carry the context is an error, not a hang`() async {
    let watchdog = Watchdog("tasks that carry the context", limit: .seconds(1200), Activity())
    defer { watchdog.callOff() }
    for (name, need) in [("a", "b"), ("b", "a")] {
      resolver.register(named: name, lifecycle: .cached) { (r: Resolver) async throws -> Part in
        let context = OverrideContext.current
        return try await Task.detached {
          try await context.run { try await r.resolveAsync(Part.self, named: need) }
        }.value
      }
    }
    await withOverrides(of: resolver) { _ in
    } operation: {
      let error = await #expect(throws: ResolutionError.self) {
        try await resolver.resolveAsync(Part.self, named: "a")
      }
      #expect(error?.path.map(\.step) == ["a", "b", "a"].map { "Part named \"\($0)\"" })
      guard case .cycle = error?.reason else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
  }
}

@Suite struct `Child tasks` {
  let resolver = Resolver()

  @Test func `see the layers of their parent, and not each other's`() async throws {
    resolver.register { Part(0, of: 0) }
    resolver.register(named: "pair", lifecycle: .cached) { r in
      await Task.yield()
      return Part(try await r.resolveAsync(Part.self).serial, of: 1)
    }
    try await withOverrides(of: resolver) {
      $0.register { Part(100, of: 0) }
    } operation: {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for index in 1...32 {
          group.addTask {
            let outer = try await resolver.resolveAsync(Part.self, named: "pair")
            #expect(outer.serial == 100)
            try await withOverrides([.check(.lateOverride, .off)], of: resolver) {
              $0.register { Part(index, of: 0) }
            } operation: {
              async let pair = resolver.resolveAsync(Part.self, named: "pair")
              async let same = resolver.resolveAsync(Part.self, named: "pair")
              let (one, other) = try await (pair, same)
              #expect(one.serial == index)
              #expect(one === other)
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(try await resolver.resolveAsync(Part.self, named: "pair").serial == 100)
    }
    #expect(try await resolver.resolveAsync(Part.self, named: "pair").serial == 0)
  }
}

@Suite struct `A task that a block starts and does not await` {
  let resolver = Resolver()
  private let late = Lock<Task<Part, any Error>?>(nil)

  /// Registers "a". Its block starts a task that resolves a key once a door is open.
  private func register(asking key: String, after door: Door, isAsync: Bool) {
    @Sendable func start() {
      let task = Task { [resolver] in
        await door.wait()
        return try await resolver.resolveAsync(Part.self, named: key)
      }
      late.withLock { $0 = task }
    }
    if isAsync {
      resolver.register(named: "a", lifecycle: .cached) {
        await Task.yield()
        start()
        return Part(1, of: 0)
      }
    } else {
      resolver.register(named: "a", lifecycle: .cached) {
        start()
        return Part(1, of: 0)
      }
    }
  }

  @Test(arguments: [false, true])
  func `is not taken for the block`(isAsync: Bool) async throws {
    let door = Door()
    register(asking: "a", after: door, isAsync: isAsync)
    let part = try await resolver.resolveAsync(Part.self, named: "a")
    door.open()
    let task = try #require(late.withLock { $0 })
    let same = try await task.value
    #expect(same === part)
  }

  @Test func `is not taken for the block if it carries the context`() async throws {
    let (begun, door) = (Door(), Door())
    resolver.register(named: "a", lifecycle: .cached) { () async throws -> Part in
      guard late.withLock({ $0 == nil }) else { return Part(2, of: 0) }
      let context = OverrideContext.current
      let task = Task.detached { [resolver] in
        try await context.run {
          begun.open()
          await door.wait()
          return try await resolver.resolveAsync(Part.self, named: "a", lifecycle: .notCached)
        }
      }
      late.withLock { $0 = task }
      await begun.wait()
      return Part(1, of: 0)
    }
    let part = try await resolver.resolveAsync(Part.self, named: "a")
    door.open()
    let task = try #require(late.withLock { $0 })
    let other = try await task.value
    #expect([part.serial, other.serial] == [1, 2])
  }

  @Test(arguments: [false, true])
  func `adds no dependency`(isAsync: Bool) async throws {
    let door = Door()
    resolver.register(named: "b") { Part(2, of: 1) }
    register(asking: "b", after: door, isAsync: isAsync)
    let part = try await resolver.resolveAsync(Part.self, named: "a")
    door.open()
    let task = try #require(late.withLock { $0 })
    let other = try await task.value
    #expect(other.serial == 2)
    try await withOverrides([.check(.unusedOverride, .off)], of: resolver) {
      $0.register(named: "b") { Part(3, of: 1) }
    } operation: {
      let same = try await resolver.resolveAsync(Part.self, named: "a")
      #expect(same === part)
    }
  }
}
