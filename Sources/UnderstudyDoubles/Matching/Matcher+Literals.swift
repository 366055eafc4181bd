// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

extension Matcher: ExpressibleByNilLiteral where Value: ExpressibleByNilLiteral {
  /// Matches `nil`.
  public init(nilLiteral: ()) {
    self.init("nil") { ($0 as? any OptionalValue)?.isNil ?? false }
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

extension Matcher: ExpressibleByStringLiteral where Value: Equatable & ExpressibleByStringLiteral {
  /// Matches arguments that are equal to the literal.
  @inlinable
  public init(stringLiteral value: Value.StringLiteralType) {
    self = .equality(Value(stringLiteral: value))
  }
}
