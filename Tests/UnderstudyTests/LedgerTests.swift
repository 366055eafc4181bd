// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyTesting

private let resolver: Resolver = {
  let resolver = Resolver(named: "ledger")
  resolver.register { RealPostman() as any Postman }
  return resolver
}()

private func used(line: Int, overriddenAt override: Int, key: String = "'any Postman'") -> Caught {
  // A declared dependency belongs to the main resolver.
  let resolver = key == "'any Postman'" ? "\n  Resolver    'ledger'" : ""
  return .error(
    """
    \(key) was used, though the test says that it is unimplemented.
      At          UnderstudyTests/LedgerTests.swift:\(line)\(resolver)
      Registered  UnderstudyTests/LedgerTests.swift:\(override)
    To fix, do one of these:
      • Override it with a double:  $0.register { … as any Postman }
      • Find out why the code under test asks for it.
    """, line: line, file: "UnderstudyTests/LedgerTests.swift")
}

private func unused(_ layer: String, overriddenAt line: Int) -> Caught {
  .warning(
    """
    The override of 'any Postman' was never resolved.
      Overridden  UnderstudyTests/LedgerTests.swift:\(line)
      Layer       '\(layer)' of the resolver 'ledger'
    To fix, do one of these:
      • Remove it, or let the code under test ask for 'any Postman'.
      • Allow it:  withOverrides(.check(.unusedOverride, .off)) { … } operation: { … }
    """, line: line, file: "UnderstudyTests/LedgerTests.swift")
}

private func use(line: Int) {
  _ = try? resolver.resolve((any Postman).self, line: line)
}

/// Reports when it is finished with its layer, and when it is released.
private final class Guest: LayerParticipant {
  private let adopted: @Sendable () -> Void
  private let finished: @Sendable () -> Void
  private let gone: @Sendable () -> Void

  init(
    adopted: @escaping @Sendable () -> Void = {}, finished: @escaping @Sendable () -> Void = {},
    gone: @escaping @Sendable () -> Void = {}
  ) {
    self.adopted = adopted
    self.finished = finished
    self.gone = gone
  }

  deinit { gone() }

  func willBeFinished(by layer: OverrideLayer) { adopted() }

  func finish() -> [Violation] {
    finished()
    return []
  }
}

/// Violations are recorded on any thread, and reported once to the test that owns them.
@Suite struct `The ledger` {
  init() { RunIssues.claim() }

  @Test(
    .catching(used(line: 101, overriddenAt: 100), used(line: 102, overriddenAt: 100)),
    .overrides(of: resolver) { $0.unimplemented((any Postman).self, line: 100) })
  func `a violation from any thread is reported once, on its test`() async {
    let context = OverrideContext.current
    use(line: 101)
    for way in WayOut.allCases {
      _ = await way.send { context.run { use(line: 101) } }
    }
    await elsewhere { context.run { use(line: 102) } }
  }

  @Test func `concurrent threads add each violation once`() async throws {
    let layer = Stage.root("crowded", of: resolver, adoptsEscapedWork: false)
    layer.unimplemented((any Postman).self, line: 100)
    await OverrideLayer.binding(layer) {
      await withTaskGroup(of: Void.self) { group in
        for task in 0..<8 {
          group.addTask { for number in 0..<100 { use(line: 200 + (task + number) % 10) } }
        }
      }
    }
    let violations = layer.end().map { Caught($0) }
    #expect(violations.count == 10)
    #expect(Set(violations) == Set((200..<210).map { used(line: $0, overriddenAt: 100) }))
  }

  /// A deinit is user code. If it called the layer under the layer's lock, it would wait for ever.
  @Test func `a participant that comes while the ledger closes is released outside its lock`()
    throws
  {
    let layer = Stage.root("late guest", of: resolver, adoptsEscapedWork: false)
    let said = Transcript<Int>()
    layer.adopt(
      Guest(finished: { layer.adopt(Guest(gone: { said.say(layer.addedOverrides.count) })) }))
    _ = try Threads.run(1) { _ in _ = layer.end() }
    #expect(said.all == [0])
  }

  /// Work in the context of an instance may create a double just when the instance is stored.
  @Test func `a participant that comes while its instance is stored is finished`() throws {
    let context = Box<OverrideContext?>(nil)
    let (isStoring, finished) = (Box(false), Transcript<String>())
    let resolver = Resolver()
    let layer = Stage.root("storing", of: resolver, adoptsEscapedWork: false)
    layer.register(lifecycle: .cached) { () -> Coin in
      context.value = .current
      OverrideLayer.adoptMade(
        Guest {
          guard isStoring.value else { return }
          isStoring.value = false
          context.value?.run {
            OverrideLayer.adoptMade(Guest(finished: { finished.say("late") }))
          }
        } finished: {
          finished.say("early")
        })
      isStoring.value = true
      return Coin(1)
    }
    try OverrideLayer.binding(layer) { _ = try resolver.resolve(Coin.self) }
    #expect(!isStoring.value)
    #expect(layer.end().isEmpty)
    #expect(Set(finished.all) == ["early", "late"])
  }

  @Test func `each of two concurrent tests gets its own violations`() async {
    let layers = ["one", "another"].map {
      Stage.root($0, of: resolver, adoptsEscapedWork: false)
    }
    for (index, layer) in layers.enumerated() {
      layer.unimplemented((any Postman).self, line: 300 + index)
    }
    await withTaskGroup(of: Void.self) { group in
      for (index, layer) in layers.enumerated() {
        group.addTask {
          let context = OverrideLayer.binding(layer) { OverrideContext.current }
          await elsewhere { context.run { use(line: 310 + index) } }
        }
      }
    }
    #expect(layers[0].end().map { Caught($0) } == [used(line: 310, overriddenAt: 300)])
    #expect(layers[1].end().map { Caught($0) } == [used(line: 311, overriddenAt: 301)])
  }

  @Test func `a nested layer passes its violations to the test at its end`() async throws {
    try await expect(
      issues: [used(line: 402, overriddenAt: 400), unused("inner", overriddenAt: 401)]
    ) {
      withOverrides(of: resolver, named: "outer") {
        $0.unimplemented((any Postman).self, line: 400)
      } operation: {
        use(line: 402)
        withOverrides(of: resolver, named: "inner") {
          $0.register((any Postman).self, line: 401) { PostmanDouble() }
        } operation: {
        }
        // The inner layer has ended and the outer one has not. Nothing is lost or reported twice.
        use(line: 402)
      }
    }
  }

  @Test(
    .catching(used(line: 502, overriddenAt: 500)),
    .overrides(.check(.unusedOverride, .off), of: resolver) {
      $0.unimplemented((any Postman).self, line: 500)
    },
    .overrides(of: resolver) { $0.register { 1 } })
  func `a violation of an outer trait's layer under an inner one is reported once`() throws {
    _ = try resolver.resolve(Int.self)
    use(line: 502)
  }

  @Test(
    .catching(
      used(
        line: 512, overriddenAt: 510,
        key: "'any Postman' declared at UnderstudyTests/Postman.swift:7001")),
    .overrides(.check(.unusedOverride, .off)) { $0.unimplemented(\.postman, line: 510) },
    .overrides { $0.register { 1 } })
  func `a violation of a declared dependency under an inner trait is reported once`() throws {
    _ = try Resolver.main.resolve(Int.self)
    #expect(throws: ResolutionError.self) {
      try Resolver.main.resolve(Dependencies.postman.key, line: 512)
    }
  }

  @Test func `a violation after the end is an issue of the run, once`() async {
    let layer = Stage.root("over", of: resolver, adoptsEscapedWork: false)
    layer.unimplemented((any Postman).self, line: 600)
    _ = layer.end()
    let late = Violation(Message("Too late for 'over'."), at: CallSite(line: 601))
    await elsewhere {
      layer.record(late)
      layer.record(late)
    }
    #expect(
      RunIssues.take(mentioning: "'over'").map { Caught($0) }
        == [.error("Too late for 'over'.", line: 601)])
  }

  @Test func `an unused override of a scope outside any test is an issue of the run`()
    async throws
  {
    await elsewhere {
      withOverrides(of: resolver, named: "nobody's scope") {
        $0.register((any Postman).self, line: 651) { PostmanDouble() }
      } operation: {
      }
    }
    #expect(
      RunIssues.take(mentioning: "nobody's scope").map { Caught($0) } == [
        unused("nobody's scope", overriddenAt: 651)
      ])
  }

  @Test func `a violation in a scope outside any test is an issue of the run`() async throws {
    await elsewhere {
      withOverrides(.check(.unusedOverride, .off), of: resolver, named: "nobody's double") {
        $0.unimplemented((any Postman).self, line: 661)
      } operation: {
        use(line: 662)
      }
    }
    #expect(
      RunIssues.take(mentioning: "LedgerTests.swift:662").map { Caught($0) } == [
        used(line: 662, overriddenAt: 661)
      ])
  }

  @Test func `a violation is reported when the operation throws`() async throws {
    try await expect(issues: [unused("thrown out of", overriddenAt: 701)]) {
      #expect(throws: Strike.self) {
        try withOverrides(of: resolver, named: "thrown out of") {
          $0.register((any Postman).self, line: 701) { PostmanDouble() }
        } operation: {
          throw Strike()
        }
      }
    }
  }

  @Test func `a warning is a warning, and does not fail the test`() async throws {
    try await expect(issues: [unused("warned", overriddenAt: 801)]) {
      withOverrides(of: resolver, named: "warned") {
        $0.register((any Postman).self, line: 801) { PostmanDouble() }
      } operation: {
      }
    }
  }
}
