// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A table keyed by a word, the identity of an object or a type or a hash.
///
/// While there are few elements they are looked through, since most tables of a layer have one or two; then it is a
/// hash table: open addressing, linear probing. The word 0, which is no object's, is taken for 1.
///
/// Keys and elements lie side by side in arrays of their own: a slot of both would be a type made of the element's,
/// which a debug build looks up wherever it is named.
///
/// - Complexity: O(1) expected for every operation; a removal leaves no tombstone.
struct PointerTable<Element> {
  private static var mostOfFew: Int { 8 }
  /// The key of a place that has no element.
  private static var none: UInt { 0 }

  private var keys: [UInt] = []
  /// At the places of their keys.
  private var places: [Element?] = []
  /// True once there were more than a few.
  private var isHashed = false
  private(set) var count = 0

  /// All elements, in no order.
  var elements: [Element] {
    // A key path would be made of the element's type, which takes a debug build longer than all the rest.
    count == 0 ? [] : places.compactMap { $0 }
  }

  subscript(identity: ObjectIdentifier) -> Element? {
    get { self[UInt(bitPattern: identity)] }
    set { self[UInt(bitPattern: identity)] = newValue }
  }

  subscript(key: UInt) -> Element? {
    get {
      guard let place = place(of: max(key, 1)) else { return nil }
      return places[place]
    }
    set {
      let key = max(key, 1)
      switch (place(of: key), newValue == nil) {
      case (let place?, false): places[place] = newValue
      case (let place?, true): remove(at: place)
      case (nil, false): insert(newValue, for: key)
      case (nil, true): break
      }
    }
  }

  /// Changes the element for a key where it lies, and returns what `change` does.
  mutating func update<Result>(
    _ identity: ObjectIdentifier, _ change: (inout Element?) -> Result
  ) -> Result {
    let key = UInt(bitPattern: identity)
    guard let place = place(of: max(key, 1)) else {
      var element: Element?
      let result = change(&element)
      if element != nil { insert(element, for: max(key, 1)) }
      return result
    }
    let result = change(&places[place])
    if places[place] == nil { remove(at: place) }
    return result
  }

  /// What `body` finds in the element for a key, of which nothing else is copied.
  @inline(__always)
  func read<Result>(_ key: UInt, _ body: (borrowing Element) -> Result?) -> Result? {
    guard let place = place(of: max(key, 1)), let element = places[place] else { return nil }
    return body(element)
  }

  @inline(__always)
  private func place(of key: UInt) -> Int? {
    guard isHashed else { return placeAmongFew(of: key) }
    var place = home(of: key)
    while keys[place] != key {
      if keys[place] == PointerTable.none { return nil }
      place = next(place)
    }
    return place
  }

  private mutating func insert(_ element: Element?, for key: UInt) {
    if isHashed ? (count + 1) * 4 > keys.count * 3 : count == PointerTable.mostOfFew { grow() }
    if isHashed { insertHashed(element, for: key) } else { insertAmongFew(element, for: key) }
    count += 1
  }

  private mutating func remove(at place: Int) {
    if isHashed { closeGap(at: place) } else { removeAmongFew(at: place) }
    count -= 1
  }

  // MARK: Few: no place is without an element

  @inline(__always)
  private func placeAmongFew(of key: UInt) -> Int? {
    var place = 0
    while place < keys.count {
      if keys[place] == key { return place }
      place += 1
    }
    return nil
  }

  private mutating func insertAmongFew(_ element: Element?, for key: UInt) {
    if keys.isEmpty {
      keys.reserveCapacity(PointerTable.mostOfFew)
      places.reserveCapacity(PointerTable.mostOfFew)
    }
    keys.append(key)
    places.append(element)
  }

  private mutating func removeAmongFew(at place: Int) {
    keys.swapAt(place, keys.count - 1)
    keys.removeLast()
    places.swapAt(place, places.count - 1)
    places.removeLast()
  }

  // MARK: Many

  private var mask: Int { keys.count - 1 }

  /// Pointers are aligned, so their low bits say nothing; the product's high bits depend on all.
  private func home(of key: UInt) -> Int {
    let product = UInt64(key) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: product >> 32) & mask
  }

  private func next(_ place: Int) -> Int { (place + 1) & mask }

  private mutating func insertHashed(_ element: Element?, for key: UInt) {
    var place = home(of: key)
    while keys[place] != PointerTable.none { place = next(place) }
    keys[place] = key
    places[place] = element
  }

  private mutating func grow() {
    let (oldKeys, oldPlaces) = (keys, places)
    let capacity = 2 * oldKeys.count
    keys = Array(repeating: PointerTable.none, count: capacity)
    places = Array(repeating: nil, count: capacity)
    isHashed = true
    // Not by an iterator, which a debug build looks up the types of with every step.
    var place = 0
    while place < oldKeys.count {
      if oldKeys[place] != PointerTable.none { insertHashed(oldPlaces[place], for: oldKeys[place]) }
      place += 1
    }
  }

  /// Moves back whatever probed past a place that is given up.
  private mutating func closeGap(at place: Int) {
    var gap = place
    var candidate = next(gap)
    while keys[candidate] != PointerTable.none {
      let distanceFromHome = (candidate - home(of: keys[candidate])) & mask
      let distanceFromGap = (candidate - gap) & mask
      if distanceFromHome >= distanceFromGap {
        keys[gap] = keys[candidate]
        places[gap] = places[candidate]
        gap = candidate
      }
      candidate = next(candidate)
    }
    keys[gap] = PointerTable.none
    places[gap] = nil
  }
}

extension PointerTable: Sendable where Element: Sendable {}
