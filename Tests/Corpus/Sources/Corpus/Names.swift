// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// Types with the same names as others, and types that are made of renamed types.

import CorpusBase
import Foundation

prefix operator √

struct Seat { var number: Int }
/// The library and Foundation have types with this name.
struct Gate { var number: Int }
struct Notification { var text: String }
typealias Coin = Token
typealias Coins = Coin?
typealias Window = Span<Int>
struct `big top` {
  enum `side/show` { case one }
}

protocol TwoSeats: Usher { func sell(_ seat: Seat) -> Int }
protocol HiddenSeat: Usher {
  associatedtype Seat
  func lend(_ seat: Seat) -> Int
}
protocol CalledAsOthers { func pass(_ gate: Gate, _ notification: Notification, _ url: URL) -> Int }
protocol SetClash {
  static var level: Int { get set }
  static var levelSet: Int { get }
  subscript(index: Int) -> Int { get set }
  func subscriptSet() -> Int
}
protocol UnicodeOperator { static prefix func √ (value: Self) -> Int }
protocol RawTypes { func visit(_ tent: `big top`, _ part: `big top`.`side/show`) -> `big top` }
protocol `side/show`: Hashable { func play() -> Int }

@MainActor protocol MainOfOthers: OneArgument, PropertyGetSet, AsyncVoid, Identifiable, Decodable {
  func show() -> Int
}
protocol OtherOfMain: MainOfOthers { func more() -> Int }
@MainActor protocol MainComparable: Comparable, CaseIterable, LosslessStringConvertible {
  func show() -> Int
}

protocol OwnMetatype { func of(_ type: Self.Type) -> Self.Type }
protocol AliasedToken { func pay(_ coin: consuming Coin) -> Coins }
protocol AliasedSpan { func sum(_ values: Window) -> Int }
protocol OpaqueInout {
  func roll(_ count: some Hashable, _ source: inout some RandomNumberGenerator) -> Int
}
protocol OpaqueNested { func count(_ all: some Collection<some Hashable>) -> Int }
protocol GenericUnwrapped { func first<Value>() -> Value! }
protocol StaticGenericInout { static func next<Value>(_ value: inout Value) -> [Value] }
protocol SharedGetter: Sendable { var document: Document { get async throws } }
protocol LetLabel { func move(`let` place: Int, `inout` other: Int) -> Int }
protocol NamedAsHelpers {
  subscript(newValue: Int) -> Int { get set }
  func log(message: @autoclosure () -> String, messageValue: Int)
  func pack<each Value>(_ all: repeat each Value, allList: Int)
}

// Code that the two producers of symbol graphs write differently.

protocol ComposedInOrders {
  func keep(_ value: any Shape & Equating, _ other: any Sendable & AsyncSequence<Int, any Error>)
}
protocol Equating {}
protocol NamedInClosures {
  func load(_ done: @escaping (_ data: Data?, _ error: (any Error)?) -> Void) -> (_ id: Int) -> Int
}
protocol AnyMetatype { func note(_ type: Any.Type) -> Any.Type }
protocol AssociatedOverloads {
  associatedtype Item
  func add(_ item: Item)
  func add(_ number: Int)
}

// Types with the names of Swift keywords for types.

enum Pantry {
  struct `Type`: Equatable { var number = 0 }
  struct `Protocol` { var number = 0 }
  struct `some` { var number = 0 }
}
protocol WordsOfTypes {
  associatedtype `any`
  func keep(_ type: Pantry.`Type`, _ all: [Pantry.`some`]) -> Pantry.`Protocol`
  func look(_ type: Pantry.Type, _ value: `any`) -> [`any`]
}
protocol UnderscoreName {
  func `_`(_ number: Int) -> Int
  var `__`: Int { get }
}
protocol SelfNames {
  static func keep(_ `Self`: Int)
  subscript(`Self`: Int) -> Int { get }
}

// A property and a function without parameters have one name. No type can declare both.
protocol Locking {
  func lock() -> Int
  func lock(for seconds: Int) -> Int
}
protocol LockOwner: Locking { var lock: Int { get } }
extension LockOwner {
  func lock() -> Int { lock + 1 }
}
protocol LockWithout: Locking { var lock: Int { get } }
protocol AwaitParameter {
  func run(await: Bool) -> Int
  func wait(_ await: Int, async: Int, any: Int, each: Int, copy: Int, consume: Int) async throws
  func await() async -> Int
}
protocol UncheckedParameter {
  static func keep(_ Unchecked: Scratch) -> Scratch
  static func make<Value>(_ Unchecked: Value, _ fatalError: Int) -> Value
  init(Unchecked: Scratch)
}
