// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What a resolution under a layer came to, so that the next one need not look through the stack.
///
/// It holds nothing that the layer's stores do not hold: it is dropped with every change of them.
package final class RememberedAnswer: Sendable {
  package enum Source: Sendable {
    /// A layer answers, and a layer keeps the instance.
    case layer
    /// Production answers, and a layer keeps the instance, which holds production's registration.
    case boundary
    /// Production answers, with its own instance of this serial number.
    case production(serial: Int)
  }

  package let source: Source
  /// What a layer answers with.
  private let registration: AnyRegistration?
  /// What a layer keeps.
  package let instance: AnyInstance?
  /// Counts what was asked for.
  private let counter: KeyCounter
  /// Counts what answered, if that is another key.
  private let otherCounter: KeyCounter?
  /// What is logged of it.
  package let subject: EventSubject

  package init(
    _ source: Source, registration: AnyRegistration?, instance: AnyInstance?, counter: KeyCounter,
    otherCounter: KeyCounter?, subject: EventSubject
  ) {
    self.source = source
    self.registration = registration
    self.instance = instance
    self.counter = counter
    self.otherCounter = otherCounter
    self.subject = subject
  }

  /// Counts that an instance of this serial number was reused; true if it is to be looked at (O9, O13). Whoever calls
  /// it keeps this, so no reference to what it keeps is counted.
  package func countReuse(of serial: Int, isInTest: Bool) -> Bool {
    let registration = registration.map { Unmanaged.passUnretained($0) }
    registration?._withUnsafeGuaranteedRef { $0.markUsed() }
    let other = otherCounter.map { Unmanaged.passUnretained($0) }
    other?._withUnsafeGuaranteedRef { $0.count(.reused) }
    return Unmanaged.passUnretained(counter)._withUnsafeGuaranteedRef {
      $0.count(.reused)
      return isInTest && $0.wantsCapture(of: serial)
    }
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
