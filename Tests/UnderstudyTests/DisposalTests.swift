// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyTesting

private let file = "UnderstudyTests/DisposalTests.swift"

private struct Step: Sendable {
  let number: Int
}

/// The disposal of instances at the end of a layer.
@Suite struct `Disposal` {
  private let resolver = Resolver()
  private let steps = Transcript<String>()

  init() { RunIssues.claim() }

  private func numbered(_ layer: OverrideLayer) -> Key<Step> {
    let count = Lock(0)
    return layer.register { () -> Step in
      Step(
        number: count.withLock { count in
          count += 1
          return count
        })
    }
  }

  /// An object whose `deinit` runs a function.
  private final class Parting: Sendable {
    private let words: @Sendable () -> Void

    init(_ words: @escaping @Sendable () -> Void) { self.words = words }

    deinit { words() }
  }

  /// A block is released outside every lock, since the `deinit` of a captured object may use them.
  @Test func `may capture an object whose release uses the layer`() throws {
    let (resolver, steps) = (resolver, steps)
    let outcomes = try Threads.run(1) { _ in
      try withOverrides(of: resolver) { layer in
        let parting = Parting { steps.say("gone \(layer)") }
        layer.onDispose(of: numbered(layer)) { step in
          withExtendedLifetime(parting) { steps.say("step \(step.number)") }
        }
      } operation: {
        _ = try resolver.resolve(Step.self)
        OverrideLayer.current?.register("x")
        _ = try resolver.resolve(String.self)
      }
    }
    for outcome in outcomes { try outcome.get() }
    #expect(steps.all.count == 2)
    #expect(steps.all.first == "step 1")
    #expect(steps.all.last?.hasPrefix("gone") == true)
  }

  @Test func `runs in the reverse order of its calls and of creation`() throws {
    let (resolver, steps) = (resolver, steps)
    try withOverrides(of: resolver) { layer in
      layer.onDispose { steps.say("set up first") }
      layer.onDispose(of: numbered(layer)) { steps.say("step \($0.number)") }
    } operation: {
      for _ in 1...3 { _ = try resolver.resolve(Step.self) }
      try #require(OverrideLayer.current).onDispose { steps.say("asked last") }
      steps.say("operation")
    }
    #expect(steps.all == ["operation", "asked last", "step 3", "step 2", "step 1", "set up first"])
  }

  @Test func `awaits asynchronous disposers, in the same order`() async throws {
    let (resolver, steps) = (resolver, steps)
    try await withOverrides(of: resolver) { layer in
      layer.onDispose {
        await Task.yield()
        steps.say("set up first")
      }
      layer.onDispose(of: numbered(layer)) { (step: Step) async in
        await Task.yield()
        steps.say("step \(step.number)")
      }
      layer.onDispose { steps.say("sync") }
    } operation: {
      await Task.yield()
      for _ in 1...2 { _ = try resolver.resolve(Step.self) }
    }
    #expect(steps.all == ["step 2", "step 1", "sync", "set up first"])
  }

  @Test func `runs for each created value, once for a cached instance`() throws {
    let (resolver, steps) = (resolver, steps)
    try withOverrides(of: resolver) { layer in
      let key = layer.register(lifecycle: .cached) { Step(number: 1) }
      layer.onDispose(of: key) { steps.say("step \($0.number)") }
      let unused = layer.unimplemented(Clerk.self)
      layer.onDispose(of: unused) { _ in steps.say("never made") }
    } operation: {
      for _ in 1...3 { _ = try resolver.resolve(Step.self) }
    }
    #expect(steps.all == ["step 1"])
  }

  @Test func `of an outer layer's key includes values that inner layers created`() throws {
    let (resolver, steps) = (resolver, steps)
    try withOverrides(of: resolver) { layer in
      layer.onDispose(of: numbered(layer)) { steps.say("step \($0.number)") }
    } operation: {
      try withOverrides(of: resolver) { _ in
      } operation: {
        _ = try resolver.resolve(Step.self)
      }
      steps.say("inner layer ended")
    }
    #expect(steps.all == ["inner layer ended", "step 1"])
  }

  @Test(arguments: [false, true])
  func `of a declared dependency includes its override, by either key`(isBare: Bool) throws {
    let steps = steps
    try withOverrides { layer in
      let key = layer.override(\.postman) { PostmanDouble() }
      layer.onDispose(of: key) { steps.say($0.name) }
    } operation: {
      if isBare {
        _ = try Resolver.main.resolve((any Postman).self)
      } else {
        _ = Resolver.main.resolve(\.postman)
      }
    }
    #expect(steps.all == ["double"])
  }

  @Test func `runs when the operation throws`() throws {
    let steps = steps
    #expect(throws: Strike.self) {
      try withOverrides(of: resolver) {
        $0.onDispose { steps.say("disposed") }
      } operation: {
        throw Strike()
      }
    }
    #expect(steps.all == ["disposed"])
  }

  @Test func `runs when an asynchronous operation throws`() async throws {
    let steps = steps
    await #expect(throws: Strike.self) {
      try await withOverrides(of: resolver) {
        $0.onDispose {
          await Task.yield()
          steps.say("disposed")
        }
      } operation: {
        await Task.yield()
        throw Strike()
      }
    }
    #expect(steps.all == ["disposed"])
  }

  @Test func `runs if the overrides cannot be created`() throws {
    let steps = steps
    #expect(throws: Strike.self) {
      try withOverrides(of: resolver) {
        $0.onDispose { steps.say("disposed") }
        throw Strike()
      } operation: {
      }
    }
    #expect(steps.all == ["disposed"])
  }

  @Test func `runs to its end if the test is cancelled`() async {
    let (resolver, steps) = (resolver, steps)
    let started = Passage()
    let task = Task {
      await withOverrides(of: resolver) {
        $0.onDispose {
          await Task.yield()
          steps.say(Task.isCancelled ? "cancelled" : "disposed")
        }
      } operation: {
        started.open()
        while !Task.isCancelled { await Task.yield() }
      }
    }
    await started.wait()
    task.cancel()
    await task.value
    #expect(steps.all == ["disposed"])
  }

  @Test func `that fails is reported at its place, and the rest is still disposed of`() async throws
  {
    let (resolver, steps) = (resolver, steps)
    func failed(_ subject: String, line: Int) -> Caught {
      .error("Disposing of \(subject) failed: on strike\n  Layer  'failing'", line: line)
    }
    try await expect(issues: [
      failed("'Step'", line: 102), failed("the setup at \(file):103", line: 103),
    ]) {
      try await withOverrides(of: resolver, named: "failing") { layer in
        layer.onDispose { steps.say("last of all") }
        let key = layer.register { Step(number: 1) }
        layer.onDispose(of: key, line: 102) { _ in throw Strike() }
        layer.onDispose(line: 103) { () async throws in throw Strike() }
      } operation: {
        await Task.yield()
        _ = try resolver.resolve(Step.self)
      }
    }
    #expect(steps.all == ["last of all"])
  }

  @Test func `that is asynchronous in a scope that cannot wait is an error`() async throws {
    let (resolver, steps) = (resolver, steps)
    let text = """
      the setup at \(file):111 is disposed of asynchronously, and its scope cannot wait: \
      it was not disposed of.
        Layer  'impatient'
      To fix, do one of these:
        • Make the operation asynchronous:  try await withOverrides { … } operation: { await … }
        • Dispose of it without 'await'.
      """
    try await expect(issues: [.error(text, line: 111)]) {
      withOverrides(of: resolver, named: "impatient") {
        $0.onDispose(line: 111) { () async in steps.say("never") }
      } operation: {
      }
    }
    #expect(steps.all.isEmpty)
  }

  private func slow(_ subject: String, line: Int) -> Caught {
    .error(
      """
      Disposing of \(subject) took longer than 1e-06 seconds.
        Layer  'slow'
      To fix:  Find out what it waits for.
      """, line: line)
  }

  @Test func `that exceeds its time limit is named, and awaited`() async throws {
    let (resolver, steps) = (resolver, steps)
    let layer = Stage.root("slow", of: resolver, adoptsEscapedWork: false)
    // Only a cancellation ends the disposer, and only the limit cancels it.
    layer.onDispose(line: 121) {
      let (never, _) = AsyncStream<Void>.makeStream()
      for await _ in never {}
      steps.say("given up")
    }
    try await expect(issues: [slow("the setup at \(file):121", line: 121)]) {
      await layer.dispose(within: .microseconds(1))
    }
    #expect(steps.all == ["given up"])
    #expect(layer.end().isEmpty)
  }

  @Test func `that exceeds its time limit is named in a cancelled task, too`() async throws {
    let (resolver, steps) = (resolver, steps)
    let layer = Stage.root("slow", of: resolver, adoptsEscapedWork: false)
    layer.onDispose(line: 122) {
      let (never, _) = AsyncStream<Void>.makeStream()
      for await _ in never {}
      steps.say("given up")
    }
    try await expect(issues: [slow("the setup at \(file):122", line: 122)]) {
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          withUnsafeCurrentTask { $0?.cancel() }
          await layer.dispose(within: .microseconds(1))
        }
      }
    }
    #expect(steps.all == ["given up"])
    #expect(layer.end().isEmpty)
  }

  @Test func `that blocks longer than its time limit is named`() {
    let clock = ContinuousClock()
    let layer = Stage.root("slow", of: resolver, adoptsEscapedWork: false)
    layer.onDispose(line: 131) {
      let start = clock.now
      while start.duration(to: clock.now) < .microseconds(2) {}
    }
    layer.disposeNow(within: .microseconds(1))
    #expect(
      layer.end().map { Caught($0) } == [slow("the setup at \(file):131", line: 131)])
  }

  @Test func `within its time limit is not named`() async {
    let layer = Stage.root("quick", of: resolver, adoptsEscapedWork: false)
    layer.onDispose { await Task.yield() }
    layer.onDispose {}
    await layer.dispose(within: .seconds(3600))
    #expect(layer.end().isEmpty)
  }

  @Test func `releases a layer's instances, the newest first`() throws {
    final class Witness: Sendable {
      let name: String
      let steps: Transcript<String>
      init(_ name: String, _ steps: Transcript<String>) { (self.name, self.steps) = (name, steps) }
      deinit { steps.say(name) }
    }
    let steps = steps
    try withOverrides(of: resolver) { layer in
      for name in ["first", "second", "third"] {
        layer.register(Witness.self, named: name, lifecycle: .cached) { Witness(name, steps) }
      }
    } operation: {
      for name in ["second", "first", "third"] {
        _ = try resolver.resolve(Witness.self, named: name)
      }
    }
    #expect(steps.all == ["third", "first", "second"])
  }

  @Test(arguments: [true, false])
  func `lists instances that survive the layer on request`(isAsked: Bool) async throws {
    let resolver = resolver
    let survivor = Lock<(any Postman)?>(nil)
    let text = """
      An instance of 'any Postman' that this layer made is alive after the layer's end.
        Layer   'survived'
        Pushed  \(file):141
      To fix, do one of these:
        • Let go of it before the test ends.
        • Make it outside the layer, and register the object:  register(object)
      """
    try await expect(issues: isAsked ? [.error(text, line: 141)] : []) {
      try withOverrides(
        isAsked ? .reportsSurvivors : [], of: resolver, named: "survived", line: 141
      ) {
        $0.register(lifecycle: .cached) { PostOffice() as any Postman }
        $0.register(lifecycle: .cached) { Office() }
      } operation: {
        let made = try resolver.resolve((any Postman).self)
        survivor.withLock { $0 = made }
        _ = try resolver.resolve(Office.self)
      }
    }
    #expect(survivor.withLock { $0 != nil })
  }

  @Test(arguments: [true, false])
  func `lists no instance from before the layer`(isBoundary: Bool) async throws {
    let (resolver, office, coin) = (resolver, Office(), Coin(1))
    resolver.register(office)
    resolver.register(weak: coin)
    resolver.register(named: "handed on", lifecycle: .cached) { Office() }
    _ = try resolver.resolve(Office.self, named: "handed on")
    try await expect(issues: []) {
      try withOverrides(.reportsSurvivors, of: resolver, isBoundary: isBoundary) {
        $0.decorate(Office.self, named: "handed on") { $0 }
        $0.decorate(Coin.self) { $0 }
      } operation: {
        try #expect(resolver.resolve(Office.self) === office)
        try #expect(resolver.resolve(Coin.self) === coin)
        _ = try resolver.resolve(Office.self, named: "handed on")
      }
    }
  }

  /// The caller that registers a value retains it after the layer, too.
  @Test func `lists no value that was registered as such`() async throws {
    let (resolver, office, coin, wrapped) = (resolver, Office(), Coin(1), Office())
    try await expect(issues: []) {
      try withOverrides(.reportsSurvivors, of: resolver) {
        $0.register(office)
        $0.register(weak: coin)
        $0.register(wrapped, named: "wrapped")
        $0.decorate(Office.self, named: "wrapped") { $0 }
      } operation: {
        try #expect(resolver.resolve(Office.self) === office)
        try #expect(resolver.resolve(Coin.self) === coin)
        try #expect(resolver.resolve(Office.self, named: "wrapped") === wrapped)
      }
    }
    withExtendedLifetime(wrapped) {}
  }

  private final class Office: Sendable {}

  @Test(
    .catching(
      .error(
        "Disposing of the setup at \(file):151 failed: on strike\n  Layer  'a trait disposes'",
        line: 151, file: file)),
    .overrides { $0.onDispose(line: 151) { () async throws in throw Strike() } })
  func `a trait disposes`() {}
}
