// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
@testable import Understudy

@Suite struct `A recollection` {
  private let recollected: Lock<Recollected>
  private let recollection: Recollection<Coin>
  private let key = RecollectionKey(
    asker: 1, subject: 2, type: ObjectIdentifier(Int.self))

  init() {
    recollected = Lock(Recollected())
    recollection = Recollection(recollected)
  }

  private func found(_ key: RecollectionKey) -> Int? {
    recollected.read(key, as: Coin.self)?.id
  }

  @Test func `has what was found out since the last change`() throws {
    recollection.keep(Coin(7), for: key, since: try #require(recollection.generation))
    #expect(found(key) == 7)
    _ = recollection.changeBegins()
    #expect(found(key) == nil)
    recollection.changeEnds()
    #expect(found(key) == nil)
    recollection.keep(Coin(8), for: key, since: try #require(recollection.generation))
    #expect(found(key) == 8)
  }

  @Test func `takes in nothing that was found out before a change, under way or done`() throws {
    let before = try #require(recollection.generation)
    _ = recollection.changeBegins()
    recollection.keep(Coin(1), for: key, since: before)
    #expect(found(key) == nil)
    recollection.changeEnds()
    recollection.keep(Coin(2), for: key, since: before)
    #expect(found(key) == nil)
  }

  /// What is another's goes at once, by whoever changes that; the rest is found no more, and goes by its own.
  @Test func `finds nothing after a change elsewhere, and keeps what is its own`() throws {
    let keys = (0..<4).map {
      RecollectionKey(asker: 1, subject: $0, type: ObjectIdentifier(Coin.self))
    }
    let coins = (0..<4).map { Box<Coin?>(Coin($0)) }
    let witnesses = try coins.map { Witness(try #require($0.value)) }
    for _ in 0..<2 {
      for (number, key) in keys.enumerated() {
        let generation = try #require(recollection.generation)
        guard let coin = coins[number].value else { continue }
        recollection.keep(coin, for: key, isElsewhere: number % 2 == 1, since: generation)
      }
    }
    for coin in coins { coin.value = nil }
    do {
      let dropped = recollection.changeBeginsElsewhere()
      #expect((dropped as? [Any])?.count == 2)
    }
    recollection.changeEnds()
    for key in keys { #expect(found(key) == nil) }
    #expect(witnesses.map(\.isThere) == [true, false, true, false])
    #expect(recollection.changeBeginsElsewhere() == nil, "nothing is another's any more")
    recollection.changeEnds()
    _ = recollection.changeBegins()
    recollection.changeEnds()
    #expect(witnesses.map(\.isGone) == [true, true, true, true])
  }

  /// Who looks while a change is under way may see what was before, and come to tell when it is done.
  @Test func `has no generation while a change is under way`() throws {
    _ = recollection.changeBegins()
    #expect(recollection.generation == nil)
    _ = recollection.changeBegins()
    recollection.changeEnds()
    #expect(recollection.generation == nil, "the first change is still under way")
    recollection.changeEnds()
    #expect(recollection.generation != nil)
  }

  @Test func `tells askers, subjects and types apart, whatever shares a place`() throws {
    let generation = try #require(recollection.generation)
    for asker in 0..<40 {
      for subject in 0..<40 {
        let key = RecollectionKey(
          asker: asker, subject: subject, type: ObjectIdentifier(Int.self))
        recollection.keep(Coin(asker * 100 + subject), for: key, since: generation)
        #expect(found(key) == asker * 100 + subject)
        let other = RecollectionKey(
          asker: asker, subject: subject, type: ObjectIdentifier(String.self))
        #expect(found(other) == nil)
      }
    }
  }

  /// A deinitialiser is user code: it may ask again, and would wait for ever under the lock.
  @Test func `lets go of what it has outside its lock`() throws {
    let recollected = Lock(Recollected())
    let recollection = Recollection<Farewell>(recollected)
    let said = Transcript<Int>()
    let key = RecollectionKey(asker: 1, subject: 2, type: ObjectIdentifier(Int.self))
    func keep(_ number: Int) throws {
      let generation = try #require(recollection.generation)
      recollection.keep(
        Farewell {
          _ = recollected.read(key, as: Farewell.self)
          said.say(number)
        }, for: key, since: generation)
    }
    try keep(1)
    try keep(2)
    #expect(said.all == [1])
    _ = recollection.changeBegins()
    #expect(said.all == [1, 2])
    recollection.changeEnds()
  }
}

extension Lock<Recollected> {
  /// What is kept for a key, of the type that was kept.
  fileprivate func read<Element: AnyObject>(_ key: RecollectionKey, as: Element.Type) -> Element? {
    withLock {
      $0.row[key].map { Unmanaged<Element>.fromOpaque($0).takeUnretainedValue() }
    }
  }
}

/// Runs a block when it goes.
private final class Farewell: Sendable {
  private let say: @Sendable () -> Void

  init(_ say: @escaping @Sendable () -> Void) {
    self.say = say
  }

  deinit { say() }
}
