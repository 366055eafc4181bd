// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

@testable import Understudy

/// Rules L1 and O7 of `Docs/Guarantees.md`: a decorator that fails loses nothing.
@Suite struct `Decorators that fail` {
  @Test(arguments: [false, true], [false, true])
  func `leave a one-time value unclaimed`(
    isAwaited: Bool, isOverridden: Bool
  ) async throws {
    let (resolver, fails) = (Resolver(), Box(true))
    func register(on registering: some Registering) {
      if isAwaited {
        registering.register(lifecycle: .once) { () async in Coin(1) }
      } else {
        registering.register(Coin(1), lifecycle: .once)
      }
    }
    @Sendable func wrap(_ coin: Coin) throws -> Coin {
      if fails.value { throw Mishap() }
      return Coin(coin.id + 10)
    }
    register(on: resolver)
    try await withLayer(of: resolver) {
      if isOverridden { register(on: $0) }
      $0.fault(Coin.self, .throwing(Strike()), on: .nth(9))
      $0.decorate(Coin.self) { Coin($0.id + 100) }
    } operation: {
      try await withLayer(of: resolver) {
        $0.decorate(Coin.self) { Coin($0.id + 1_000) }
        $0.decorate(Coin.self, wrap)
        $0.decorate(Coin.self) { Coin($0.id + 10_000) }
      } operation: {
        await #expect(throws: ResolutionError.self) { try await resolver.resolveAsync(Coin.self) }
        await #expect(throws: ResolutionError.self) { try await resolver.resolveAsync(Coin?.self) }
        fails.value = false
        try await #expect(resolver.resolveAsync(Coin.self).id == 11_111)
        if isOverridden {
          // Production's value. The decorator of the override does not apply to it.
          try await #expect(resolver.resolveAsync(Coin.self).id == 11_011)
        }
        await #expect(throws: ResolutionError.self) { try await resolver.resolveAsync(Coin.self) }
      }
    }
  }

  @Test(arguments: [Lifecycle.notCached, .cached])
  func `leave a registration that is requested as .once`(
    lifecycle: Lifecycle
  ) throws {
    let (resolver, fails) = (Resolver(), Box(true))
    resolver.register(lifecycle: lifecycle) { Coin(1) }
    let warm = try resolver.resolve(Coin.self)
    try withLayer(of: resolver) {
      $0.decorate(Coin.self) { coin in
        if fails.value { throw Mishap() }
        return coin
      }
    } operation: {
      #expect(throws: ResolutionError.self) { try resolver.resolve(Coin.self, lifecycle: .once) }
      let below = try OverrideLayer.binding(nil) { try resolver.resolve(Coin?.self) }
      #expect(below != nil)
      #expect((below === warm) == (lifecycle == .cached))
      fails.value = false
      let coin = try resolver.resolve(Coin.self, lifecycle: .once)
      #expect((coin === warm) == (lifecycle == .cached))
    }
    // The decorated registration is visible again.
    try #expect(resolver.resolve(Coin?.self) != nil)
  }

  /// O2: the answering decorator is used up, and the decorated registration answers again.
  @Test(arguments: [Lifecycle.notCached, .cached], [false, true])
  func `are used up by a .once request, and the decorated registration is not`(
    lifecycle: Lifecycle, isWarm: Bool
  ) throws {
    let (resolver, made) = (Resolver(), Tally())
    resolver.register(lifecycle: lifecycle) { Coin(made.next()) }
    try withLayer(of: resolver) {
      $0.decorate(Coin.self) { Coin($0.id + 100) }
    } operation: {
      let first = isWarm ? try resolver.resolve(Coin.self) : nil
      let taken = try resolver.resolve(Coin.self, lifecycle: .once)
      if lifecycle == .cached, isWarm { #expect(taken === first) }
      #expect(taken.id > 100)
      let next = try resolver.resolve(Coin.self)
      #expect(next.id == (lifecycle == .cached ? 1 : made.count))
    }
    try #expect(resolver.resolve(Coin?.self) != nil)
  }

  @Test func `are cached for a registration that their own layer completes`() throws {
    let (resolver, wrapped) = (Resolver(), Tally())
    try withLayer(of: resolver) {
      $0.register(lifecycle: .cached) {
        Coin(1)
      } then: { _, _ in
      }
      $0.decorate(Coin.self) { Coin($0.id + wrapped.next()) }
    } operation: {
      for _ in 1...2 { try #expect(resolver.resolve(Coin.self).id == 2) }
    }
  }

  @Test func `leave the one-time elements of an array unclaimed`() throws {
    let (resolver, fails) = (Resolver(), Box(true))
    resolver.register(Coin(1), named: 1, lifecycle: .once)
    resolver.register(Coin(2), named: 2, lifecycle: .once)
    try withLayer(of: resolver) {
      $0.decorate([Coin].self) { coins in
        if fails.value { throw Mishap() }
        return coins.reversed()
      }
    } operation: {
      #expect(throws: ResolutionError.self) { try resolver.resolve([Coin].self) }
      fails.value = false
      try #expect(resolver.resolve([Coin].self).map(\.id) == [2, 1])
      try #expect(resolver.resolve([Coin].self).isEmpty)
    }
  }
}

/// Rule O7: a decorator wraps the registration that answers now.
@Suite struct `Decorators of a registration that changes` {
  /// The change of the decorated registration.
  enum Event: CaseIterable {
    case registeredAnew
    case reset
    case replacedByAnAssembly
    case unregistered
  }

  private struct Front: PrioritizedAssembly {
    let priority = AssemblyPriority.high

    func assemble(into registrar: some Registering) {
      registrar.register(lifecycle: .cached) { Coin(2) }
    }
  }

  @Test(arguments: Event.allCases, [1, 2])
  func `wrap the current registration`(event: Event, depth: Int) throws {
    let (resolver, made) = (Resolver(), Tally())
    resolver.register(lifecycle: .cached) { Coin(made.next()) }
    func nest(_ left: Int) throws {
      if left > 0 {
        return try withLayer(of: resolver) {
          $0.decorate(Coin.self) { Coin($0.id + 100) }
        } operation: {
          try nest(left - 1)
        }
      }
      let first: Coin = try resolver.resolve()
      try #expect(resolver.resolve(Coin.self) === first)
      switch event {
      case .registeredAnew: resolver.register(lifecycle: .cached) { Coin(2) }
      case .reset: resolver.reset(.instances)
      case .replacedByAnAssembly: try resolver.load(Front())
      case .unregistered: resolver.unregister(Key<Coin>())
      }
      let second = try resolver.resolve(Coin?.self)
      #expect(second?.id == (event == .unregistered ? nil : 2 + depth * 100))
      try #expect(resolver.resolve(Coin?.self) === second)
    }
    try nest(depth)
  }

  @Test func `wrap the current registration of a layer below`() throws {
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { Coin(1) }
    try withLayer(of: resolver) {
      $0.register(lifecycle: .cached) { Coin(2) }
    } operation: {
      let below = try #require(OverrideLayer.current)
      try withLayer(of: resolver) {
        $0.decorate(Coin.self) { Coin($0.id + 100) }
      } operation: {
        try #expect(resolver.resolve(Coin.self).id == 102)
        below.unregister(Key<Coin>())
        try #expect(resolver.resolve(Coin.self).id == 101)
      }
    }
  }

  /// The decorator passes the argument on.
  @Test(arguments: [false, true])
  func `do not hide that an argument is ignored`(takes: Bool) async throws {
    let resolver = Resolver()
    if takes {
      resolver.register(lifecycle: .cached, line: 702) { (number: Int) in "\(number)" }
    } else {
      resolver.register(line: 702) { "none" }
    }
    let reason = takes ? "its instance was created with another" : "its registration takes none"
    let remedy = takes ? "Create a new value:  lifecycle: .notCached" : "Leave out 'with:'."
    let issue = Caught.warning(
      """
      'String' was asked for with an argument, and \(reason).
        Argument    2
        At          \(#fileID):703
        Registered  \(#fileID):702
      To fix, do one of these:
        • \(remedy)
        • Allow it:  withOverrides(.check(.ignoredArgument, .off)) { … } operation: { … }
      """, line: 703)
    try await expect(issues: [issue]) {
      try withOverrides(of: resolver, isBoundary: true) {
        $0.decorate(String.self) { $0 + "!" }
      } operation: {
        if takes { _ = try resolver.resolve(String.self, with: 1) }
        _ = try resolver.resolve(String.self, with: 2, line: 703)
      }
    }
  }

  @Test func `of an alias report an ignored argument once`() async throws {
    let resolver = Resolver()
    resolver.alias(resolver.register { RealPostman() }, as: (any Postman).self)
    let count = Transcript<String>()
    let watch: IssueHandlingTrait = .compactMapIssues {
      count.say("\($0.comments)")
      return nil
    }
    let test = try #require(Test.current)
    try await watch.provideScope(for: test, testCase: nil) {
      try withOverrides(of: resolver) {
        $0.decorate((any Postman).self) { $0 }
      } operation: {
        _ = try resolver.resolve((any Postman).self, with: 1)
      }
    }
    #expect(count.all.count == 1)
    #expect(count.all.first?.contains("'RealPostman' was asked for with an argument") == true)
  }

  @Test func `of a forbidden value are reported once`() async throws {
    let resolver = Resolver()
    let issue = Caught.error(
      """
      'Coin' was used, though the test says that it is unimplemented.
        Requested by  Coin
        Path          Coin → Coin
        At            \(#fileID):704
        Registered    \(#fileID):705
      To fix, do one of these:
        • Override it with a double:  $0.register { … as Coin }
        • Find out why the code under test asks for it.
      """, line: 704)
    try await expect(issues: [issue]) {
      withOverrides(of: resolver) {
        $0.unimplemented(Coin.self, line: 705)
      } operation: {
        withOverrides(of: resolver) {
          $0.decorate(Coin.self) { $0 }
        } operation: {
          _ = try? resolver.resolve(Coin.self, line: 704)
        }
      }
    }
  }

  @Test func `of a value that was handed out say so`() throws {
    let resolver = Resolver()
    resolver.register(lifecycle: .once, line: 700) { Coin(1) }
    try withLayer(of: resolver) {
      $0.decorate(Coin.self) { Coin($0.id + 100) }
    } operation: {
      _ = try resolver.resolve(Coin.self, line: 701)
      let error = try #require(resolutionError { try resolver.resolve(Coin.self) })
      #expect(error.kind == "nothingToDecorate")
      #expect(error.handedOutAt?.line == 701 && error.registeredAt?.line == 700)
    }
  }

  @Test func `of a declared dependency wrap its new instance after a reset`() throws {
    let (resolver, wrapped) = (Resolver(), Tally())
    withLayer(of: resolver) {
      $0.decorate(\.reels) { _ in Coin(wrapped.next()) }
    } operation: {
      let first = resolver.resolve(\.reels)
      #expect(resolver.resolve(\.reels) === first)
      resolver.reset(.instances)
      #expect(resolver.resolve(\.reels).id == 2)
    }
  }
}

extension Dependencies {
  fileprivate static let reels = Dependency<Coin>(lifecycle: .cached) { Coin(0) }
}
