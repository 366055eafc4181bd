// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

protocol PrimaryAssociated<Element> {
  associatedtype Element
  func add(_ element: Element) -> Int
}
protocol Associated {
  associatedtype Output
  func make() -> Output
}
protocol AssociatedConstrained {
  associatedtype Key: Hashable & Sendable
  func keys(_ key: Key) -> Set<Key>
}
protocol AssociatedWhere {
  associatedtype Values: Sequence where Values.Element == Int
  func values() -> Values
}
protocol AssociatedDefault {
  associatedtype Output = Int
  func make(_ id: Int) -> Output
}
protocol AssociatedTwo<Input, Output> {
  associatedtype Input
  associatedtype Output
  func convert(_ input: Input) async throws -> Output
}
protocol AssociatedFailure {
  associatedtype Failure: Error
  func attempt(_ id: Int) throws(Failure) -> Int
}
protocol AssociatedSendable: Sendable {
  associatedtype Element
  func add(_ element: Element) async -> Int
}
protocol AssociatedSubscript<Key, Value> {
  associatedtype Key: Hashable
  associatedtype Value
  subscript(key: Key) -> Value? { get set }
}
protocol AssociatedProtocol {
  associatedtype Child: PrimaryAssociated where Child.Element: Hashable
  func child(_ element: Child.Element) -> Child
}
protocol SelfArgument { func isSame(as other: Self) -> Bool }
protocol SelfResult { func copy() -> Self }
protocol SelfOptional { func next(_ step: Int) -> Self? }
protocol SelfList { func split(_ parts: [Self]) -> [Self] }
protocol SelfSendable: Sendable { func merge(_ other: Self) async -> Int }
protocol AssociatedKeys {
  associatedtype Key
  associatedtype Keys: Collection where Keys.Element == Key
}
protocol AssociatedAgain: AssociatedKeys {
  associatedtype Key
  func get(_ key: Key) -> Keys
}
protocol HidingError {
  associatedtype Error: Swift.Error
  associatedtype Never: Swift.Error
  associatedtype Void
  func attempt(_ id: Int) throws(Error) -> Int
  func load(_ id: Int) async throws -> Swift.Result<Int, Error>
  func clear(_ value: Void) throws(Never) -> Swift.Void
}

// A clause or a concrete type says that a member type is Sendable.
protocol StoreOfEntities<Entity>: Sendable {
  associatedtype Entity: Identifiable & Sendable where Entity.ID: Sendable
  func find(_ id: Entity.ID) async throws -> Entity?
}
struct Person: Codable, Identifiable, Sendable { let id: Int }
struct Member: Codable, Identifiable, Sendable {
  typealias ID = String
  var id: ID { "an account" }
}
protocol StoreOfPeople: StoreOfEntities where Entity == Person {}
protocol StoreOfMembers: StoreOfEntities where Entity == Member {}
protocol SharedIndices: Sendable {
  associatedtype Items: Collection & Sendable
  where Items.Index == Int, Items.Element: Codable & Sendable
  func find(_ element: Items.Element) async throws -> Items.Index
}

// A member type of a Sendable type is not known to be Sendable.
protocol SharedMembers: Sendable {
  associatedtype Items: Collection
  func first(of items: Items) -> Items.SubSequence
  func find(_ element: Items.Element) async throws -> Items.Index
}
