// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

extension CallRecorder {
  /// Continues a call without an answer. If that is impossible, reports an issue and traps.
  ///
  /// - Parameter isGet: Whether the call is the get of a `SpyProperty`.
  func goOn<Output, Failure: Error>(
    _ call: Unanswered, isGet: Bool = false, with lastResort: LastResort<Output, Failure>
  ) throws(Failure) -> Output {
    let nothing = LastResort<Output, Failure>.nothing
    // An expected call needs no stub if it returns nothing.
    let isJudged = call.isJudged || call.isExpected && nothing != nil
    let policy = call.policy ?? (isJudged ? .relaxed : nil) ?? layerPolicy
    // A double that returns nothing and has no stubs is only there to record.
    if policy == nil, call.hasNoStubs, let nothing {
      state.withLock { $0.isFree = true }
      return nothing
    }
    // On Apple's systems, any error is an `NSError`, too.
    let hasLastResort =
      lastResort.isAny || Failure.self != Never.self && Unstubbed(Message("")) is Failure
    let canGoOn = hasLastResort && policy != .trap
    // Each call is reported only once.
    let isReported = !canGoOn || policy != .relaxed && !call.isReported
    // Most relaxed calls need none.
    lazy var violation = unstubbedViolation(
      call, isGet: isGet, hasLastResort: hasLastResort, isTrapping: policy == .trap,
      isReported: isReported)
    if call.isLate, !canGoOn {
      // The message has the facts about the end of the process.
      let late = lateViolation(
        call.arguments, isTrapping: true, hasPolicy: policy == .trap, at: call.callSite)
      // Any other late call is reported already.
      if HeldObjects.areBeingReleased { reportBeforeTrap(late) }
      fatalError(late.description)
    }
    if policy == .trap { trap(violation) }
    if canGoOn, isReported { report(violation) }
    if let output = try lastResort.output(throwing: Unstubbed(violation.message)) { return output }
    trap(violation)
  }

  /// Ends the process. The issue is reported to the test at once, since its layer will not end.
  func trap(_ violation: Violation) -> Never {
    reportBeforeTrap(violation)
    // The call has to return a value, and there is none. The message says how to provide one.
    fatalError(violation.description)
  }
}
