// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import CorpusBase

@MainActor protocol OnMainActor { func show(_ document: Document) -> Int }
@MainActor protocol OnMainActorAsync { func show(_ text: String) async throws -> Int }
@MainActor protocol OnMainActorNonisolated { nonisolated func name(_ id: Int) -> String }
@MainActor protocol OnMainActorProperty { var title: String { get set } }
protocol MainActorMember { @MainActor func show(_ text: String) -> Int }
@Kitchen protocol OnKitchen { func cook(_ dish: String) -> Int }
protocol ActorBound: Actor { func load(_ key: String) -> Int }
protocol ActorAsync: Actor { func load(_ key: String) async throws -> Int }
protocol ActorNonisolated: Actor { nonisolated func name(_ id: Int) -> String }
protocol ActorProperty: Actor { var level: Int { get } }
protocol IsolatedParameter { func cook(_ dish: String, on kitchen: isolated Kitchen) -> Int }
protocol OptionalIsolated {
  func run(_ id: Int, isolation: isolated (any Actor)?) async -> Int
}
protocol Nonsending { nonisolated(nonsending) func load(_ document: Document) async -> Int }
protocol Concurrent { @concurrent func load(_ id: Int) async -> Int }
protocol SendingArgument { func give(_ document: sending Document) -> Int }
protocol SendingResult { func take(_ id: Int) -> sending Document }
protocol SendableSync: Sendable { func load(_ id: Int) -> Int }
protocol SendableAsync: Sendable { func load(_ id: Int) async throws -> Item }
protocol SendableDocument: Sendable { func open(_ document: Document) -> Int }
protocol SendableClosureArgument: Sendable { func later(_ body: @escaping (Int) -> Void) }
protocol SendableExistential: Sendable { func draw(_ shape: any Shape) -> Int }
protocol SendableGeneric: Sendable { func log<Value>(_ value: Value) -> Int }
protocol SendableProperty: Sendable { var level: Int { get set } }
protocol SendableToken: Sendable { func spend(_ token: consuming Token) -> Int }
protocol ClassBound: AnyObject { func load(_ id: Int) -> Int }
protocol ClassBoundProperty: AnyObject { var level: Int { get set } }
protocol InheritsHere: OneArgument {}
protocol InheritsElsewhere: Renamable {}
protocol InheritsHashable: Hashable { func load(_ id: Int) -> Int }
protocol InheritsEquatable: Equatable { func load(_ id: Int) -> Int }
protocol InheritsComparable: Comparable { func load(_ id: Int) -> Int }
protocol InheritsCodable: Codable { func load(_ id: Int) -> Int }
protocol InheritsIdentifiable: Identifiable { func load(_ id: Int) -> Int }
protocol InheritsIdentifiableID: Identifiable where ID == Int { func load(_ id: Int) -> Int }
protocol InheritsDescription: CustomStringConvertible { func load(_ id: Int) -> Int }
protocol InheritsError: Error { func load(_ id: Int) -> Int }
protocol InheritsIterator: IteratorProtocol where Element == Int {}
protocol ActorOfOthers: Actor, OneArgument, PropertyGetSet, AsyncVoid, Identifiable {
  func load(_ key: Int) async -> Int
}
@MainActor protocol AsyncOnMain {
  func lend(_ document: Document) async
  func find(_ id: Int) async -> Document
  func count(_ id: Int) async -> Int
}
protocol SharedMembersOnMain: Sendable {
  @MainActor func lend(_ document: Document) async -> Int
  @MainActor func find(_ id: Int) async -> Document
  func run(_ body: @MainActor () -> Void)
  func cook(_ body: (isolated Kitchen) -> Void)
  func take(_ document: inout sending Document)
}
protocol SendingBack {
  func take(_ scratch: inout sending Scratch)
  func swap(_ scratch: inout sending Scratch?, _ other: Scratch) async throws -> Int
}
protocol MakesHandlers {
  associatedtype Item: Hashable
  func handler() -> @Sendable (Item) -> Void
  func action() -> (Item) -> Void
}
