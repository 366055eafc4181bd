// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// Code that the two producers of symbol graphs write differently: one of them follows the source.

import CorpusBase
import Foundation
import Observation

typealias Callback<Value> = (Result<Value, any Error>) -> Void
typealias Done = (() -> Void)
typealias Finished = Done
enum Switchboard {
  typealias Ring = (Int) -> Void
}
protocol Plug: Sendable {}
protocol Socket: Plug {}

protocol MembersOfSigns {
  func first(_ index: [Int].Index, _ other: [String: Int].Index) -> Int?.Type
  func part(_ text: [[Character].SubSequence], _ parts: [Set<Int>?].Element) -> [Int].SubSequence?
}
protocol FunctionsInBrackets {
  var again: (() -> Int) { get }
  var later: ((Int) -> Void) { get set }
  func both() -> ((Int) -> (() -> Void))
  func run(_ body: (() -> Void), _ more: [(() -> Void)], _ last: (Int)...) -> (Int)?
  func keep(_ body: @escaping ((Int) -> Void), _ error: (any Error)?) -> ((Int?)?)
  func all(_ bodies: (() -> Void)...)
}
protocol CallbacksByName {
  func load(_ callback: Callback<Int>, _ done: Finished)
  func store(_ callback: @escaping Callback<[String]>, _ ring: Switchboard.Ring) -> Callback<Int>?
}
protocol AttributesInOrders {
  @preconcurrency @MainActor func show(_ body: @MainActor @escaping () -> Void)
  @MainActor @preconcurrency func hide(_ body: @Sendable @escaping () -> Void)
  func turn(_ body: @Sendable @MainActor @escaping () -> Void) -> @Sendable @MainActor () -> Void
  func ask(_ value: @escaping @autoclosure () -> Int)
  var bodies: [@MainActor () -> Void] { get set }
  func start(_ body: @escaping @isolated(any) @Sendable () async -> Void)
}
/// Code of the older language mode.
protocol WithoutAny: Sendable {
  var plug: Equating { get }
  func join(_ plug: Equating?, _ others: [Equating], _ error: Error) -> Equating
  func each(_ body: @escaping (Equating) -> Error?) -> Result<Equating, Error>
  func type(_ type: Equating.Type, _ value: Codable & Sendable, _ opaque: some Codable)
}
protocol SaidTwice {
  func note(_ error: any Error & Sendable, _ socket: any Plug & Socket & Sendable)
  func keep(_ value: any Hashable & Equatable, _ object: any AnyObject) -> any Any
}
protocol NamedWithModules {
  func load(_ url: Foundation.URL) throws -> Swift.Result<Foundation.Data, any Swift.Error>
  func part(_ part: Foundation.Calendar.Component, _ name: Foundation.Notification.Name)
    -> Corpus.Seat
}
protocol MadeOfOthers: Sendable {
  associatedtype Item: Hashable
  associatedtype List: Collection where List == [Item]
  associatedtype Table where Table == [Item: List]?
  func table(of list: List, _ item: Item) -> Table
}
protocol StaticOverloads {
  static var level: Int { get set }
  static func level(_ value: Int)
}
protocol RunsElsewhere {
  func run(_ body: @escaping @concurrent () async throws -> Int, _ other: () async -> Void) async
  func all<Value>(_ bodies: [() async -> Int], _ last: @escaping @isolated(any) () async -> Value)
}
protocol SaidByThePlatform: Sendable {
  func note(_ error: any LocalizedError & Sendable, _ other: any Error & LocalizedError)
  func key(_ key: any CodingKey & Sendable, _ clock: any Clock<Duration> & Sendable)
}
protocol Explained: LocalizedError, CustomStringConvertible { var code: Int { get } }
protocol ExplainedItself: LocalizedError { var errorDescription: String? { get } }
protocol Watched: Observable, AnyObject { var seats: Int { get set } }
protocol ColumnKey: CodingKey { var width: Int { get } }
protocol SendingInClosures {
  func with<Value, Failure>(
    _ body: (inout sending Int) throws(Failure) -> sending Value
  ) throws(Failure) -> sending Value
}
protocol KindOfComposition { func kind() -> any (Shape & Sendable).Type }
protocol OpaqueOfGeneric {
  func add<Value>(_ value: Value, to list: some PrimaryAssociated<Value>) -> Value
}
protocol OpaqueClass { func show(_ document: some Document) -> Int }
protocol Restated {
  associatedtype Item
  func first() -> Item
  func last(_ item: Item) throws -> [Item]
}
// It declares a requirement for a type that its parent declares for an associated type.
protocol Restating: Restated where Item == String {
  func first() -> String
  func last(_ item: String) -> [String]
}
