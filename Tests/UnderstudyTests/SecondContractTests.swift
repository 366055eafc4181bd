// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

private protocol Letters: Sendable { func send(_ text: String) throws }

private struct LiveLetters: Letters {
  func send(_ text: String) throws { Issue.record("a live letter was sent") }
}

private final class LettersSpy: Letters {
  let sends = Spy<String, Void, any Error>("send(_:)")
  func send(_ text: String) throws { try sends(text) }
}

private protocol Tariffs: Sendable { var rate: Int { get } }
private struct FixedTariffs: Tariffs { let rate = 7 }

private enum Depot {
  static func make() async -> FixedTariffs { FixedTariffs() }
}

extension Dependencies {
  fileprivate static let letters = Dependency<any Letters>(inTests: .mustBeOverridden) {
    LiveLetters()
  }
  fileprivate static var ticks: Dependency<any Clock<Duration>> {
    Dependency { ContinuousClock() }
  }
}

private final class Model {
  @Inject var letters: any Letters
  var child: Child?
  func tap() throws { try letters.send("tap") }
  func open() { child = withOverrides(from: self) { Child() } }
}

private final class Child {
  @Inject var letters: any Letters
}

/// The promised spellings of the second list, exactly as written. The outer layer has no guard, so
/// that the guard does not refuse the lost work of other tests.
@Suite(
  .overrides(of: Resolver()) { _ in },
  .overrides(.live(.mustBeOverridden), allowing: (any Clock<Duration>).self) { _ in })
struct `The second contract` {
  @Test func `guards a registration, a declared dependency and a resolver`() throws {
    let resolver = Resolver()
    resolver.register(inTests: .mustBeOverridden) { LiveLetters() as any Letters }
    withKnownIssue { _ = try resolver.resolve((any Letters).self) }
    resolver.inTests = .mustBeOverridden
    resolver.register(inTests: .allowed) { FixedTariffs() as any Tariffs }
    #expect(try resolver.resolve((any Tariffs).self).rate == 7)
    withOverrides {
      $0.override(\.letters, with: LettersSpy())
    } operation: {
      #expect(Resolver.main.resolve(\.letters) is LettersSpy)
    }
  }

  @Test func `reads without a trap`() {
    struct Owner {
      @Inject var letters: any Letters
    }
    let owner = withResolver(Resolver()) { Owner() }
    #expect(throws: ResolutionError.self) { try owner.$letters.get() }
    #expect(!owner.$letters.isAvailable)
  }

  @Test(.override(\.ticks, with: ManualClock()))
  func `overrides one value`() throws {
    #expect(Resolver.main.resolve(\.ticks) is ManualClock)
    let layer = try #require(OverrideLayer.current)
    layer.override(\.letters, with: LettersSpy())
    layer.register(FixedTariffs() as any Tariffs)
    #expect(Resolver.main.resolve(\.letters) is LettersSpy)
    #expect(try Resolver.main.resolve((any Tariffs).self).rate == 7)
  }

  @Test func `overrides in the middle of a test`() throws {
    OverrideLayer.required.register { FixedTariffs() as any Tariffs }
    #expect(try Resolver.main.resolve((any Tariffs).self).rate == 7)
  }

  @Test(
    .overrides { layer in
      let tariffs = await Depot.make()
      layer.register { tariffs as any Tariffs }
    })
  func `configures asynchronously`() async throws {
    #expect(try Resolver.main.resolve((any Tariffs).self).rate == 7)
    try await withOverrides { layer in
      let tariffs = await Depot.make()
      layer.register { tariffs as any Tariffs }
    } operation: {
      _ = try Resolver.main.resolve((any Tariffs).self)
    }
  }

  @Test func `follows an object`() throws {
    let spy = LettersSpy()
    let model = withOverrides(until: .endOfTest) {
      $0.register { spy as any Letters }
    } operation: {
      Model()
    }
    try OverrideContext.of(model)?.run { try model.tap() }
    model.open()
    try model.child?.letters.send("child")
    #expect(spy.sends.calls == ["tap", "child"])
  }

  @Test(.overrides { $0.register(lifecycle: .cached) { LettersSpy() as any Letters } })
  func `gives a double back`() throws {
    try Model().tap()
    let letters = Resolver.current.existing((any Letters).self, as: LettersSpy.self)
    #expect(letters?.sends.calls == ["tap"])
  }

  @Test func `prepares a default, and has child resolvers`() throws {
    let resolver = Resolver()
    resolver.prepare(\.ticks) { ImmediateClock() }
    withOverrides(.live(.allowed), of: resolver) { _ in
    } operation: {
      #expect(resolver.resolve(\.ticks) is ImmediateClock)
    }
    let session = Resolver(parent: .main)
    #expect(session.parent === Resolver.main)
  }

  @Test func `stubs a sequence`() throws {
    let spy = Spy<Int, Int, any Error>("spy")
    spy.returns(1).throws(Strike()).returns(2)
    #expect(try spy(0) == 1)
    #expect(throws: Strike.self) { try spy(0) }
    #expect(try spy(0) == 2)
    spy.when(2).returns(0).optional()
  }
}
