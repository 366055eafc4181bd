// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy
internal import UnderstudyDoubles

/// A check that a program makes of itself.
///
/// ```swift
/// @Inject(\.precondition) var precondition
/// precondition(seats > 0, "No seat was asked for.")
/// ```
public struct ProgramCheck: Sendable {
  private let isOn: Bool
  private let fail: @Sendable (String, CallSite) -> Void

  private init(isOn: Bool, _ fail: @escaping @Sendable (String, CallSite) -> Void) {
    self.isOn = isOn
    self.fail = fail
  }

  /// Makes a check that calls `fail` with the message and the place of each failure.
  public init(_ fail: @escaping @Sendable (String, CallSite) -> Void) {
    self.init(isOn: true, fail)
  }

  /// Checks a condition.
  public func callAsFunction(
    _ condition: @autoclosure () -> Bool, _ message: @autoclosure () -> String = "",
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
    column: Int = #column
  ) {
    guard isOn, !condition() else { return }
    fail(message(), CallSite(fileID, filePath, line, column))
  }

  /// Fails: the code reached a place that it must not reach.
  public func failure(
    _ message: @autoclosure () -> String = "", fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    guard isOn else { return }
    fail(message(), CallSite(fileID, filePath, line, column))
  }

  /// As Swift's `precondition`: a failure ends the process.
  public static var precondition: ProgramCheck {
    ProgramCheck { message, callSite in
      Swift.preconditionFailure(message, file: callSite.staticFilePath, line: UInt(callSite.line))
    }
  }

  /// As Swift's `assert`: a failure ends the process, and an optimised build does not check.
  public static var assertion: ProgramCheck {
    ProgramCheck(isOn: _isDebugAssertConfiguration()) { message, callSite in
      Swift.assertionFailure(message, file: callSite.staticFilePath, line: UInt(callSite.line))
    }
  }

  /// Makes each failure an issue of the test.
  public static var reporting: ProgramCheck { .recorded(by: FailureRecorder(reports: true)) }

  /// Keeps each failure in a recorder.
  public static func recorded(by recorder: FailureRecorder) -> ProgramCheck {
    ProgramCheck { recorder.record($0, at: $1) }
  }
}

/// Ends a program that cannot go on.
///
/// ```swift
/// @Inject(\.fatalError) var fatalError
/// guard let first = seats.first else { try fatalError("No seat was asked for.") }
/// ```
public struct FatalError: Sendable {
  private let end: @Sendable (String, CallSite) -> ProgramEnd

  /// Creates an end. It throws the result of `end` for a message and a place.
  public init(_ end: @escaping @Sendable (String, CallSite) -> ProgramEnd) {
    self.end = end
  }

  /// Ends the program.
  ///
  /// - Throws: `ProgramEnd` if a double lets the program go on.
  public func callAsFunction(
    _ message: @autoclosure () -> String = "", fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) throws(ProgramEnd) -> Never {
    throw end(message(), CallSite(fileID, filePath, line, column))
  }

  /// As Swift's `fatalError`: the process ends.
  public static var system: FatalError {
    // The caller wants the process to end.
    FatalError { message, callSite in
      Swift.fatalError(message, file: callSite.staticFilePath, line: UInt(callSite.line))
    }
  }

  /// Throws, so that the caller ends, and does nothing else.
  public static var throwing: FatalError {
    FatalError { ProgramEnd(message: $0, callSite: $1) }
  }

  /// Throws, and makes it an issue of the test.
  public static var reporting: FatalError { .recorded(by: FailureRecorder(reports: true)) }

  /// Throws, and keeps the failure in a recorder.
  public static func recorded(by recorder: FailureRecorder) -> FatalError {
    FatalError { recorder.record($0, at: $1) }
  }
}

/// A failed check, or the end of the program, that was reported to a double.
public struct ProgramEnd: Error, Hashable, Sendable, CustomStringConvertible {
  /// Why the program would have ended.
  public let message: String
  /// Where it would have ended.
  public let callSite: CallSite

  /// Creates an end, for a `FatalError` of your own.
  public init(message: String, callSite: CallSite) {
    self.message = message
    self.callSite = callSite
  }

  /// The whole message.
  public var description: String { "The program would have ended at \(callSite): \(message)" }
}

/// Keeps failures instead of ending the process.
///
/// ```swift
/// let recorder = FailureRecorder()
/// layer.override(\.precondition, with: .recorded(by: recorder))
/// ```
public final class FailureRecorder: Sendable {
  private let recorded = Lock<[ProgramEnd]>([])
  private let end: LayerEnd?

  fileprivate init(reports: Bool) {
    end = reports ? LayerEnd.adopt() : nil
  }

  /// Makes a recorder without failures.
  public convenience init() {
    self.init(reports: false)
  }

  /// The failures so far.
  public var failures: [ProgramEnd] { recorded.withLock { $0 } }

  @discardableResult
  fileprivate func record(_ message: String, at callSite: CallSite) -> ProgramEnd {
    let failure = ProgramEnd(message: message, callSite: callSite)
    recorded.withLock { $0.append(failure) }
    end?.report(
      Message(
        message.isEmpty ? "A check of the program failed." : message,
        facts: [Message.Fact("At", "\(callSite)")]), at: callSite)
    return failure
  }
}

extension Dependencies {
  /// Swift's `assert`.
  public static var assert: Dependency<ProgramCheck> { declaredAssertion }

  /// Swift's `precondition`.
  public static var precondition: Dependency<ProgramCheck> { declaredPrecondition }

  /// Swift's `fatalError`.
  public static var fatalError: Dependency<FatalError> { declaredFatalError }
}

private let declaredAssertion = Dependency<ProgramCheck>(function: "assert") { .assertion }
private let declaredPrecondition = Dependency<ProgramCheck>(function: "precondition") {
  .precondition
}
private let declaredFatalError = Dependency<FatalError>(function: "fatalError") { .system }
