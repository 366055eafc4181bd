// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

/// The fast path of a call, which only records the call and chooses a stub.
///
/// Safety: the recorder retains the lock. The mutex is locked here during each use of
/// the state, and no user code runs in that time. It is locked by hand, because a debug build would
/// look up the types of a closure's captures and results.
extension CallRecorder {
  /// Records a call and answers it, if nothing more than choosing a stub is needed.
  ///
  /// Any other call goes to `record`, which needs to know whether the call was already recorded
  /// here.
  @inlinable
  func quickAnswer(_ arguments: Arguments, isRecorded: inout Bool) -> Answer? {
    defer { extendLifetime(self) }
    var stubs: QuickStubs<Arguments, Answer>?
    unsafe Mutex.lock(state.address)
    if unsafe state.value.pointee.quick != nil,
      unsafe !state.value.pointee.mayBeAdopted || !maySeeLayer,
      unsafe CallHistory.append(arguments, to: &state.value.pointee.history)
    {
      // The constant is copied under the lock without retaining its stub.
      if let constant = unsafe state.value.pointee.quick?.constant {
        unsafe state.value.pointee.isConstantUsed = true
        unsafe Mutex.unlock(state.address)
        return constant
      }
      stubs = unsafe state.value.pointee.quick
    }
    unsafe Mutex.unlock(state.address)
    if stubs == nil { stubs = quickStubsOfFull(arguments) }
    guard let stubs = consume stubs else { return nil }
    isRecorded = true
    defer { extendLifetime(stubs) }
    return stubs.answer(to: arguments)
  }

  /// False if no layer is alive that the caller could see.
  @usableFromInline var maySeeLayer: Bool { OverrideLayer.areAnyAlive }

  /// Records a call in a full history, in the place of the oldest one.
  @usableFromInline
  func quickStubsOfFull(_ arguments: Arguments) -> QuickStubs<Arguments, Answer>? {
    let (stubs, evicted) = state.withLock { state in
      let quick = state.mayBeAdopted && maySeeLayer ? nil : state.quick
      return (quick, quick.flatMap { _ in state.history.append(arguments) })
    }
    // The oldest call is released here, outside the lock.
    withExtendedLifetime(evicted) {}
    return stubs
  }
}
