// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

extension CallRecorder {
  /// Goes on with a call that nothing answers, or traps: an issue first, a trap last.
  func goOn<Output, Failure: Error>(
    _ call: Unanswered, with lastResort: LastResort<Output, Failure>
  ) throws(Failure) -> Output {
    let policy = call.policy ?? (call.isJudged ? .relaxed : nil) ?? layerPolicy
    // Recording is all that a double is for which returns nothing and was never stubbed.
    if policy == nil, call.hasNoStubs, let nothing = LastResort<Output, Failure>.nothing {
      state.withLock { $0.isFree = true }
      return nothing
    }
    let message = unstubbedMessage(call)
    switch policy {
    case .trap: fatalError(message.description)
    case .relaxed: break
    case .report, nil:
      // One report of a call is enough.
      if !call.isReported { report(Violation(message, at: call.callSite)) }
    }
    if let output = try lastResort.output(throwing: Unstubbed(message)) { return output }
    fatalError(message.description)
  }
}
