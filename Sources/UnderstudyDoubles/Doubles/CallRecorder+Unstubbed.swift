// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

extension CallRecorder {
  /// Continues a call without an answer. If that is impossible, reports an issue and traps.
  func goOn<Output, Failure: Error>(
    _ call: Unanswered, with lastResort: LastResort<Output, Failure>
  ) throws(Failure) -> Output {
    let policy = call.policy ?? (call.isJudged ? .relaxed : nil) ?? layerPolicy
    // A double that returns nothing and has no stubs is only there to record.
    if policy == nil, call.hasNoStubs, let nothing = LastResort<Output, Failure>.nothing {
      state.withLock { $0.isFree = true }
      return nothing
    }
    // A relaxed call needs none, and its stack is not read.
    lazy var violation = unstubbedViolation(call, canGoOn: lastResort.isAny && policy != .trap)
    switch policy {
    case .trap: trap(violation)
    case .relaxed: break
    case .report, nil:
      // Each call is reported only once.
      if lastResort.isAny, !call.isReported { report(violation) }
    }
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
