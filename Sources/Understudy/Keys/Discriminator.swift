// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What tells the keys of one type apart: a name, a container, a declaration, or several of these.
///
/// Discriminators are interned: equal ones are one object for as long as it is in use, so keys are
/// compared by identity. The `==` and `hash(into:)` of a name run when a call passes the name,
/// outside every lock. The table holds its objects weakly, so a name that is no longer used leaves
/// nothing behind.
@safe
final class Discriminator: Sendable {
  enum Content: Sendable {
    case name(any Hashable & Sendable)
    case parts(name: Discriminator?, container: Discriminator?, declaration: Declaration?)
  }

  let content: Content
  let declaration: Declaration?
  /// A number that equal discriminators share. The process never uses it again.
  let identity: Int
  /// The first discriminator that is equal to this one, if that is written otherwise: `1 as Int8`
  /// for `1`.
  private let first: Discriminator?
  /// The hash of the content, which an equal discriminator has even after this one is gone.
  let hash: Int
  private let entry: Int
  /// The type and the hash of a name.
  private let identityOfName: Identity?

  private init(
    _ content: Content, like first: Discriminator?, hash: Int, entry: Int, knownAs name: Identity?
  ) {
    identityOfName = name
    self.content = content
    declaration = if case .parts(_, _, let declaration) = content { declaration } else { nil }
    self.first = first
    identity = first?.identity ?? AtomicInt.lastIdentity.next()
    self.hash = hash
    self.entry = entry
  }

  deinit {
    if let identityOfName { KnownNames.of(identityOfName).remove(entry, identityOfName) }
    Discriminator.table(for: hash).withLock { $0.remove(entry, hash: hash) }
  }

  static func named(_ name: any Hashable & Sendable) -> Discriminator { known(as: name) }

  /// Looks for a name by its type and its hash first, which finds all but new names.
  private static func known<Name: Hashable & Sendable>(as name: Name) -> Discriminator {
    let identity = Identity(Name.self, number: name.hashValue)
    if let known = KnownNames.of(identity).find(identity), known.isNamed(name) { return known }
    let hashable = AnyHashable(name)
    return interned(.name(name), hash: hashable.hashValue, knownAs: identity) { content in
      guard case .name(let other) = content, AnyHashable(other) == hashable else { return .other }
      return type(of: other) == type(of: name as any Hashable) ? .same : .equal
    }
  }

  private func isNamed<Name: Hashable>(_ name: Name) -> Bool {
    guard case .name(let own) = content else { return false }
    return Discriminator.isSame(own, name)
  }

  // Safety: both types are one. A cast would look them up at run time.
  private static func isSame<Own: Hashable, Name: Hashable>(_ own: Own, _ name: Name) -> Bool {
    guard Own.self == Name.self else { return false }
    return unsafe unsafeBitCast(own, to: Name.self) == name
  }

  /// The discriminator that has several parts, or `nil` if there are none; the name itself if there
  /// is nothing else.
  static func of(
    name: Discriminator?, container: Discriminator?, declaration: Declaration? = nil
  ) -> Discriminator? {
    if container == nil, declaration == nil { return name }
    var hasher = Hasher()
    hasher.combine(name?.hash)
    hasher.combine(container?.hash)
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

  private enum Likeness {
    /// Equal, and written alike.
    case same
    case equal
    case other
  }

  private static func interned(
    _ content: Content, hash: Int, knownAs name: Identity? = nil, _ compare: (Content) -> Likeness
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
          Discriminator(content, like: first, hash: hash, entry: $0, knownAs: name)
        }
      }
      guard let fresh else { continue }
      if let name { KnownNames.of(name).add(fresh, fresh.entry, name) }
      return fresh
    }
  }
}

/// Some of the names of the process, by their types and hashes. It holds them weakly.
private final class KnownNames: Sendable {
  private final class Entry: Sendable {
    let number: Int
    weak let discriminator: Discriminator?

    init(_ discriminator: Discriminator, _ number: Int) {
      self.discriminator = discriminator
      self.number = number
    }
  }

  private let mutex = Lock(()).mutex
  private let entries = GuardedState(IdentityTable<Entry>())

  // Several, so that threads that look for different names seldom wait for each other.
  private static let all = (0..<16).map { _ in KnownNames() }

  static func of(_ name: Identity) -> KnownNames { all[name.lowBits(4)] }

  func find(_ name: Identity) -> Discriminator? {
    mutex.lock()
    let entry = entries.value[name]
    mutex.unlock()
    return entry?.discriminator
  }

  /// Adds a name, in the place of another one of the same type and hash.
  func add(_ discriminator: Discriminator, _ number: Int, _ name: Identity) {
    var garbage = Garbage()
    mutex.lock()
    entries.value.insert(Entry(discriminator, number), for: name, &garbage)
    mutex.unlock()
    garbage.release()
  }

  func remove(_ number: Int, _ name: Identity) {
    var garbage = Garbage()
    mutex.lock()
    if entries.value[name]?.number == number { entries.value.remove(name, &garbage) }
    mutex.unlock()
    garbage.release()
  }
}
