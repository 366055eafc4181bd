// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

extension CallRecorder {
  /// Goes on with a call that nothing answers, or traps: an issue first, a trap last.
  func goOn<Output, Failure: Error>(
    _ call: Unanswered, with lastResort: LastResort<Output, Failure>
  ) throws(Failure) -> Output {
    let message = unstubbedMessage(call)
    let policy = call.policy ?? (call.isJudged ? .relaxed : nil) ?? layerPolicy
    switch policy {
    case .trap: fatalError(message.description)
    case .relaxed: break
    case .report: report(Violation(message, at: call.callSite))
    case nil:
      // Recording is all that a double is for which returns nothing and was never stubbed.
      if Output.self == Void.self, call.hasNoStubs { break }
      report(Violation(message, at: call.callSite))
    }
    if let output = try lastResort.output(throwing: Unstubbed(message)) { return output }
    fatalError(message.description)
  }
}
