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

  private static let lastSerial = Atomic<Int>(0)

  fileprivate init(_ provenance: Provenance) {
    self.provenance = provenance
  }

  /// The object that is kept, if it is one and is alive.
  package var object: AnyObject? { nil }
}

/// A value that is kept for as long as its cache is. Safety: as for `AnyInstance`.
@usableFromInline
package final class Instance<Value>: AnyInstance, @unchecked Sendable {
  @usableFromInline package let value: Value
  private let type: SendableType<Value>

  package init(_ value: Value, _ type: SendableType<Value>, _ provenance: Provenance) {
    self.value = value
    self.type = type
    super.init(provenance)
  }

  package override var object: AnyObject? { WeakReference(value, type).object }
}

/// An object that is shared for as long as somebody else keeps it (L5). Safety: as for `AnyInstance`.
package final class WeakInstance<Value>: AnyInstance, @unchecked Sendable {
  private let reference: WeakReference<Value>

  package init(_ value: Value, _ type: SendableType<Value>, _ provenance: Provenance) {
    reference = WeakReference(value, type)
    super.init(provenance)
  }

  package var value: Value? { reference.value }
  package override var object: AnyObject? { reference.object }
}
