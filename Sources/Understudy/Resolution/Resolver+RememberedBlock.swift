// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The short way of a resolution under layers whose answer is remembered as the block that makes it: the block is
/// called, counted and logged as it was before.
///
/// Safety: as for the looks of `Resolver+Remembered`; until the value is there the look keeps the answer, and that its
/// registration, or who asks for what was declared does.
extension Resolver {
  /// What the block makes that a look is at, which ends the look.
  @inlinable @inline(never)
  func calledAgain<Value>(
    _ look: consuming RememberedLook, _ isolation: (any Actor)?, at callSite: CallSite
  ) throws(ResolutionError) -> Value {
    let (answer, order) = unsafe (look.answer, look.order)
    let value: Value
    do throws(ResolutionError) {
      value = try unsafe called(
        AnyRegistration.unmanaged(registration(of: answer), of: Value.self), isolation, order: order
      ) { () throws(ResolutionError) -> Value in
        throw unsafe failed(nil, answer, order: order, isolation, at: callSite)
      } failed: { (failure) throws(ResolutionError) -> Value in
        throw unsafe failed(failure, answer, order: order, isolation, at: callSite)
      }
    } catch {
      look.end()
      throw error
    }
    if unsafe note(.made, answer, order: order, at: callSite) {
      unsafe examine(value, answer, at: callSite)
    }
    look.end()
    return value
  }

  @usableFromInline
  func registration(of answer: Unmanaged<RememberedAnswer>) -> Unmanaged<AnyRegistration> {
    unsafe answer._withUnsafeGuaranteedRef { unsafe $0.reuse.registration }
  }

  /// Counts and logs how the block's call ended; true if what it made is to be looked at.
  @usableFromInline
  func note(
    _ outcome: ResolutionEvent.Outcome, _ answer: Unmanaged<RememberedAnswer>, order: Int,
    at callSite: CallSite
  ) -> Bool {
    let reuse = unsafe answer._withUnsafeGuaranteedRef { $0.reuse }
    let notes = unsafe reuse.asker._withUnsafeGuaranteedRef { layer in
      layer.scope.endRunning()
      return layer.notes
    }
    let asker = Construction.asker
    let held = unsafe notes.lock()
    let isWanted = unsafe answer._withUnsafeGuaranteedRef {
      let isWatched = $0.count(outcome, isInTest: notes.isInTest, held)
      return isWatched || !notes.isCurrent($0, held)
    }
    let displaced = unsafe notes.keep(
      reuse.subject, outcome, order: order, for: asker, at: callSite, held)
    held.unlock()
    // It may hold the last reference to a name, a user's object.
    withExtendedLifetime(displaced) {}
    return isWanted
  }

  /// Looks at what the block made (O9, O13), and has it disposed of if that was asked for while it ran.
  @usableFromInline @inline(never)
  func examine<Value>(
    _ value: Value, _ answer: Unmanaged<RememberedAnswer>, at callSite: CallSite
  ) {
    let (layer, key, registration) = unsafe parts(of: answer)
    if layer.hasDisposers {
      layer.noteMade(value, for: key, by: registration.key, keptAt: nil)
    }
    layer.watch(value, in: layer.log.counter(for: key), at: callSite)
  }

  /// Why there is no value: what the block threw; or that it was not called, since it would go too deep or is running.
  @usableFromInline @inline(never)
  func failed(
    _ failure: (any Error)?, _ answer: Unmanaged<RememberedAnswer>, order: Int,
    _ isolation: (any Actor)?, at callSite: CallSite
  ) -> ResolutionError {
    _ = unsafe note(.failed, answer, order: order, at: callSite)
    let (top, key, registration) = unsafe parts(of: answer)
    let request = Request(
      key, declared: key.declaredDefault, at: callSite, isOnMainActor: isolation.isMain)
    let resolution = Resolution<Void>(request, of: self, under: top, from: top, order: order)
    let error =
      failure.map { resolution.explained($0, registration) } ?? resolution.refusal(of: registration)
    resolution.noteUnimplemented(
      error,
      by: unsafe answer._withUnsafeGuaranteedRef { unsafe $0.reuse.layer?.takeUnretainedValue() })
    return error
  }

  private func parts(
    of answer: Unmanaged<RememberedAnswer>
  ) -> (asker: OverrideLayer, key: AnyKey, registration: AnyRegistration) {
    unsafe answer._withUnsafeGuaranteedRef {
      unsafe (
        $0.reuse.asker.takeUnretainedValue(), $0.key, $0.reuse.registration.takeUnretainedValue()
      )
    }
  }
}
