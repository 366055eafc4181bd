// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// The names that every double writes: types of the library and of the standard library, and its own
// nested types and members. Here they are associated types, requirements, types and extensions.

protocol AssociatedSpy {
  associatedtype Spy: Sendable
  func keep(_ spy: Spy) -> Spy
  func load(_ spy: Spy) async throws -> Int
  var level: Int { get set }
}
protocol AssociatedParts {
  associatedtype Spies
  associatedtype StaticSpies
  associatedtype SpyProperty
  func use(_ spies: Spies, _ statics: StaticSpies) -> SpyProperty
  static func now() -> Int
  var level: Int { get set }
}
protocol AssociatedUnchecked: Sendable {
  associatedtype Unchecked
  func keep(_ value: Any, _ unchecked: Unchecked) -> Any
  var document: Document { get set }
}
protocol AssociatedWords: Sendable {
  associatedtype Sendable
  associatedtype Error
  associatedtype Decodable
  func load(_ sendable: Sendable) throws -> Int
}
protocol StaticVoid {
  associatedtype Void
  static func make() -> Void
  static func take(_ void: Void) throws
  static var void: Void { get set }
  init(_ void: Void)
}
protocol AssociatedLibrary {
  associatedtype UnderstudyDoubles
  func keep(_ value: UnderstudyDoubles) -> Int
  static func now() -> Int
}
protocol AssociatedMember { associatedtype spy; func keep(_ value: spy) -> Int }
protocol RequiresLibrary {
  func Spy() -> Int
  func AsyncSpy(_ id: Int) async throws -> String
  func GenericSpy<Value>(_ value: Value) -> Value
  var SpyProperty: Int { get set }
  func Unchecked(_ id: Int) throws -> Int
}
protocol RequiresParts {
  func Spies() -> Int
  static func StaticSpies() -> Int
  var spy: Int { get }
  static func spies() -> Int
  func spiesOfDouble() -> Int
}
protocol RequiresTrap {
  func fatalError(_ message: String) -> Int
  func load<Failure: Error>(_ type: Failure.Type) throws(Failure) -> Int
}
protocol ExtensionNames {
  func run(_ id: Int) -> Int
  func load(_ id: Int) async -> Int
}
extension ExtensionNames {
  typealias Spy = Int
  func AsyncSpy() -> Int { 1 }
}
struct Spies { var count: Int }
struct StaticSpies { var count: Int }
protocol UsesOwnParts {
  func keep(_ spies: Spies) -> Spies
  static func share(_ spies: StaticSpies) -> Int
}
