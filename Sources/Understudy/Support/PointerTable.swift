// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A table keyed by a word, the identity of an object or a type or a hash.
///
/// While there are few elements it is an array that is looked through, since most tables of a layer have one or
/// two; then a hash table: open addressing, linear probing.
///
/// - Complexity: O(1) expected for every operation; a removal leaves no tombstone.
struct PointerTable<Element> {
  private struct Slot {
    var key: UInt
    var element: Element
  }

  private static var firstCapacity: Int { 4 }
  private static var mostOfFew: Int { 8 }

  /// The elements, while there are few.
  private var few: [Slot] = []
  /// The same once there were more.
  private var slots: [Slot?] = []
  private var countOfMany = 0

  var count: Int { few.count + countOfMany }

  /// All elements, in no order.
  var elements: [Element] {
    slots.isEmpty ? few.map(\.element) : slots.compactMap { $0?.element }
  }

  subscript(identity: ObjectIdentifier) -> Element? {
    get { self[UInt(bitPattern: identity)] }
    set { self[UInt(bitPattern: identity)] = newValue }
  }

  subscript(key: UInt) -> Element? {
    get { read(key) { $0 } }
    set {
      switch (newValue, slots.isEmpty) {
      case (let element?, true): insertAmongFew(element, for: key)
      case (nil, true): removeAmongFew(key)
      case (let element?, false): insert(element, for: key)
      case (nil, false): remove(key)
      }
    }
  }

  /// What `body` finds in the element for a key, of which nothing else is copied.
  func read<Result>(_ key: UInt, _ body: (borrowing Element) -> Result?) -> Result? {
    guard !slots.isEmpty else { return index(of: key).flatMap { body(few[$0].element) } }
    var index = home(of: key)
    while let slot = slots[index] {
      if slot.key == key { return body(slot.element) }
      index = next(index)
    }
    return nil
  }

  // MARK: Few

  private func index(of key: UInt) -> Int? {
    var index = 0
    while index < few.count {
      if few[index].key == key { return index }
      index += 1
    }
    return nil
  }

  private mutating func insertAmongFew(_ element: Element, for key: UInt) {
    if let index = index(of: key) {
      few[index].element = element
    } else if few.count < PointerTable.mostOfFew {
      if few.isEmpty { few.reserveCapacity(PointerTable.firstCapacity) }
      few.append(Slot(key: key, element: element))
    } else {
      slots = Array(repeating: nil, count: 2 * PointerTable.mostOfFew)
      for slot in few { insert(slot.element, for: slot.key) }
      few = []
      insert(element, for: key)
    }
  }

  private mutating func removeAmongFew(_ key: UInt) {
    guard let index = index(of: key) else { return }
    few.swapAt(index, few.count - 1)
    few.removeLast()
  }

  // MARK: Many

  private var mask: Int { slots.count - 1 }

  /// Pointers are aligned, so their low bits say nothing; the product's high bits depend on all.
  private func home(of key: UInt) -> Int {
    let product = UInt64(key) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: product >> 32) & mask
  }

  private func next(_ index: Int) -> Int { (index + 1) & mask }

  private mutating func insert(_ element: Element, for key: UInt) {
    if (countOfMany + 1) * 4 > slots.count * 3 { grow() }
    var index = home(of: key)
    while let slot = slots[index] {
      if slot.key == key {
        slots[index] = Slot(key: key, element: element)
        return
      }
      index = next(index)
    }
    slots[index] = Slot(key: key, element: element)
    countOfMany += 1
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: nil, count: old.count * 2)
    countOfMany = 0
    for case let slot? in old { insert(slot.element, for: slot.key) }
  }

  /// Closes the gap by moving back whatever probed past it.
  private mutating func remove(_ key: UInt) {
    var gap = home(of: key)
    while let slot = slots[gap], slot.key != key { gap = next(gap) }
    guard slots[gap] != nil else { return }
    slots[gap] = nil
    countOfMany -= 1
    var index = next(gap)
    while let slot = slots[index] {
      let distanceFromHome = (index - home(of: slot.key)) & mask
      let distanceFromGap = (index - gap) & mask
      if distanceFromHome >= distanceFromGap {
        slots[gap] = slot
        slots[index] = nil
        gap = index
      }
      index = next(index)
    }
  }
}
