// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// A fake key-value store that keeps everything in memory.
///
/// Copies share one store. Each operation is atomic; `update` is atomic for one key.
public struct MemoryStore<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let state: Lock<[Key: Value]>

  /// Makes a store that holds `values`.
  public init(_ values: [Key: Value] = [:]) {
    state = Lock(values)
  }

  /// The value for a key; `nil` where there is none, and to remove it.
  public subscript(key: Key) -> Value? {
    get { state.withLock { $0 }[key] }
    nonmutating set { exchange { $0[key] = newValue } }
  }

  /// Everything that is stored, now.
  public var values: [Key: Value] {
    state.withLock { $0 }
  }

  /// How many keys have a value.
  public var count: Int {
    state.withLock { $0.count }
  }

  /// Stores a value and returns the previous one.
  @discardableResult
  public func store(_ value: Value, for key: Key) -> Value? {
    exchange { $0.updateValue(value, forKey: key) }
  }

  /// Removes the value for a key and returns it.
  @discardableResult
  public func remove(_ key: Key) -> Value? {
    exchange { $0.removeValue(forKey: key) }
  }

  /// Removes everything.
  public func removeAll() {
    exchange { $0 = [:] }
  }

  // The values are copied out, changed outside the lock because hashing, comparing and destroying
  // them is user code, and put back if nobody else changed them meanwhile.
  @discardableResult
  private func exchange<Result>(_ change: (inout [Key: Value]) -> Result) -> Result {
    change(&UnsafeNever.value)
  }
}
