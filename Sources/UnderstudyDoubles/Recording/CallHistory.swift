// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// The calls of one double, oldest first, and their number.
///
/// The count is always exact. With a limit, the oldest calls are dropped, in constant time and
/// memory. Dropped calls are returned to the caller, since a deinit of an argument is user code,
/// which must not run under the owner's lock.
@usableFromInline
struct CallHistory<Arguments> {
  /// The number of all recorded calls, stored or dropped.
  @usableFromInline var count = 0

  // With a limit that has been reached, this is a ring with the oldest call at `oldest`.
  @usableFromInline var kept: [RecordedCall<Arguments>] = []
  @usableFromInline var oldest = 0
  @usableFromInline var limit = Int.max
  /// The number of calls that were released with the objects in their arguments.
  var released = 0

  @usableFromInline
  init() {}

  /// Appends a call if there is room. Returns false otherwise.
  ///
  /// It is static, since a debug build would look up the type of `self` for an instance method.
  @inlinable
  static func append(_ arguments: Arguments, to history: inout CallHistory) -> Bool {
    guard history.kept.count < history.limit else { return false }
    history.count += 1
    history.kept.append(RecordedCall(arguments: arguments, tick: Tick.next()))
    return true
  }

  /// Appends a call, and returns the dropped one, if any.
  mutating func append(_ arguments: Arguments) -> RecordedCall<Arguments>? {
    if CallHistory.append(arguments, to: &self) { return nil }
    count += 1
    let call = RecordedCall(arguments: arguments, tick: Tick.next())
    guard limit > 0 else { return call }
    let evicted = kept[oldest]
    kept[oldest] = call
    oldest = oldest + 1 == limit ? 0 : oldest + 1
    return evicted
  }

  /// The recorded calls, oldest first.
  var calls: [RecordedCall<Arguments>] {
    oldest == 0 ? kept : Array(kept[oldest...] + kept[..<oldest])
  }

  /// Stores at most the newest `limit` calls from now on. Returns the previous storage.
  mutating func keepLast(_ limit: Int) -> [RecordedCall<Arguments>] {
    let calls = calls
    kept = calls.suffix(limit)
    oldest = 0
    self.limit = limit
    return calls
  }

  /// Removes the calls with these ticks. Returns the previous storage.
  mutating func release(_ ticks: Set<UInt64>) -> [RecordedCall<Arguments>] {
    let calls = calls
    kept = calls.filter { !ticks.contains($0.tick) }
    oldest = 0
    released += calls.count - kept.count
    return calls
  }

  /// Forgets all calls. Returns the previous storage.
  mutating func removeAll() -> [RecordedCall<Arguments>] {
    defer {
      count = 0
      released = 0
      kept = []
      oldest = 0
    }
    return kept
  }
}

/// One call of a double: its arguments, and its position among the calls of all doubles.
@frozen
@usableFromInline
struct RecordedCall<Arguments> {
  @usableFromInline let arguments: Arguments
  @usableFromInline let tick: UInt64

  @inlinable
  init(arguments: Arguments, tick: UInt64) {
    self.arguments = arguments
    self.tick = tick
  }
}

/// The counter that orders the calls of all doubles in the process.
///
/// A call that happens before another one has the smaller tick, on any double and thread.
@usableFromInline
enum Tick {
  @usableFromInline
  static func next() -> UInt64 {
    UInt64(UInt(bitPattern: AtomicInt.lastCall.next()))
  }
}
