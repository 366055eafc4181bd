// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
@testable import Understudy

/// A name of which all have the same hash.
private struct Collision: Hashable, Sendable {
  let id: Int

  func hash(into hasher: inout Hasher) {}
}

/// A name whose comparison asks the table that it is in.
private struct Curious: Hashable, Sendable {
  let id: Int
  let ask: @Sendable () -> Void

  static func == (left: Curious, right: Curious) -> Bool {
    left.ask()
    return left.id == right.id
  }

  func hash(into hasher: inout Hasher) {
    ask()
    hasher.combine(id % 2)
  }
}

/// A name whose end asks the table that it was in.
private final class Parting: Hashable, Sendable {
  private let id: Int
  private let lastWords: @Sendable () -> Void

  init(_ id: Int, _ lastWords: @escaping @Sendable () -> Void) {
    self.id = id
    self.lastWords = lastWords
  }

  deinit { lastWords() }

  static func == (left: Parting, right: Parting) -> Bool { left.id == right.id }

  func hash(into hasher: inout Hasher) {}
}

/// Against a dictionary as the model, with seeded random operations.
@Suite struct `A key table` {
  private static let types: [any Any.Type] = [
    Int.self, String.self, Double.self, [Int].self, Int?.self, Bool.self, UInt8.self, Coin.self,
  ]

  private static func randomKey(_ random: inout SeededGenerator) -> AnyKey {
    let type = types.randomElement(using: &random) ?? Int.self
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return AnyKey(type: type)
    case 1: return AnyKey(type: type, named: Int.random(in: 0..<8, using: &random))
    case 2: return AnyKey(type: type, named: Collision(id: Int.random(in: 0..<8, using: &random)))
    default:
      return AnyKey(
        type: type, named: Int.random(in: 0..<3, using: &random),
        in: Collision(id: Int.random(in: 0..<3, using: &random)))
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `does as a dictionary does`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let table = KeyTable<Int>()
    var model: [AnyKey: Int] = [:]
    for step in 0..<2000 {
      let key = `A key table`.randomKey(&random)
      switch Int.random(in: 0..<100, using: &random) {
      case 0:
        #expect(table.elements.sorted() == model.values.sorted())
        table.removeAll()
        #expect(table.elements.isEmpty)
        model = [:]
      case 1..<60:
        let old = table.update(key) { element -> Int? in
          defer { element = step }
          return element
        }
        #expect(old == model.updateValue(step, forKey: key))
      default:
        let old = table.update(key) { element -> Int? in
          defer { element = nil }
          return element
        }
        #expect(old == model.removeValue(forKey: key))
      }
      #expect(table[key] == model[key])
      if step % 100 == 0 {
        #expect(table.elements.sorted() == model.values.sorted())
        for (key, value) in model { #expect(table[key] == value) }
      }
    }
  }

  @Test func `runs no comparison and no hashing of a name under its lock`() {
    let table = KeyTable<Int>()
    let calls = Tally()
    @Sendable func key(_ id: Int) -> AnyKey {
      AnyKey(
        type: Int.self,
        named: Curious(id: id) {
          calls.next()
          _ = table[AnyKey(type: Int.self)]
          _ = table.elements
          table.update(AnyKey(type: String.self, named: "other")) { $0 = ($0 ?? 0) + 1 }
        })
    }
    // Asking changes the table, which the update under way must notice, and still end.
    let plain = AnyKey(type: Int.self)
    table.update(plain) { $0 = -1 }
    for id in 0..<6 { table.update(AnyKey(type: Int.self, named: id)) { $0 = id } }
    for id in 0..<6 { #expect(table[key(id)] == nil) }
    #expect(calls.count > 0)
    #expect(table[plain] == -1)
  }

  /// A deinitialiser is user code: it may ask the table, and would wait for ever under its lock. All names have one
  /// hash, so that the first, one between and the last are taken out of what others stay in.
  @Test(arguments: [[0, 1, 2], [1, 0, 2], [2, 1, 0], []])
  func `lets go of a name where it is not locked`(removed: [Int]) throws {
    let outcomes = try Threads.run(1, within: 60) { _ in
      let table = KeyTable<Int>()
      let gone = Tally()
      @Sendable func key(_ id: Int) -> AnyKey {
        AnyKey(
          type: Int.self,
          named: Parting(id) {
            table.update(AnyKey(type: String.self)) { $0 = 1 }
            gone.next()
          })
      }
      for id in 0..<3 { table.update(key(id)) { $0 = id } }
      for id in removed { table.update(key(id)) { $0 = nil } }
      if removed.isEmpty { table.removeAll() }
      // Three that were in the table, and those that asked for it.
      return (gone.count, table[AnyKey(type: String.self)])
    }
    let (gone, last) = try #require(outcomes.first).get()
    #expect(gone == 3 + removed.count)
    #expect(last == 1)
  }

  @Test(arguments: [2, 8])
  func `counts exactly under contention, whatever collides`(count: Int) throws {
    let table = KeyTable<Int>()
    let outcomes = try Threads.run(count) { thread in
      var random = SeededGenerator(seed: UInt64(thread))
      for _ in 0..<500 {
        let key = `A key table`.randomKey(&random)
        table.update(key) { $0 = ($0 ?? 0) + 1 }
      }
    }
    #expect(outcomes.allSatisfy { $0.failure == nil })
    #expect(table.elements.reduce(0, +) == 500 * count)
  }
}

/// Against a dictionary as the model.
@Suite struct `A pointer table` {
  final class Item {}

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `does as a dictionary does`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let items = (0..<Int.random(in: 1...200, using: &random)).map { _ in Item() }
    var table = PointerTable<Int>()
    var model: [ObjectIdentifier: Int] = [:]
    // Grows, then shrinks: a removal must leave every probe whole.
    for (round, share) in [80, 50, 20, 0].enumerated() {
      for step in 0..<1000 {
        let key = ObjectIdentifier(items[Int.random(in: 0..<items.count, using: &random)])
        if Int.random(in: 0..<100, using: &random) < share {
          table[key] = round * 1000 + step
          model[key] = round * 1000 + step
        } else {
          table[key] = nil
          model[key] = nil
        }
        #expect(table.count == model.count)
        #expect(table[key] == model[key])
      }
      for item in items {
        #expect(table[ObjectIdentifier(item)] == model[ObjectIdentifier(item)])
      }
      #expect(table.elements.sorted() == model.values.sorted())
    }
    withExtendedLifetime(items) {}
  }

  @Test func `is empty at first, and bears a removal then`() {
    var table = PointerTable<Int>()
    let item = Item()
    table[ObjectIdentifier(item)] = nil
    #expect(table.count == 0)
    #expect(table[ObjectIdentifier(item)] == nil)
    #expect(table.elements.isEmpty)
  }

  @Test func `is a value`() {
    let (first, second) = (Item(), Item())
    var table = PointerTable<Int>()
    table[ObjectIdentifier(first)] = 1
    var copy = table
    copy[ObjectIdentifier(first)] = nil
    copy[ObjectIdentifier(second)] = 2
    #expect(table[ObjectIdentifier(first)] == 1)
    #expect(table[ObjectIdentifier(second)] == nil)
    #expect(copy.count == 1 && table.count == 1)
  }

  @Test func `takes no more room for what comes and goes`() {
    var table = PointerTable<Int>()
    for key in 1...10_000 as ClosedRange<UInt> {
      table[key] = Int(key)
      // Not the last to come, which leaves no gap.
      if key > 20 { table[key - 20] = nil }
      #expect(table.slots.count <= 64)
    }
    #expect(table.elements.sorted() == Array(9_981...10_000))
  }

  /// Identities chosen so that all want the same few slots.
  @Test func `finds everything though all keys want the same slots`() {
    var table = PointerTable<Int>()
    var model: [ObjectIdentifier: Int] = [:]
    let step = UInt(1) << 32
    let keys = (1...300).map { unsafeBitCast($0 as UInt &* step, to: ObjectIdentifier.self) }
    for (index, key) in keys.enumerated() { (table[key], model[key]) = (index, index) }
    for (index, key) in keys.enumerated() where index % 3 == 0 {
      (table[key], model[key]) = (nil, nil)
    }
    for key in keys { #expect(table[key] == model[key]) }
    #expect(table.count == model.count)
  }
}
