// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// The error of a call that no stub answers, if the requirement may throw any error.
public struct Unstubbed: Error, Hashable, Sendable, CustomStringConvertible {
  /// The call, its stubs, the reason why each did not match, and remedies.
  public var description: String { message.description }

  let message: Message

  init(_ message: Message) {
    self.message = message
  }
}

/// The policy for a call without a stub.
///
/// The policy of a double wins over its layer's policy. The default is `.report`. With the default,
/// a double that returns `Void` and has no stubs at all only records, and its calls are not
/// reported. An expected call that returns `Void` needs no stub under any policy of the layer.
public enum UnstubbedPolicy: Hashable, Sendable, CaseIterable {
  /// The call is a violation, and goes on if it can: it returns nothing or the placeholder, throws
  /// `Unstubbed`, or returns `nil`, the value of `HasPlaceholder`, or another obvious value: zero,
  /// `false`, a space for a character, an empty text or collection, a range from such a value to
  /// itself, a finished stream, or a success with such a value. A call that can do none of these
  /// traps.
  case report
  /// The call is no violation. It goes on in the same ways, or traps if it cannot.
  case relaxed
  /// The call traps.
  case trap
}

/// A type with a value for calls that no stub answers. Conform to it in your tests:
///
/// ```swift
/// extension Car: HasPlaceholder { static var placeholder: Car { Car(wheels: 4) } }
/// ```
///
/// A double that returns the type then returns this value where it would end the process, or return
/// another obvious value. The call is still a violation, unless the policy is `.relaxed`.
public protocol HasPlaceholder {
  /// The value.
  static var placeholder: Self { get }
}

/// How a call that nothing answers can still go on. In this order, it returns nothing, returns the
/// placeholder, throws, or returns `nil` or another obvious value.
struct LastResort<Output, Failure: Error> {
  let placeholder: Output?

  /// The value of an output without information: `Void`, or the output of a failable initialiser.
  /// An output of type `Any` has none.
  static var nothing: Output? {
    guard Output.self == Void.self || Output.self == Void?.self else { return nil }
    return () as? Output
  }

  /// Whether a call can continue.
  var isAny: Bool {
    Output.self == Void.self || placeholder != nil || Failure.self == (any Error).self
      || Output.self is any OptionalValue.Type || Output.self is any HasPlaceholder.Type
      || obvious != nil
  }

  /// The value of a type that has an obvious one: its own placeholder, `false`, zero, a space, an
  /// empty text or collection, a range, a finished stream, or the success with an obvious value.
  fileprivate var obvious: Output? {
    func zero<Number: AdditiveArithmetic>(_: Number.Type) -> Output? { Number.zero as? Output }
    func empty<Items: RangeReplaceableCollection>(_: Items.Type) -> Output? { Items() as? Output }
    func none<Members: SetAlgebra>(_: Members.Type) -> Output? { Members() as? Output }
    return switch Output.self {
    case let type as any HasPlaceholder.Type: type.placeholder as? Output
    case is Bool.Type: false as? Output
    case is Character.Type: (" " as Character) as? Output
    case let type as any AdditiveArithmetic.Type: zero(type)
    case let type as any RangeReplaceableCollection.Type: empty(type)
    case let type as any SetAlgebra.Type: none(type)
    case let type as any ObviousValue.Type: type.obvious as? Output
    default: nil
    }
  }

  /// The value to return. Throws `error` if any error may be thrown, and returns `nil` if only a
  /// trap is left.
  func output(throwing error: @autoclosure () -> any Error) throws(Failure) -> Output? {
    // Each cast is between equal types, as the line before has checked.
    if Output.self == Void.self { return () as? Output }
    if let placeholder { return placeholder }
    if Failure.self != Never.self, let failure = error() as? Failure { throw failure }
    if let optional = Output.self as? any OptionalValue.Type { return optional.nilValue as? Output }
    return obvious
  }
}

/// A generic type that has an obvious value and no protocol that says so.
private protocol ObviousValue {
  /// `nil` if the type has none for these generic arguments.
  static var obvious: Any? { get }
}

extension Dictionary: ObviousValue {
  fileprivate static var obvious: Any? { [:] as Self }
}

extension Range: ObviousValue {
  fileprivate static var obvious: Any? {
    LastResort<Bound, Never>(placeholder: nil).obvious.map { $0..<$0 }
  }
}

extension ClosedRange: ObviousValue {
  fileprivate static var obvious: Any? {
    LastResort<Bound, Never>(placeholder: nil).obvious.map { $0...$0 }
  }
}

extension AsyncStream: ObviousValue {
  fileprivate static var obvious: Any? { Self { $0.finish() } }
}

extension AsyncThrowingStream: ObviousValue where Failure == any Error {
  fileprivate static var obvious: Any? { Self { $0.finish() } }
}

extension Result: ObviousValue {
  fileprivate static var obvious: Any? {
    let resort = LastResort<Success, Never>(placeholder: nil)
    let success =
      (Success.self as? any OptionalValue.Type)?.nilValue as? Success
      ?? LastResort<Success, Never>.nothing ?? resort.obvious
    return success.map { Self.success($0) }
  }
}

extension LastResort: Sendable where Output: Sendable {}
