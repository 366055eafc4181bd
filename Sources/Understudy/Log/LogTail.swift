// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The last events of a log: a ring.
///
/// What made room for others may have the last reference to a name, a user's object: it is returned, and let go of
/// where no lock is held.
package struct LogTail: Sendable {
  private var ring: [LogEntry] = []
  /// How many entries there are. (A debug build counts a reference to an array for each look at that, and to all that
  /// the tail has for each call that does not change it.)
  private var count = 0
  /// How many entries were appended since the ring was empty, or made anew: the next one's number.
  private var appended = 0
  /// Those of entries that have one, each where its entry is; empty if none ever had.
  private var keepers: [LogEntry.Keeper?] = []
  private var hasKeepers = false
  private(set) var dropped = 0

  var isEmpty: Bool { count == 0 }

  /// Oldest first.
  var events: [ResolutionEvent] { entries.map { ResolutionEvent($0) } }

  private var isFull: Bool { count == ResolutionLog.tailCapacity }

  private var entries: [LogEntry] { oldestFirst(ring) }

  /// The entries with what keeps them, oldest first.
  private var kept: [(entry: LogEntry, keeper: LogEntry.Keeper?)] {
    let keepers = hasKeepers ? oldestFirst(keepers) : Array(repeating: nil, count: count)
    return Array(zip(entries, keepers))
  }

  private func oldestFirst<Element>(_ ring: [Element]) -> [Element] {
    guard isFull else { return ring }
    let oldest = appended % ResolutionLog.tailCapacity
    return Array(ring[oldest...] + ring[..<oldest])
  }

  /// Appends an entry; returns what the one had that made room for it.
  mutating func append(_ entry: LogEntry, _ keeper: LogEntry.Keeper?) -> LogEntry.Keeper? {
    if keeper != nil, !hasKeepers {
      keepers = Array(repeating: nil, count: count)
      hasKeepers = true
    }
    return unsafe append(
      entry.subject, entry.outcome, order: entry.order, by: entry.asker, at: entry.callSite,
      keptBy: keeper)
  }

  /// The same of an entry that needs no keeper. One that takes the place of another is written there: put together
  /// elsewhere, it would be copied while it is still being written, which processors wait for.
  @inline(__always)
  mutating func append(
    _ subject: Unmanaged<EventSubject>, _ outcome: ResolutionEvent.Outcome, order: Int,
    by asker: LogEntry.Asker, at callSite: CallSite, keptBy keeper: LogEntry.Keeper? = nil
  ) -> LogEntry.Keeper? {
    let place = appended % ResolutionLog.tailCapacity
    appended += 1
    guard count == ResolutionLog.tailCapacity else {
      unsafe grow(by: LogEntry(subject, outcome, order: order, by: asker, at: callSite))
      if hasKeepers { keepers.append(keeper) }
      return nil
    }
    unsafe ring[place].become(subject, outcome, order: order, by: asker, at: callSite)
    dropped += 1
    return hasKeepers ? exchange(&keepers[place], with: keeper) : nil
  }

  @inline(__always)
  private mutating func grow(by entry: LogEntry) {
    // Most have more than a few, and growing step by step would move all each time.
    if count == 0 { ring.reserveCapacity(16) }
    ring.append(entry)
    count += 1
  }

  /// The same for a log of its own: its entries keep all that they refer to.
  ///
  /// Safety: this is asked for where the log is kept that has them.
  var independent: LogTail {
    var tail = self
    tail.keepers = ring.map { unsafe $0.keeper }
    tail.hasKeepers = true
    return tail
  }

  /// Takes in the entries of another, independent one: the newest of both are kept, and what the others had is
  /// returned.
  mutating func merge(_ other: LogTail) -> [LogEntry.Keeper] {
    var all = kept + other.kept
    // Most layers are pushed and end in turn, and what is in order need not be sorted.
    let isInOrder = all.indices.dropFirst().allSatisfy {
      all[$0 - 1].entry.order <= all[$0].entry.order
    }
    if !isInOrder {
      // Two of one order stay as they were.
      all = all.enumerated().sorted {
        ($0.element.entry.order, $0.offset) < ($1.element.entry.order, $1.offset)
      }.map { $0.element }
    }
    let surplus = all.dropLast(ResolutionLog.tailCapacity)
    let rest = all.dropFirst(surplus.count)
    ring = rest.map { $0.entry }
    (appended, count) = (ring.count, ring.count)
    keepers = rest.map { $0.keeper }
    hasKeepers = true
    dropped += other.dropped + surplus.count
    return surplus.compactMap { $0.keeper }
  }
}
