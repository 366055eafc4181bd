// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What a resolution under a layer came to, so that the next one need not look through the stack.
///
/// It holds nothing that the layer's stores do not hold: it is dropped with every change of them.
package final class RememberedAnswer: Sendable {
  package enum Source: Sendable {
    /// A layer answers, and a layer keeps the instance.
    case layer(AnyRegistration, AnyInstance)
    /// Production answers, and a layer keeps the instance, which holds production's registration.
    case boundary(AnyInstance)
    /// Production answers, with its own instance of this serial number.
    case production(serial: Int)
  }

  package let source: Source
  /// The name of the layer that answers; `nil` for production.
  package let layer: String?
  /// Counts what was asked for.
  package let counter: KeyCounter
  /// Counts what answered, if that is another key.
  package let otherCounter: KeyCounter?

  package init(
    _ source: Source, layer: String?, counter: KeyCounter, otherCounter: KeyCounter?
  ) {
    self.source = source
    self.layer = layer
    self.counter = counter
    self.otherCounter = otherCounter
  }
}

/// Of answers alone: a conformance of all recollections would be asked for its type with every change.
extension Recollection: ChangeObserver where Element == RememberedAnswer {}

extension AnyKey {
  /// What tells this key from others of its type in a recollection; `nil` if that is a name, which is
  /// user code and is compared nowhere but in its table.
  package var subject: Int? {
    guard name == nil, container == nil else { return nil }
    guard let declaration else { return Int(bitPattern: ObjectIdentifier(type)) }
    return declaration.identity &<< 1 | 1
  }
}
