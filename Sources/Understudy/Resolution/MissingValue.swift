// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A value that could not be had when it was asked for. It does no harm until it is read.
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
    // An exit test looks at what the process writes.
    if let host = TestHosts.current, !host.expectsExit {
      host.report(Violation(message, at: error.callSite))
    }
    fatalError("\n\(message)")
  }

  /// Reports the error on the test, for a caller that can go on without the value. Without a test
  /// the process ends.
  func reportOrTrap() {
    guard test != nil || TestHosts.areAny, TestHosts.current?.expectsExit != true else { trap() }
    let violation = Violation(error.message, at: error.callSite)
    if let layer, layer.test != nil {
      layer.record(violation)
    } else {
      TestHosts.report(violation)
    }
  }

  /// Reports that a value was used which the test had forbidden.
  func noteUse() {
    if error.isForbidden { reportOrTrap() }
  }
}

extension ResolutionError {
  /// Reports this on the calling test, and ends the process: for callers whose form cannot throw.
  package func trap() -> Never { MissingValue(self).trap() }
}
