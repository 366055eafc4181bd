// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What was found out at some cost, for as long as nothing has changed.
///
/// Everything is dropped when a change begins, so what is found is from a time after the last change. When something
/// else changes, which others look through to as well, only what belongs to that is dropped: the rest is found no more,
/// and goes with the next change here, so that nobody else lets go of it.
///
/// Whoever looks takes the generation first. There is none while a change is under way, and a new one
/// when one begins: what is taken in was seen while nothing changed. A place may be taken by something
/// else; then it is looked for again.
///
/// What is dropped is released outside the lock: it may be the last reference to a user's object.
///
/// Safety: what is kept is of the type `Element`, since `keep` alone takes anything in. `@unchecked Sendable`, as its
/// superclass is: it has a lock, and nothing else.
package final class Recollection<Element: AnyObject & Sendable>: ChangeObserver, @unchecked Sendable
{
  private let state: Lock<Recollected>

  /// Of what lies behind another's lock, so that what is found can be used together with what that guards. No other
  /// recollection is of the same.
  @unsafe
  package init(_ state: Lock<Recollected>) { self.state = state }

  // What is remembered may keep the box that the lock is in.
  deinit { withExtendedLifetime(changeBegins()) {} }

  /// The generation that something found out from now on belongs to; `nil` while a change is under way,
  /// for it may be seen or not, and be done before what was found out is taken in.
  package var generation: Int? {
    state.withLock { $0.generation }
  }

  /// Takes in what was found out since `generation` was read, if no change has begun meanwhile.
  ///
  /// - Parameters:
  ///   - element: What was found out.
  ///   - key: What it is found by.
  ///   - isElsewhere: True if what it keeps belongs to something else.
  ///   - generation: That of the time before anything was looked at.
  package func keep(
    _ element: Element, for key: RecollectionKey, isElsewhere: Bool = false, since generation: Int
  ) {
    let displaced = state.withLock { state in
      state.row.generation == generation ? state.keep(element, for: key, isElsewhere) : nil
    }
    withExtendedLifetime(displaced) {}
  }

  package override func changeBegins() -> Any? { state.withLock { $0.changeBegins() } }

  package override func changeBeginsElsewhere() -> Any? {
    state.withLock { $0.changeBeginsElsewhere() }
  }

  package override func changeEnds() {
    state.withLock { $0.changeEnds() }
  }
}
