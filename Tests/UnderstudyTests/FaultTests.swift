// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyTesting

private let file = "UnderstudyTests/FaultTests.swift"

/// Resolutions that fail on purpose.
@Suite struct `A fault` {
  private let resolver: Resolver = {
    let resolver = Resolver()
    resolver.register { RealPostman() as any Postman }
    return resolver
  }()

  /// The resolutions that fail, of a number of them.
  private func hits(
    _ schedule: FaultSchedule, of count: Int = 6, override: Bool = false
  ) throws -> [Int] {
    withOverrides(of: resolver) {
      if override { $0.register { PostmanDouble() as any Postman } }
      $0.fault((any Postman).self, .throwing(Strike()), on: schedule)
    } operation: {
      (1...count).filter { _ in
        guard let name = try? resolver.resolve((any Postman).self).name else { return true }
        #expect(name == (override ? "double" : "production"))
        return false
      }
    }
  }

  @Test(arguments: [
    (FaultSchedule.every, [1, 2, 3, 4, 5, 6]), (.nth(3), [3]), (.first(2), [1, 2]),
    (.after(4), [5, 6]), (.sequence([true, false, true]), [1, 3]), (.sequence([]), []),
    (.flaky(0), []), (.flaky(1), [1, 2, 3, 4, 5, 6]),
  ])
  func `follows its schedule, and leaves other requests to production`(
    schedule: FaultSchedule, expected: [Int]
  ) throws {
    #expect(try hits(schedule) == expected)
  }

  @Test func `strikes a registration in a scope, with a qualifier`() throws {
    let resolver = Resolver()
    resolver.register(scopedTo: Signup.self, qualifiedBy: Sandbox.self) { Coin(1) }
    resolver.register { Coin(2) }
    try withOverrides(of: resolver) {
      $0.fault(Coin.self, .throwing(Mishap()), scopedTo: Signup.self, qualifiedBy: Sandbox.self)
    } operation: {
      _ = #expect(throws: ResolutionError.self) {
        try resolver.resolve(Coin.self, scopedTo: Signup.self, qualifiedBy: Sandbox.self)
      }
      try #expect(resolver.resolve(Coin.self).id == 2)
    }
  }

  @Test func `leaves other requests to the layer's own override`() throws {
    #expect(try hits(.nth(2), override: true) == [2])
  }

  /// Registers a value that only asynchronous requests can get.
  private func register(
    awaited postman: any Postman, isOnMainActor: Bool, on registering: some Registering
  ) {
    if isOnMainActor {
      registering.register { @MainActor in postman }
    } else {
      registering.register { () async -> any Postman in
        await Task.yield()
        return postman
      }
    }
  }

  @Test(arguments: [false, true], [false, true])
  func `leaves other requests to an asynchronous registration, below or in its layer`(
    isOnMainActor: Bool, isOwn: Bool
  ) async {
    let resolver = Resolver()
    register(awaited: RealPostman(), isOnMainActor: isOnMainActor, on: resolver)
    let outcomes = await withOverrides(of: resolver) {
      if isOwn { register(awaited: PostmanDouble(), isOnMainActor: isOnMainActor, on: $0) }
      $0.fault((any Postman).self, .throwing(Strike()), on: .nth(2))
    } operation: { () async -> [String] in
      var names: [String] = []
      for _ in 1...3 {
        do throws(ResolutionError) {
          names.append(try await resolver.resolveAsync((any Postman).self).name)
        } catch {
          names.append(error.kind)
        }
      }
      return names
    }
    let name = isOwn ? "double" : "production"
    #expect(outcomes == [name, "failed", name])
  }

  @Test func `that is flaky hits the same requests for the same seed`() throws {
    let first = try hits(.flaky(0.5, seed: 7), of: 64)
    #expect(try hits(.flaky(0.5, seed: 7), of: 64) == first)
    #expect(try hits(.flaky(0.5, seed: 8), of: 64) != first)
    #expect((16...48).contains(first.count))
  }

  @Test(arguments: [
    (FaultSchedule.nth(2), 2, "resolution 2, set at \(file):31"),
    (.flaky(1, seed: 7), 1, "resolution 1, set at \(file):31, seed 7"),
  ])
  func `has its number and its seed in the message`(
    schedule: FaultSchedule, hit: Int, note: String
  ) {
    withOverrides(of: resolver) {
      $0.fault((any Postman).self, .throwing(Strike()), on: schedule, line: 31)
    } operation: {
      for _ in 1..<hit { #expect(throws: Never.self) { try resolver.resolve((any Postman).self) } }
      let error = #expect(throws: ResolutionError.self) {
        try resolver.resolve((any Postman).self, line: 32)
      }
      #expect(
        error?.description == """
          The block registered for 'any Postman' threw an error: on strike
            At          \(file):32
            Fault       \(note)
            Registered  \(file):31
          """)
      #expect(error?.note == note)
      guard case .failed(let underlying) = error?.reason else {
        Issue.record("the reason is not the fault's error")
        return
      }
      #expect(underlying is Strike)
    }
  }

  @Test func `that is flaky without a seed prints the one that it drew`() throws {
    let note = try withOverrides(of: resolver) {
      $0.fault((any Postman).self, .throwing(Strike()), on: .flaky(1))
    } operation: {
      let error = #expect(throws: ResolutionError.self) {
        try resolver.resolve((any Postman).self)
      }
      return try #require(error?.note)
    }
    let text = try #require(note.split(separator: "seed ").last)
    #expect(UInt64(text) != nil)
  }

  @Test func `delays and then throws, in sequence`() {
    let clock = ContinuousClock()
    withOverrides(of: resolver) {
      $0.fault(
        (any Postman).self, .sequence(.delay(.milliseconds(5)), .throwing(Strike())), on: .first(1))
    } operation: {
      let took = clock.measure {
        #expect(throws: ResolutionError.self) { try resolver.resolve((any Postman).self) }
      }
      #expect(took >= .milliseconds(5))
      #expect(throws: Never.self) { try resolver.resolve((any Postman).self) }
    }
  }

  @Test func `that delays lets production answer afterwards`() throws {
    let clock = ContinuousClock()
    try withOverrides(of: resolver) {
      $0.fault((any Postman).self, .delay(.milliseconds(5)))
    } operation: {
      var name = ""
      let took = try clock.measure { name = try resolver.resolve((any Postman).self).name }
      #expect(took >= .milliseconds(5))
      #expect(name == "production")
    }
  }

  @Test func `with a delay below zero does not wait, however long that is`() throws {
    try withOverrides(of: resolver) {
      $0.fault((any Postman).self, .delay(.seconds(Int64.min) * 18))
    } operation: {
      let name = try resolver.resolve((any Postman).self).name
      #expect(name == "production")
    }
  }

  @Test func `of a named key leaves the key without a name alone`() throws {
    resolver.register((any Postman).self, named: "night") { RealPostman() }
    try withOverrides(of: resolver) {
      $0.fault((any Postman).self, .throwing(Strike()), named: "night")
    } operation: {
      #expect(throws: ResolutionError.self) {
        try resolver.resolve((any Postman).self, named: "night")
      }
      let name = try resolver.resolve((any Postman).self).name
      #expect(name == "production")
    }
  }

  @Test func `counts resolutions exactly from many threads`() async {
    let failures = await withOverrides(of: resolver) {
      $0.fault((any Postman).self, .throwing(Strike()), on: .first(100))
    } operation: {
      await withTaskGroup(of: Int.self) { group in
        for _ in 0..<8 {
          group.addTask {
            (0..<50).count { _ in (try? resolver.resolve((any Postman).self)) == nil }
          }
        }
        return await group.reduce(0, +)
      }
    }
    #expect(failures == 100)
  }

  @Test func `hits the instances that are made of its key, which are created again`() throws {
    let resolver = Wiring.blockResolver.makeResolver()
    let warm: Root = try resolver.resolve()
    try withLayer(of: resolver) {
      $0.fault(Leaf.self, .throwing(Strike()), on: .nth(1))
    } operation: {
      let error = resolutionError { try resolver.resolve(Root.self) }
      #expect(error?.kind == "failed")
      let made: Root = try resolver.resolve()
      #expect(made !== warm)
      #expect(made.leaf === warm.leaf)
      try #expect(resolver.resolve(Root.self) === made)
      OverrideLayer.current?.register { Leaf("double") }
      try #expect(resolver.resolve(Root.self).leaf.origin == "double")
    }
  }

  @Test func `that hits no request is an unused override`() async throws {
    let text = """
      The override of 'any Postman' was never resolved.
        Overridden  \(file):41
        Layer       'calm'
      To fix, do one of these:
        • Remove it, or let the code under test ask for 'any Postman'.
        • Allow it:  withOverrides(.check(.unusedOverride, .off)) { … } operation: { … }
      """
    let resolver = resolver
    try await expect(issues: [.warning(text, line: 41)]) {
      withOverrides(of: resolver, named: "calm") {
        $0.fault((any Postman).self, .throwing(Strike()), line: 41)
      } operation: {
      }
    }
  }

  @Test(arguments: [
    (FaultSchedule.nth(3), true), (.nth(0), true), (.after(2), true),
    (.sequence([false, false, true]), true), (.nth(2), false), (.flaky(0), false),
    (.first(0), false), (.sequence([]), false),
  ])
  func `that hits none of the actual requests is reported, unless this is allowed`(
    schedule: FaultSchedule, isReported: Bool
  ) async throws {
    let text = """
      The fault of 'any Postman' never struck in 2 resolutions.
        Set    \(file):43
        Layer  'calm'
      To fix, do one of these:
        • Choose an earlier resolution, or let the code under test ask more often.
        • Allow it:  withOverrides(.check(.unusedOverride, .off)) { … } operation: { … }
      """
    let resolver = resolver
    try await expect(issues: isReported ? [.warning(text, line: 43)] : []) {
      withOverrides(of: resolver, named: "calm") {
        $0.fault((any Postman).self, .throwing(Strike()), on: schedule, line: 43)
        // The decorator before the fault gets as many requests, and reports nothing of its own.
        $0.decorate((any Postman).self) { $0 }
      } operation: {
        for _ in 1...2 { _ = try? resolver.resolve((any Postman).self) }
      }
    }
  }

  @Test func `of a type hits a declared dependency of the type, too`() {
    withOverrides {
      $0.fault((any Postman).self, .throwing(Strike()), on: .nth(1), line: 51)
    } operation: {
      let error = #expect(throws: ResolutionError.self) {
        try Resolver.main.resolve(Dependencies.postman.key, line: 52)
      }
      #expect(
        error?.description == """
          The block registered for 'any Postman' declared at UnderstudyTests/Postman.swift:7001 \
          threw an error: on strike
            At          \(file):52
            Fault       resolution 1, set at \(file):51
            Registered  \(file):51
          """)
      #expect(Resolver.main.resolve(\.postman).name == "production")
    }
  }

  @Test func `of a key path leaves other requests to the dependency's override`() throws {
    let resolver = resolver
    try withOverrides(of: resolver) {
      $0.override(\.postman, with: PostmanDouble())
      $0.fault(\.postman, .throwing(Strike()), on: .nth(2))
    } operation: {
      let postmen = (1...3).map { _ in withResolver(resolver) { Inject(\.postman) } }
      #expect(postmen.map(\.isAvailable) == [true, false, true])
      try #expect(postmen[0].get().name == "double")
      // The same holds for a request by type, as without the fault.
      try #expect(resolver.resolve((any Postman).self).name == "double")
    }
  }

  @Test func `of a key path hits no registration of its type`() throws {
    let resolver = resolver
    try withOverrides(of: resolver) {
      $0.fault(\.postman, .throwing(Strike()))
    } operation: {
      #expect(!withResolver(resolver) { Inject(\.postman) }.isAvailable)
      try #expect(resolver.resolve((any Postman).self).name == "production")
    }
  }
}
