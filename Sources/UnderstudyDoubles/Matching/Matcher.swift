// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What one argument of a call has to be for a stub or an expectation to apply.
///
/// A literal is a matcher by itself: `removes.when(.any, true)`. A matcher need not be `Sendable`;
/// it is as safe to share as the arguments it was made for.
///
/// The type that an argument is compared as must have its `Equatable` conformance from everywhere:
/// one that is isolated to an actor is refused.
public struct Matcher<Value> {
  let matches: (Value) -> Bool
  let description: String
  let isAny: Bool
  // Set when no argument can ever match, with the reason.
  var impossible: String?

  init(_ description: String, isAny: Bool = false, matches: @escaping (Value) -> Bool) {
    self.description = description
    self.isAny = isAny
    self.matches = matches
  }

  /// Matches every argument.
  public static var any: Matcher {
    Matcher("any", isAny: true) { _ in true }
  }

  /// Matches arguments that are equal to `value`.
  ///
  /// Use a predicate for a value that is not equal to itself, such as a floating-point NaN: it is
  /// reported as never matching.
  @inlinable
  public static func equal(_ value: Value) -> Matcher where Value: Equatable & SendableMetatype {
    equality(value)
  }

  /// Matches arguments for which `predicate` holds.
  ///
  /// It is called for every call that is looked at, on the caller's thread, under no lock; it may
  /// use the double itself, and may be asked twice about one call.
  public static func matching(_ predicate: @escaping @Sendable (Value) -> Bool) -> Matcher {
    Matcher("matching { … }", matches: predicate)
  }

  /// Matches arguments that are not `nil`.
  public static func some<Wrapped>() -> Matcher where Value == Wrapped? {
    Matcher("some") { $0 != nil }
  }

  // Specialised in the module that knows the type, so that a comparison is a plain call.
  @inlinable
  static func equality(_ value: Value) -> Matcher where Value: Equatable {
    Matcher(equalTo: value, isItself: value == value) { $0 == value }
  }

  @usableFromInline
  init(equalTo value: Value, isItself: Bool, matches: @escaping (Value) -> Bool) {
    self.init(CallName.text(of: value), matches: matches)
    if !isItself { impossible = "\(description) is not equal to itself" }
  }
}
