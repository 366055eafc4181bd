// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// An argument that a spy shares between threads although its type does not allow it.
///
/// ```swift
/// let opens = Spy<Unchecked<Document>, Int, Never>("open(_:)")
/// func open(_ document: Document) -> Int { opens(Unchecked(document)) }
/// ```
///
/// It is the visible exception. By writing it you promise that no two threads use the value at the
/// same time. `UnderstudyDoubles` itself never uses it.
///
/// Safety of `@unchecked Sendable`: none by itself. The promise is in the type of the spy that says
/// `Unchecked`, where a reader can see it.
public struct Unchecked<Value>: @unchecked Sendable, CustomDebugStringConvertible {
  /// The value.
  public let value: Value

  /// Promises that no two threads use the value at the same time.
  public init(_ value: Value) {
    self.value = value
  }

  /// The value's own text, so that messages read as if it were alone.
  public var debugDescription: String { String(reflecting: value) }
}

extension Unchecked: Equatable where Value: Equatable {}

extension Unchecked: Hashable where Value: Hashable {}

/// Identifies an `Unchecked` without the type of its value.
protocol UncheckedValue {
  var held: Any { get }
}

extension Unchecked: UncheckedValue {
  var held: Any { value }
}
