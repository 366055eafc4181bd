// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// A fake key-value store that keeps everything in memory.
///
/// Copies share one store, and each operation is atomic. Your own `hash(into:)` and `==` run under
/// no lock. So an operation that another one overtook runs again.
///
/// - Complexity: O(1) to read, O(n) to write.
public struct KeyValueMemory<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct State {
    var values: [Key: Value]
    var version: UInt64 = 0
  }

  private let state: Lock<State>

  /// Creates a store that holds `values`.
  public init(_ values: [Key: Value] = [:]) {
    state = Lock(State(values: values))
  }

  /// The value for a key, or `nil` if there is none. Set it to `nil` to remove the value.
  public subscript(key: Key) -> Value? {
    get { values[key] }
    nonmutating set { update { $0[key] = newValue } }
  }

  /// All stored values.
  public var values: [Key: Value] {
    state.withLock { $0.values }
  }

  /// The number of stored values.
  public var count: Int {
    values.count
  }

  /// Stores a value and returns the previous one.
  @discardableResult
  public func store(_ value: Value, for key: Key) -> Value? {
    update { $0.updateValue(value, forKey: key) }
  }

  /// Removes the value for a key and returns it.
  @discardableResult
  public func remove(_ key: Key) -> Value? {
    update { $0.removeValue(forKey: key) }
  }

  /// Removes all values.
  public func removeAll() {
    update { $0 = [:] }
  }

  /// Changes the stored values in one operation.
  ///
  /// - Parameter change: Changes the values. It runs under no lock, and may run more than once,
  ///   each time on the present values. If it throws, nothing is stored. It must change its
  ///   parameter and not the store, since each change of the store runs it again. After 100,000
  ///   runs the process ends.
  /// - Returns: The result of the last run of `change`.
  /// - Throws: The error of `change`.
  @discardableResult
  public func update<Result, Failure: Error>(
    _ change: (inout [Key: Value]) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    for _ in 0..<100_000 {
      let before = state.withLock { $0 }
      var after = before.values
      let result = try change(&after)
      let isStored = state.withLock { state in
        guard state.version == before.version else { return false }
        swap(&state.values, &after)
        state.version += 1
        return true
      }
      if isStored { return result }
    }
    fatalError(
      "`update` was overtaken 100000 times: its block changes the store itself. Change its parameter instead."
    )
  }
}
