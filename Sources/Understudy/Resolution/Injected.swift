// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What a wrapper holds: a value, or the error that it will report where the value is read. A
/// request that lost its context has both: production's value for a form that cannot throw, and the
/// error for one that can.
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
