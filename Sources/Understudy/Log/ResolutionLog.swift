// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Synchronization

/// What was resolved under a layer: exact counts for every key, and the last events.
///
/// A layer's log has what its own resolutions and those of the layers above it did.
public final class ResolutionLog: Sendable, CustomStringConvertible {
  /// How many events are kept; the counts are never cut.
  public static let tailCapacity = 512

  private let counters = KeyTable<KeyCounter>()
  private let state = Lock(State())
  /// How often the log of an inner layer began to be taken over, and how often that was done.
  private let takeoversBegun = Atomic<Int>(0)
  private let takeoversDone = Atomic<Int>(0)

  private struct State {
    var tail = Tail()
    var children: [ResolutionLog] = []
  }

  /// The logs of the layers that were pushed on this one's.
  private var children: [ResolutionLog] { state.withLock { $0.children.map(\.self) } }

  private static let lastOrder = Atomic<Int>(0)

  package init() {}

  /// How often a key was resolved.
  ///
  /// - Complexity: O(number of live layers above this one).
  public func counts(of key: AnyKey) -> ResolutionCounts {
    consistently {
      let own = counters[key]?.counts ?? ResolutionCounts()
      return children.reduce(own) { $0 + $1.counts(of: key) }
    }
  }

  /// Reads until nothing was taken over meanwhile: all that had begun before the end of reading was
  /// done before its start. What is read runs names' `==`, so no lock is held.
  private func consistently<Result>(_ read: () -> Result) -> Result {
    while true {
      let done = takeoversDone.load(ordering: .acquiring)
      let result = read()
      if takeoversBegun.load(ordering: .acquiring) == done { return result }
    }
  }

  /// How often a key was resolved.
  public func counts<Value>(of key: Key<Value>) -> ResolutionCounts { counts(of: key.erased) }

  /// How often a type was resolved, under exactly this name and in exactly this container.
  public func count<Value>(
    of type: Value.Type, named name: (any Hashable & Sendable)? = nil,
    scopedTo scope: (any Scope.Type)? = nil, qualifiedBy qualifier: (any Qualifier.Type)? = nil,
    in container: (any Hashable & Sendable)? = nil
  ) -> Int {
    counts(
      of: Key<Value>(named: name, scopedTo: scope, qualifiedBy: qualifier, in: container)
    ).resolved
  }

  /// Everything that was asked for, with its counts, in the order of the keys' names.
  public var allCounts: [(key: AnyKey, counts: ResolutionCounts)] {
    consistently { sumsOfCounts }.map { ($0.key, $0.value) }.sorted { $0.key.step < $1.key.step }
  }

  private var sumsOfCounts: [AnyKey: ResolutionCounts] {
    var sums: [AnyKey: ResolutionCounts] = [:]
    for counter in counters.elements { sums[counter.key] = counter.counts }
    for child in children {
      sums.merge(child.sumsOfCounts) { $0 + $1 }
    }
    return sums
  }

  /// The last events, oldest first.
  public var events: [ResolutionEvent] {
    Array(keptEvents.sorted { $0.order < $1.order }.suffix(ResolutionLog.tailCapacity))
  }

  /// What this log and those of its inner layers keep.
  private var keptEvents: [ResolutionEvent] {
    children.reduce(into: state.withLock { $0.tail.events }) {
      $0 += $1.keptEvents
    }
  }

  /// Who resolved whom, as a tree; and how many earlier events are not shown.
  public var description: String { tree }

  package static func nextOrder() -> Int { lastOrder.add(1, ordering: .relaxed).newValue }

  /// Keeps an event; who counts does that before.
  package func record(_ event: consuming ResolutionEvent) {
    state.withLock { $0.tail.append(&event) }
    // What was displaced is let go of here: it may hold the last reference to a name, a user's object.
  }

  /// Notes an object that was handed out for a key, if it is among the first few; true if it is new.
  package func note(_ capture: Capture, for key: AnyKey) -> Bool {
    counter(for: key).note(capture)
  }

  /// True if more objects handed out for a key are wanted.
  package func wantsCaptures(for key: AnyKey) -> Bool {
    counter(for: key).wantsCaptures
  }

  /// An object that was handed out for a key that a condition holds for, and is still alive.
  package func liveCapture(where isWanted: (AnyKey) -> Bool) -> Capture? {
    for counter in counters.elements where isWanted(counter.key) {
      if let capture = counter.liveCapture { return capture }
    }
    for child in children {
      if let capture = child.liveCapture(where: isWanted) { return capture }
    }
    return nil
  }

  /// How many events `events` does not have.
  package var droppedEvents: Int {
    lostEvents + max(0, keptEvents.count - ResolutionLog.tailCapacity)
  }

  private var lostEvents: Int {
    children.reduce(state.withLock { $0.tail.dropped }) { $0 + $1.lostEvents }
  }

  package func adopt(_ child: ResolutionLog) {
    state.withLock { $0.children.append(child) }
  }

  /// Takes over what an ended layer's log has, so that the log itself can go.
  package func absorb(_ child: ResolutionLog) {
    takeoversBegun.add(1, ordering: .acquiringAndReleasing)
    defer { takeoversDone.add(1, ordering: .acquiringAndReleasing) }
    for counter in child.counters.elements { self.counter(for: counter.key).add(counter.counts) }
    let (events, dropped) = child.state.withLock { ($0.tail.events, $0.tail.dropped) }
    if !events.isEmpty {
      let displaced = state.withLock { $0.tail.merge(events, dropped) }
      withExtendedLifetime(displaced) {}
    }
    state.withLock { $0.children.removeAll { $0 === child } }
  }

  package func counter(for key: AnyKey) -> KeyCounter {
    if let counter = counters[key] { return counter }
    let fresh = KeyCounter(key)
    return counters.update(key) { element in
      if element == nil { element = fresh }
      return element ?? fresh
    }
  }
}

/// The last events: a ring.
private struct Tail {
  private var ring: [ResolutionEvent] = []
  private var oldest = 0
  var dropped = 0

  var events: [ResolutionEvent] {
    ring.isEmpty ? [] : Array(ring[oldest...] + ring[..<oldest])
  }

  /// Appends an event, and leaves the one that it displaced in its place.
  mutating func append(_ event: inout ResolutionEvent) {
    guard ring.count == ResolutionLog.tailCapacity else { return ring.append(event) }
    let place = oldest
    oldest = place + 1 == ResolutionLog.tailCapacity ? 0 : place + 1
    dropped += 1
    swap(&ring[place], &event)
  }

  /// Takes in the events of another log: the newest of both are kept, and the others returned.
  mutating func merge(
    _ others: [ResolutionEvent], _ othersDropped: Int
  ) -> ArraySlice<ResolutionEvent> {
    dropped += othersDropped
    var all = events + others
    // Most layers are pushed and end in turn, and what is in order need not be sorted.
    let isInOrder = all.indices.dropFirst().allSatisfy { all[$0 - 1].order < all[$0].order }
    if !isInOrder { all.sort { $0.order < $1.order } }
    let kept = all.suffix(ResolutionLog.tailCapacity)
    dropped += all.count - kept.count
    ring = Array(kept)
    oldest = 0
    return all.prefix(all.count - kept.count)
  }
}
