// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// The stored value of a property's double.
final class StoredValue<Value>: Sendable {
  private enum State {
    case none
    case value(Value)
    /// An object that is no longer retained.
    case object(WeakObject)
  }

  private struct WeakObject {
    weak var object: AnyObject?
  }

  private let state: Lock<State>

  init(_ value: Value?) {
    state = Lock(value.map { State.value($0) } ?? State.none)
  }

  /// The value, or `nil` if there is none. An optional is `nil` itself if its object is released.
  var value: Value? {
    switch state.withLock({ $0 }) {
    case .none: nil
    case .value(let value): value
    case .object(let weak):
      weak.object as? Value ?? (Value.self as? any OptionalValue.Type)?.nilValue as? Value
    }
  }

  /// Sets the value, and returns the previous one.
  func exchange(with value: Value) -> Any {
    state.withLock { state in
      defer { state = .value(value) }
      return state
    }
  }
}

/// A stored value that may contain an object.
protocol StoredObject: AnyObject, Sendable {
  func releaseObject()
}

extension StoredValue: StoredObject {
  /// Holds an optional object weakly from now on. Any other value stays, since a late get without
  /// it would end the process.
  func releaseObject() {
    guard Value.self is any OptionalValue.Type, case .value(let value) = state.withLock({ $0 }),
      let object = heldObject(in: value)
    else { return }
    state.withLock { state in
      if case .value(let now) = state, heldObject(in: now) === object {
        state = .object(WeakObject(object: object))
      }
    }
    withExtendedLifetime(value) {}
  }
}
