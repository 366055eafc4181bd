// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import CorpusBase
import Foundation

/// Orders, by number.
///
/// - Understudy: double
protocol Repository: Sendable {
  var region: String { get set }
  func fetch(_ id: Int) async throws -> Item
  func remove(_ id: Int, hard: Bool) throws(LoadError) -> Int
  func decode<Value>(_ type: Value.Type, key: String) throws -> Value
  static func now() -> Int
}

/// Every requirement can be recorded.
///
/// - Understudy: double
protocol Archive: Sendable {
  typealias Shelfmark = String

  var title: String { get }
  func page(_ number: Int, of book: Shelfmark?) async throws -> Page
  func pages(after date: Date) -> [Shelfmark: [Page]]
  func remove(_ page: Page) throws(Damage)
}

struct Page: Codable, Hashable {
  var text: String
}

enum Damage: Error, Codable {
  case torn
}

/// - Understudy: double
protocol Overloads {
  func load(_ id: Int) -> Int
  func load(_ id: String) -> Int
  func load(id: Int) -> Int
  func load(id: Int, hard: Bool) -> Int
  func load() -> Int
  func load() -> String
  static func load(_ id: Int) -> Int
}

/// - Understudy: double
protocol Session: AnyObject, Sendable {
  init(name: String)
  var user: String? { get async throws }
  subscript(key: String) -> Int? { get set }
  subscript(key: Int) -> Int? { get }
  func close()
}

/// - Understudy: double
@MainActor protocol Screen: AnyObject {
  var title: String { get set }
  func show(_ document: Document, animated: Bool)
  func ask(_ question: String) async -> Bool
  nonisolated var id: Int { get }
}

/// - Understudy: double
protocol Ledger: Actor {
  var balance: Int { get }
  func post(_ amount: Int) async throws -> Int
  nonisolated func currency() -> String
}

/// - Understudy: double
protocol Cache<Key, Value>: Sendable {
  associatedtype Key: Hashable
  associatedtype Value
  subscript(key: Key) -> Value? { get set }
  func value(for key: Key, orMake make: () throws -> Value) rethrows -> Value
  func removeAll(where test: @escaping @Sendable (Key, Value) -> Bool) async -> [Value]
}

/// - Understudy: double
protocol Pipeline: Renamable, Hashable {
  associatedtype Stage: Hashable
  func append(_ stage: Stage) -> Self
  static func + (left: Self, right: Stage) -> Self
  func run(_ inputs: Int..., onProgress: ((Double) -> Void)?) throws -> [Stage: Int]
}

/// - Understudy: double
protocol Vault {
  func open(_ token: consuming Token) throws -> Int
  func audit(_ body: (borrowing Token) -> Void)
  func label() -> Label
  mutating func lock(_ code: inout Int)
}

/// - Understudy: double
public protocol Transport: Sendable {
  func send(_ data: Data, to url: URL) async throws -> (Data, Int)
  func stream(_ url: URL) -> AsyncStream<Data>
  var timeout: Duration { get }
}

/// - Understudy: double
protocol Logger: Sendable {
  func log(_ message: @autoclosure () -> String, level: Int, file: StaticString, line: UInt)
  func flush() async
  var isEnabled: Bool { get }
}

/// - Understudy: double
protocol Formatter: CustomStringConvertible, Comparable {
  func format<Number: BinaryInteger>(_ number: Number) -> String
  func format<Number: BinaryFloatingPoint>(_ number: Number) -> String
  func parse<Number>(_ text: String) -> Number?
}

/// - Understudy: double
protocol Inventory: InheritsHere, PropertyGetSet, Sendable {
  func load(_ id: Int) -> String
  func move(`in` place: Int, to: Item.Size) async throws(LoadError)
  func count(where test: (Item) throws -> Bool) rethrows -> Int
}
