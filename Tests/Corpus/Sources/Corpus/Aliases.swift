// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// Aliases of protocols. A double inherits them, and their names may be names of other types.

import Foundation

struct Torn: Error {}

protocol AliasedResult {
  typealias Result = Swift.Result<[String], any Error>
  func load(completion: @escaping (Result) -> Void)
  func last() -> Result
  func merge(_ first: Result?, _ others: [Self.Result], _ last: AliasedResult.Result) -> Bool
}
protocol InheritsAliases: AliasedResult, Sendable {
  func reload() async -> Result
  func other() -> Swift.Result<Int, Torn>
}
protocol UsesAliases {
  associatedtype Loader: AliasedResult
  func load(_ loader: Loader) -> Loader.Result
  func first(_ results: [AliasedResult.Result]) -> AliasedResult.Result?
}
protocol AliasedError {
  typealias Error = Torn
  func find(_ id: Int) throws(Error) -> Error?
  func load(_ id: Int) async throws -> Int
  func keep(_ error: any Swift.Error)
}
protocol AliasedTask {
  typealias Task = _Concurrency.Task<Void, Never>
  func start() -> Task
  func join(_ task: Task?) async
}
protocol AliasedSibling {
  typealias Item = Int
  func next(_ item: Item) -> Item
  func find(_ item: Corpus.Item) -> [Corpus.Item]
}
protocol AliasedKey {
  typealias ID = String
  associatedtype Item: Identifiable where Item.ID == ID
  func find(_ id: ID) -> Item?
}
protocol AliasedOften {
  typealias Void = Int
  typealias String = Int
  typealias Spy = String
  typealias URL = Swift.String
  typealias NSObject = [URL]
  func first(_ value: Void, _ spy: Spy) -> Void
  func load(_ url: URL, _ other: Foundation.URL) -> Swift.Void
  func keep(_ object: NSObject, _ other: Foundation.NSObject) -> Swift.String
}
protocol AliasedOthers {
  typealias Both = CustomStringConvertible & Sendable
  typealias Box<Value> = Swift.Result<Value, any Error>
  typealias Handler = (Int) -> Void
  func show(_ one: any Both, _ more: (any Both)?) -> any Both
  func open<Value: Both>(_ value: Value, _ handler: @escaping Handler, _ more: Handler?) -> Handler
  func pack(_ box: Box<[Int]>) -> Box<Box<String>>
}
