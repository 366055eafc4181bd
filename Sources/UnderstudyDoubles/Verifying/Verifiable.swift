// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

public import Understudy

/// A double that has something to say at the end.
public protocol Verifiable {
  /// Ends the double's part in a test that has no layer.
  ///
  /// - Returns: Unmet expectations, unused stubs, calls that have not returned, and whatever nobody
  ///   was told when it happened; empty if all is well, and the second time.
  func finish() -> [Violation]

  /// Checks the expectations now, and goes on; they are not checked again at the end.
  ///
  /// - Throws: Unmet expectations, and whatever nobody was told when it happened.
  func verify() throws(VerificationError)
}

extension Spy: Verifiable {
  /// Ends the double's part in a test that has no layer.
  public func finish() -> [Violation] { recorder.finish(isOfLayer: false) }

  /// Checks the expectations now, and goes on; they are not checked again at the end.
  public func verify() throws(VerificationError) { try recorder.throwing() }
}

extension AsyncSpy: Verifiable {
  /// Ends the double's part in a test that has no layer.
  public func finish() -> [Violation] { recorder.finish(isOfLayer: false) }

  /// Checks the expectations now, and goes on; they are not checked again at the end.
  public func verify() throws(VerificationError) { try recorder.throwing() }
}

extension GenericSpy: Verifiable {
  /// Ends the double's part in a test that has no layer.
  public func finish() -> [Violation] { recorder.finish(isOfLayer: false) }

  /// Checks the expectations now, and goes on; they are not checked again at the end.
  public func verify() throws(VerificationError) { try recorder.throwing() }
}

extension SpyProperty: Verifiable {
  /// Ends the double's part in a test that has no layer.
  public func finish() -> [Violation] { gets.finish() + sets.finish() }

  /// Checks the expectations now, and goes on; they are not checked again at the end.
  public func verify() throws(VerificationError) {
    let violations = gets.recorder.verify() + sets.recorder.verify()
    if !violations.isEmpty { throw VerificationError(violations) }
  }
}

extension CallRecorder {
  func throwing() throws(VerificationError) {
    let violations = verify()
    if !violations.isEmpty { throw VerificationError(violations) }
  }
}
