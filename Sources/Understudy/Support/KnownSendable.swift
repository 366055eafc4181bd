// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A value whose type is not known to be `Sendable` here, and is, or is used by one thread alone.
///
/// Safety of `@unchecked Sendable`: blocks that run elsewhere than on the calling thread are
/// registered by forms that demand a `Sendable` value, and only their values are carried in one; an
/// argument that is not `Sendable` gets in through the synchronous `resolve` alone, which runs the
/// block on the calling thread and stores the argument nowhere.
package struct KnownSendable<Value>: @unchecked Sendable {
  package let value: Value

  package init(_ value: Value) { self.value = value }
}

/// A reference to the object that a `Sendable` value is, which does not keep it alive.
///
/// A value type is no object: nothing is held. (On Linux `as AnyObject` would box one.)
///
/// Safety of `@unchecked Sendable`: `object` is immutable, and it is the very object that a
/// `Sendable` value is, seen as an `AnyObject`; the language cannot say that in a type.
package struct WeakReference<Value>: @unchecked Sendable {
  package weak let object: AnyObject?
  /// False if the value is of a value type. An optional is an object if what it holds is one.
  package let isObject: Bool

  package init(_ value: Value) where Value: Sendable { self.init(value, SendableType()) }

  /// The same, if only the called function knows that the type is `Sendable`.
  package init(_ value: Value, _ type: SendableType<Value>) {
    let held = (value as? any HoldingOptional).map(\.held) ?? value
    isObject = held.map { Swift.type(of: $0) is AnyClass } ?? true
    object = isObject ? held.map { $0 as AnyObject } : nil
  }

  /// The value, or `nil` if the object is gone.
  package var value: Value? {
    guard let object else { return nil }
    return object as? Value
  }
}

/// An object that is compared and counted, never called, and not kept alive. Safety: as for
/// `WeakReference`.
package struct WatchedObject: @unchecked Sendable {
  package let identity: ObjectIdentifier
  package weak let object: AnyObject?

  package init?<Value>(_ value: Value) {
    guard type(of: value as Any) is AnyClass else { return nil }
    let object = value as AnyObject
    identity = ObjectIdentifier(object)
    self.object = object
  }
}

/// Says that a type is `Sendable`, to code that does not see it: only such a type has one.
package struct SendableType<Value>: Sendable {
  package init() where Value: Sendable {}
}

/// An optional, to code that does not know its type.
private protocol HoldingOptional {
  var held: Any? { get }
}

extension Optional: HoldingOptional {
  fileprivate var held: Any? { self }
}
