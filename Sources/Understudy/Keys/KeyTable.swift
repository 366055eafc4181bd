// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A table from keys to elements that many threads share: every copy is the same table.
///
/// Names are user code (`==` and `hash`), and no user code runs under the lock: a key with a name is
/// hashed before, the elements of one hash are taken out, and compared after.
///
/// - Complexity: O(1) expected for every operation on one key.
package struct KeyTable<Element: Sendable>: Sendable {
  fileprivate struct Entry: Sendable {
    let key: AnyKey
    var element: Element
  }

  /// The entries of one hash: nearly always one, for which no array is made.
  fileprivate struct Bucket: Sendable {
    private var first: Entry
    private var others: [Entry] = []

    init(_ first: Entry) { self.first = first }

    var elements: [Element] { [first.element] + others.map { $0.element } }

    subscript(index: Int) -> Entry { index == 0 ? first : others[index - 1] }

    func index(where isWanted: (AnyKey) -> Bool) -> Int? {
      if isWanted(first.key) { return 0 }
      return others.firstIndex { isWanted($0.key) }.map { $0 + 1 }
    }

    func replacing(_ element: Element, at index: Int) -> Bucket {
      var bucket = self
      if index == 0 {
        bucket.first.element = element
      } else {
        bucket.others[index - 1].element = element
      }
      return bucket
    }

    func adding(_ entry: Entry) -> Bucket {
      var bucket = self
      bucket.others.append(entry)
      return bucket
    }

    /// What is left; `nil` if nothing is.
    func removing(at index: Int) -> Bucket? {
      var bucket = self
      if index > 0 {
        bucket.others.remove(at: index - 1)
      } else if others.isEmpty {
        return nil
      } else {
        bucket.first = bucket.others.removeFirst()
      }
      return bucket
    }
  }

  /// What a table has, for whoever keeps it together with other things.
  package struct TableState: Sendable {
    fileprivate var plain = PointerTable<Element>()
    fileprivate var named = PointerTable<Bucket>()
    /// Counts changes of `named`, so that what was found outside the lock is known to hold still.
    fileprivate var version = 0

    package init() {}

    fileprivate init(version: Int) { self.version = version }

    /// Changes the element for a key that has a place in the bucket of its hash, or none.
    @inline(__always)
    fileprivate mutating func update<Result>(
      _ key: AnyKey, _ hash: UInt, in bucket: Bucket?, at index: Int?,
      _ change: (inout Element?) -> Result
    ) -> Result {
      var element = index.flatMap { bucket?[$0].element }
      let result = change(&element)
      switch (index, element) {
      case (let index?, let element?): named[hash] = bucket?.replacing(element, at: index)
      case (let index?, nil): named[hash] = bucket?.removing(at: index)
      case (nil, let element?):
        let entry = Entry(key: key, element: element)
        named[hash] = bucket?.adding(entry) ?? Bucket(entry)
      case (nil, nil): return result
      }
      version += 1
      return result
    }

    fileprivate var elements: [Element] {
      named.count == 0
        ? plain.elements : plain.elements + named.elements.flatMap { $0.elements }
    }
  }

  private let state: Lock<TableState>

  package init() { state = Lock(TableState()) }

  /// Makes a table of what lies behind another's lock.
  package init(_ state: Lock<TableState>) { self.state = state }

  /// The element for a key.
  package subscript(key: AnyKey) -> Element? {
    if key.isPlain {
      let identity = ObjectIdentifier(key.type)
      return state.withLock { $0.plain[identity] }
    }
    let hash = key.hash
    guard let bucket = state.withLock({ $0.named[hash] }),
      let index = bucket.index(where: { $0 == key })
    else { return nil }
    return bucket[index].element
  }

  /// What `body` finds in the element for a type under a name, in no container.
  package func read<Result>(
    _ type: ObjectIdentifier, named name: any Hashable & Sendable,
    _ body: (borrowing Element) -> Result?
  ) -> Result? {
    let quick = QuickName(name)
    let hash = AnyKey.hash(of: type, KeyName.hash(of: name, quick))
    guard let bucket = state.withLock({ $0.named[hash] }),
      let index = bucket.index(where: { $0.isOnly(type, named: name, quick) })
    else { return nil }
    return body(bucket[index].element)
  }

  /// What `body` finds in the element for a key that only its type tells from others; it runs under the lock.
  package func read<Result>(
    plain identity: ObjectIdentifier, _ body: (borrowing Element) -> Result?
  ) -> Result? {
    state.withLock { $0.plain.read(UInt(bitPattern: identity), body) }
  }

  /// Looks at the element for a key, if there is one, while nobody changes it: `body` runs under the lock.
  package func hold(_ key: AnyKey, _ body: (borrowing Element) -> Void) {
    guard !key.isPlain else {
      return state.withLock { state in
        _ = state.plain.read(UInt(bitPattern: ObjectIdentifier(key.type))) { body($0) }
      }
    }
    let hash = key.hash
    while true {
      let (found, version) = state.withLock { ($0.named[hash], $0.version) }
      guard let found, let index = found.index(where: { $0 == key }) else { return }
      let isHeld = state.withLock { state in
        guard state.version == version else { return false }
        body(found[index].element)
        return true
      }
      // A name may have its last reference here.
      withExtendedLifetime(found) {}
      if isHeld { return }
    }
  }

  /// All elements, in no order.
  package var elements: [Element] {
    state.withLock { $0.elements }
  }

  /// Changes the element for a key and returns what `change` does. `change` runs under the lock.
  @discardableResult
  package func update<Result>(_ key: AnyKey, _ change: (inout Element?) -> Result) -> Result {
    guard !key.isPlain else {
      let identity = ObjectIdentifier(key.type)
      return state.withLock { $0.plain.update(identity, change) }
    }
    let hash = key.hash
    var (seen, version): (Bucket?, Int) = (nil, -1)
    while true {
      let bucket = seen
      let index = bucket?.index { $0 == key }
      let result: Result? = state.withLock { state in
        if state.version == version {
          return state.update(key, hash, in: bucket, at: index, change)
        }
        (seen, version) = (state.named[hash], state.version)
        // The keys of a bucket are to be compared first, and not here.
        return seen == nil ? state.update(key, hash, in: nil, at: nil, change) : nil
      }
      // A name may have its last reference here.
      withExtendedLifetime((bucket, seen)) {}
      if let result { return result }
    }
  }

  /// Takes everything out, and lets go of it outside the lock.
  package func removeAll() {
    let old = state.withLock { exchange(&$0, with: TableState(version: $0.version + 1)) }
    withExtendedLifetime(old) {}
  }
}
