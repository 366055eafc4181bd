// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The last events of a log: a ring.
///
/// What made room for others may have the last reference to a name, a user's object: it is returned, and let go of
/// where no lock is held.
package struct LogTail: Sendable {
  private var ring: [LogEntry] = []
  private var oldest = 0
  /// Those of entries that have one, by the order of the entry.
  private var keepers: [Int: LogEntry.Keeper] = [:]
  private(set) var dropped = 0

  var isEmpty: Bool { ring.isEmpty }

  /// Oldest first.
  var events: [ResolutionEvent] { entries.map { ResolutionEvent($0) } }

  private var entries: [LogEntry] { Array(ring[oldest...] + ring[..<oldest]) }

  /// Appends an entry; returns what the one had that made room for it.
  @inline(__always)
  mutating func append(_ entry: LogEntry, _ keeper: LogEntry.Keeper?) -> LogEntry.Keeper? {
    if let keeper { keepers[entry.order] = keeper }
    guard ring.count == ResolutionLog.tailCapacity else {
      // Most have more than a few, and growing step by step would move all each time.
      if ring.isEmpty { ring.reserveCapacity(16) }
      ring.append(entry)
      return nil
    }
    let place = oldest
    oldest = place + 1 == ResolutionLog.tailCapacity ? 0 : place + 1
    dropped += 1
    let displaced = keepers.isEmpty ? nil : keepers.removeValue(forKey: ring[place].order)
    ring[place] = entry
    return displaced
  }

  /// The same for a log of its own: its entries keep all that they refer to.
  var independent: LogTail {
    var tail = self
    for entry in ring { tail.keepers[entry.order] = entry.keeper }
    return tail
  }

  /// Takes in the entries of another, independent one: the newest of both are kept, and what the others had is
  /// returned.
  mutating func merge(_ other: LogTail) -> [LogEntry.Keeper] {
    var all = entries + other.entries
    // Most layers are pushed and end in turn, and what is in order need not be sorted.
    let isInOrder = all.indices.dropFirst().allSatisfy { all[$0 - 1].order < all[$0].order }
    if !isInOrder { all.sort { $0.order < $1.order } }
    keepers.merge(other.keepers) { own, _ in own }
    let surplus = all.dropLast(ResolutionLog.tailCapacity)
    let displaced = surplus.compactMap { keepers.removeValue(forKey: $0.order) }
    dropped += other.dropped + surplus.count
    ring = Array(all.dropFirst(surplus.count))
    oldest = 0
    return displaced
  }
}
