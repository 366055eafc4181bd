// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What a resolution under a layer came to, so that the next one need not look through the stack.
///
/// It holds no instance and no registration that the layer's stores do not hold: it is dropped with every change of
/// them. What production keeps it does not hold: it has the address, and production's store says
/// whether that is still kept (`RegistrationStore.enter`).
package final class RememberedAnswer: Sendable {
  enum Source {
    /// A layer answers, and a layer keeps the instance.
    case layer(AnyRegistration, AnyInstance)
    /// Production answers as long as this generation of its store lasts, and a layer keeps the instance.
    case boundary(AnyInstance, since: Int)
    /// Production answers, and keeps the instance itself.
    case production(Unmanaged<AnyInstance>, since: Int)
  }

  // What the source says, side by side: so each is read without the others, and without a reference counted.

  /// What a layer answers with; `nil` if production does.
  private let registration: AnyRegistration?
  /// What a layer keeps.
  private let kept: AnyInstance?
  /// What production keeps, which need not be alive.
  private let unmanaged: Unmanaged<AnyInstance>?
  /// When production answered.
  private let generation: Int
  /// Counts what was asked for.
  private let counter: KeyCounter
  /// Counts what answered, if that is another key.
  private let otherCounter: KeyCounter?
  /// What is logged of it, kept by the counter.
  let subject: Unmanaged<EventSubject>

  init(_ source: Source, counter: KeyCounter, otherCounter: KeyCounter?, subject: EventSubject) {
    switch source {
    case .layer(let registration, let kept):
      (self.registration, self.kept, unmanaged, generation) = (registration, kept, nil, 0)
    case .boundary(let kept, let since):
      (registration, self.kept, unmanaged, generation) = (nil, kept, nil, since)
    case .production(let instance, let since):
      (registration, kept, unmanaged, generation) = (nil, nil, instance, since)
    }
    self.counter = counter
    self.otherCounter = otherCounter
    self.subject = .passUnretained(subject)
  }

  /// The instance, if whoever answered still does, and the pass of a gate within which it is kept if production does.
  /// No reference is counted: whoever calls this keeps the rest.
  @inline(__always)
  func instance(
    of store: RegistrationStore
  ) -> (instance: Unmanaged<AnyInstance>, pass: ReaderGate.Pass?)? {
    guard let kept = kept.map({ Unmanaged.passUnretained($0) }) else {
      guard let unmanaged, let pass = store.enter(since: generation) else { return nil }
      return (unmanaged, pass)
    }
    return registration != nil || store.isStill(generation) ? (kept, nil) : nil
  }

  /// Counts that an instance was reused; true if it is to be looked at (O9, O13). Whoever calls
  /// it keeps this, so no reference to what it keeps is counted.
  @inline(__always)
  func countReuse(
    of instance: Unmanaged<AnyInstance>, isInTest: Bool, _ held: HeldMutex
  ) -> Bool {
    registration.map { Unmanaged.passUnretained($0) }?._withUnsafeGuaranteedRef { $0.markUsed() }
    if let other = otherCounter.map({ Unmanaged.passUnretained($0) }) {
      other._withUnsafeGuaranteedRef { $0.count(.reused, held) }
    }
    return Unmanaged.passUnretained(counter)._withUnsafeGuaranteedRef { counter in
      counter.count(.reused, held)
      return isInTest
        && counter.wantsCapture(of: instance._withUnsafeGuaranteedRef { $0.serial })
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
