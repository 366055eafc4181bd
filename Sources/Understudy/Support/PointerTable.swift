// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A hash table keyed by a word, the identity of an object or a type or a hash: open addressing, linear
/// probing.
///
/// - Complexity: O(1) expected for every operation; a removal leaves no tombstone.
struct PointerTable<Element> {
  private struct Slot {
    var key: UInt
    var element: Element
  }

  private var slots: [Slot?] = []
  private(set) var count = 0

  /// All elements, in no order.
  var elements: [Element] { slots.compactMap { $0?.element } }

  subscript(identity: ObjectIdentifier) -> Element? {
    get { self[UInt(bitPattern: identity)] }
    set { self[UInt(bitPattern: identity)] = newValue }
  }

  subscript(key: UInt) -> Element? {
    get {
      guard !slots.isEmpty else { return nil }
      var index = home(of: key)
      while let slot = slots[index] {
        if slot.key == key { return slot.element }
        index = next(index)
      }
      return nil
    }
    set {
      if let newValue { insert(newValue, for: key) } else { remove(key) }
    }
  }

  private var mask: Int { slots.count - 1 }

  /// Pointers are aligned, so their low bits say nothing; the product's high bits depend on all.
  private func home(of key: UInt) -> Int {
    let product = UInt64(key) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: product >> 32) & mask
  }

  private func next(_ index: Int) -> Int { (index + 1) & mask }

  private mutating func insert(_ element: Element, for key: UInt) {
    if (count + 1) * 4 > slots.count * 3 { grow() }
    var index = home(of: key)
    while let slot = slots[index] {
      if slot.key == key {
        slots[index] = Slot(key: key, element: element)
        return
      }
      index = next(index)
    }
    slots[index] = Slot(key: key, element: element)
    count += 1
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: nil, count: max(8, old.count * 2))
    count = 0
    for case let slot? in old { insert(slot.element, for: slot.key) }
  }

  /// Closes the gap by moving back whatever probed past it.
  private mutating func remove(_ key: UInt) {
    guard !slots.isEmpty else { return }
    var gap = home(of: key)
    while let slot = slots[gap], slot.key != key { gap = next(gap) }
    guard slots[gap] != nil else { return }
    slots[gap] = nil
    count -= 1
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
