// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// How a call that nothing answers can still go on, in the order that is promised: it returns
/// nothing, the placeholder, throws, or returns `nil`.
struct LastResort<Output, Failure: Error> {
  let placeholder: Output?

  /// The value of an output that says nothing: `Void`, or what a failable initialiser gives; not of one that could
  /// be anything.
  static var nothing: Output? {
    guard Output.self == Void.self || Output.self == Void?.self else { return nil }
    return () as? Output
  }

  /// What to return, or throws what to throw; `nil` if only a trap is left. The error is for where
  /// any error may be thrown.
  func output(throwing error: any Error) throws(Failure) -> Output? {
    // Each cast is between equal types, checked on the line before.
    if Output.self == Void.self { return () as? Output }
    if let placeholder { return placeholder }
    if let failure = error as? Failure { throw failure }
    if let optional = Output.self as? any OptionalValue.Type { return optional.nilValue as? Output }
    return nil
  }
}

extension LastResort: Sendable where Output: Sendable {}
