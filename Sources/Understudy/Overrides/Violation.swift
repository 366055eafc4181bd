// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A finding of a layer or a double that a test must not hide.
///
/// A violation is reported on the test that owns the layer, at `callSite`. In Swift Testing, a
/// violation of the test's own task is reported at once. The layer collects the others and reports
/// them at its end.
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

  package private(set) var message: Message
  /// The code that called a double, if the stack has told it.
  package let caller: CallerPlace?
  /// True if something expected did not happen. It is not reported if the code did not run.
  let isOfOmission: Bool
  /// True if an expected call did not happen. It is reported for a cancelled test, too.
  let isOfExpectation: Bool

  /// The same with one more fact.
  package func adding(_ fact: Message.Fact) -> Violation {
    var violation = self
    violation.message.facts.append(fact)
    return violation
  }

  /// The same, with the name of its test if another one is running.
  func naming(_ test: RunningTest?) -> Violation {
    guard let test, let other = TestHosts.current?.testOfCallingTask(), !other.isSameTest(as: test)
    else { return self }
    return adding(Message.Fact("Test", "'\(test.name)'"))
  }

  /// The same, with a fact, unless a fact of its label is there.
  package func addingOnce(_ fact: Message.Fact) -> Violation {
    message.facts.contains { $0.label == fact.label } ? self : adding(fact)
  }

  package init(
    _ message: Message, severity: Severity = .error, ofOmission isOfOmission: Bool = false,
    ofExpectation isOfExpectation: Bool = false, at callSite: CallSite,
    calledFrom caller: CallerPlace? = nil
  ) {
    self.message = message
    self.severity = severity
    self.isOfOmission = isOfOmission || isOfExpectation
    self.isOfExpectation = isOfExpectation
    self.callSite = callSite
    self.caller = caller
  }

  /// The most helpful place for a report, or `nil` if none is known.
  package var place: CallerPlace? {
    caller
      ?? (callSite.isKnown
        ? CallerPlace(
          fileID: callSite.fileID, filePath: callSite.filePath, line: callSite.line,
          column: callSite.column) : nil)
  }
}

/// The place of a caller, which is found when the program runs.
package struct CallerPlace: Hashable, Sendable, CustomStringConvertible {
  /// Module and file, as `#fileID` spells it.
  package let fileID: String
  package let filePath: String
  package let line: Int
  package let column: Int

  package init(fileID: String, filePath: String, line: Int, column: Int) {
    self.fileID = fileID
    self.filePath = filePath
    self.line = line
    self.column = column
  }

  package var description: String { "\(fileID):\(line)" }
}

/// An object that a layer finishes when it ends, such as a double.
package protocol LayerParticipant: AnyObject, Sendable {
  /// Names the layer that will probably finish this participant. Another call may follow.
  func willBeFinished(by layer: OverrideLayer)

  /// Says that a layer will not finish this participant, since it ends.
  func willNotBeFinished(by layer: OverrideLayer)

  /// Releases the objects that this participant holds for its test. All participants do so before
  /// any of them is finished, since the `deinit` of an object may use another participant.
  func releaseObjects()

  /// Finishes this participant and returns its violations, once.
  func finish() -> [Violation]

  /// The description of a call that recorded an object, or `nil` if there is none.
  func call(thatRecorded object: AnyObject) -> String?

  /// True if the participant makes the layer adopt it again at the end, and stays there.
  var outlastsEnd: Bool { get }
}

extension LayerParticipant {
  package func call(thatRecorded object: AnyObject) -> String? { nil }

  package var outlastsEnd: Bool { false }

  package func willBeFinished(by layer: OverrideLayer) {}

  package func willNotBeFinished(by layer: OverrideLayer) {}

  package func releaseObjects() {}
}

extension Violation {
  /// The remedy that carries the context of a test to other work.
  package static let carryingContext =
    "Carry the context:  let context = OverrideContext.current … context.run { … }"

  /// As a compiler writes it, so that tools find the place.
  package var line: String {
    (place.map { "\($0.filePath):\($0.line): " } ?? "") + "\(severity): \(description)"
  }

  /// The finding of a check, or `nil` if the check is off. Then its message is not created.
  package init?(
    _ message: @autoclosure () -> Message, of check: OverrideOptions.Check,
    under options: OverrideOptions, at callSite: CallSite
  ) {
    let weight = options.weight(of: check)
    if weight == .off { return nil }
    self.init(
      message(), severity: weight == .error ? .error : .warning,
      ofOmission: check == .unusedOverride || check == .unusedStub, at: callSite)
  }
}

extension OverrideLayer {
  /// What a check of the layer found, or `nil` if it is off.
  func finding(
    _ check: OverrideOptions.Check, _ headline: @autoclosure () -> String,
    facts: @autoclosure () -> [Message.Fact], remedies: @autoclosure () -> [String],
    at callSite: CallSite
  ) -> Violation? {
    Violation(
      Message(headline(), facts: facts(), remedies: remedies()), of: check, under: options,
      at: callSite)
  }

  /// What a check found about an override, reported where that was registered.
  func finding(
    _ check: OverrideOptions.Check, about override: AnyRegistration,
    _ headline: @autoclosure () -> String, facts: @autoclosure () -> [Message.Fact] = [],
    placed: String = "Overridden", remedies: @autoclosure () -> [String]
  ) -> Violation? {
    finding(
      check, headline(),
      facts: facts() + [
        Message.Fact(placed, "\(override.callSite)"), Message.Fact("Layer", words),
      ], remedies: remedies(), at: override.callSite)
  }

  /// The remedy that turns a check off.
  func allowing(_ check: OverrideOptions.Check) -> String {
    "Allow it:  \(option(".check(.\(check), .off)", at: place))"
  }

  /// The code that gives this layer one more option.
  func option(_ option: String, at place: MessagePlace) -> String {
    place.option(option, besides: options.code(beyond: outer?.options ?? .processDefault))
  }

  /// Reports an argument that no block took, once for each place: a loop passes many at one.
  func record(ignored argument: String, of request: Request, for registration: AnyRegistration) {
    let takes = registration.argumentType != nil
    func finding(_ text: String) -> Violation? {
      self.finding(
        .ignoredArgument,
        takes
          ? "\(request.key) was asked for with an argument, and its instance was created with another."
          : "\(request.key) was asked for with an argument, and its registration takes none.",
        facts: [
          Message.Fact("Argument", text), Message.Fact("At", "\(request.callSite)"),
          Message.Fact("Registered", "\(registration.callSite)"),
        ],
        remedies: [
          takes ? "Create a new value:  lifecycle: .notCached" : "Leave out 'with:'.",
          allowing(.ignoredArgument),
        ], at: request.callSite)
    }
    if let ofPlace = finding(""), noteReport(ofPlace) { record(finding(argument)) }
  }

  /// The layer in words, with its resolver if that has a name and is not `Resolver.main`.
  package var words: String {
    guard resolver !== Resolver.main, let other = resolver.name else { return "'\(name)'" }
    return "'\(name)' of the resolver '\(other)'"
  }

  var facts: [Message.Fact] {
    let layer = Message.Fact("Layer", words)
    return callSite.isKnown ? [layer, Message.Fact("Pushed", "\(callSite)")] : [layer]
  }
}
