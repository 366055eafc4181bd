// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A finding of a layer or a double that a test must not pass with unnoticed.
///
/// A violation is reported on the test that owns the layer, at `callSite`. A violation of the
/// test's own task is reported at once. The layer collects the others and reports them at its end.
/// In a process without tests, violations are written to standard error.
public struct Violation: Hashable, Sendable, CustomStringConvertible {
  /// The weight of a violation.
  public enum Severity: Hashable, Sendable, CaseIterable {
    /// The test fails.
    case error
    /// The test passes, with a mark if the framework has one.
    case warning
  }

  /// The weight of this violation.
  public let severity: Severity
  /// The place of the override or of the call.
  public let callSite: CallSite
  /// The whole message.
  public var description: String { message.description }

  package let message: Message
  /// True if something did not happen that was to: of what did not run that says nothing.
  let isOfOmission: Bool
  /// True if a call did not happen that was expected: that is said of a cancelled test, too.
  let isOfExpectation: Bool

  package init(
    _ message: Message, severity: Severity = .error, ofOmission isOfOmission: Bool = false,
    ofExpectation isOfExpectation: Bool = false, at callSite: CallSite
  ) {
    self.message = message
    self.severity = severity
    self.isOfOmission = isOfOmission || isOfExpectation
    self.isOfExpectation = isOfExpectation
    self.callSite = callSite
  }
}

/// Something that a layer finishes when it ends, such as a double that it was given.
package protocol LayerParticipant: TeardownHook {
  /// Says which layer will finish it, as far as is known; another may follow.
  func willBeFinished(by layer: OverrideLayer)

  /// Ends this participant's part and returns what it has to say, once.
  func finish() -> [Violation]

  /// A call that recorded an object, in prose; `nil` if there is none.
  func call(thatRecorded object: AnyObject) -> String?

  /// True if the layer is to keep it after the end, when it has itself adopted once more at that.
  var outlastsEnd: Bool { get }
}

extension LayerParticipant {
  /// Most record nothing.
  package func call(thatRecorded object: AnyObject) -> String? { nil }

  /// Most are let go of.
  package var outlastsEnd: Bool { false }

  /// Most do not ask.
  package func willBeFinished(by layer: OverrideLayer) {}
}
