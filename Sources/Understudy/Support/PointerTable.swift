// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A table keyed by a word, the identity of an object or a type or a hash.
///
/// The elements lie in an array, and a table of words says where.
///
/// - Complexity: O(1) expected, amortised over what was added, for every operation on one key.
struct PointerTable<Element> {
  /// One more than where the element of a key is.
  private var numbers = WordTable()
  /// What was removed leaves a gap here, until something is added and there are more gaps than elements.
  private(set) var slots: [Element?] = []

  var count: Int { numbers.count }

  /// All elements, in no order.
  var elements: [Element] {
    // A key path would be made of the element's type, which takes a debug build longer than all the rest.
    count == 0 ? [] : slots.compactMap { $0 }
  }

  subscript(identity: ObjectIdentifier) -> Element? {
    get { self[UInt(bitPattern: identity)] }
    set { self[UInt(bitPattern: identity)] = newValue }
  }

  subscript(key: UInt) -> Element? {
    get {
      let number = numbers[key]
      return number == 0 ? nil : slots[Int(number) - 1]
    }
    set {
      let number = numbers[key]
      if number == 0 {
        if newValue != nil { insert(consume newValue, for: key) }
      } else {
        slots[Int(number) - 1] = newValue
        if newValue == nil { noteRemoved(key, from: number) }
      }
    }
  }

  /// Changes the element for a key where it lies, and returns what `change` does.
  mutating func update<Result>(
    _ identity: ObjectIdentifier, _ change: (inout Element?) -> Result
  ) -> Result {
    let key = UInt(bitPattern: identity)
    let number = numbers[key]
    guard number != 0 else {
      var element: Element?
      let result = change(&element)
      if element != nil { insert(consume element, for: key) }
      return result
    }
    let result = change(&slots[Int(number) - 1])
    if slots[Int(number) - 1] == nil { noteRemoved(key, from: number) }
    return result
  }

  /// What `body` finds in the element for a key, of which nothing else is copied.
  @inline(__always)
  func read<Result>(_ key: UInt, _ body: (borrowing Element) -> Result?) -> Result? {
    let number = numbers[key]
    guard number != 0, let element = slots[Int(number) - 1] else { return nil }
    return body(element)
  }

  private mutating func insert(_ element: consuming Element?, for key: UInt) {
    if slots.isEmpty { slots.reserveCapacity(8) }
    if slots.count > 8, slots.count > 2 * count { closeGaps() }
    slots.append(consume element)
    numbers.add(UInt(slots.count), for: key)
  }

  private mutating func noteRemoved(_ key: UInt, from number: UInt) {
    numbers[key] = 0
    if number == slots.count { slots.removeLast() }
  }

  private mutating func closeGaps() {
    let old = slots
    slots = []
    slots.reserveCapacity(2 * count)
    numbers.changeWords { number in
      slots.append(old[Int(number) - 1])
      return UInt(slots.count)
    }
  }
}

extension PointerTable: Sendable where Element: Sendable {}
