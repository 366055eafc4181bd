// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A reference to the object that a `Sendable` value is, which does not keep it alive.
///
/// A value type is no object: nothing is held. (On Linux `as AnyObject` would box one.)
///
/// Safety of `@unchecked Sendable`: `object` is immutable, and it is the very object that a
/// `Sendable` value is, seen as an `AnyObject`; the language cannot say that in a type.
package struct WeakReference<Value>: @unchecked Sendable {
  package weak let object: AnyObject?
  /// False if the value is of a value type.
  package let isObject: Bool

  package init(_ value: Value) where Value: Sendable {
    self.init(value, SendableType())
  }

  /// The same where only whoever is asked knows that the type is `Sendable`.
  package init(_ value: Value, _ type: SendableType<Value>) {
    isObject = Swift.type(of: value as Any) is AnyClass
    object = isObject ? value as AnyObject : nil
  }

  /// The value, or `nil` if the object is gone.
  package var value: Value? {
    guard let object else { return nil }
    return object as? Value
  }
}
