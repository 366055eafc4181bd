// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The short way of a resolution under layers: what the same question came to before, if nothing of the
/// stack has changed since. Its cost does not grow with the depth of the stack.
///
/// Safety: the calling task sees `top`, which is kept while it does, and keeps its log and what was found out. That
/// keeps what is found there for as long as the mutex is held, under which nothing is taken out; an instance that is
/// used for longer is retained.
extension Resolver {
  /// Looks at what the last resolution of a key under the same layer came to, and counts and logs that.
  ///
  /// - Parameters:
  ///   - subject: What tells the key from others of its type.
  ///   - type: The key's.
  ///   - name: The key's, if it has one.
  ///   - lifecycle: What to do with the value.
  ///   - top: The innermost layer that the calling task sees.
  ///   - callSite: Where it is asked for.
  ///   - declared: The default, if the key is declared; whoever asks keeps it.
  ///   - mayMake: False if who asks has to know whether the value was made for it.
  /// - Returns: A look at the instance that it reused, or at the block that it called, which is begun; `nil` if it is not
  ///   known, or not known to hold still.
  func rememberedLook(
    at subject: Int, of type: any Any.Type, _ name: QuickName?, _ lifecycle: Lifecycle,
    under top: Unmanaged<OverrideLayer>, at callSite: CallSite,
    declared: Unmanaged<AnyRegistration>? = nil, mayMake: Bool = true
  ) -> RememberedLook? {
    let notes = unsafe top._withUnsafeGuaranteedRef { $0.notes }
    guard case .cached = lifecycle, notes.isOf(self), notes.isInTest || !TestHosts.areAny,
      !Completions.areAnyRegistered, let asker = Construction.untrackedAsker
    else { return nil }
    let held = unsafe notes.lock()
    guard let remembered = unsafe notes.answer(to: subject, of: type, held) else { return nil }
    let reuse = unsafe remembered._withUnsafeGuaranteedRef { $0.reuse }
    if let name, !reuse.isNamed(name) { return nil }
    guard let instance = unsafe reuse.instance else {
      return unsafe mayMake ? beginning(remembered, declared, notes, held) : nil
    }
    let isWatched = unsafe reuse.count(instance, isInTest: notes.isInTest, held)
    let displaced = unsafe notes.keep(
      reuse.subject, .reused, order: notes.nextOrder(held), for: asker, at: callSite, held)
    guard isWatched || displaced != nil else {
      return unsafe RememberedLook(instance, under: held)
    }
    // What is remembered may go once the mutex is not held.
    let watched = unsafe isWatched ? remembered._withUnsafeGuaranteedRef { $0.key } : nil
    let look = unsafe RememberedLook(retained: instance)
    held.unlock()
    // It may hold the last reference to a name, a user's object.
    withExtendedLifetime(displaced) {}
    if let watched {
      unsafe top._withUnsafeGuaranteedRef {
        unsafe $0.watchReused(instance.takeUnretainedValue(), for: watched, at: callSite)
      }
    }
    return look
  }

  /// A look at the block of an answer, which begins; `nil` if the one that was declared is another.
  private func beginning(
    _ answer: Unmanaged<RememberedAnswer>, _ declared: Unmanaged<AnyRegistration>?,
    _ notes: LayerNotes, _ held: borrowing HeldMutex
  ) -> RememberedLook? {
    let serial = unsafe declared?._withUnsafeGuaranteedRef { $0.serial }
    let isAsked = unsafe answer._withUnsafeGuaranteedRef { $0.begin(declaredAs: serial) }
    guard isAsked else { return nil }
    return unsafe RememberedLook(blockOf: answer, order: notes.nextOrder(held))
  }
}
