// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A table of objects by identities.
///
/// A debug build would spend most of a request in the generic code of dictionaries. This table
/// compares words, and is generic over its objects alone.
///
/// Safety: `words` is allocated when the first object is stored, and belongs to this table alone.
/// `Places` says what lies there. Every object in it is retained and is an `Object`, since no other
/// can be stored. A reference is one word, and `nil` is 0.
@safe
struct IdentityTable<Object: AnyObject>: ~Copyable {
  private var words: UnsafeMutablePointer<UInt>?

  init() { unsafe words = nil }

  deinit {
    if let words = unsafe words { unsafe Places.destroy(words) }
  }

  var count: Int { unsafe words.map { unsafe Int(bitPattern: $0[0]) } ?? 0 }
  var isEmpty: Bool { unsafe words == nil }

  /// The object that is stored for an identity.
  ///
  /// - Complexity: O(1) expected.
  subscript(identity: Identity) -> Object? {
    guard let words = unsafe words else { return nil }
    return unsafe unsafeBitCast(words[Places.place(of: identity, words) &+ 3], to: Object?.self)
  }

  /// Stores an object, and lets go of the one that it replaces.
  mutating func insert(_ object: Object, for identity: Identity, _ garbage: inout Garbage) {
    let words = unsafe self.words ?? Places.made(8)
    let fresh = unsafe UInt(bitPattern: Unmanaged<AnyObject>.passRetained(object).toOpaque())
    unsafe self.words = Places.insert(fresh, for: identity, words, &garbage)
  }

  /// The object that is stored for an identity. If there is none, stores a new one.
  mutating func object(for identity: Identity, orNew make: () -> Object) -> Object {
    let words = unsafe self.words ?? Places.made(8)
    let word = unsafe Places.place(of: identity, words)
    if unsafe words[word &+ 3] != 0 {
      return unsafe unsafeBitCast(words[word &+ 3], to: Object.self)
    }
    let new = make()
    let fresh = unsafe UInt(bitPattern: Unmanaged<AnyObject>.passRetained(new).toOpaque())
    unsafe self.words = Places.fill(word, with: fresh, for: identity, words)
    return new
  }

  /// Lets go of the object that is stored for an identity; false if there is none.
  @discardableResult
  mutating func remove(_ identity: Identity, _ garbage: inout Garbage) -> Bool {
    guard let words = unsafe words, unsafe Places.remove(identity, words, &garbage) else {
      return false
    }
    if unsafe words[0] == 0 {
      unsafe words.deallocate()
      unsafe self.words = nil
    }
    return true
  }

  mutating func removeAll(_ garbage: inout Garbage) {
    guard let words = unsafe words else { return }
    garbage.add(unsafe DroppedPlaces(words))
    unsafe self.words = nil
  }

  var objects: [Object] {
    guard let words = unsafe words else { return [] }
    var objects: [Object] = []
    objects.reserveCapacity(count)
    unsafe Places.forEach(words) { unsafe objects.append(unsafeBitCast($0[3], to: Object.self)) }
    return objects
  }

  /// Some of the objects, in no particular order: all of them, or as many as are wanted.
  ///
  /// - Complexity: O(wanted objects) expected.
  func objects(atMost limit: Int) -> [Object] {
    guard count > limit, let words = unsafe words else { return objects }
    var objects: [Object] = []
    var word = 2
    while objects.count < limit {
      if unsafe words[word &+ 3] != 0 {
        unsafe objects.append(unsafeBitCast(words[word &+ 3], to: Object.self))
      }
      word &+= 4
    }
    return objects
  }
}

/// The key of a table: up to three objects or types.
///
/// The stored object keeps them alive, so that an address never means another one.
@safe
struct Identity {
  fileprivate let first: UInt
  fileprivate let second: UInt
  fileprivate let third: UInt

  // Safety of the casts: each of these types is one word, and `nil` is 0.

  /// No other object ever has the same number.
  init(_ type: any Any.Type, number: Int, _ level: AnyObject? = nil) {
    first = unsafe unsafeBitCast(type, to: UInt.self)
    second = UInt(bitPattern: number)
    third = unsafe unsafeBitCast(level, to: UInt.self)
  }

  /// The lowest `count` bits of the second part.
  func lowBits(_ count: UInt) -> Int { Int(second & (1 << count &- 1)) }

  /// An object together with a number.
  init(of object: AnyObject, number: Int) {
    first = unsafe unsafeBitCast(object, to: UInt.self)
    second = UInt(bitPattern: number)
    third = 0
  }

  fileprivate init(at word: UnsafeMutablePointer<UInt>) {
    first = unsafe word[0]
    second = unsafe word[1]
    third = unsafe word[2]
  }
}

/// The memory of a table: the number of objects, the number of the last place, then four words for
/// each place, three of the identity and one of the object. The fourth word of a free place is 0.
///
/// Safety: each function is given a pointer that `made` returned, and that is not yet deallocated.
private enum Places {
  static func made(_ count: Int) -> UnsafeMutablePointer<UInt> {
    let words = UnsafeMutablePointer<UInt>.allocate(capacity: 2 &+ 4 &* count)
    unsafe words.initialize(repeating: 0, count: 2 &+ 4 &* count)
    unsafe words[1] = UInt(bitPattern: count &- 1)
    return unsafe words
  }

  /// The first word of the place of an identity, or of the free place where it belongs.
  static func place(of identity: Identity, _ words: UnsafeMutablePointer<UInt>) -> Int {
    // A debug build pays for each local constant.
    #if _pointerBitWidth(_32)
      var word =
        unsafe 2 &+ 4
        &* Int(
          bitPattern: ((identity.first ^ identity.second << 1 ^ identity.third << 3)
            &* 0x9E37_79B9) >> 16 & words[1])
    #else
      var word =
        unsafe 2 &+ 4
        &* Int(
          bitPattern: ((identity.first ^ identity.second << 1 ^ identity.third << 3)
            &* 0x9E37_79B9_7F4A_7C15) >> 32 & words[1])
    #endif
    while unsafe words[word &+ 3] != 0 {
      if unsafe words[word] == identity.first, unsafe words[word &+ 1] == identity.second,
        unsafe words[word &+ 2] == identity.third
      {
        return word
      }
      word = unsafe next(word, words)
    }
    return word
  }

  /// The first word of the next place.
  private static func next(_ word: Int, _ words: UnsafeMutablePointer<UInt>) -> Int {
    unsafe ((word &+ 2) & (4 &* Int(bitPattern: words[1]) &+ 3)) &+ 2
  }

  /// Stores a retained object. Returns the memory, which may have moved.
  static func insert(
    _ object: UInt, for identity: Identity, _ words: UnsafeMutablePointer<UInt>,
    _ garbage: inout Garbage
  ) -> UnsafeMutablePointer<UInt> {
    let word = unsafe place(of: identity, words)
    // A debug build pays for each call: most places are free.
    if unsafe words[word &+ 3] != 0, let old = unsafe taken(words + word) {
      garbage.add(old)
      unsafe words[0] &-= 1
    }
    return unsafe fill(word, with: object, for: identity, words)
  }

  /// Stores a retained object at a free place. Returns the memory, which may have moved.
  static func fill(
    _ word: Int, with object: UInt, for identity: Identity, _ words: UnsafeMutablePointer<UInt>
  ) -> UnsafeMutablePointer<UInt> {
    unsafe words[0] &+= 1
    unsafe words[word] = identity.first
    unsafe words[word &+ 1] = identity.second
    unsafe words[word &+ 2] = identity.third
    unsafe words[word &+ 3] = object
    let capacity = unsafe words[1] &+ 1
    return unsafe 4 &* words[0] > 3 &* capacity ? grown(words, to: 4 &* Int(capacity)) : words
  }

  private static func grown(
    _ old: UnsafeMutablePointer<UInt>, to count: Int
  ) -> UnsafeMutablePointer<UInt> {
    let words = unsafe made(count)
    unsafe words[0] = unsafe old[0]
    unsafe forEach(old) { entry in
      unsafe (words + place(of: Identity(at: entry), words)).update(from: entry, count: 4)
    }
    unsafe old.deallocate()
    return unsafe words
  }

  /// The object of a place, which gives it up. The place is free then.
  private static func taken(_ place: UnsafeMutablePointer<UInt>) -> AnyObject? {
    guard let object = unsafe UnsafeRawPointer(bitPattern: place[3]) else { return nil }
    unsafe place[3] = 0
    return unsafe Unmanaged<AnyObject>.fromOpaque(object).takeRetainedValue()
  }

  static func remove(
    _ identity: Identity, _ words: UnsafeMutablePointer<UInt>, _ garbage: inout Garbage
  ) -> Bool {
    var word = unsafe place(of: identity, words)
    guard let old = unsafe taken(words + word) else { return false }
    garbage.add(old)
    unsafe words[0] &-= 1
    // Each entry that this one may have pushed on is placed again, so that a search still finds it.
    word = unsafe next(word, words)
    while unsafe words[word &+ 3] != 0 {
      let object = unsafe words[word &+ 3]
      unsafe words[word &+ 3] = 0
      let entry = unsafe words + word
      let place = unsafe words + place(of: Identity(at: entry), words)
      if unsafe place != entry { unsafe place.update(from: entry, count: 3) }
      unsafe place[3] = object
      word = unsafe next(word, words)
    }
    return true
  }

  /// Visits the places that are not free.
  static func forEach(
    _ words: UnsafeMutablePointer<UInt>, _ body: (UnsafeMutablePointer<UInt>) -> Void
  ) {
    var word = 2
    let end = unsafe 2 &+ 4 &* (Int(bitPattern: words[1]) &+ 1)
    while word < end {
      if unsafe words[word &+ 3] != 0 { unsafe body(words + word) }
      word &+= 4
    }
  }

  static func destroy(_ words: UnsafeMutablePointer<UInt>) {
    // A debug build pays for each call.
    var word = 2
    let end = unsafe 2 &+ 4 &* (Int(bitPattern: words[1]) &+ 1)
    while word < end {
      if unsafe words[word &+ 3] != 0 { _ = unsafe taken(words + word) }
      word &+= 4
    }
    unsafe words.deallocate()
  }
}

/// The removed contents of a table. They are released together with this object.
@safe
private final class DroppedPlaces {
  private let words: UnsafeMutablePointer<UInt>

  init(_ words: UnsafeMutablePointer<UInt>) { unsafe self.words = words }

  deinit { unsafe Places.destroy(words) }
}

/// Objects that a change under a lock released. They are destroyed after the lock is unlocked, the
/// newest first, since a `deinit` may be the user's code.
package struct Garbage {
  private var newest: AnyObject?
  private var others: [AnyObject] = []

  mutating func add(_ object: AnyObject) {
    if let newest { others.append(newest) }
    newest = object
  }

  mutating func add(_ others: [AnyObject]) { for object in others { add(object) } }

  var newestFirst: [AnyObject] { (newest.map { [$0] } ?? []) + others.reversed() }

  consuming func release() {
    newest = nil
    if others.hasNone { return }
    while others.popLast() != nil {}
  }
}

extension Array {
  /// The same as `isEmpty`, which is generic code of `Collection` in a debug build. For arrays that
  /// each request looks at.
  var hasNone: Bool { count == 0 }
}
