// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// The value of a property that a double stands in for.
final class StoredValue<Value>: Sendable {
  private enum State {
    case none
    case value(Value)
    /// An object that the property no longer keeps alive.
    case object(WeakObject)
  }

  private struct WeakObject {
    weak var object: AnyObject?
  }

  private let state: Lock<State>

  init(_ value: Value?) {
    state = Lock(value.map { State.value($0) } ?? State.none)
  }

  /// The value; `nil` if there is none. An optional is `nil` itself where its object is gone.
  var value: Value? {
    switch state.withLock({ $0 }) {
    case .none: nil
    case .value(let value): value
    case .object(let weak):
      weak.object as? Value ?? (Value.self as? any OptionalValue.Type)?.nilValue as? Value
    }
  }

  /// Sets the value, and hands out what was there.
  func exchange(with value: Value) -> Any {
    state.withLock { state in
      defer { state = .value(value) }
      return state
    }
  }
}

/// A stored value that may be an object.
protocol StoredObject: AnyObject, Sendable {
  func releaseObject()
}

extension StoredValue: StoredObject {
  /// Holds an optional object weakly from now on. Any other value stays: a late get without it
  /// would end the process.
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
