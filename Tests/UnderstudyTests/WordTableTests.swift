// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import Understudy

@Suite struct `A table of words` {
  /// Few keys, so that there are few at one time and many at another, and each is added and removed often.
  @Test(arguments: 1...8 as ClosedRange<UInt64>, [5, 6, 7, 8, 12, 200] as [UInt])
  func `has what a dictionary has`(seed: UInt64, keys: UInt) {
    var random = SeededGenerator(seed: seed)
    var table = WordTable()
    var model: [UInt: UInt] = [:]
    for _ in 0..<2_000 {
      let key = UInt.random(in: 1...keys, using: &random) &* 0x1_0001
      let word = Bool.random(using: &random) ? UInt.random(in: 1...9, using: &random) : 0
      if word != 0, model[key] == nil, Bool.random(using: &random) {
        table.add(word, for: key)
      } else {
        table[key] = word
      }
      model[key] = word == 0 ? nil : word
      #expect(table.count == model.count)
      let all: [UInt] = (1...keys).map { $0 &* 0x1_0001 }
      let (found, known) = (all.map { table[$0] }, all.map { model[$0] ?? 0 })
      #expect(found == known)
    }
  }

  @Test(arguments: [0, 1, 3, 6, 7, 40])
  func `changes every word`(count: UInt) {
    var table = WordTable()
    for key in 0..<count { table.add(key + 1, for: 2 * key + 2) }
    if count > 1 { table[4] = 0 }
    table.changeWords { 3 * $0 }
    let words: [UInt] = (0..<count).map { table[2 * $0 + 2] }
    let expected: [UInt] = (0..<count).map { $0 == 1 ? 0 : 3 * ($0 + 1) }
    #expect(words == expected)
  }

  @Test(arguments: [1, 3, 5, 6, 7, 40])
  func `takes the key 0 like any other, but not beside the key 1`(count: UInt) {
    var table = WordTable()
    for key in 2...(count + 1) { table.add(key, for: key) }
    #expect(table[0] == 0)
    table[0] = 7
    #expect(table[0] == 7 && table[1] == 7 && table.count == Int(count) + 1)
    table[0] = 0
    #expect(table[0] == 0 && table.count == Int(count))
  }
}
