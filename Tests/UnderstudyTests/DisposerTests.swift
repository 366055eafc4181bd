// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyTesting

private let file = "UnderstudyTests/DisposerTests.swift"

private struct Step: Sendable {
  let number: Int
}

private let production: Resolver = {
  let resolver = Resolver(named: "disposing")
  resolver.register { RealPostman() as any Postman }
  return resolver
}()

/// Reports the name of the resolved postman, by throwing it.
@Sendable private func tell() throws {
  throw Told(name: try production.resolve((any Postman).self).name)
}

private struct Told: Error, CustomStringConvertible {
  let name: String
  var description: String { "told by \(name)" }
}

private func told(line: Int, layer: String) -> Caught {
  .error(
    "Disposing of the setup at \(file):\(line) failed: told by double\n  Layer  '\(layer)'",
    line: line, file: file)
}

/// The view of a disposer, and the effects of its own calls.
@Suite struct `A disposer` {
  private let steps = Transcript<String>()

  @Test func `of a key does not replace an earlier one`() async throws {
    let steps = steps
    try await expect(issues: []) {
      try withOverrides(of: production) {
        let key = $0.register(lifecycle: .cached) { Step(number: 1) }
        for text in ["first", "second"] {
          $0.onDispose(of: key) { steps.say("\(text) \($0.number)") }
        }
      } operation: {
        _ = try production.resolve(Step.self)
      }
    }
    #expect(steps.all == ["second 1", "first 1"])
  }

  @Test func `is released at the end of its layer`() throws {
    var layer: OverrideLayer?
    weak var captured: Coin?
    try withOverrides(of: production) {
      let coin = Coin(1)
      captured = coin
      let key = $0.register { Step(number: 1) }
      $0.onDispose(of: key) { _ in _ = coin }
      $0.onDispose { _ = coin }
    } operation: {
      layer = OverrideLayer.current
      _ = try production.resolve(Step.self)
    }
    #expect(layer != nil)
    #expect(captured == nil)
  }

  @Test func `that is asynchronous is told what waits for it at the end of a test`() async throws {
    let text = """
      the setup at \(file):103 is disposed of asynchronously, and its scope cannot wait: it was \
      not disposed of.
        Layer  'left'
      To fix, do one of these:
        • Give the test a layer, which waits:  @Test(.overrides())
        • Dispose of it without 'await'.
      """
    try await expect(issues: [.error(text, line: 103, file: file)]) {
      RunIssues.endingTest {
        withOverrides(of: production, named: "left", until: .endOfTest) {
          $0.onDispose(line: 103) { await Task.yield() }
        } operation: {
        }
      }
    }
  }

  // MARK: The view of a disposer

  @Test func `sees its layer in a scope that cannot wait`() async throws {
    try await expect(issues: [told(line: 101, layer: "brief")]) {
      withOverrides(of: production, named: "brief") {
        $0.register { PostmanDouble() as any Postman }
        $0.onDispose(line: 101) { try tell() }
      } operation: {
      }
    }
  }

  @Test func `sees its layer in a scope that can wait`() async throws {
    try await expect(issues: [told(line: 112, layer: "long"), told(line: 111, layer: "long")]) {
      await withOverrides(of: production, named: "long") {
        $0.register { PostmanDouble() as any Postman }
        $0.onDispose(line: 111) { try tell() }
        $0.onDispose(line: 112) {
          await Task.yield()
          try tell()
        }
      } operation: {
        await Task.yield()
      }
    }
  }

  @Test(
    .catching(
      told(line: 122, layer: "sees its layer, of a trait"),
      told(line: 121, layer: "sees its layer, of a trait")),
    .overrides(of: production) {
      $0.register { PostmanDouble() as any Postman }
      $0.onDispose(line: 121) { try tell() }
      $0.onDispose(line: 122) {
        await Task.yield()
        try tell()
      }
    })
  func `sees its layer, of a trait`() {}

  @Test func `of a value sees its layer`() throws {
    let steps = steps
    try withOverrides(of: production, named: "seen") {
      let key = $0.register { PostmanDouble() as any Postman }
      $0.onDispose(of: key) { _ in steps.say(OverrideLayer.current?.name ?? "none") }
    } operation: {
      _ = try production.resolve((any Postman).self)
    }
    #expect(steps.all == ["seen"])
  }

  @Test func `sees its layer, and no inner one`() throws {
    let steps = steps
    withOverrides(of: production, named: "outer") {
      $0.onDispose { steps.say(OverrideLayer.current?.name ?? "none") }
    } operation: {
      withOverrides(of: production, named: "inner") {
        $0.onDispose { steps.say(OverrideLayer.current?.name ?? "none") }
      } operation: {
      }
      steps.say(OverrideLayer.current?.name ?? "none")
    }
    #expect(steps.all == ["inner", "outer", "outer"])
  }

  // MARK: Disposers from disposers

  /// Adds disposers. Each one reports its name and adds those that are named after it.
  private func chain(_ steps: Transcript<String>) {
    OverrideLayer.current?.onDispose { steps.say("first") }
    OverrideLayer.current?.onDispose {
      steps.say("second")
      OverrideLayer.current?.onDispose { steps.say("older of the second") }
      OverrideLayer.current?.onDispose {
        steps.say("newer of the second")
        OverrideLayer.current?.onDispose { steps.say("last asked") }
      }
    }
  }

  private static let chained = [
    "second", "newer of the second", "last asked", "older of the second", "first",
  ]

  @Test func `may add others, which run next, the newest first`() {
    withOverrides(of: Resolver()) { _ in
    } operation: {
      chain(steps)
    }
    #expect(steps.all == Self.chained)
  }

  @Test func `may add others in a scope that can wait`() async {
    let steps = steps
    await withOverrides(of: Resolver()) { _ in
    } operation: {
      chain(steps)
      OverrideLayer.current?.onDispose {
        await Task.yield()
        OverrideLayer.current?.onDispose {
          await Task.yield()
          steps.say("waited for")
        }
      }
      await Task.yield()
    }
    #expect(steps.all == ["waited for"] + Self.chained)
  }

  @Test func `that adds an asynchronous one in a scope that cannot wait is reported`() async throws
  {
    let text = """
      the setup at \(file):131 is disposed of asynchronously, and its scope cannot wait: \
      it was not disposed of.
        Layer  'impatient'
      To fix, do one of these:
        • Make the operation asynchronous:  try await withOverrides { … } operation: { await … }
        • Dispose of it without 'await'.
      """
    try await expect(issues: [.error(text, line: 131, file: file)]) {
      withOverrides(of: Resolver(), named: "impatient") {
        $0.onDispose {
          OverrideLayer.current?.onDispose(line: 131) { () async in await Task.yield() }
        }
      } operation: {
      }
    }
  }

  @Test func `has its own created values disposed of`() throws {
    let (resolver, steps) = (Resolver(), steps)
    let made = Tally()
    try withOverrides(of: resolver) {
      $0.onDispose(of: $0.register { Step(number: made.next()) }) {
        steps.say("step \($0.number)")
      }
      $0.onDispose { steps.say("made \(try resolver.resolve(Step.self).number)") }
      $0.onDispose { steps.say("made \(try resolver.resolve(Step.self).number)") }
    } operation: {
      _ = try resolver.resolve(Step.self)
    }
    #expect(steps.all == ["step 1", "made 2", "step 2", "made 3", "step 3"])
  }

  @Test(arguments: [true, false])
  func `that needs the value it disposes of ends, and is named`(
    canWait: Bool
  ) async throws {
    let (resolver, steps) = (Resolver(), steps)
    let made = Tally()
    let text = """
      Disposing does not end: disposers added 1000 more, and 'Step' is next.
        Layer  'endless'
      To fix, do one of these:
        • In a disposer, do not request an instance that has the same disposer.
        • Register its dependencies as '.cached', so that they are created once.
      """
    let layer = Stage.root("endless", of: resolver, adoptsEscapedWork: false)
    layer.onDispose { steps.say("the rest") }
    layer.onDispose(of: layer.register { Step(number: made.next()) }, line: 141) { _ in
      _ = try resolver.resolve(Step.self)
    }
    try OverrideLayer.binding(layer) { _ = try resolver.resolve(Step.self) }
    if canWait { await layer.dispose() }
    #expect(layer.end().map { Caught($0) } == [.error(text, line: 141, file: file)])
    #expect(steps.all == ["the rest"])
    #expect(made.count == 1002)
  }

  /// Two more are put into line by the first disposers that are cut, and are told once each.
  @Test func `that does not end is named beside others that do not`() throws {
    let resolver = Resolver()
    let layer = Stage.root("endless", of: resolver, adoptsEscapedWork: false)
    for line in 151...153 {
      layer.onDispose(of: layer.register(named: line) { Step(number: line) }, line: line) { _ in
        _ = try resolver.resolve(Step.self, named: line)
      }
    }
    try OverrideLayer.binding(layer) {
      for line in 151...153 { _ = try resolver.resolve(Step.self, named: line) }
    }
    let found = layer.end().map { Caught($0) }
    #expect(found.map(\.line) == [153, 152, 151])
    #expect(found.allSatisfy { $0.text.hasPrefix("Disposing does not end") })
  }

  // MARK: Requests that begin again

  /// The block registers its key anew, so the request uses up the new registration instead.
  @Test func `runs once for each value of a request that began again`() throws {
    let steps = steps
    let resolver = Resolver()
    let layer = Stage.root("again", of: resolver, adoptsEscapedWork: false)
    layer.onDispose(of: layer.register(lifecycle: .cached) { Step(number: 1) }) {
      steps.say("step \($0.number)")
    }
    layer.decorate(Step.self) { _ in
      layer.register { Step(number: 3) }
      return Step(number: 2)
    }
    let number = try OverrideLayer.binding(layer) {
      try resolver.resolve(Step.self, lifecycle: .once).number
    }
    #expect(number == 3)
    _ = layer.end()
    #expect(steps.all == ["step 3", "step 2", "step 1"])
  }

  /// The decorator of the first attempt returns the object that it got.
  @Test func `runs for the value of a request that began again with another registration`() throws {
    let steps = steps
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { Coin(1) }
    let layer = Stage.root("again", of: resolver, adoptsEscapedWork: false)
    layer.onDispose(of: Key<Coin>()) { steps.say("coin \($0.id)") }
    layer.decorate(Coin.self) { coin in
      layer.register { Coin(2) }
      return coin
    }
    let number = try OverrideLayer.binding(layer) {
      try resolver.resolve(Coin.self, lifecycle: .once).id
    }
    #expect(number == 2)
    _ = layer.end()
    #expect(steps.all.contains("coin 2"))
  }

  // MARK: Late disposers

  /// Calls a closure when it is finished with its layer.
  private final class Late: LayerParticipant {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    func finish() -> [Violation] {
      end()
      return []
    }
  }

  @Test func `that is added after the others have run still runs`() {
    let steps = steps
    let layer = Stage.root("late", of: Resolver(), adoptsEscapedWork: false)
    layer.onDispose { steps.say("in time") }
    layer.adopt(
      Late {
        layer.onDispose {
          steps.say("late")
          layer.adopt(Late { steps.say("finished") })
        }
      })
    #expect(layer.end().isEmpty)
    #expect(steps.all == ["in time", "late", "finished"])
  }

  @Test func `that is added after the layer has stopped is reported`() {
    let steps = steps
    let layer = Stage.root("too late", of: Resolver(), adoptsEscapedWork: false)
    layer.adopt(
      Late { layer.adopt(Late { layer.onDispose(line: 151) { steps.say("never") } }) })
    // The first participant is finished at once, the second after the disposers that it added.
    let text = """
      the setup at \(file):151 was created after its layer had disposed of the rest: it was not disposed of.
        Layer   'too late'
        Pushed  \(layer.callSite)
      To fix:  Wait for the work that makes it, or calls 'onDispose', before the scope ends.
      """
    #expect(layer.end().map { Caught($0) } == [.error(text, line: 151, file: file)])
    #expect(steps.all.isEmpty)
  }

  private final class Parting: Sendable {
    let words: @Sendable () -> Void

    init(_ words: @escaping @Sendable () -> Void) { self.words = words }

    deinit { words() }
  }

  @Test func `that is added in the deinit of a layer's instance runs`() {
    let (resolver, steps) = (Resolver(), steps)
    let layer = Stage.root("parting", of: resolver, adoptsEscapedWork: false)
    let key = layer.register(lifecycle: .cached) {
      Parting { [weak layer] in
        steps.say("gone")
        layer?.onDispose { steps.say("run") }
      }
    }
    OverrideLayer.binding(layer) { _ = try? resolver.resolve(key) }
    #expect(layer.end().isEmpty)
    #expect(steps.all == ["gone", "run"])
  }

  /// The block is released when the layer has ended, and with it the object.
  @Test func `that is added in the deinit of a block's object is reported`() {
    let steps = steps
    let layer = Stage.root(
      "parting", of: Resolver(), adoptsEscapedWork: false, options: .check(.unusedOverride, .off))
    do {
      let parting = Parting { [weak layer] in
        steps.say("gone")
        layer?.onDispose(line: 161) { steps.say("never") }
      }
      layer.register { parting }
    }
    #expect(layer.end().map(\.callSite.line) == [161])
    #expect(steps.all == ["gone"])
  }

  @Test func `of a value that was created after its layer ended is reported`() async throws {
    let steps = steps
    let text = """
      'Step' was created after its layer had disposed of the rest: it was not disposed of.
        Layer   'made late'
        Pushed  UnderstudyTests/Stage.swift:500
      To fix:  Wait for the work that makes it, or calls 'onDispose', before the scope ends.
      """
    try await expect(issues: [.error(text, line: 171, file: file)]) {
      let resolver = Resolver()
      let layer = Stage.root(
        "made late", of: resolver, adoptsEscapedWork: false,
        options: .check(.unfinishedWork, .off))
      let key = layer.register { () -> Step in
        _ = layer.end()
        return Step(number: 1)
      }
      layer.onDispose(of: key, line: 171) { _ in steps.say("never") }
      let number = try OverrideLayer.binding(layer) { try resolver.resolve(key).number }
      #expect(number == 1)
    }
    #expect(steps.all.isEmpty)
  }
}
