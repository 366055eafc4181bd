// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyDoubles
import UnderstudyTesting

private final class Cell: Sendable {
  let id: Int
  init(_ id: Int = 0) { self.id = id }
}

@MainActor private final class Model {
  let cell: Cell
  init(_ cell: Cell) { self.cell = cell }
}

private actor Journal {}

@globalActor private actor Backstage {
  static let shared = Backstage()
}

@Backstage private final class Props {
  init() {}
}

private enum Visit: Scope {}

extension Dependencies {
  fileprivate static var model: Dependency<Model> { Dependency { @MainActor in Model(Cell()) } }
}

private struct Broken: Error {}

/// A door that one task opens, and another waits at.
final class Door: Sendable {
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func open() { continuation.finish() }
  func wait() async { for await _ in stream {} }
}

@Suite struct `Asynchronous blocks` {
  let resolver = Resolver()

  @Test func `are registered in every form and resolved with await`() async throws {
    resolver.register { Cell(1) }
    resolver.register { await Journal.make() }
    resolver.register { r in Pair(try await r.resolveAsync()) }
    resolver.register(named: "later") { (id: Int) in await Cell.later(id) }
    resolver.register { @MainActor (r: Resolver) in Model(try r.resolve()) }
    resolver.register(named: "numbered") { @MainActor (r: Resolver, id: Int) in
      let cell: Cell = try r.resolve()
      return Model(Cell(cell.id + id))
    }
    resolver.register { await Props() }
    _ = try await resolver.resolveAsync(Journal.self)
    _ = try await resolver.resolveAsync(Pair.self)
    _ = try await resolver.resolveAsync(Props.self)
    #expect(try await resolver.resolveAsync(Cell.self, with: 7, named: "later").id == 7)
    let model = try await resolver.resolveAsync(Model.self, with: 7, named: "numbered")
    #expect(model.cell.id == 8)
  }

  /// An immediate task begins on the thread of its block, and continues after the block has ended.
  @Test(arguments: [0, 1, 2])
  func `with a task that they do not await know the requester in that task`(form: Int) async throws
  {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    let mayGoOn = Door()
    resolver.register { () async throws -> Cell in
      await mayGoOn.wait()
      throw Broken()
    }
    let begun = Lock<Task<Void, any Error>?>(nil)
    resolver.register(named: "inner") { r in
      let task = Task.immediate {
        switch form {
        case 0: _ = try await r.resolveAsync(Cell.self)
        case 1: _ = try await r.resolveAsync(Cell?.self)
        default: _ = try await r.resolveAsync([Cell].self)
        }
      }
      begun.withLock { $0 = task }
      return 1
    }
    resolver.register(named: "outer") { r in 1 + (try r.resolve(Int.self, named: "inner")) }
    #expect(try resolver.resolve(Int.self, named: "outer") == 2)
    #expect(resolver.unregister(Key<Int>(named: "inner")))
    #expect(resolver.unregister(Key<Int>(named: "outer")))
    mayGoOn.open()
    let task = try #require(begun.withLock { $0 })
    let error = await #expect(throws: ResolutionError.self) { try await task.value }
    #expect(error?.path.map(\.step) == ["Int named \"outer\"", "Int named \"inner\"", "Cell"])
  }

  @Test func `may resolve synchronous registrations`() async throws {
    resolver.register(lifecycle: .cached) { Cell(3) }
    let cell = try await resolver.resolveAsync(Cell.self)
    #expect(cell === (try resolver.resolve(Cell.self)))
  }

  @Test func `are refused in a synchronous resolution`() async throws {
    resolver.register { await Cell.later(1) }
    let error = #expect(throws: ResolutionError.self) { try resolver.resolve(Cell.self) }
    guard case .asynchronous = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  /// A waiting thread could be the one that the block needs.
  @Test(.timeLimit(.minutes(20)), arguments: [false, true])
  func `are refused in a synchronous resolution while they run`(isDecorated: Bool)
    async throws
  {
    let (begun, door) = (Door(), Door())
    resolver.register(lifecycle: .cached) {
      begun.open()
      await door.wait()
      return await Task { @MainActor in Cell(1) }.value
    }
    try await withOverrides(of: resolver) { layer in
      if isDecorated { layer.decorate(Cell.self) { $0 } }
    } operation: {
      async let made = resolver.resolveAsync(Cell.self)
      await begun.wait()
      let context = OverrideContext.current
      let error = await MainActor.run {
        context.run {
          #expect(throws: ResolutionError.self) { try resolver.resolve(Cell.self) }
        }
      }
      guard case .asynchronous = error?.reason else {
        Issue.record("\(String(describing: error))")
        return door.open()
      }
      door.open()
      // An existing instance need not be awaited.
      let cell = try await made
      #expect(try resolver.resolve(Cell.self) === cell)
    }
  }

  @Test func `create a cached value once for all waiters`() async throws {
    let made = AtomicInt(0)
    let door = Door()
    resolver.register(lifecycle: .cached) {
      await door.wait()
      return Cell(made.add(1).newValue)
    }
    try await withThrowingTaskGroup(of: Cell.self) { group in
      for _ in 0..<32 { group.addTask { try await resolver.resolveAsync() } }
      door.open()
      for try await cell in group { #expect(cell.id == 1) }
    }
    let count = made.relaxedValue
    #expect(count == 1)
  }

  @Test func `leave the other waiters their value if one waiter is cancelled`() async throws {
    let begun = Door()
    let door = Door()
    resolver.register(lifecycle: .cached) {
      begun.open()
      await door.wait()
      return Cell(1)
    }
    let leader = Task { try await resolver.resolveAsync(Cell.self) }
    await begun.wait()
    let waiter = Task { try await resolver.resolveAsync(Cell.self) }
    waiter.cancel()
    let error = await #expect(throws: ResolutionError.self) { try await waiter.value }
    #expect(error?.message.headline == "Resolving 'Cell' was cancelled.")
    door.open()
    #expect(try await leader.value.id == 1)
  }

  @Test(arguments: [0, 4])
  func `are cancelled if all waiters, and then the first task, are cancelled`(waiterCount: Int)
    async throws
  {
    let begun = Door()
    let made = AtomicInt(0)
    let wasCancelled = AtomicInt(0)
    resolver.register(lifecycle: .cached) {
      made.add(1)
      begun.open()
      let cancelled = Door()
      await withTaskCancellationHandler {
        await cancelled.wait()
      } onCancel: {
        wasCancelled.set()
        cancelled.open()
      }
      try Task.checkCancellation()
      return Cell()
    }
    let leader = Task { try await resolver.resolveAsync(Cell.self) }
    await begun.wait()
    let waiters = (0..<waiterCount).map { _ in Task { try await resolver.resolveAsync(Cell.self) } }
    for waiter in waiters { waiter.cancel() }
    // Each waiter has left before the first task is cancelled, so none takes over.
    for waiter in waiters {
      let error = await #expect(throws: ResolutionError.self) { try await waiter.value }
      #expect(error?.kind == "failed")
    }
    let isCancelledEarly = wasCancelled.isSet
    #expect(!isCancelledEarly)
    leader.cancel()
    let error = await #expect(throws: ResolutionError.self) { try await leader.value }
    #expect(error?.kind == "failed")
    let isCancelled = wasCancelled.isSet
    #expect(isCancelled)
    let count = made.relaxedValue
    #expect(count == 1)
  }

  @Test func `that throw cache nothing, and the next request tries again`() async throws {
    let tries = AtomicInt(0)
    resolver.register(lifecycle: .cached) {
      guard tries.add(1).newValue > 1 else { throw Broken() }
      return await Cell.later(2)
    }
    await #expect(throws: ResolutionError.self) { try await resolver.resolveAsync(Cell.self) }
    #expect(try await resolver.resolveAsync(Cell.self).id == 2)
  }

  @Test(arguments: [Lifecycle.notCached, .cached])
  func `that need each other are a cycle with the path`(lifecycle: Lifecycle) async throws {
    resolver.register(named: "a", lifecycle: lifecycle) { r in
      try await r.resolveAsync(Cell.self, named: "b")
    }
    resolver.register(named: "b", lifecycle: lifecycle) { r in
      try await r.resolveAsync(Cell.self, named: "a")
    }
    let error = await #expect(throws: ResolutionError.self) {
      try await resolver.resolveAsync(Cell.self, named: "a")
    }
    #expect(
      error?.path.map(\.step) == ["Cell named \"a\"", "Cell named \"b\"", "Cell named \"a\""])
    guard case .cycle = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `that wait for each other from two tasks are a cycle, not a hang`() async throws {
    let inA = Door()
    let inB = Door()
    resolver.register(named: "a", lifecycle: .cached) { r in
      inA.open()
      await inB.wait()
      return try await r.resolveAsync(Cell.self, named: "b")
    }
    resolver.register(named: "b", lifecycle: .cached) { r in
      inB.open()
      await inA.wait()
      return try await r.resolveAsync(Cell.self, named: "a")
    }
    let a = Task { try await resolver.resolveAsync(Cell.self, named: "a") }
    let b = Task { try await resolver.resolveAsync(Cell.self, named: "b") }
    await #expect(throws: ResolutionError.self) { try await a.value }
    await #expect(throws: ResolutionError.self) { try await b.value }
  }

  @Test func `that use a double belong to the layer of the double`() async throws {
    resolver.register { Cell(1) }
    resolver.register(lifecycle: .cached) { r in Pair(try await r.resolveAsync()) }
    weak var inLayer: Pair?
    try await withOverrides(of: resolver) {
      $0.register { Cell(2) }
    } operation: {
      let pair = try await resolver.resolveAsync(Pair.self)
      #expect(pair.cell.id == 2)
      #expect(pair === (try await resolver.resolveAsync(Pair.self)))
      inLayer = pair
    }
    #expect(inLayer == nil)
    #expect(try await resolver.resolveAsync(Pair.self).cell.id == 1)
  }

  @Test func `are decorated when they are awaited`() async throws {
    resolver.register(lifecycle: .cached) { await Cell.later(1) }
    try await withOverrides(of: resolver) {
      $0.decorate(Cell.self) { Cell($0.id + 10) }
    } operation: {
      let cell = try await resolver.resolveAsync(Cell.self)
      #expect(cell.id == 11)
      #expect(cell === (try await resolver.resolveAsync(Cell.self)))
    }
  }

  @Test func `do not keep their resolver alive through a task that they began`() async throws {
    let gate = UnderstudyDoubles.Gate()
    weak var resolver: Resolver?
    let witness: Witness
    let task = Box<Task<Void, Never>?>(nil)
    do {
      let strong = Resolver()
      resolver = strong
      strong.register(lifecycle: .cached) { () async -> Coin in
        task.value = Task { try? await gate.wait() }
        return Coin(1)
      }
      witness = Witness(try await strong.resolveAsync(Coin.self))
    }
    #expect(witness.isGone)
    #expect(resolver == nil)
    gate.open()
    await task.value?.value
  }
}

@Suite struct `Blocks of the main actor` {
  let resolver = Resolver()

  @Test @MainActor func `are resolved synchronously on the main actor`() throws {
    resolver.register { Cell(1) }
    resolver.register { @MainActor r in Model(try r.resolve()) }
    #expect(try resolver.resolve(Model.self).cell.id == 1)
  }

  @Test @MainActor func `are found by a block that is not isolated to the main actor`() throws {
    resolver.register { @MainActor in Model(Cell(2)) }
    resolver.register { r in Screen(model: try r.resolve()) }
    #expect(try resolver.resolve(Screen.self).model.cell.id == 2)
  }

  @Test func `are awaited from anywhere`() async throws {
    resolver.register(lifecycle: .cached) { @MainActor in Model(Cell(3)) }
    let model = try await Task.detached { try await resolver.resolveAsync(Model.self) }.value
    let again = try await MainActor.run { try resolver.resolve(Model.self) }
    #expect(model === again)
  }

  @Test func `are not made of a block that is on no actor, whatever its labels`() async throws {
    resolver.register(named: "a", scopedTo: Visit.self) { Cell(4) }
    resolver.register(named: "b", scopedTo: Visit.self) { (_: Resolver) in Cell(5) }
    resolver.register(named: "c", scopedTo: Visit.self) { (_: Resolver, id: Int) in Cell(id) }
    let resolver = resolver
    let ids = try await Task.detached {
      [
        try resolver.resolve(Cell.self, named: "a", scopedTo: Visit.self).id,
        try resolver.resolve(Cell.self, named: "b", scopedTo: Visit.self).id,
        try resolver.resolve(Cell.self, with: 6, named: "c", scopedTo: Visit.self).id,
      ]
    }.value
    #expect(ids == [4, 5, 6])
  }

  @Test(arguments: [nil, .cached] as [Lifecycle?])
  func `override and wait for declared dependencies`(lifecycle: Lifecycle?) async throws {
    let made = Tally()
    let resolver = resolver
    try await withOverrides(of: resolver) {
      $0.override(\.model, lifecycle: lifecycle) { @MainActor in Model(Cell(made.next())) }
    } operation: {
      for turn in 1...2 {
        let model = try await Task.detached { [context = OverrideContext.current] in
          try await context.run { try await resolver.resolveAsync(\.model) }
        }.value
        #expect(model.cell.id == (lifecycle == .cached ? 1 : turn))
      }
    }
  }

  @Test func `are refused in a synchronous resolution off the main actor`() async throws {
    resolver.register { @MainActor in Model(Cell()) }
    let error = await Task.detached {
      #expect(throws: ResolutionError.self) { try resolver.resolve(Model.self) }
    }.value
    guard case .mainActorOnly = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `never make the main actor wait for itself`() async throws {
    let made = AtomicInt(0)
    resolver.register(lifecycle: .cached) { @MainActor in
      Model(Cell(made.add(1).newValue))
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<64 {
        if index.isMultiple(of: 2) {
          group.addTask { _ = try await resolver.resolveAsync(Model.self) }
        } else {
          group.addTask { @MainActor in _ = try resolver.resolve(Model.self) }
        }
      }
      try await group.waitForAll()
    }
    let count = made.relaxedValue
    #expect(count == 1)
  }

  /// Code on the main actor could wait for a wrapper that waits for the main actor.
  @Test(arguments: [false, true])
  func `are decorated on that actor, so that no code there waits for it`(isFaulty: Bool)
    async throws
  {
    for name in [nil, "other"] {
      resolver.register(named: name, lifecycle: .cached) { @MainActor in Model(Cell(1)) }
    }
    try await withLayer(of: resolver) {
      if isFaulty { $0.fault(Model.self, .throwing(Mishap()), on: .sequence([])) }
      $0.decorate(Model.self) { [resolver] model in
        // This would be refused off the main actor.
        _ = try resolver.resolve(Model.self, named: "other")
        return model
      }
    } operation: {
      let model = try await resolver.resolveAsync(Model.self)
      let again = try await MainActor.run { try resolver.resolve(Model.self) }
      #expect(model === again)
    }
  }

  #if os(Linux) || os(macOS)
    /// Each block begins a task that asks again once the block has ended, as a token does that is
    /// renewed. A chain of the ended blocks would overflow the stack. Beside other tests, each task
    /// would wait long for its turn.
    @Test func `keep no ended block for the tasks that they begin`() async {
      await #expect(processExitsWith: .success) {
        let (resolver, next, left) = (Resolver(), Box<Door?>(nil), Box(60_000))
        let (end, isHeld) = (Door(), Door())
        // While a block runs, each request looks for the blocks around it.
        resolver.register(named: "held") { () async -> Int in
          isHeld.open()
          await end.wait()
          return 0
        }
        async let held = resolver.resolveAsync(Int.self, named: "held")
        await isHeld.wait()
        resolver.register { (resolver: Resolver) async -> Int in
          let hasNext = left.update { left in
            left -= 1
            return left > 0
          }
          guard hasNext else {
            next.value = end
            return 0
          }
          let door = Door()
          next.value = door
          Task {
            await door.wait()
            _ = try? await resolver.resolveAsync(Int.self)
            next.value?.open()
          }
          return 1
        }
        _ = try await resolver.resolveAsync(Int.self)
        next.value?.open()
        _ = try await held
        #expect(left.value == 0)
      }
    }
  #endif
}

private final class Pair: Sendable {
  let cell: Cell
  init(_ cell: Cell) { self.cell = cell }
}

private struct Screen {
  let model: Model
}

extension Cell {
  fileprivate static func later(_ id: Int) async -> Cell {
    await Task.yield()
    return Cell(id)
  }
}

extension Journal {
  fileprivate static func make() async -> Journal { Journal() }
}
