// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
@testable import Understudy

@Suite struct `Who hears of changes` {
  private final class Listener: ChangeObserver, @unchecked Sendable {
    let begun = Tally()
    let done = Tally()
    private let words: String?

    init(_ words: String? = nil) { self.words = words }

    override func changeBegins() -> Any? {
      _ = begun.next()
      return words
    }

    override func changeEnds() { _ = done.next() }
  }

  private let observers = ChangeObservers()

  @Test func `hears of each, begun and done, and once however often it was added`() {
    let listeners = [Listener(), Listener()]
    for listener in listeners + listeners { observers.add(listener) }
    for _ in 0..<3 {
      _ = observers.changeBegins()
      observers.changeEnds()
    }
    for listener in listeners {
      #expect(listener.begun.count == 3)
      #expect(listener.done.count == 3)
      observers.remove(listener)
    }
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

  /// A recollection that is gone is told of nothing: it would be memory of something else by now.
  @Test func `is taken out before it is gone`() throws {
    let kept = Recollection<Coin>(Lock(Recollected()))
    kept.observe(observers)
    for _ in 0..<20 {
      let gone = Recollection<Coin>(Lock(Recollected()))
      gone.observe(observers)
      gone.observe(observers)
    }
    let before = try #require(kept.generation)
    _ = observers.changeBegins()
    #expect(kept.generation == nil)
    observers.changeEnds()
    #expect(kept.generation == before + 1)
    #expect(observers.count == 1)
  }

  /// Changes on two threads, while recollections come and go on two others: none is left with a change under way.
  @Test func `may come and go while others are told`() throws {
    let outcomes = try Threads.run(4) { number in
      for _ in 0..<500 {
        guard number < 2 else {
          let recollection = Recollection<Coin>(Lock(Recollected()))
          recollection.observe(observers)
          while recollection.generation == nil { sched_yield() }
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
