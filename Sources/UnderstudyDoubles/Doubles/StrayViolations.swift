// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

package import Understudy

/// The destination for violations of doubles without a layer.
///
/// An adapter for a test framework may listen. Without one, each double keeps its violations until
/// `finish()` or `verify()`.
package enum StrayViolations {
  package typealias Listener = @Sendable (Violation) -> Void

  /// True in a task whose doubles keep their violations even if there is a listener.
  @TaskLocal package static var areKept = false

  // A structure, since each read of a function in a lock would wrap it once more.
  private struct Current: Sendable {
    var listener: Listener?
  }

  private static let current = Lock(Current())

  /// Called for each violation of a double without a layer, on the thread that caused it.
  package static var listener: Listener? {
    get { areKept ? nil : current.withLock { $0 }.listener }
    set { current.withLock { $0 = Current(listener: newValue) } }
  }
}

extension Violation {
  /// Reports the violation to its layer, or else to the caller's layer or test. Without these,
  /// `orElse` gets it.
  func report(
    to owner: OverrideLayer? = nil,
    orElse report: (Violation) -> Void = { writeToStandardError($0.line) }
  ) {
    if let layer = owner ?? .ofCaller {
      layer.record(self)
    } else if let tell = StrayViolations.listener {
      tell(self)
    } else {
      report(self)
    }
  }
}

/// Reports a violation to the caller's test at once, since the process is about to end. Not in an
/// exit test, which expects the end and reads the output of the process.
func reportBeforeTrap(_ violation: Violation) {
  if let host = TestHosts.current, !host.expectsExit { host.report(violation) }
}
