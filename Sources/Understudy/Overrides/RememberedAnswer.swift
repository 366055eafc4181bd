// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What a resolution under a layer came to, so that the next one need not look through the stack.
///
/// It holds no instance and no registration that a store does not hold: it is dropped when a change of a layer begins,
/// and one whose instance production keeps also when a change of production does.
///
/// Safety: it keeps what it hands out without a counted reference, and whoever asks for that keeps this meanwhile;
/// `counter` keeps `subject`.
@safe
package final class RememberedAnswer: Sendable {
  /// What a layer answers with; `nil` if production does.
  private let registration: AnyRegistration?
  private let kept: AnyInstance
  /// Counts what was asked for.
  private let counter: KeyCounter
  /// Counts what answered, if that is another key.
  private let otherCounter: KeyCounter?
  // The same to which no reference is counted.
  private let unmanagedRegistration: Unmanaged<AnyRegistration>?
  private let unmanagedCounter: Unmanaged<KeyCounter>
  private let unmanagedOtherCounter: Unmanaged<KeyCounter>?
  /// What is logged of it.
  let subject: Unmanaged<EventSubject>

  init(
    _ instance: AnyInstance, of registration: AnyRegistration?, counter: KeyCounter,
    otherCounter: KeyCounter?, subject: EventSubject
  ) {
    kept = instance
    self.registration = registration
    self.counter = counter
    self.otherCounter = otherCounter
    unsafe unmanagedRegistration = registration.map { unsafe .passUnretained($0) }
    unsafe unmanagedCounter = .passUnretained(counter)
    unsafe unmanagedOtherCounter = otherCounter.map { unsafe .passUnretained($0) }
    unsafe self.subject = .passUnretained(subject)
  }

  /// The instance.
  @inline(__always)
  var instance: Unmanaged<AnyInstance> { unsafe .passUnretained(kept) }

  /// Counts that an instance was reused; true if it is to be looked at (O9, O13).
  @inline(__always)
  func countReuse(
    of instance: Unmanaged<AnyInstance>, isInTest: Bool, _ held: borrowing HeldMutex
  ) -> Bool {
    unsafe unmanagedRegistration?._withUnsafeGuaranteedRef { $0.markUsed() }
    unsafe unmanagedOtherCounter?._withUnsafeGuaranteedRef { $0.count(.reused, held) }
    return unsafe unmanagedCounter._withUnsafeGuaranteedRef { counter in
      counter.count(.reused, held)
      return unsafe isInTest
        && counter.wantsCapture(of: instance._withUnsafeGuaranteedRef { $0.serial })
    }
  }
}

extension AnyKey {
  /// What tells this key from others of its type in a recollection; `nil` if that is a name, which is
  /// user code and is compared nowhere but in its table.
  package var subject: Int? {
    if isPlain { return Int(bitPattern: ObjectIdentifier(type)) }
    guard name == nil, container == nil, let declaration else { return nil }
    return declaration.identity &<< 1 | 1
  }
}
