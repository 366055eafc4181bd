// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A condition on one argument of a call, for a stub or an expectation.
///
/// A literal is a matcher by itself: `removes.when(.any, true)`. A matcher is as safe to share as
/// the arguments that it matches.
///
/// Matchers combine: `.prefix("a").and(.not("ab"))`.
///
/// The `Equatable` conformance of an argument's type must not be isolated to an actor.
public struct Matcher<Value> {
  let matches: (Value) -> Bool
  let description: String
  let isAny: Bool
  /// The reason, if no argument can ever match.
  package var impossible: ImpossibleMatch?
  /// Whether it contains user code or objects, which may retain the double.
  let mayRetainObjects: Bool
  /// Whether it contains a predicate of the user.
  let hasPredicate: Bool
  /// Whether a matcher with an equal description matches the same arguments.
  let hasExactText: Bool
  /// The word between the two matchers that it combines.
  private var conjunction: String?

  package init(
    _ description: String, isAny: Bool = false, mayRetainObjects: Bool = false,
    hasPredicate: Bool = false, hasExactText: Bool = false,
    matches: @escaping (Value) -> Bool
  ) {
    self.hasExactText = isAny || hasExactText
    self.description = description
    self.isAny = isAny
    self.mayRetainObjects = mayRetainObjects || hasPredicate
    self.hasPredicate = hasPredicate
    self.matches = matches
  }

  /// A matcher that compares arguments with a value.
  private init(_ description: String, to value: Any, matches: @escaping (Value) -> Bool) {
    var search = ObjectSearch()
    // The description of another type may leave a part out, and that of data is shortened.
    self.init(
      description, mayRetainObjects: search.finds(in: value),
      hasExactText: (value as? any ObjectFree)?.hasExactText ?? false, matches: matches)
  }

  /// Matches every argument.
  public static var any: Matcher {
    Matcher("any", isAny: true) { _ in true }
  }

  /// Matches arguments that are equal to `value`.
  ///
  /// A value that is not equal to itself, such as a floating-point NaN, never matches, which is
  /// reported. Use a predicate for it.
  @inlinable
  public static func equal(_ value: Value) -> Matcher where Value: Equatable & SendableMetatype {
    equality(value)
  }

  /// Matches arguments of any type, such as `any Request`, that are equal to a value of one type:
  /// `sends.when(.equal(GetUser(id: 1)))`. An argument of another type does not match.
  @_disfavoredOverload
  public static func equal<Concrete: Equatable & SendableMetatype>(_ value: Concrete) -> Matcher {
    var matcher = Matcher(CallName.text(of: value), to: value) { $0 as? Concrete == value }
    if value != value { matcher.impossible = .unequal(matcher.description) }
    return matcher
  }

  /// Matches arguments for which `predicate` holds.
  ///
  /// The predicate runs on the caller's thread, under no lock. It may use the double itself, and
  /// may run several times for one call.
  public static func matching(_ predicate: @escaping @Sendable (Value) -> Bool) -> Matcher {
    matching("matching { … }", predicate)
  }

  /// Matches arguments for which `predicate` holds, and says so in your words.
  ///
  /// ```swift
  /// removes.when(.matching("over 9") { $0 > 9 }, .any).returns(3)
  /// ```
  ///
  /// - Parameters:
  ///   - description: The condition in a few words. Messages print it in the place of the argument.
  ///   - predicate: Runs on the caller's thread, under no lock. It may use the double itself, and
  ///     may run several times for one call.
  public static func matching(
    _ description: String, _ predicate: @escaping @Sendable (Value) -> Bool
  ) -> Matcher {
    Matcher(description, hasPredicate: true, matches: predicate)
  }

  /// Matches arguments that are not `nil`.
  public static func some<Wrapped>() -> Matcher where Value == Wrapped? {
    Matcher("some") { $0 != nil }
  }

  /// Matches arguments that `matcher` does not match.
  public static func not(_ matcher: Matcher) -> Matcher {
    matcher.combined("not \(matcher.operand())") { !matcher.matches($0) }
  }

  /// Matches arguments that are equal to one of `values`.
  public static func oneOf(_ values: Value...) -> Matcher
  where Value: Equatable & SendableMetatype {
    let texts = values.map { CallName.text(of: $0) }
    return Matcher("one of \(texts.joined(separator: ", "))", to: values) { values.contains($0) }
  }

  /// Matches arguments that are in a range: `.in(1...3)`, `.in(..<0)`.
  public static func `in`(
    _ range: some RangeExpression<Value>
  ) -> Matcher where Value: Comparable & SendableMetatype {
    let text =
      switch range {
      case let range as ClosedRange<Value>: "\(range)"
      case let range as Range<Value>: "\(range)"
      case let range as PartialRangeFrom<Value>: "\(range.lowerBound)..."
      case let range as PartialRangeThrough<Value>: "...\(range.upperBound)"
      case let range as PartialRangeUpTo<Value>: "..<\(range.upperBound)"
      default: CallName.text(of: range)
      }
    return Matcher("in \(text)", to: range) { range.contains($0) }
  }

  /// Matches texts and other collections that begin with `prefix`.
  public static func prefix(
    _ prefix: Value
  ) -> Matcher where Value: Collection, Value.Element: Equatable, Value: SendableMetatype {
    Matcher("prefix \(CallName.text(of: prefix))", to: prefix) { $0.starts(with: prefix) }
  }

  /// Matches an argument that is this very object.
  ///
  /// The argument's type may be a class, a protocol, an optional of one, or `Unchecked` of one. The
  /// class need not be `Sendable`: only the object's identity is used.
  public static func identical(to object: AnyObject) -> Matcher {
    Matcher("identical to \(CallName.text(of: object))", to: object) { argument in
      heldObject(in: argument).map { $0 === object } ?? false
    }
  }

  /// Matches arguments that both matchers match.
  public func and(_ other: Matcher) -> Matcher {
    var both = joined("and", other) { matches($0) && other.matches($0) }
    both.impossible = impossible ?? other.impossible
    return both
  }

  /// Matches arguments that at least one of the matchers matches.
  public func or(_ other: Matcher) -> Matcher {
    var either = joined("or", other) { matches($0) || other.matches($0) }
    // The arguments of the other one still match.
    if other.impossible != nil { either.impossible = impossible }
    return either
  }

  /// The description within that of a combination, in parentheses if they make a difference.
  private func operand(of conjunction: String? = nil) -> String {
    self.conjunction == nil || self.conjunction == conjunction ? description : "(\(description))"
  }

  private func joined(
    _ conjunction: String, _ other: Matcher, matches: @escaping (Value) -> Bool
  ) -> Matcher {
    var matcher = combined(
      "\(operand(of: conjunction)) \(conjunction) \(other.operand(of: conjunction))", with: other,
      matches: matches)
    matcher.conjunction = conjunction
    return matcher
  }

  private func combined(
    _ description: String, with other: Matcher? = nil, matches: @escaping (Value) -> Bool
  ) -> Matcher {
    Matcher(
      description, mayRetainObjects: mayRetainObjects || other?.mayRetainObjects == true,
      hasPredicate: hasPredicate || other?.hasPredicate == true,
      matches: matches)
  }

  // Specialised in the module that knows the type, so that a comparison is a direct call.
  @inlinable
  static func equality(_ value: Value) -> Matcher where Value: Equatable {
    Matcher(equalTo: value, isItself: value == value) { $0 == value }
  }

  @usableFromInline
  init(equalTo value: Value, isItself: Bool, matches: @escaping (Value) -> Bool) {
    self.init(CallName.text(of: value), to: value, matches: matches)
    if !isItself { impossible = .unequal(description) }
  }
}

/// Why no argument can ever match, and what to write instead.
package struct ImpossibleMatch: Hashable, Sendable {
  package let reason: String
  package let remedy: String

  package init(
    _ reason: String, remedy: String = "Match it with a predicate: .matching { … }"
  ) {
    self.reason = reason
    self.remedy = remedy
  }

  fileprivate static func unequal(_ text: String) -> ImpossibleMatch {
    ImpossibleMatch("\(text) is not equal to itself")
  }

  /// The same for one of several arguments, counted from 1.
  func ofArgument(_ number: Int) -> ImpossibleMatch {
    ImpossibleMatch("argument \(number): \(reason)", remedy: remedy)
  }
}

extension Matcher {
  /// Not for use: the compiler picks it, and names the matcher.
  @available(*, unavailable, message: "write '.equal(x)', or a literal alone")
  public static func value(_ value: Value) -> Matcher {
    fatalError("The compiler accepts no call of this.")
  }

  /// Not for use: the compiler picks it, and names the matcher.
  @available(*, unavailable, message: "write '.equal(x)', or a literal alone")
  public static func equal(to value: Value) -> Matcher {
    fatalError("The compiler accepts no call of this.")
  }
}

extension Matcher: ExpressibleByNilLiteral where Value: ExpressibleByNilLiteral {
  /// Matches `nil`.
  public init(nilLiteral: ()) {
    let value = Value(nilLiteral: ())
    func isEqual<Wanted: Equatable>(_ wanted: Wanted, to argument: Value) -> Bool {
      argument as? Wanted == wanted
    }
    switch value {
    case is any OptionalValue: self.init("nil") { ($0 as? any OptionalValue)?.isNil ?? false }
    case let value as any Equatable: self.init("nil") { isEqual(value, to: $0) }
    default:
      self.init("nil") { _ in false }
      impossible = ImpossibleMatch("nil cannot be compared: the type is not Equatable")
    }
  }
}

extension Matcher: ExpressibleByBooleanLiteral
where Value: Equatable & ExpressibleByBooleanLiteral {
  /// Matches arguments that are equal to the literal.
  @inlinable
  public init(booleanLiteral value: Value.BooleanLiteralType) {
    self = .equality(Value(booleanLiteral: value))
  }
}

extension Matcher: ExpressibleByIntegerLiteral
where Value: Equatable & ExpressibleByIntegerLiteral {
  /// Matches arguments that are equal to the literal.
  @inlinable
  public init(integerLiteral value: Value.IntegerLiteralType) {
    self = .equality(Value(integerLiteral: value))
  }
}

extension Matcher: ExpressibleByFloatLiteral where Value: Equatable & ExpressibleByFloatLiteral {
  /// Matches arguments that are equal to the literal.
  @inlinable
  public init(floatLiteral value: Value.FloatLiteralType) {
    self = .equality(Value(floatLiteral: value))
  }
}

extension Matcher: ExpressibleByUnicodeScalarLiteral
where Value: Equatable & ExpressibleByUnicodeScalarLiteral {
  /// Matches arguments that are equal to the literal.
  @inlinable
  public init(unicodeScalarLiteral value: Value.UnicodeScalarLiteralType) {
    self = .equality(Value(unicodeScalarLiteral: value))
  }
}

extension Matcher: ExpressibleByExtendedGraphemeClusterLiteral
where Value: Equatable & ExpressibleByExtendedGraphemeClusterLiteral {
  /// Matches arguments that are equal to the literal.
  @inlinable
  public init(extendedGraphemeClusterLiteral value: Value.ExtendedGraphemeClusterLiteralType) {
    self = .equality(Value(extendedGraphemeClusterLiteral: value))
  }
}

extension Matcher: ExpressibleByStringInterpolation
where Value: Equatable & ExpressibleByStringInterpolation {
  /// Matches arguments that are equal to the text.
  @inlinable
  public init(stringInterpolation: Value.StringInterpolation) {
    self = .equality(Value(stringInterpolation: stringInterpolation))
  }
}

extension Matcher: ExpressibleByStringLiteral where Value: Equatable & ExpressibleByStringLiteral {
  /// Matches arguments that are equal to the literal.
  @inlinable
  public init(stringLiteral value: Value.StringLiteralType) {
    self = .equality(Value(stringLiteral: value))
  }
}
