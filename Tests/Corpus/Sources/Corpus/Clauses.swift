// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// Recursive clauses, protocols that name each other, and generic static requirements.

protocol Ping { associatedtype Other: Pong where Other.Other == Self; func other() -> Other }
protocol Pong { associatedtype Other: Ping where Other.Other == Self; func other() -> Other }
protocol PublicKey: Sendable {
  associatedtype Private: PrivateKey where Private.Public == Self
  init(raw: [UInt8]) throws
  func pair() async throws -> Private
}
protocol PrivateKey: Sendable {
  associatedtype Public: PublicKey where Public.Private == Self
  var publicKey: Public { get }
}
protocol Storing { associatedtype Value; func keep(_ value: Value); func value() -> Value }
protocol Stored {
  associatedtype Storage: Storing where Storage.Value == Self
  func storage() -> Storage
  func count() -> Int
}
/// Its associated type is a double with a generic parameter of its own.
protocol Lonely { associatedtype Other: OfMany where Other.Owner == Self; func other() -> Other }
protocol LonelyParts: Sendable {
  associatedtype Other: OfKeys where Other.Owner == Self
  func other() -> Other
  func name(_ other: Other) async -> String
}
protocol OfKeys {
  associatedtype Key: Hashable
  associatedtype Owner: LonelyParts
  func key(_ owner: Owner) -> Key
}
/// Its associated type would be a double with a generic parameter that depends on the double.
protocol Lost { associatedtype Other: OfItself where Other.Owner == Self; func other() -> Other }
protocol OfItself {
  associatedtype Owner
  associatedtype Item: Sequence where Item.Element == Owner
  func item() -> Item
}
protocol OfMany { associatedtype Owner; associatedtype Item; func item() -> Item }
protocol Nested {
  associatedtype Child: Nested where Child.Child == Child; func child() -> Child
}
protocol SelfChild { associatedtype Child: SelfChild; func child() -> Child }
protocol SubSequenced {
  associatedtype Sub: SubSequenced where Sub.Item == Item
  associatedtype Item
  func sub() -> Sub
  func item() -> Item
}
protocol StaticInout { static func fill<Value>(_ value: inout Value) }
protocol StaticInoutTwo {
  static func swap<A, B: Equatable>(_ a: inout A, with b: inout B) -> Int
}
protocol StaticUnchecked { static func keep(_ scratch: Scratch) -> Scratch }
protocol StaticGenericUnchecked { static func keep<T>(_ scratch: Scratch, _ value: T) -> T }
protocol InitGeneric { init<T>(_ value: T) }
protocol InitGenericInout { init<T: Equatable>(_ value: inout T) }
protocol InitUnchecked { init(_ scratch: Scratch) }
protocol InitUncheckedThrowing {
  init(_ scratch: Scratch, _ body: @escaping () -> Void) throws
}
protocol ThrowsGenericEscaping {
  func run<E: Error>(_ body: @escaping () throws(E) -> Int) -> Int
}
protocol ThrowsGeneric { func run<E: Error>(_ type: E.Type) throws(E) -> Int }
protocol ThrowsGenericHandler {
  func sum<E: Error>(_ values: Span<Int>, failing: E.Type) throws(E) -> Int
}
protocol ThrowsGenericAsync {
  func run<E: Error, R>(_ body: () async throws(E) -> R) async throws(E) -> R
}
protocol ThrowsAssociated {
  associatedtype Failure: Error; func run() throws(Failure) -> Int
}
protocol CodableMember: Codable { var name: String { get } }
protocol CodableAlone: Codable, Sendable {}
protocol OwnSerialExecutor: SerialExecutor { var load: Int { get } }
protocol OwnTaskExecutor: TaskExecutor { func prepare() }
