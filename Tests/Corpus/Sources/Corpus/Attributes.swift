// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// Closures beside others with an attribute, closures that throw a known type, and calls that can
// never happen.

protocol PointerBesideClosure {
  func run(_ body: () -> Void, _ pointer: @convention(c) (Int32) -> Int32)
}
protocol PointerFirst {
  func run(_ pointer: @convention(c) (Int32) -> Int32, _ later: @escaping () -> Void)
}
protocol IsolatedBesideClosure {
  func run(_ later: @escaping @isolated(any) () -> Void, _ body: () -> Void)
}
protocol ParameterNamedType {
  func count<Type>(_ type: Type.Type) -> Int
  func keep<Type>(_ value: Type) -> Type
}
protocol ThrowsNothing { func run(_ body: () throws(Never) -> Void) throws(Never) }
protocol ThrowsInside {
  associatedtype Failure: Error
  func run(_ body: () throws(Failure) -> Void)
}
protocol ThrowsThrough {
  associatedtype Failure: Error
  func run(_ body: () throws(Failure) -> Void) throws(Failure)
}
protocol ThrowsAnything: ThrowsThrough where Failure == any Error { func load() throws(Failure) }
/// The compiler (6.3.1) accepts no implementation.
protocol ThrowsNeverThrough: ThrowsThrough where Failure == Never {}
enum Nothing {}
protocol TakesNothing {
  func load(_ nothing: Nothing) -> Int
  func save(_ nothing: Nothing, _ count: Int) throws
  func count(_ nothing: Nothing?) -> Int
}
@available(*, deprecated) protocol OldBound { func old() }
protocol WithOldBound {
  associatedtype Bound: OldBound
  func use(_ bound: Bound)
}
