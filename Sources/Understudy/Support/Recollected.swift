// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What an element is found by: who asks, and for what.
package struct RecollectionKey: Equatable, Sendable {
  let asker: Int
  let subject: Int
  let type: ObjectIdentifier

  package init(asker: Int, subject: Int, type: ObjectIdentifier) {
    self.asker = asker
    self.subject = subject
    self.type = type
  }

  fileprivate var place: Int {
    let bits = UInt64(truncatingIfNeeded: subject ^ asker &<< 40) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: bits >> 59)
  }
}

/// What a recollection keeps, whatever its type: a debug build looks up a type that is made of another wherever it is
/// named.
///
/// Safety of `@unchecked Sendable`: it is used under the recollection's lock. `places` has the memory that `row` is of;
/// a place counts a reference to its element, which is given back by who takes it out, or with the memory.
@safe
package struct Recollected: @unchecked Sendable {
  /// Where elements are found.
  private(set) var row = RecollectedRow()
  private(set) var changesUnderWay = 0
  private var places: AnyObject?
  private var countElsewhere = 0

  package init() {}

  /// The generation that something found out from now on belongs to, if no change is under way.
  var generation: Int? { changesUnderWay == 0 ? row.generation : nil }

  /// Keeps an element, and returns what had its place.
  mutating func keep(
    _ element: any AnyObject & Sendable, for key: RecollectionKey, _ isElsewhere: Bool
  ) -> AnyObject? {
    let place = unsafe (row.first ?? opened()) + key.place
    let displaced = unsafe place.pointee
    if displaced.isElsewhere { countElsewhere -= 1 }
    if isElsewhere { countElsewhere += 1 }
    unsafe place.pointee = RecollectedPlace(
      key: key, element: Unmanaged.passRetained(element as AnyObject).toOpaque(),
      generation: row.generation, isElsewhere: isElsewhere)
    return displaced.taken
  }

  private mutating func opened() -> UnsafeMutablePointer<RecollectedPlace> {
    let (places, first) = unsafe RecollectedPlaces.made()
    unsafe (self.places, row.first) = (places, first)
    return unsafe first
  }

  /// Drops everything, and returns it.
  mutating func changeBegins() -> Any? {
    row.generation += 1
    changesUnderWay += 1
    defer { unsafe (places, row.first, countElsewhere) = (nil, nil, 0) }
    return places
  }

  /// Drops what belongs elsewhere, and returns it.
  mutating func changeBeginsElsewhere() -> Any? {
    row.generation += 1
    changesUnderWay += 1
    guard countElsewhere > 0, let first = unsafe row.first else { return nil }
    var dropped: [AnyObject] = []
    for number in 0..<RecollectedRow.count where unsafe first[number].isElsewhere {
      if let element = unsafe first[number].taken { dropped.append(element) }
      unsafe first[number] = RecollectedPlace()
    }
    countElsewhere = 0
    return dropped
  }

  mutating func changeEnds() { changesUnderWay -= 1 }
}

/// A row of places, or none: trivial, so that a debug build counts no reference for a look at it.
///
/// Safety: as for `Recollected`, which alone writes there.
@safe
struct RecollectedRow {
  fileprivate(set) var generation = 0
  fileprivate var first: UnsafeMutablePointer<RecollectedPlace>?

  fileprivate static var count: Int { 32 }

  fileprivate init() { unsafe first = nil }

  /// Where what is kept for a key is.
  @inline(__always)
  subscript(key: RecollectionKey) -> UnsafeMutableRawPointer? {
    guard let place = unsafe first?.advanced(by: key.place),
      unsafe place.pointee.generation == generation, unsafe place.pointee.key == key
    else { return nil }
    return unsafe place.pointee.element
  }
}

/// Where an element is kept. Safety: as for `Recollected`.
@safe
struct RecollectedPlace {
  fileprivate var key = RecollectionKey(asker: 0, subject: 0, type: ObjectIdentifier(Never.self))
  fileprivate var element: UnsafeMutableRawPointer?
  fileprivate var generation = 0
  fileprivate var isElsewhere = false

  fileprivate init() { unsafe element = nil }

  fileprivate init(
    key: RecollectionKey, element: UnsafeMutableRawPointer, generation: Int, isElsewhere: Bool
  ) {
    self.key = key
    unsafe self.element = element
    self.generation = generation
    self.isElsewhere = isElsewhere
  }

  /// The element, with the reference that the place counted: once, and the place is written anew.
  fileprivate var taken: AnyObject? {
    unsafe element.map { unsafe Unmanaged<AnyObject>.fromOpaque($0).takeRetainedValue() }
  }
}

/// The memory of places, which lets go of what is in them with itself. Safety: as for `Recollected`.
private final class RecollectedPlaces: ManagedBuffer<Void, RecollectedPlace> {
  static func made() -> (places: AnyObject, first: UnsafeMutablePointer<RecollectedPlace>) {
    let places = create(minimumCapacity: RecollectedRow.count) { _ in }
    let first = unsafe places.withUnsafeMutablePointerToElements { first in
      unsafe first.initialize(repeating: RecollectedPlace(), count: RecollectedRow.count)
      return unsafe first
    }
    return unsafe (places, first)
  }

  deinit {
    unsafe withUnsafeMutablePointerToElements { first in
      for number in 0..<RecollectedRow.count { _ = unsafe first[number].taken }
    }
  }
}
