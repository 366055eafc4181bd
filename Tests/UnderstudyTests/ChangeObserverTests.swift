// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
@testable import Understudy

/// Counts what it hears, and answers with words.
private final class Listener: ChangeObserver, @unchecked Sendable {
  let begun = Tally()
  let done = Tally()
  private let words: String?

  init(_ words: String? = nil) { self.words = words }

  override func changeBeginsElsewhere() -> Any? {
    _ = begun.next()
    return words
  }

  override func changeEnds() { _ = done.next() }
}

@Suite struct `Who hears of changes` {
  private let observers = ChangeObservers()

  @Test func `hears of each, begun and done, and once however often it was added`() {
    let listeners = [Listener(), Listener()]
    for listener in listeners + listeners { observers.add(listener) }
    #expect(observers.count == 2)
    for _ in 0..<3 {
      _ = observers.changeBegins()
      observers.changeEnds()
    }
    for listener in listeners {
      #expect(listener.begun.count == 3)
      #expect(listener.done.count == 3)
      observers.remove(listener)
    }
    #expect(observers.count == 2, "each was added twice")
    for listener in listeners { observers.remove(listener) }
    #expect(observers.count == 0)
  }

  @Test func `hears of those that are under way when it comes`() {
    _ = observers.changeBegins()
    _ = observers.changeBegins()
    let late = Listener()
    observers.add(late)
    #expect(late.begun.count == 2)
    observers.changeEnds()
    observers.changeEnds()
    #expect(late.done.count == 2)
    observers.remove(late)
  }

  @Test func `hears of none after it was taken out`() {
    let (gone, stays) = (Listener(), Listener())
    observers.add(gone)
    observers.add(stays)
    observers.remove(gone)
    _ = observers.changeBegins()
    #expect(gone.begun.count == 0)
    #expect(stays.begun.count == 1)
    observers.remove(stays)
  }

  @Test func `has what it lets go of handed on to where no lock is held`() {
    #expect(observers.changeBegins() == nil)
    let listeners = [Listener("first"), Listener(), Listener("last")]
    for listener in listeners { observers.add(listener) }
    let dropped = (observers.changeBegins() as? [Any])?.compactMap { $0 as? String }
    #expect(dropped?.sorted() == ["first", "last"])
    for listener in listeners { observers.remove(listener) }
  }

  /// What it was told of has to be done for it, too: it will not be told.
  @Test func `hears of the end of what is under way when it is taken out`() {
    let listener = Listener()
    observers.add(listener)
    _ = observers.changeBegins()
    _ = observers.changeBegins()
    observers.remove(listener)
    #expect(listener.done.count == 2)
    observers.changeEnds()
    observers.changeEnds()
    #expect(listener.done.count == 2)
  }

  /// Changes on two threads, while recollections come and go on two others: none is left with a change under way.
  @Test func `may come and go while others are told`() throws {
    let outcomes = try Threads.run(4) { number in
      for _ in 0..<500 {
        guard number < 2 else {
          let recollection = Recollection<Coin>(Lock(Recollected()))
          observers.add(recollection)
          while recollection.generation == nil { sched_yield() }
          observers.remove(recollection)
          #expect(recollection.generation != nil)
          continue
        }
        _ = observers.changeBegins()
        observers.changeEnds()
      }
    }
    for outcome in outcomes { try outcome.get() }
    #expect(observers.count == 0)
  }
}

@Suite struct `Layers that look through to production` {
  private let resolver = Resolver()

  private var observers: ChangeObservers {
    get throws { try #require(resolver.store.observers) }
  }

  /// In a process of its own: where some value is completed later, as in that of the other tests, layers remember
  /// nothing, and need not hear of anything.
  @Test func `hear of its changes from their first question to their end`() async {
    await #expect(processExitsWith: .success) {
      let (resolver, other) = (Resolver(), Resolver())
      let observers = try #require(resolver.store.observers)
      let others = try #require(other.store.observers)
      resolver.register(Coin(1))
      other.register(Coin(2))
      let layer = Self.layer(of: resolver)
      try OverrideLayer.binding(layer) {
        _ = try other.resolve(Coin.self)
        precondition(observers.count == 0, "it was not asked")
        for _ in 0..<3 { _ = try resolver.resolve(Coin.self) }
        let inner = Self.layer(of: resolver, on: layer)
        try OverrideLayer.binding(inner) {
          _ = try resolver.resolve(Coin.self)
          precondition(observers.count == 1, "one stack")
        }
        _ = inner.end()
        let stranger = Self.layer(of: other, on: layer)
        try OverrideLayer.binding(stranger) {
          _ = try other.resolve(Coin.self)
          precondition(others.count == 1)
        }
        _ = stranger.end()
        precondition(others.count == 0)
        precondition(observers.count == 1)
      }
      _ = layer.end()
      precondition(observers.count == 0)
    }
  }

  @Test func `and that nobody ended stop when they are gone`() throws {
    let observers = try observers
    do {
      let layer = OverrideLayer(LayerTraits(of: resolver, named: nil, on: nil, at: CallSite()))
      layer.observeProduction()
      #expect(observers.count == 1)
    }
    #expect(observers.count == 0)
  }

  /// A layer of a test.
  private static func layer(
    of resolver: Resolver, on outer: OverrideLayer? = nil
  ) -> OverrideLayer {
    var traits = LayerTraits(of: resolver, named: nil, on: outer, at: CallSite())
    traits.test = RunningTest(name: "looks through", adoptsEscapedWork: false)
    return OverrideLayer(traits)
  }

  /// A change of production by one test is no reason to let go of what another test's layer keeps: its last words
  /// would be said where that test's layers are not seen.
  @Test func `keep their own instances when it changes, and let go of them themselves`() throws {
    let resolver = resolver
    let (mine, gone, kept) = (Tally(), Tally(), Tally())
    resolver.register(lifecycle: .cached) { Mortal(kept.next(), gone) }
    try withLayer(of: resolver) {
      $0.register(lifecycle: .cached) { Nickel(mine) }
    } operation: {
      _ = try (resolver.resolve(Nickel.self), resolver.resolve(Mortal.self))
      let outcomes = try Threads.run(1) { _ in
        resolver.register(Coin(1))
        resolver.reset(.instances)
      }
      for outcome in outcomes { try outcome.get() }
      #expect(mine.count == 0)
      #expect(gone.count == 1, "production's instance goes at once")
      OverrideLayer.current?.unregister(Key<Nickel>())
      #expect(mine.count == 1)
    }
  }

  /// What is claimed of a layer is no change of production.
  @Test func `do not hear of what is let go of in a layer`() throws {
    let listener = Listener()
    let observers = try observers
    observers.add(listener)
    defer { observers.remove(listener) }
    try withLayer(of: resolver) {
      $0.register(lifecycle: .cached) { Coin(1) }
    } operation: {
      _ = try resolver.resolve(Coin.self)
      _ = try resolver.resolve(Coin.self, lifecycle: .once)
      #expect(throws: ResolutionError.self) { _ = try resolver.resolve(Coin.self) as Coin }
    }
    #expect(listener.begun.count == 0)
  }

  private final class Nickel: Sendable {
    private let gone: Tally

    init(_ gone: Tally) { self.gone = gone }

    deinit { gone.next() }
  }
}
