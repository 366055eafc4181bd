// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Synchronization

/// What a cache keeps, whatever its type, and what it was made from.
///
/// Safety of `@unchecked Sendable`: every stored property is immutable and `Sendable`, and so are those of
/// the subclasses, which are `final` and in this file. The initialiser of each asks for the word that the
/// value's type is `Sendable`.
@usableFromInline
package class AnyInstance: @unchecked Sendable {
  package let provenance: Provenance
  /// The order of making, over the whole process.
  package let serial = AnyInstance.lastSerial.add(1, ordering: .relaxed).newValue

  /// The type of value that it is known to have; `AnyInstance`, which no value is of, if it may have lost it.
  @usableFromInline final let valueType: ObjectIdentifier

  private static let lastSerial = Atomic<Int>(0)

  /// False if the value was there before, made by somebody else.
  package final let isMade: Bool

  /// The number of the newest.
  static var newestSerial: Int { lastSerial.load(ordering: .relaxed) }

  fileprivate init(_ provenance: Provenance, of valueType: ObjectIdentifier, isMade: Bool) {
    self.provenance = provenance
    self.isMade = isMade
    self.valueType = valueType
  }

  /// The object that is kept, if it is one and is alive.
  package var object: AnyObject? { nil }

  /// How the value is held.
  package final var retention: Retention {
    valueType == ObjectIdentifier(AnyInstance.self) ? .weak : .strong
  }
}

extension AnyInstance {
  /// The same reference, as one to an instance of a value's type; checked. A cast would look up the type, which takes
  /// longer than comparing what the instance was made with; and so would a debug build, if this were the type's own.
  @inlinable @inline(__always)
  package static func unmanaged<Value>(
    _ instance: Unmanaged<AnyInstance>, of type: Value.Type
  ) -> Unmanaged<Instance<Value>> {
    unsafe precondition(
      instance._withUnsafeGuaranteedRef { $0.valueType } == ObjectIdentifier(type))
    return unsafe .fromOpaque(instance.toOpaque())
  }
}

/// A value that is kept for as long as its cache is. Safety: as for `AnyInstance`.
@usableFromInline
package final class Instance<Value>: AnyInstance, @unchecked Sendable {
  @usableFromInline package let value: Value
  private let type: SendableType<Value>

  package init(
    _ value: Value, _ type: SendableType<Value>, _ provenance: Provenance, isMade: Bool = true
  ) {
    self.value = value
    self.type = type
    super.init(provenance, of: ObjectIdentifier(Value.self), isMade: isMade)
  }

  package override var object: AnyObject? { WeakReference(value, type).object }
}

/// An object that is shared for as long as somebody else keeps it (L5). Safety: as for `AnyInstance`.
package final class WeakInstance<Value>: AnyInstance, @unchecked Sendable {
  private let reference: WeakReference<Value>

  package init(
    _ value: Value, _ type: SendableType<Value>, _ provenance: Provenance, isMade: Bool = true
  ) {
    reference = WeakReference(value, type)
    super.init(provenance, of: ObjectIdentifier(AnyInstance.self), isMade: isMade)
  }

  package var value: Value? { reference.value }
  package override var object: AnyObject? { reference.object }
}
