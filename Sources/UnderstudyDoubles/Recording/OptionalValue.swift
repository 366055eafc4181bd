// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Identifies an optional without its wrapped type.
protocol OptionalValue {
  var isNil: Bool { get }
  /// Whether it is an optional of an optional with the value `.some(nil)`.
  var holdsNil: Bool { get }
  static var nilValue: Any { get }
  static var wrapped: Any.Type { get }
}

extension Optional: OptionalValue {
  var isNil: Bool { self == nil }
  var holdsNil: Bool {
    guard case .some(let wrapped) = self, let wrapped = wrapped as? any OptionalValue else {
      return false
    }
    return wrapped.isNil || wrapped.holdsNil
  }
  static var nilValue: Any { Self.none as Any }
  static var wrapped: Any.Type { Wrapped.self }
}
