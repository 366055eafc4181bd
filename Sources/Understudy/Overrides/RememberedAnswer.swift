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
  private let name: KeyName?

  init(
    _ instance: AnyInstance, of registration: AnyRegistration?, counter: KeyCounter,
    otherCounter: KeyCounter?, answeredBy layer: String?
  ) {
    kept = instance
    self.registration = registration
    self.counter = counter
    self.otherCounter = otherCounter
    unsafe unmanagedRegistration = registration.map { unsafe .passUnretained($0) }
    unsafe unmanagedCounter = .passUnretained(counter)
    unsafe unmanagedOtherCounter = otherCounter.map { unsafe .passUnretained($0) }
    unsafe subject = .passUnretained(counter.subject(answeredBy: layer))
    name = counter.key.name
  }

  /// What was asked for.
  var key: AnyKey { counter.key }

  /// True if this was asked for under a name.
  func isNamed(_ name: QuickName) -> Bool {
    if let own = self.name { name.isName(own) } else { false }
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
  /// What tells this key from others of its type in a recollection, where a name has to be compared besides; `nil` if
  /// that takes code of a user's, which runs nowhere but in its table.
  package var subject: Int? {
    if isPlain { return AnyKey.plainSubject(of: type) }
    if let quick = quickName { return AnyKey.subject(named: quick.hash) }
    guard name == nil, container == nil, let declaration else { return nil }
    return declaration.identity &<< 1 | 1
  }

  /// That of a type alone: a multiple of four, since types are aligned, as none of the others is.
  static func plainSubject(of type: any Any.Type) -> Int { Int(bitPattern: ObjectIdentifier(type)) }

  /// That of a name, of its hash.
  static func subject(named hash: Int) -> Int { hash & ~3 | 2 }

  /// The name, if it is told from others without code of a user's, and there is nothing else.
  var quickName: QuickName? { onlyName(of: ObjectIdentifier(type))?.quick }
}
