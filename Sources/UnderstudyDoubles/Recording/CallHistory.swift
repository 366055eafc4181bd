// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// The calls of one double, oldest first, and how many there were.
///
/// The count is exact whatever is kept. With a limit the oldest calls make room, in constant time
/// and constant memory. What makes room is handed out: the deinitialisers of arguments are user
/// code, and must not run under the lock of the owner of the history.
@usableFromInline
struct CallHistory<Arguments> {
  /// Every call ever recorded, kept or not.
  @usableFromInline var count = 0

  // With a limit that has been reached this is a ring whose oldest call is at `oldest`.
  @usableFromInline var kept: [RecordedCall<Arguments>] = []
  @usableFromInline var oldest = 0
  @usableFromInline var limit = Int.max
  /// How many calls were released with the objects in their arguments.
  var released = 0

  @usableFromInline
  init() {}

  /// Appends a call if there is room for it; false if not.
  ///
  /// No method: a debug build would look up the type of the whole for it.
  @inlinable
  static func append(_ arguments: Arguments, to history: inout CallHistory) -> Bool {
    guard history.kept.count < history.limit else { return false }
    history.count += 1
    history.kept.append(RecordedCall(arguments: arguments, tick: Tick.next()))
    return true
  }

  /// Appends a call, and returns what had to make room for it.
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

  /// Keeps at most the newest `limit` calls, from now on, and hands out what was kept.
  mutating func keepLast(_ limit: Int) -> [RecordedCall<Arguments>] {
    let calls = calls
    kept = calls.suffix(limit)
    oldest = 0
    self.limit = limit
    return calls
  }

  /// Removes the calls with these ticks from the kept ones, and hands out what was kept.
  mutating func release(_ ticks: Set<UInt64>) -> [RecordedCall<Arguments>] {
    let calls = calls
    kept = calls.filter { !ticks.contains($0.tick) }
    oldest = 0
    released += calls.count - kept.count
    return calls
  }

  /// Forgets all calls, and hands out what was kept.
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

/// One call of a double: its arguments and its place among the calls of all doubles.
@usableFromInline
struct RecordedCall<Arguments> {
  @usableFromInline let arguments: Arguments
  @usableFromInline let tick: UInt64

  @usableFromInline
  init(arguments: Arguments, tick: UInt64) {
    self.arguments = arguments
    self.tick = tick
  }
}

/// The one counter that puts the calls of every double of the process in an order.
///
/// A call that happens before another one, on whatever double and thread, has the smaller tick.
@usableFromInline
enum Tick {
  @usableFromInline
  static func next() -> UInt64 {
    UInt64(UInt(bitPattern: counter.add(1, ordering: .relaxed).newValue))
  }

  private static let counter = AtomicInt(0)
}
