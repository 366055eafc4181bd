// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Lets an optional be recognised without knowing what it wraps.
protocol OptionalValue {
  var isNil: Bool { get }
  static var nilValue: Any { get }
  static var wrapped: Any.Type { get }
}

extension Optional: OptionalValue {
  var isNil: Bool { self == nil }
  static var nilValue: Any { Self.none as Any }
  static var wrapped: Any.Type { Wrapped.self }
}
