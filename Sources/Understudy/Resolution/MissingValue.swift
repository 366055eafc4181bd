// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A value that could not be resolved. It has no effect until it is read.
@usableFromInline
package final class MissingValue: Sendable {
  package let error: ResolutionError
  private let layer: OverrideLayer?
  private let test: RunningTest?

  package init(_ error: ResolutionError) {
    self.error = error
    layer = OverrideLayer.current
    let host = TestHosts.current.flatMap { $0.expectsExit ? nil : $0 }
    test = layer?.test ?? host.flatMap { $0.testOfCallingTask() ?? $0.runningCase() }
  }

  /// Reports the error on the test, and ends the process with the same message.
  @usableFromInline
  package func trap() -> Never {
    var message = error.message
    if let test { message.facts.append(Message.Fact("Test", "'\(test.name)'")) }
    // An exit test inspects the output of the process.
    if let host = TestHosts.current, !host.expectsExit {
      host.report(Violation(message, at: error.callSite))
    }
    fatalError("\n\(message)")
  }

  /// Reports the error on the test, for a caller that can continue without the value. Without
  /// tests, the process ends.
  package func reportOrTrap() {
    guard test != nil || TestHosts.areAny, TestHosts.current?.expectsExit != true else { trap() }
    report()
  }

  private func report() {
    let violation = Violation(error.message, at: error.callSite)
    if let layer, layer.test != nil {
      layer.record(violation)
    } else {
      TestHosts.report(violation)
    }
  }

  /// Reports the use of a value that the test forbids.
  package func noteUse() {
    if error.isForbidden { report() }
  }
}

extension ResolutionError {
  /// Reports this on the calling test and ends the process, for callers that cannot throw.
  package func trap() -> Never { MissingValue(self).trap() }
}
