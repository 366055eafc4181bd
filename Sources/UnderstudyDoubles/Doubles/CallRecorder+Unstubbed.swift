// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

extension CallRecorder {
  /// Goes on with a call that nothing answers. Traps if there is no way to: an issue first, the
  /// trap last.
  func goOn<Output, Failure: Error>(
    _ call: Unanswered, with lastResort: LastResort<Output, Failure>
  ) throws(Failure) -> Output {
    let policy = call.policy ?? (call.isJudged ? .relaxed : nil) ?? layerPolicy
    // A double that returns nothing and was never stubbed is there to record.
    if policy == nil, call.hasNoStubs, let nothing = LastResort<Output, Failure>.nothing {
      state.withLock { $0.isFree = true }
      return nothing
    }
    let message = unstubbedMessage(call, canGoOn: lastResort.isAny && policy != .trap)
    let violation = Violation(message, at: call.callSite)
    switch policy {
    case .trap: trap(violation)
    case .relaxed: break
    case .report, nil:
      // One report of a call is enough.
      if lastResort.isAny, !call.isReported { report(violation) }
    }
    if let output = try lastResort.output(throwing: Unstubbed(message)) { return output }
    trap(violation)
  }

  /// Ends the process. The issue goes to the test at once, since its layer will not come to its
  /// end.
  func trap(_ violation: Violation) -> Never {
    reportBeforeTrap(violation)
    // The call has to return a value, and there is none. The message says how to give one.
    fatalError(violation.description)
  }
}
