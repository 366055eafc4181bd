// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// Associated types that a clause makes equal to each other, or makes of each other.

protocol CodedStore { associatedtype Entity: Identifiable & Codable; func save(_ entity: Entity) }
protocol ValueCache<Key, Value> {
  associatedtype Key: Hashable
  associatedtype Value
  func value(_ key: Key) -> Value?
}
protocol EntityCache: CodedStore, ValueCache where Value == Entity {}
protocol EntityCacheByID: CodedStore, ValueCache where Key == Entity.ID, Value == Entity {}
protocol KeyUser { associatedtype Key: Hashable; func find(_ key: Key) -> Bool }
protocol Responder { associatedtype Response: Decodable; func respond() -> Response }
protocol KeyIsResponse: KeyUser, Responder where Key == Response {}
protocol ResponseIsKey: KeyUser, Responder where Response == Key, Response: Comparable {}
protocol KeyIsResponses: KeyUser, ResponderOfAny where Key == [Response] {}
protocol KeyIsMap: KeyUser, ResponderOfAny where Key == [String: Response?], Key: Codable {}
protocol ResponderOfAny { associatedtype Response; func respond() -> Response }
protocol KeyIsItems: ItemUser, KeyUser where Key == Items {}
protocol ItemUser {
  associatedtype Items: Collection where Items.Element == Item
  associatedtype Item
  func first(_ items: Items) -> Item
}
protocol TiedBesides: KeyUser {
  associatedtype Other: Codable where Other == Key; func other() -> Other
}
protocol TiedShared: Sendable {
  associatedtype First: Sendable & Hashable
  associatedtype Second: Codable where Second == First
  func second(_ first: First) -> Second
}
protocol TiedInChain {
  associatedtype First: Hashable
  associatedtype Second where Second == First
  associatedtype Third: Sendable where Third == Second
  func third(_ first: First, _ second: Second) -> Third
}
protocol IdentityIsKey: Identifiable where ID == Key {
  associatedtype Key: Hashable
  func find(_ key: Key) -> Bool
}
protocol KeyIsIdentity: Identifiable { associatedtype Key where Key == ID; func find(_ key: Key) }
protocol RawIsCode: RawRepresentable where RawValue == Code {
  associatedtype Code: Hashable
  func find(_ code: Code) -> Bool
}
/// A double has the slices and the indices of the standard library.
protocol OwnSlices: Collection where SubSequence == ArraySlice<Element> {}
protocol OwnIndices: Collection where Indices == Range<Int> { func find() -> Int }
