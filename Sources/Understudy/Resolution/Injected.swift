// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The contents of a wrapper: a value, or the error to report where the value is read. A request
/// that lost its context has both: production's value for a form that cannot throw, and the error
/// for one that can.
@frozen
@usableFromInline
package enum Injected<Value> {
  case value(Value)
  case missing(MissingValue)
  indirect case substitute(Value, MissingValue)

  /// The value. Reading a missing one reports the error and ends the process.
  @inlinable
  package var valueOrTrap: Value {
    switch self {
    case .value(let value), .substitute(let value, _): value
    case .missing(let missing): missing.trap()
    }
  }

  package func get() throws(ResolutionError) -> Value {
    switch self {
    case .value(let value): return value
    case .missing(let missing), .substitute(_, let missing):
      missing.noteUse()
      throw missing.error
    }
  }

  /// The value for a form that cannot throw; `nil` if there is none.
  package var valueOrSubstitute: Value? {
    switch self {
    case .value(let value), .substitute(let value, _): value
    case .missing: nil
    }
  }

  var isAvailable: Bool { if case .value = self { true } else { false } }

  package func map<Other>(_ transform: (Value) -> Other) -> Injected<Other> {
    switch self {
    case .value(let value): .value(transform(value))
    case .missing(let missing): .missing(missing)
    case .substitute(let value, let missing): .substitute(transform(value), missing)
    }
  }
}

extension Injected: Sendable where Value: Sendable {}

/// A value that could not be resolved. It has no effect until it is read.
@usableFromInline
package final class MissingValue: Sendable {
  package let error: ResolutionError
  /// Weak, since an instance of production may hold this.
  private weak let layer: OverrideLayer?
  private let test: RunningTest?

  package init(_ error: ResolutionError) {
    self.error = error
    layer = OverrideLayer.current
    let host = TestHosts.current.flatMap { $0.expectsExit ? nil : $0 }
    test = layer?.test ?? host.flatMap { $0.testOfCallingTask() ?? $0.runningCase() }
  }

  /// Reports the error on the test, and ends the process with the same message. A wrapper calls
  /// this when its value is read.
  @usableFromInline
  package func trap() -> Never {
    end(remedies: test == nil ? [] : ["Let it throw, so that one test fails:  try $….get()"])
  }

  fileprivate func end(remedies: [String]) -> Never {
    var message = error.message
    if !message.remedies.isEmpty { message.remedies += remedies }
    if let test { message.facts.append(Message.Fact("Test", "'\(test.name)'")) }
    // An exit test inspects the output of the process. Lost context is reported already.
    if let host = TestHosts.current, !host.expectsExit, !error.isEscape {
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
    if let layer, layer.isOfTest {
      // The layer that forbids the value also reports requests for it.
      let forbidding = layer.stack.first {
        $0.registration(for: error.key)?.traits.isUnimplemented == true
      }
      (forbidding ?? layer).record(violation)
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
  package func trap() -> Never { MissingValue(self).end(remedies: []) }
}
