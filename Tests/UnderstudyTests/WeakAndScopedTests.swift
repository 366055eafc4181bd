// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
@testable import Understudy
import UnderstudyCompatibility

/// Rows G9-09 to G9-11 and BL-07 to BL-12; L5 of `Docs/Guarantees.md`.
@Suite struct `Weak and scoped instances` {
  enum Signup: Scope {}
  enum Login: Scope {}
  enum Sandbox: Qualifier {}
  protocol Screen: AnyObject, Sendable {}
  final class Window: Screen {}

  @Test func `G9-09 an object registered weakly is found while it is retained`() throws {
    let resolver = Resolver()
    var window: Window? = Window()
    let key = try resolver.register(weak: #require(window))
    try #expect(resolver.resolve(Window.self) === window)
    for lifecycle in [Lifecycle.notCached, .cached] {
      try #expect(resolver.resolve(Window.self, lifecycle: lifecycle) === window)
    }
    window = nil
    try #expect(resolver.resolve(Window?.self) == nil)
    #expect(resolutionError { try resolver.resolve(Window.self) }?.kind == "released")
    #expect(resolver.contains(key))
    let next = Window()
    resolver.register(weak: next)
    try #expect(resolver.resolve(Window.self) === next)
  }

  @Test func `G9-10 an object registered weakly as a protocol answers only to that protocol`()
    throws
  {
    let resolver = Resolver()
    let window = Window()
    resolver.register(weak: window as any Screen)
    try #expect(resolver.resolve((any Screen).self) === window)
    try #expect(resolver.resolve(Window?.self) == nil)
  }

  @Test func `G9-11 a value registered weakly answers nothing, and the error says so`() throws {
    let resolver = Resolver()
    resolver.register(weak: 5)
    resolver.register(weak: "text")
    #expect(resolutionError { try resolver.resolve(Int.self) }?.kind == "notAnObject")
    #expect(resolutionError { try resolver.resolve(String?.self) }?.kind == "notAnObject")
  }

  @Test func `a weakly registered object is retained neither by a layer nor by production`() throws
  {
    let resolver = Resolver()
    func run() throws -> Witness {
      let window = Window()
      resolver.register(weak: window)
      _ = try resolver.resolve(Window.self)
      try withLayer(of: resolver, isBoundary: true) { _ in
      } operation: {
        _ = try resolver.resolve(Window.self)
      }
      return Witness(window)
    }
    try #expect(run().isGone)
  }

  @Test func `a weakly registered object is left out of an array when it is gone`() throws {
    let resolver = Resolver()
    resolver.register(weak: Window(), named: 1)
    let window = Window()
    resolver.register(weak: window, named: 2)
    try #expect(resolver.resolve([Window].self).map { $0 === window } == [true])
  }

  @Test func `a scope accepts an optional object, and tries again after nil`() throws {
    let resolver = Resolver()
    let made = Tally()
    resolver.register(scopedTo: Signup.self) { made.next() == 1 ? nil : Window() as Window? }
    func resolve() throws -> Window? {
      try resolver.resolve(Window?.self, scopedTo: Signup.self)
    }
    try #expect(resolve() == nil)
    var window = try resolve()
    let witness = Witness(try #require(window))
    try #expect(resolve() === window)
    window = nil
    #expect(witness.isGone)
    try #expect(resolve() != nil)
    #expect(made.count == 3)
    resolver.register(scopedTo: Login.self) { 5 as Int? }
    #expect(
      resolutionError { try resolver.resolve(Int?.self, scopedTo: Login.self) }?.kind
        == "notAnObject")
  }

  @Test
  func `BL-07 a scoped instance is shared while it is retained, and created again after that`()
    throws
  {
    let resolver = Resolver()
    let made = Tally()
    resolver.register(scopedTo: Signup.self) { Coin(made.next()) }
    var holder: Coin? = try resolver.resolve(scopedTo: Signup.self)
    #expect(holder?.id == 1)
    for lifecycle in [Lifecycle.notCached, .cached] {
      try #expect(
        resolver.resolve(Coin.self, scopedTo: Signup.self, lifecycle: lifecycle) === holder)
    }
    holder = nil
    holder = try resolver.resolve(scopedTo: Signup.self)
    #expect(holder?.id == 2)
  }

  @Test func `scopes, qualifiers and names distinguish instances`() throws {
    let resolver = Resolver()
    let made = Tally()
    resolver.register(scopedTo: Signup.self) { Coin(made.next()) }
    resolver.register(scopedTo: Login.self) { Coin(made.next()) }
    resolver.register(named: "n", scopedTo: Signup.self) { Coin(made.next()) }
    resolver.register(scopedTo: Signup.self, qualifiedBy: Sandbox.self) { Coin(made.next()) }
    let cells = [
      try resolver.resolve(Coin.self, scopedTo: Signup.self),
      try resolver.resolve(Coin.self, scopedTo: Login.self),
      try resolver.resolve(Coin.self, named: "n", scopedTo: Signup.self),
      try resolver.resolve(Coin.self, scopedTo: Signup.self, qualifiedBy: Sandbox.self),
    ]
    #expect(cells.map(\.id) == [1, 2, 3, 4])
    try #expect(resolver.resolve(Coin?.self) == nil)
    try #expect(resolver.resolve(Coin?.self, qualifiedBy: Sandbox.self) == nil)
  }

  @Test func `a layer has its own scoped instance`() throws {
    let resolver = Resolver()
    let made = Tally()
    resolver.register(scopedTo: Signup.self) { r in
      Coin(made.next() + (try r.resolve(Int.self)))
    }
    resolver.register { 0 }
    let outer: Coin = try resolver.resolve(scopedTo: Signup.self)
    try withLayer(of: resolver) {
      $0.register { 100 }
    } operation: {
      let inner: Coin = try resolver.resolve(scopedTo: Signup.self)
      #expect(inner.id == 102)
      try #expect(resolver.resolve(Coin.self, scopedTo: Signup.self) === inner)
    }
    try #expect(resolver.resolve(Coin.self, scopedTo: Signup.self) === outer)
  }

  @Test(arguments: [2, 8])
  func `a scoped instance is created once under contention`(count: Int) throws {
    for _ in 0..<20 {
      let resolver = Resolver()
      let made = Tally()
      resolver.register(scopedTo: Signup.self) { Coin(made.next()) }
      let cells = try Threads.run(count) { _ in
        try resolver.resolve(Coin.self, scopedTo: Signup.self)
      }
      #expect(cells.allSatisfy { $0.success === cells[0].success })
      #expect(made.count == 1)
    }
  }

  @Test func `a weak injection does not retain its object`() throws {
    struct Owner {
      @WeakInject(Signup.self) var cell: Coin?
    }
    let resolver = Resolver()
    resolver.register(scopedTo: Signup.self) { Coin(1) }
    var holder: Coin? = try resolver.resolve(scopedTo: Signup.self)
    let owner = withResolver(resolver) { Owner() }
    #expect(owner.cell === holder)
    holder = nil
    #expect(owner.cell == nil)
    #expect(withResolver(Resolver()) { Owner().cell == nil })
  }

  @Test func `a weak lazy injection is what it is assigned, also nil`() {
    struct Owner {
      @WeakLazyInject var cell: Coin?
    }
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { Coin(1) }
    withResolver(resolver) {
      var owner = Owner()
      let (copy, other) = (owner, Coin(2))
      owner.cell = nil
      #expect(owner.cell == nil && !owner.$cell.isAvailable)
      owner.cell = other
      #expect(owner.cell === other)
      #expect(copy.cell?.id == 1)
    }
  }

  @Test func `a value injected weakly and lazily is an error`() throws {
    let resolver = Resolver()
    resolver.register(5, named: "level")
    let level = withResolver(resolver) { WeakLazyInject<Int>(named: "level") }
    #expect(resolutionError { try level.get() }?.kind == "cannotBeHeldWeakly")
    #expect(!level.isAvailable)
  }

  @Test func `a lazily injected object that nothing stores is not there`() throws {
    struct Owner {
      @WeakLazyInject var cell: Coin?
    }
    let resolver = Resolver()
    resolver.register { Coin(1) }
    try withResolver(resolver) {
      let (owner, other, third) = (Owner(), Owner(), Owner())
      #expect(!owner.$cell.isAvailable)
      #expect(owner.cell == nil)
      #expect(other.cell == nil)
      try #expect(third.$cell.get() == nil)
      #expect(!third.$cell.isAvailable)
    }
  }

  #if os(Linux) || os(macOS)
    protocol Hearing: Sendable {}
    final class Listener: Hearing {}
    struct Ear: Hearing {}
    struct Listening {
      @WeakInject var listener: (any Hearing)?
    }

    @Test func `a value injected weakly ends the process with an explanation`() async {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        struct Holder {
          @WeakInject(named: "level", line: 901) var level: Int?
        }
        let resolver = Resolver()
        let isMissing = withResolver(resolver) { Holder().level == nil }
        guard isMissing else { return }
        resolver.register(5, named: "level")
        _ = withResolver(resolver) { Holder().level }
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(
        text.contains(
          """
          A value of type 'Int' is not an object, and a weak wrapper holds only objects.
            At  UnderstudyTests/WeakAndScopedTests.swift:901
          To fix, do one of these:
            • Hold the value:  @Inject var …: Int
            • Make 'Int' a class.
          """), "\(text)")
    }

    @Test func `a value injected weakly in a test is reported to the test`() {
      let layer = OverrideLayer.unscoped(of: Resolver(), ofTest: "a test of an ear")
      layer.register(Ear() as any Hearing)
      let isHeard = OverrideLayer.binding(layer) {
        withResolver(layer.resolver) { Listening().listener != nil }
      }
      #expect(!isHeard)
      let said = layer.end().map(\.message.headline)
      #expect(
        said == ["A value of type 'Ear' is not an object, and a weak wrapper holds only objects."])
    }

    @Test func `a value that is set to be held weakly ends the process with an explanation`() async
    {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        var owner = withResolver(Resolver()) { Listening() }
        owner.listener = Listener()
        guard owner.listener == nil else { return }
        owner.listener = nil
        owner.listener = Ear()
        _ = owner.listener
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("A value of type 'Ear' is not an object"), "\(text)")
    }
  #endif
}
