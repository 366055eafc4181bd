// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The resolutions under a layer: exact counts for every key, and the last events.
///
/// The log of a layer includes the resolutions under the layers above it.
///
/// The logs of one tree of layers share a mutex, so that all of them can be read at one moment.
public final class ResolutionLog: Sendable, CustomStringConvertible {
  /// The number of events that are kept. The counts are never cut.
  package static let tailCapacity = 512

  private let mutex: SharedMutex
  /// Accessed while the mutex is locked.
  private let records = GuardedState(Records())

  fileprivate struct Records: ~Copyable {
    var keys = IdentityTable<KeyRecord>()
    /// The events in the order in which resolutions ended. They are cut when there are twice too
    /// many.
    var events: [ResolutionEvent] = []
    /// False if events of another log follow newer ones.
    var isInOrder = true
    var dropped = 0
    /// The logs of the live layers that were pushed on this log's layer.
    var children: [ResolutionLog] = []
  }

  /// The number of objects of a key that are watched at the same time.
  fileprivate static let captureLimit = 4

  package init(sharing mutex: SharedMutex) {
    self.mutex = mutex
  }

  private func withState<Result>(_ body: (inout Records) -> Result) -> Result {
    mutex.lock()
    defer { mutex.unlock() }
    return body(&records.value)
  }

  /// Combines what this log and the logs of the live layers above it have, under one lock.
  private func reduce<Result>(
    into initial: Result, _ body: (inout Result, borrowing Records) -> Void
  ) -> Result {
    mutex.lock()
    defer { mutex.unlock() }
    var result = initial
    forEachState { body(&result, $0) }
    return result
  }

  // MARK: Reading

  /// How often a key was resolved.
  ///
  /// - Complexity: O(number of live layers above this one).
  package func counts(of key: AnyKey) -> ResolutionCounts {
    reduce(into: ResolutionCounts()) { counts, state in
      if let own = state.keys[key.identity] { counts += own.counts }
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

  /// How often a declared dependency was resolved.
  public func count<Value>(
    of dependency: (Dependencies.Type) -> Dependency<Value>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Int {
    let callSite = CallSite(fileID, filePath, line, column)
    return counts(of: Dependency.identified(dependency, at: callSite).key).resolved
  }

  /// Every requested key with its counts, in the order of the keys' names.
  public var allCounts: [(key: AnyKey, counts: ResolutionCounts)] {
    let sums: [AnyKey: ResolutionCounts] = reduce(into: [:]) { sums, state in
      for record in state.keys.objects where record.counts != ResolutionCounts() {
        sums[record.key, default: ResolutionCounts()] += record.counts
      }
    }
    return sums.map { (key: $0.key, counts: $0.value) }.ordered { $0.key.step }
  }

  /// Every requested key with its counts, one line for each.
  public var description: String {
    allCounts.map { key, counts in "\(key.step)  \(counts.text)" }.joined(separator: "\n")
  }

  /// The last events, oldest first.
  public var events: [ResolutionEvent] {
    Array(keptEvents.ordered { $0.order }.suffix(ResolutionLog.tailCapacity))
  }

  private var keptEvents: [ResolutionEvent] { reduce(into: []) { $0 += $1.events } }

  package var droppedEvents: Int {
    let (dropped, kept) = reduce(into: (0, 0)) { sums, state in
      sums.0 += state.dropped
      sums.1 += state.events.count
    }
    return dropped + max(0, kept - ResolutionLog.tailCapacity)
  }

  /// Visits this log and the logs of the live layers above it, while the mutex is locked.
  private func forEachState(_ body: (borrowing Records) -> Void) {
    body(records.value)
    for child in records.value.children { child.forEachState(body) }
  }

  // MARK: Recording

  /// Counts a resolution of a key and of the answering key, and keeps its event.
  ///
  /// - Parameters:
  ///   - isCounted: False for a request that is part of another one.
  ///   - other: The key of the answering registration, if it differs.
  package func record(_ event: ResolutionEvent, isCounted: Bool = true, _ other: AnyKey? = nil) {
    mutex.lock()
    let displaced = recordLocked(event, isCounted: isCounted, other)
    mutex.unlock()
    // They may hold the last reference to a name, which may be a user's object.
    withExtendedLifetime(displaced) {}
  }

  /// Records an event while the mutex is locked. Returns the events that were displaced.
  func recordLocked(
    _ event: ResolutionEvent, isCounted: Bool = true, _ other: AnyKey?
  ) -> ArraySlice<ResolutionEvent> {
    if isCounted {
      records.value.record(of: event.key).counts.count(event.outcome)
      if let other { records.value.record(of: other).counts.count(event.outcome) }
    }
    records.value.events.append(event)
    return records.value.cutEvents()
  }

  package func adopt(_ child: ResolutionLog) {
    withState { $0.children.append(child) }
  }

  /// Takes over the counts, events and captures of an ended layer's log, which keeps its own.
  ///
  /// - Parameters:
  ///   - own: The objects of the ended layer, whose captures are not taken over. No override of
  ///     another layer is too late for them.
  ///   - isForgotten: True for a key whose captures are not taken over, such as one that the ended
  ///     layer overrode.
  /// - Complexity: O(the log of the layer).
  package func absorb(
    _ child: ResolutionLog, without own: Set<ObjectIdentifier>, except isForgotten: (AnyKey) -> Bool
  ) {
    var garbage = Garbage()
    var captured: [KeyRecord] = []
    let displaced = withState { state in
      state.children.removeAll { $0 === child }
      return state.absorb(
        &child.records.value, without: own, except: isForgotten, &captured, &garbage)
    }
    for record in captured {
      // The first one displaces objects that are gone. The others lived at the same time.
      _ = note(record.captures[0], for: record.key)
      withState { state in
        for capture in record.captures { state.record(of: record.key).add(capture) }
      }
    }
    withExtendedLifetime(displaced) {}
    garbage.release()
  }

  // MARK: Captures

  /// Notes an object that was handed to a request. Returns `false` if it is already known, or if
  /// the limit is reached.
  package func note(_ capture: Capture, for key: AnyKey) -> Bool {
    // Accessing an object may take the last reference to it, so this is not done under the lock.
    let gone = Set(captures(of: key).filter { $0.watched.object == nil }.map(\.watched.identity))
    return withState { state in
      let record = state.record(of: key)
      record.captures.removeAll { gone.contains($0.watched.identity) }
      return record.add(capture)
    }
  }

  private func captures(of key: AnyKey) -> [Capture] {
    withState { $0.keys[key.identity]?.captures.map(\.self) ?? [] }
  }

  /// The number of values that a layer created for a key, if two of its objects lived at the same
  /// time.
  func countOfDoubles(for key: AnyKey, by layer: String) -> Int {
    let (events, objects) = withState { ($0.events, $0.keys[key.identity]?.captures.count ?? 0) }
    guard objects > 1 else { return 0 }
    return events.count { $0.key == key && $0.outcome == .made && $0.layer == layer }
  }

  /// The keys of requests that no layer answered, or that one of this name did, and that ended in
  /// one of these ways.
  func keys(
    answeredBy label: LayerLabel?, _ outcomes: [ResolutionEvent.Outcome]
  ) -> Set<AnyKey> {
    Set(keptEvents.filter { $0.label === label && outcomes.contains($0.outcome) }.map(\.key))
  }

  /// The place of the first request for a key that no layer answered and that got a value.
  func placeOfProduction(for key: AnyKey) -> CallSite? {
    keptEvents.filter {
      $0.key == key && $0.layer == nil && ($0.outcome == .made || $0.outcome == .reused)
    }.ordered { $0.order }.first?.callSite
  }

  package func forgetCaptures(of key: AnyKey, at callSite: CallSite) {
    let old = withState { state in
      let record = state.keys[key.identity]
      let old = record?.captures
      record?.captures.removeAll { $0.callSite == callSite }
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// A capture of a matching key whose object is still alive.
  ///
  /// - Parameter isWithInner: True to search the logs of the live layers above, too.
  package func liveCapture(
    isWithInner: Bool = true, where isWanted: (AnyKey) -> Bool
  ) -> Capture? {
    typealias Entry = (key: AnyKey, captures: [Capture])
    func add(_ all: inout [Entry], _ state: borrowing Records) {
      for record in state.keys.objects where !record.captures.isEmpty {
        all.append((record.key, record.captures.map(\.self)))
      }
    }
    var all: [Entry] = []
    if isWithInner { all = reduce(into: [], add) } else { withState { add(&all, $0) } }
    for entry in all where isWanted(entry.key) {
      if let live = entry.captures.first(where: { $0.watched.object != nil }) { return live }
    }
    return nil
  }
}

extension ResolutionLog.Records {
  fileprivate mutating func cutEvents() -> ArraySlice<ResolutionEvent> {
    let capacity = ResolutionLog.tailCapacity
    guard events.count >= 2 * capacity else { return [] }
    let all = isInOrder ? events : events.ordered { $0.order }
    isInOrder = true
    events = Array(all.suffix(capacity))
    dropped += all.count - capacity
    return all.dropLast(capacity)
  }

  fileprivate mutating func record(of key: AnyKey) -> KeyRecord {
    keys.object(for: key.identity) { KeyRecord(key) }
  }

  fileprivate mutating func absorb(
    _ child: inout Self, without own: Set<ObjectIdentifier>, except isForgotten: (AnyKey) -> Bool,
    _ captured: inout [KeyRecord], _ garbage: inout Garbage
  ) -> ArraySlice<ResolutionEvent> {
    // Most layers within a test see no request.
    if !child.keys.isEmpty {
      for record in child.keys.objects {
        if !record.captures.hasNone {
          record.captures.removeAll { own.contains($0.watched.identity) }
          if isForgotten(record.key) { record.captures = [] }
        }
        if let own = keys[record.key.identity] {
          own.counts += record.counts
          if !record.captures.hasNone { captured.append(record) }
        } else {
          let own = KeyRecord(record.key)
          (own.counts, own.captures) = (record.counts, record.captures)
          keys.insert(own, for: record.key.identity, &garbage)
        }
      }
    }
    // Not by `first` and `last`, which allocate in a debug build.
    let follows =
      events.hasNone || child.events.hasNone
      || events[events.count - 1].order < child.events[0].order
    isInOrder = isInOrder && child.isInOrder && follows
    if events.hasNone { events = child.events } else { events += child.events }
    dropped += child.dropped
    // A log may hold the last reference to a name, which may be a user's object.
    garbage.add(exchange(&child.children, with: []))
    return cutEvents()
  }
}

/// A weak reference to an object that was handed to a request.
package struct Capture: Sendable {
  let watched: WatchedObject
  let callSite: CallSite
}

/// The records of one key. They are accessed while the mutex is locked.
private final class KeyRecord {
  let key: AnyKey
  var counts = ResolutionCounts()
  /// The first objects that were handed to requests.
  var captures: [Capture] = []

  init(_ key: AnyKey) { self.key = key }

  /// Returns `false` if the object is already known, or if the limit is reached.
  @discardableResult
  func add(_ capture: Capture) -> Bool {
    guard captures.count < ResolutionLog.captureLimit,
      !captures.contains(where: { $0.watched.identity == capture.watched.identity })
    else { return false }
    captures.append(capture)
    return true
  }
}
