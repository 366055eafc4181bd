// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A table from words to words, none of which is 0: pointers, hashes, places. The key 0 is taken for 1.
///
/// While there are few they lie in the table itself, since most tables of a layer have one or two; then it is a hash
/// table: open addressing, linear probing.
///
/// It is made of words alone, so that a debug build, which specialises nothing, need not look up a type to find one.
///
/// - Complexity: O(1) expected for every operation; a removal leaves no tombstone.
struct WordTable: Sendable {
  private static var firstCapacity: Int { 32 }
  /// Where a key is that is not there.
  private static var nowhere: Int { -1 }

  private var few = FewWords()
  /// Once there were more than a few, all of them: a key at each even place, and its word after it. The key 0 is a
  /// place that has none.
  private var cells: [UInt] = []
  private var isHashed = false
  private(set) var count = 0

  /// The word for a key; 0 if there is none.
  subscript(key: UInt) -> UInt {
    @inline(__always)
    get {
      let key = key == 0 ? 1 : key
      return isHashed ? WordTable.word(of: key, in: cells) : few[key]
    }
    set {
      let key = key == 0 ? 1 : key
      switch (self[key] == 0, newValue == 0) {
      case (false, false): replace(key, by: newValue)
      case (false, true): remove(key)
      case (true, false): add(newValue, for: key)
      case (true, true): break
      }
    }
  }

  /// Adds a word, which is not 0, for a key that has none.
  mutating func add(_ word: UInt, for key: UInt) {
    let key = key == 0 ? 1 : key
    defer { count += 1 }
    if !isHashed {
      if few.add(word, for: key) { return }
      spread()
    } else if (count + 1) * 8 > cells.count * 3 {
      grow()
    }
    insert(word, for: key)
  }

  private mutating func replace(_ key: UInt, by word: UInt) {
    guard isHashed else { return few.replace(key, by: word) }
    cells[WordTable.place(of: key, in: cells) + 1] = word
  }

  private mutating func remove(_ key: UInt) {
    count -= 1
    guard isHashed else { return few.remove(key) }
    closeGap(at: WordTable.place(of: key, in: cells))
  }

  /// Changes every word to what `change` returns, which is not 0.
  mutating func changeWords(_ change: (UInt) -> UInt) {
    few.changeWords(change)
    var place = 0
    while place < cells.count {
      if cells[place] != 0 { cells[place + 1] = change(cells[place + 1]) }
      place += 2
    }
  }

  /// Has all lie in a hash table from now on.
  private mutating func spread() {
    cells = Array(repeating: 0, count: WordTable.firstCapacity)
    isHashed = true
    let few = exchange(&few, with: FewWords())
    few.visit { insert($1, for: $0) }
  }

  // MARK: Many

  private var mask: Int { cells.count - 1 }

  /// Pointers are aligned, so their low bits say nothing; the product's high bits depend on all.
  private static func home(of key: UInt, _ mask: Int) -> Int {
    let product = UInt64(key) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: product >> 32) & mask & ~1
  }

  private func home(of key: UInt) -> Int { WordTable.home(of: key, mask) }
  private func next(_ place: Int) -> Int { (place + 2) & mask }

  // A debug build counts a reference for each look at what is not a local's, so the cells are one here.
  private static func word(of key: UInt, in cells: [UInt]) -> UInt {
    let place = place(of: key, in: cells)
    return place == nowhere ? 0 : cells[place + 1]
  }

  private static func place(of key: UInt, in cells: [UInt]) -> Int {
    let mask = cells.count - 1
    var place = home(of: key, mask)
    while cells[place] != key {
      if cells[place] == 0 { return nowhere }
      place = (place + 2) & mask
    }
    return place
  }

  private mutating func insert(_ word: UInt, for key: UInt) {
    var place = home(of: key)
    while cells[place] != 0 { place = next(place) }
    cells[place] = key
    cells[place + 1] = word
  }

  private mutating func grow() {
    let old = cells
    cells = Array(repeating: 0, count: 2 * old.count)
    // Not by an iterator, which a debug build looks up the types of with every step.
    var place = 0
    while place < old.count {
      if old[place] != 0 { insert(old[place + 1], for: old[place]) }
      place += 2
    }
  }

  /// Moves back whatever probed past a place that is given up.
  private mutating func closeGap(at place: Int) {
    var gap = place
    var candidate = next(gap)
    while cells[candidate] != 0 {
      let distanceFromHome = (candidate - home(of: cells[candidate])) & mask
      let distanceFromGap = (candidate - gap) & mask
      if distanceFromHome >= distanceFromGap {
        cells[gap] = cells[candidate]
        cells[gap + 1] = cells[candidate + 1]
        gap = candidate
      }
      candidate = next(candidate)
    }
    cells[gap] = 0
    cells[gap + 1] = 0
  }
}
