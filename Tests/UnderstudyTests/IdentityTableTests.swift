// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import Understudy

@Suite struct `A table of identities` {
  private final class Stored {
    let number: Int

    init(_ number: Int) {
      self.number = number
    }
  }

  @Test(arguments: [0, 1, 5, 100, 300])
  func `has as many objects as are wanted, or all`(limit: Int) {
    var table = IdentityTable<Stored>()
    var garbage = Garbage()
    #expect(table.objects(atMost: limit).isEmpty)
    for number in 0..<100 {
      table.insert(Stored(number), for: Identity(Stored.self, number: number), &garbage)
    }
    #expect(Set(table.objects(atMost: limit).map(\.number)).count == min(limit, 100))
  }

  /// A thousand changes of at most forty keys, which collide in a table of that size.
  @Test(arguments: 1...20) func `behaves like a dictionary`(seed: Int) {
    var random = UInt64(seed)
    func next(below bound: Int) -> Int {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(random >> 33) % bound
    }
    var table = IdentityTable<Stored>()
    var dictionary: [Int: Stored] = [:]
    var garbage = Garbage()
    for step in 0..<1_000 {
      let number = next(below: 40)
      let identity = Identity(Stored.self, number: number)
      if next(below: 3) == 0 {
        let isRemoved = table.remove(identity, &garbage)
        #expect(isRemoved == (dictionary.removeValue(forKey: number) != nil))
      } else {
        let fresh = Stored(step)
        table.insert(fresh, for: identity, &garbage)
        dictionary[number] = fresh
      }
      #expect(table.count == dictionary.count && table.isEmpty == dictionary.isEmpty)
    }
    for number in 0..<40 {
      let found = table[Identity(Stored.self, number: number)]
      #expect(found === dictionary[number])
    }
    #expect(Set(table.objects.map(\.number)) == Set(dictionary.values.map(\.number)))
    garbage.release()
  }

  @Test func `distinguishes identities by each part`() {
    let (types, levels) = ([Int.self, String.self] as [Any.Type], [Resolver(), Resolver()])
    var table = IdentityTable<Stored>()
    var garbage = Garbage()
    var identities: [Identity] = []
    for type in types {
      for name in 0..<3 {
        for level in [nil, levels[0].store, levels[1].store] {
          identities.append(Identity(type, number: name, level))
        }
      }
    }
    for (number, identity) in identities.enumerated() {
      table.insert(Stored(number), for: identity, &garbage)
    }
    #expect(table.count == 18)
    for (number, identity) in identities.enumerated() {
      #expect(table[identity]?.number == number)
    }
    withExtendedLifetime(levels) {}
  }

  private struct Watched {
    weak var object: Stored?
  }

  /// Stores an object that only the table retains.
  private func stored(
    _ number: Int, in table: inout IdentityTable<Stored>, _ garbage: inout Garbage
  ) -> Watched {
    let fresh = Stored(number)
    table.insert(fresh, for: Identity(Stored.self, number: number), &garbage)
    return Watched(object: fresh)
  }

  @Test func `releases an object with the garbage, and all others at its end`() {
    var left: Watched?
    do {
      var table = IdentityTable<Stored>()
      var other = IdentityTable<Stored>()
      var garbage = Garbage()
      let replaced = stored(1, in: &table, &garbage)
      _ = stored(1, in: &table, &garbage)
      let removed = stored(2, in: &table, &garbage)
      table.remove(Identity(Stored.self, number: 2), &garbage)
      left = stored(3, in: &table, &garbage)
      let dropped = stored(4, in: &other, &garbage)
      other.removeAll(&garbage)
      #expect(other.isEmpty && other.objects.isEmpty)
      #expect(replaced.object != nil && removed.object != nil && dropped.object != nil)
      exchange(&garbage, with: Garbage()).release()
      #expect(replaced.object == nil && removed.object == nil && dropped.object == nil)
      #expect(left?.object != nil)
    }
    #expect(left?.object == nil)
  }
}

extension Dependencies {
  fileprivate static var computed: Dependency<Int> { Dependency { 1 } }
}

@Suite struct `A computed static` {
  @Test func `leaves one cached answer, however often it is resolved`() {
    let resolver = Resolver()
    for _ in 0..<100 { #expect(resolver.resolve(\.computed) == 1) }
    #expect(resolver.store.lock.counts.answers <= 1)
  }
}
