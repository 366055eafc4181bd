// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Synchronization

/// What was resolved under a layer: exact counts for every key, and the last events.
///
/// A layer's log has what its own resolutions and those of the layers above it did.
///
/// Safety: whoever locks `state` here keeps the log, which has it.
public final class ResolutionLog: Sendable, CustomStringConvertible {
  /// How many events are kept; the counts are never cut.
  public static let tailCapacity = 512

  /// That of the stack.
  package let lock: StackLock
  private let counters: KeyTable<KeyCounter>
  private let state: Lock<LoggedEvents>
  /// How often the log of an inner layer began to be taken over, and how often that was done.
  private let takeoversBegun = Atomic<Int>(0)
  private let takeoversDone = Atomic<Int>(0)

  /// What a log has, for who keeps it together with other things.
  struct LogState: Sendable {
    fileprivate var counters = KeyTable<KeyCounter>.TableState()
    fileprivate var events = LoggedEvents()
  }

  struct LoggedEvents: Sendable {
    var tail = LogTail()
    var children: [ResolutionLog] = []
  }

  /// What is kept, for who holds the mutex of the stack.
  var guardedEvents: Guarded<LoggedEvents> { state.guarded }

  /// The logs of the layers that were pushed on this one's.
  private var children: [ResolutionLog] { state.withLock { $0.children.map(\.self) } }

  /// Makes the log of a layer of a stack, whose mutex guards what it has.
  init(_ lock: StackLock, _ state: Lock<LogState>) {
    self.lock = lock
    counters = KeyTable(state.part(\.counters))
    self.state = state.part(\.events)
  }

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

  /// The order of a resolution that begins.
  package func nextOrder() -> Int { lock.nextOrder() }

  /// Counts a resolution of a key, and of another one that answered it, and keeps its event.
  ///
  /// - Parameters:
  ///   - entry: The event.
  ///   - keeper: Keeps what no counter does.
  ///   - counter: That of what was asked for; none if it is no question of its own.
  ///   - other: That of what answered, if that is another key.
  package func record(
    _ entry: LogEntry, _ keeper: LogEntry.Keeper?, in counter: KeyCounter?, _ other: KeyCounter?
  ) {
    let held = unsafe state.lock()
    counter?.count(entry.outcome, held)
    other?.count(entry.outcome, held)
    let displaced = unsafe state.guarded.place(held).pointee.tail.append(entry, keeper)
    held.unlock()
    // It may hold the last reference to a name, a user's object.
    withExtendedLifetime(displaced) {}
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
    for own in child.counters.elements {
      let counter = counter(for: own.key)
      let held = unsafe state.lock()
      counter.add(own.counts, held)
      held.unlock()
    }
    let tail = child.state.withLock { $0.tail.independent }
    if !tail.isEmpty {
      let displaced = state.withLock { $0.tail.merge(tail) }
      withExtendedLifetime(displaced) {}
    }
    state.withLock { $0.children.removeAll { $0 === child } }
  }

  package func counter(for key: AnyKey) -> KeyCounter {
    if let counter = counters[key] { return counter }
    let fresh = KeyCounter(key, sharing: lock.mutex)
    return counters.update(key) { element in
      if element == nil { element = fresh }
      return element ?? fresh
    }
  }
}
