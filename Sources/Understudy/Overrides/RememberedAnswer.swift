// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What a resolution under a layer came to, so that the next one need not look through the stack.
///
/// It holds no instance and no registration that the layer's stores do not hold: it is dropped with every change of
/// them.
package final class RememberedAnswer: Sendable {
  enum Source {
    /// A layer answers, and a layer keeps the instance.
    case layer(AnyRegistration, AnyInstance)
    /// Production answers, and a layer keeps the instance, which holds production's registration.
    case boundary(AnyInstance)
    /// Production answers, with its own instance of this serial number.
    case production(serial: Int)
  }

  // What the source says, side by side: so each is read without the others, and without a reference counted.

  /// What a layer answers with; `nil` if production does.
  let registration: AnyRegistration?
  /// What a layer keeps.
  let instance: AnyInstance?
  /// The number of the instance that production keeps.
  let serial: Int?
  /// Counts what was asked for.
  private let counter: KeyCounter
  /// Counts what answered, if that is another key.
  private let otherCounter: KeyCounter?
  /// What is logged of it.
  let subject: EventSubject

  init(
    _ source: Source, counter: KeyCounter, otherCounter: KeyCounter?, subject: EventSubject
  ) {
    switch source {
    case .layer(let registration, let kept):
      (self.registration, instance, serial) = (registration, kept, nil)
    case .boundary(let kept): (registration, instance, serial) = (nil, kept, nil)
    case .production(let number): (registration, instance, serial) = (nil, nil, number)
    }
    self.counter = counter
    self.otherCounter = otherCounter
    self.subject = subject
  }

  /// Counts that an instance of this serial number was reused; true if it is to be looked at (O9, O13). Whoever calls
  /// it keeps this, so no reference to what it keeps is counted.
  func countReuse(of serial: Int, isInTest: Bool) -> Bool {
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
