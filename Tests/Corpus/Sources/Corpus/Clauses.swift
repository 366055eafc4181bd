// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// Clauses that lead back, protocols that name each other, and generic static requirements.

public protocol Ping { associatedtype Other: Pong where Other.Other == Self; func other() -> Other }
public protocol Pong { associatedtype Other: Ping where Other.Other == Self; func other() -> Other }
public protocol Nested { associatedtype Child: Nested where Child.Child == Child; func child() -> Child }
public protocol SelfChild { associatedtype Child: SelfChild; func child() -> Child }
public protocol SubSequenced {
  associatedtype Sub: SubSequenced where Sub.Item == Item
  associatedtype Item
  func sub() -> Sub
  func item() -> Item
}
public protocol StaticInout { static func fill<Value>(_ value: inout Value) }
public protocol StaticInoutTwo { static func swap<A, B: Equatable>(_ a: inout A, with b: inout B) -> Int }
public protocol StaticUnchecked { static func keep(_ scratch: Scratch) -> Scratch }
public protocol StaticGenericUnchecked { static func keep<T>(_ scratch: Scratch, _ value: T) -> T }
public protocol InitGeneric { init<T>(_ value: T) }
public protocol InitGenericInout { init<T: Equatable>(_ value: inout T) }
public protocol InitUnchecked { init(_ scratch: Scratch) }
public protocol InitUncheckedThrowing { init(_ scratch: Scratch, _ body: @escaping () -> Void) throws }
public protocol ThrowsGeneric { func run<E: Error>(_ type: E.Type) throws(E) -> Int }
public protocol ThrowsGenericAsync { func run<E: Error, R>(_ body: () async throws(E) -> R) async throws(E) -> R }
public protocol ThrowsAssociated { associatedtype Failure: Error; func run() throws(Failure) -> Int }
public protocol CodableMember: Codable { var name: String { get } }
public protocol CodableAlone: Codable, Sendable {}
