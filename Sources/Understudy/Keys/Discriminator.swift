// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What tells the keys of one type apart: a name, a container, a declaration, or several of these.
///
/// Discriminators are interned: equal ones are one object for as long as it is in use, so keys are
/// compared by identity. The `==` and `hash(into:)` of a name run once, when the name enters, and
/// outside every lock. The table holds its objects weakly, so a name that is no longer used leaves
/// nothing behind.
final class Discriminator: Sendable {
  enum Content: Sendable {
    case name(any Hashable & Sendable)
    case parts(name: Discriminator?, container: Discriminator?, declaration: Declaration?)
  }

  let content: Content
  /// The first discriminator that is equal to this one, if that is written otherwise: `1 as Int8`
  /// for `1`.
  private let first: Discriminator?
  private let hash: Int
  private let entry: Int

  private init(_ content: Content, like first: Discriminator?, hash: Int, entry: Int) {
    self.content = content
    self.first = first
    self.hash = hash
    self.entry = entry
  }

  /// What equal discriminators have in common.
  var identity: ObjectIdentifier { ObjectIdentifier(first ?? self) }

  deinit { Discriminator.table(for: hash).withLock { $0.remove(entry, hash: hash) } }

  /// The discriminator that is a name alone.
  static func named(_ name: any Hashable & Sendable) -> Discriminator {
    let hashable = AnyHashable(name)
    return interned(.name(name), hash: hashable.hashValue) { content in
      guard case .name(let other) = content, AnyHashable(other) == hashable else { return .other }
      return type(of: other) == type(of: name) ? .same : .equal
    }
  }

  /// The discriminator that has several parts, or `nil` if there are none; the name itself if there
  /// is nothing else.
  static func of(
    name: Discriminator?, container: Discriminator?, declaration: Declaration? = nil
  ) -> Discriminator? {
    if container == nil, declaration == nil { return name }
    var hasher = Hasher()
    hasher.combine(name?.identity)
    hasher.combine(container?.identity)
    hasher.combine(declaration.map { ObjectIdentifier($0) })
    let content = Content.parts(name: name, container: container, declaration: declaration)
    return interned(content, hash: hasher.finalize()) { other in
      guard case .parts(let otherName, let otherContainer, let otherDeclaration) = other,
        otherName?.identity == name?.identity, otherContainer?.identity == container?.identity,
        otherDeclaration === declaration
      else { return .other }
      return otherName === name && otherContainer === container ? .same : .equal
    }
  }

  var name: Discriminator? {
    switch content {
    case .name: self
    case .parts(let name, _, _): name
    }
  }

  var container: Discriminator? {
    if case .parts(_, let container, _) = content { container } else { nil }
  }

  var declaration: Declaration? {
    if case .parts(_, _, let declaration) = content { declaration } else { nil }
  }
}

// MARK: Interning

extension Discriminator {
  fileprivate struct WeakDiscriminator: Sendable {
    let number: Int
    weak let discriminator: Discriminator?
  }

  /// Some of the discriminators of the process, by their hashes.
  fileprivate struct Table: Sendable {
    fileprivate var buckets: [Int: [WeakDiscriminator]] = [:]
    private var lastNumber = 0

    /// The discriminators of one hash. The caller releases them outside the lock.
    func candidates(_ hash: Int) -> (all: [Discriminator], lastNumber: Int) {
      (buckets[hash]?.compactMap(\.discriminator) ?? [], lastNumber)
    }

    /// Adds a discriminator, unless one was added since `lastNumber` was read.
    mutating func add(
      hash: Int, after lastNumber: Int, _ make: (Int) -> Discriminator
    ) -> Discriminator? {
      guard lastNumber == self.lastNumber else { return nil }
      self.lastNumber += 1
      let fresh = make(self.lastNumber)
      buckets[hash, default: []].append(
        WeakDiscriminator(number: self.lastNumber, discriminator: fresh))
      return fresh
    }

    mutating func remove(_ number: Int, hash: Int) {
      buckets[hash]?.removeAll { $0.number == number }
      if buckets[hash]?.isEmpty == true { buckets[hash] = nil }
    }
  }

  // Several tables, so that threads that intern different names seldom wait for each other.
  private static let tables = (0..<16).map { _ in Lock(Table()) }

  private static func table(for hash: Int) -> Lock<Table> { tables[hash & 15] }

  /// How many discriminators the process holds, for tests.
  package static var count: Int { tables.reduce(0) { $0 + $1.withLock { $0.count } } }

  private enum Likeness {
    /// Equal, and written alike.
    case same
    case equal
    case other
  }

  private static func interned(
    _ content: Content, hash: Int, _ compare: (Content) -> Likeness
  ) -> Discriminator {
    let table = table(for: hash)
    while true {
      let (candidates, lastNumber) = table.withLock { $0.candidates(hash) }
      var first: Discriminator?
      for candidate in candidates {
        switch compare(candidate.content) {
        case .same: return candidate
        case .equal: first = candidate.first ?? candidate
        case .other: break
        }
      }
      let fresh = table.withLock { table in
        table.add(hash: hash, after: lastNumber) {
          Discriminator(content, like: first, hash: hash, entry: $0)
        }
      }
      if let fresh { return fresh }
    }
  }
}

extension Discriminator.Table {
  fileprivate var count: Int { buckets.reduce(0) { $0 + $1.value.count } }
}
