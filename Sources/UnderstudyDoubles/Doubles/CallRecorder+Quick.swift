// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

/// The short way of a call: all that it takes is to record it, and to choose a stub.
///
/// Safety: the recorder keeps the lock that `guarded` is of. Its mutex is locked here for each use
/// of the state, and nothing of a user's runs meanwhile. It is locked by hand since a debug build
/// would look up the types of what goes into a closure and comes out of it.
extension CallRecorder {
  /// Records a call and answers it if that takes nothing else than choosing a stub.
  ///
  /// What it does not answer goes to `record`, which has to know whether it was recorded here.
  @inlinable
  func quickAnswer(_ arguments: Arguments, isRecorded: inout Bool) -> Answer? {
    defer { extendLifetime(self) }
    var stubs: QuickStubs<Arguments, Answer>?
    unsafe Mutex.lock(guarded.address)
    if unsafe guarded.state.pointee.quick != nil,
      unsafe !guarded.state.pointee.mayBeAdopted || !maySeeLayer,
      unsafe CallHistory.append(arguments, to: &guarded.state.pointee.history)
    {
      // No reference is counted for what is copied under the lock.
      if let constant = unsafe guarded.state.pointee.quick?.constant {
        unsafe guarded.state.pointee.isConstantUsed = true
        unsafe Mutex.unlock(guarded.address)
        return constant
      }
      stubs = unsafe guarded.state.pointee.quick
    }
    unsafe Mutex.unlock(guarded.address)
    if stubs == nil { stubs = quickStubsOfFull(arguments) }
    guard let stubs = consume stubs else { return nil }
    isRecorded = true
    defer { extendLifetime(stubs) }
    return stubs.answer(to: arguments)
  }

  /// False if no layer is alive that the caller could see.
  @usableFromInline var maySeeLayer: Bool { OverrideLayer.areAnyAlive }

  /// Records a call whose history has no room but that of the oldest.
  @usableFromInline
  func quickStubsOfFull(_ arguments: Arguments) -> QuickStubs<Arguments, Answer>? {
    let (stubs, evicted) = state.withLock { state in
      let quick = state.mayBeAdopted && maySeeLayer ? nil : state.quick
      return (quick, quick.flatMap { _ in state.history.append(arguments) })
    }
    // Released here, outside the lock.
    withExtendedLifetime(evicted) {}
    return stubs
  }
}
