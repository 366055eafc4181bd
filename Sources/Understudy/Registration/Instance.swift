// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Synchronization

/// What a cache keeps, whatever its type, and what it was made from.
package protocol AnyInstance: AnyObject, Sendable {
  var provenance: Provenance { get }
  /// The order of making, over the whole process.
  var serial: Int { get }
  /// The object that is kept, if it is one and is alive.
  var object: AnyObject? { get }
}

/// A value that is kept for as long as its cache is.
package final class Instance<Value: Sendable>: AnyInstance {
  package let value: Value
  package let provenance: Provenance
  package let serial = InstanceSerial.next()

  package init(_ value: Value, _ provenance: Provenance) {
    self.value = value
    self.provenance = provenance
  }

  package var object: AnyObject? { WeakReference(value).object }
}

/// An object that is shared for as long as somebody else keeps it (L5).
package final class WeakInstance<Value: Sendable>: AnyInstance {
  package let provenance: Provenance
  package let serial = InstanceSerial.next()
  private let reference: WeakReference<Value>

  package init(_ value: Value, _ provenance: Provenance) {
    reference = WeakReference(value)
    self.provenance = provenance
  }

  package var value: Value? { reference.value }
  package var object: AnyObject? { reference.object }
}

private enum InstanceSerial {
  private static let last = Atomic<Int>(0)

  static func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}
