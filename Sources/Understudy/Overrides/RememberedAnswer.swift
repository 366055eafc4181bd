// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What a resolution under a layer came to, so that the next one need not look through the stack: an instance that is
/// kept, or whose block made the value.
///
/// It holds no instance and no registration that a store does not hold: it is dropped when a change of a layer begins,
/// and one of what production has also when a change of production does.
///
/// Safety: it keeps what it hands out without a counted reference, and whoever asks for that keeps this meanwhile;
/// `counter` keeps `subject`. The layers are kept by nobody here: who asks sees them. Nor is what was declared, which is
/// used only for who asks with it (`begin`).
@safe
@usableFromInline
package final class RememberedAnswer: Sendable {
  /// What is done when it answers again, with references that are not counted.
  let reuse: Reuse

  // What `reuse` refers to.
  private let kept: AnyInstance?
  /// That of who answered.
  private let serial: Int
  /// What the recollection counted when it was found out.
  let generation: Int
  /// `nil` if it is a declared dependency's own: who asks has that, and nobody else may keep it.
  private let registration: AnyRegistration?
  private let counter: KeyCounter
  private let otherCounter: KeyCounter?

  /// - Parameters:
  ///   - instance: What is reused; `nil` if the registration's block is to be called.
  ///   - answer: Who answered.
  ///   - isDefault: True if that is a declared dependency's own registration.
  ///   - asker: The innermost layer that who asks sees.
  ///   - counter: Counts what was asked for.
  ///   - otherCounter: Counts what answered, if that is another key.
  ///   - generation: What the recollection counted before anything was looked at.
  init(
    _ instance: AnyInstance?, of answer: Answer, isDefault: Bool, askedBy asker: OverrideLayer,
    counter: KeyCounter, otherCounter: KeyCounter?, since generation: Int
  ) {
    kept = instance
    registration = isDefault ? nil : answer.registration
    serial = answer.registration.serial
    self.generation = generation
    self.counter = counter
    self.otherCounter = otherCounter
    reuse = unsafe Reuse(
      instance: instance.map { unsafe .passUnretained($0) },
      registration: .passUnretained(answer.registration),
      layer: answer.layer.map { unsafe .passUnretained($0) },
      asker: .passUnretained(asker),
      name: counter.key.name.map { unsafe .passUnretained($0.distinction) },
      counter: .passUnretained(counter),
      otherCounter: otherCounter.map { unsafe .passUnretained($0) },
      subject: .passUnretained(counter.subject(answeredBy: answer.layer?.name)))
  }

  /// What was asked for.
  var key: AnyKey { counter.key }

  /// Says that its block is about to be called; false if the one is another that was declared.
  func begin(declaredAs serial: Int?) -> Bool {
    guard registration != nil || serial == self.serial else { return false }
    if unsafe reuse.layer != nil { registration?.markUsed() }
    unsafe reuse.asker._withUnsafeGuaranteedRef { $0.scope.beginRunning() }
    return true
  }

  /// Counts that its block was called; true if what that made is to be looked at (O9, O13).
  func count(_ outcome: ResolutionEvent.Outcome, isInTest: Bool, _ held: borrowing HeldMutex)
    -> Bool
  {
    counter.count(outcome, held)
    otherCounter?.count(outcome, held)
    return isInTest && counter.wantsCaptures
  }

  /// Counts and logs that it answered for the first time; true if the instance is to be looked at (O9, O13).
  func note(
    _ outcome: ResolutionEvent.Outcome, of instance: AnyInstance, by asker: LogEntry.Asker,
    in notes: LayerNotes, at callSite: CallSite
  ) -> Bool {
    let held = unsafe notes.lock()
    counter.count(outcome, held)
    otherCounter?.count(outcome, held)
    let isWatched = notes.isInTest && counter.wantsCapture(of: instance.serial)
    let displaced = unsafe notes.keep(
      reuse.subject, outcome, order: notes.nextOrder(held), for: asker, at: callSite, held)
    held.unlock()
    // It may hold the last reference to a name, a user's object.
    withExtendedLifetime(displaced) {}
    return isWatched
  }

  /// Safety: as of what has it.
  @safe
  struct Reuse: Sendable {
    let instance: Unmanaged<AnyInstance>?
    let registration: Unmanaged<AnyRegistration>
    /// The layer that has the registration; `nil` if production has. Who asks sees it, too.
    let layer: Unmanaged<OverrideLayer>?
    /// The innermost layer that who asks sees, and so keeps.
    let asker: Unmanaged<OverrideLayer>
    /// What was asked for is told by this from others of its subject.
    let name: Unmanaged<KeyDistinction>?
    /// Counts what was asked for.
    let counter: Unmanaged<KeyCounter>
    /// Counts what answered, if that is another key.
    let otherCounter: Unmanaged<KeyCounter>?
    /// What is logged of it.
    let subject: Unmanaged<EventSubject>

    /// True if this was asked for under a name.
    @inline(__always)
    func isNamed(_ name: QuickName) -> Bool {
      guard let own = unsafe self.name else { return false }
      return unsafe own._withUnsafeGuaranteedRef { name.isName(of: $0) }
    }

    /// Counts a reuse; true if the instance is to be looked at (O9, O13).
    @inline(__always)
    func count(
      _ instance: Unmanaged<AnyInstance>, isInTest: Bool, _ held: borrowing HeldMutex
    ) -> Bool {
      if unsafe layer != nil { unsafe registration._withUnsafeGuaranteedRef { $0.markUsed() } }
      if let otherCounter = unsafe otherCounter {
        unsafe otherCounter._withUnsafeGuaranteedRef { $0.countReuse(held) }
      }
      return unsafe counter._withUnsafeGuaranteedRef { counter in
        counter.countReuse(held)
        return unsafe isInTest
          && counter.wantsCapture(of: instance._withUnsafeGuaranteedRef { $0.serial })
      }
    }
  }
}
