// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Up to six words with a key each, neither of which is 0: what a small table has, without memory of its own.
struct FewWords: Sendable {
  /// A key and its word; both are 0 while there is none.
  private struct Pair {
    var key: UInt = 0
    var word: UInt = 0

    /// Becomes another pair if it is that of a key; of the key 0, if there is room.
    mutating func become(_ other: Pair, from key: UInt) -> Bool {
      guard self.key == key else { return false }
      self = other
      return true
    }
  }

  private var first = Pair()
  private var second = Pair()
  private var third = Pair()
  private var fourth = Pair()
  private var fifth = Pair()
  private var sixth = Pair()

  /// The word for a key; 0 if there is none.
  @inline(__always)
  subscript(key: UInt) -> UInt {
    if first.key == key { return first.word }
    if second.key == key { return second.word }
    if third.key == key { return third.word }
    if fourth.key == key { return fourth.word }
    if fifth.key == key { return fifth.word }
    return sixth.key == key ? sixth.word : 0
  }

  /// Adds a word for a key that has none; false if there is no room.
  mutating func add(_ word: UInt, for key: UInt) -> Bool {
    become(Pair(key: key, word: word), from: 0)
  }

  /// Replaces the word of a key that has one.
  mutating func replace(_ key: UInt, by word: UInt) {
    _ = become(Pair(key: key, word: word), from: key)
  }

  /// Removes the word of a key that has one.
  mutating func remove(_ key: UInt) { _ = become(Pair(), from: key) }

  private mutating func become(_ pair: Pair, from key: UInt) -> Bool {
    first.become(pair, from: key) || second.become(pair, from: key)
      || third.become(pair, from: key) || fourth.become(pair, from: key)
      || fifth.become(pair, from: key) || sixth.become(pair, from: key)
  }

  /// Changes every word to what `change` returns, which is not 0.
  mutating func changeWords(_ change: (UInt) -> UInt) {
    if first.key != 0 { first.word = change(first.word) }
    if second.key != 0 { second.word = change(second.word) }
    if third.key != 0 { third.word = change(third.word) }
    if fourth.key != 0 { fourth.word = change(fourth.word) }
    if fifth.key != 0 { fifth.word = change(fifth.word) }
    if sixth.key != 0 { sixth.word = change(sixth.word) }
  }

  /// Hands every key and its word to `body`.
  func visit(_ body: (_ key: UInt, _ word: UInt) -> Void) {
    for pair in [first, second, third, fourth, fifth, sixth] where pair.key != 0 {
      body(pair.key, pair.word)
    }
  }
}
