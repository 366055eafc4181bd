// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// Protocols that inherit from classes.

import CorpusBase
import Foundation

// The class fulfils the requirements that it has a member for.
/// A frame that shows things.
public protocol Framed: Frame {
  /// The title.
  var title: String { get set }
  /// The width.
  func width() -> Int
  /// A name that the class has for something else.
  func hidden() -> String
  /// Shows a thing.
  func show(_ id: Int) throws -> String
}
/// Has a parent with a class.
public protocol FramedChild: Framed {
  /// Closes it.
  func close() async -> Int
}
protocol Panelled where Self: Panel {
  func close() -> Int
  func tilt() -> Int
  func show(_ id: Int) async throws -> String
}

// The class has these members, but does not fulfil the requirements.
protocol Counted: Frame {
  var count: Int { get set }
  func check(_ value: Int) -> Bool
}

protocol Surfaced: Surface {
  var alpha: Int { get set }
  func draw(_ text: String) -> Int
  nonisolated func name() -> String
}
@MainActor protocol FramedOnMain: Frame {
  func draw(_ text: String) -> Int
  func load() async -> Int
}
protocol Shelved: Shelf<String> {
  var items: [String] { get }
  func takeLast() -> String?
  func first() -> String
}
protocol ShelvedBy where Self: Shelf<Good> {
  associatedtype Good
  func takeLast() -> Good?
  func swap(_ good: Good) -> Good
}
/// A latch with a lock.
public protocol Latched: Latch {
  /// Locks it.
  func lock(_ id: Int) async -> Bool
}
protocol SharedFrame: Frame, Sendable {
  func load(_ id: Int) throws -> String
  func keep(_ document: Document) -> Document
}

/// Its double is made as a strip is: with a length.
protocol Stripped: Strip, Named { func cut(_ at: Int) -> Int }
protocol OfSealed: Sealed { func open() -> Int }

// These names are those of a double, too.
class Clerk {
  struct Spies {}
  struct Error: Swift.Error {}
  let spy = 8
  let number: Int
  private let own = 9
  required init(number: Int) { self.number = number }
  convenience init() { self.init(number: 10) }
  func serve() -> Int { number }
  subscript(index: Int) -> Int { index }
}
protocol Clerks: Clerk {
  init(number: Int)
  subscript(index: Int) -> Int { get }
  func serve() async throws -> Int
  func own() -> Int
  func rest(_ id: Int) throws -> Bool
}
protocol MadeClerks: Clerk, Codable, Hashable {
  init(name: String)
  init?(code: Int) throws
  static func count() -> Int
}

// Classes that inherit from `NSObject`. Delegates have a parent of Objective-C.
class Controller: NSObject { func load() -> Int { 11 } }
protocol Controls: Controller, Sendable {
  func load() -> Int
  func show(_ id: Int) -> String
}
protocol Objects: NSObject { func copy() -> Any }
protocol Delegates: NSObjectProtocol {
  func didLoad(_ id: Int)
  func shouldLoad(_ id: Int) -> Bool
}
protocol SharedDelegates: NSObjectProtocol, Sendable { func didLoad(_ id: Int) async -> String }
@MainActor protocol MainDelegates: NSObjectProtocol {
  var isOn: Bool { get set }
  func didLoad(_ id: Int) -> Int
}
protocol DelegatesOf: NSObjectProtocol, Hashable {
  associatedtype Owner
  func didLoad(_ owner: Owner)
}

// The class has the types of the associated types.
protocol Posts: Post, Identifiable { func send(_ id: Int) -> Bool }
protocol Sequenced { associatedtype Number; func next() -> Number }
protocol NumberedPosts: Post, Sequenced where Number == Int { func send(_ id: Int) -> Bool }
protocol FreePosts: Post, Sequenced { func send(_ number: Number) -> Number }
protocol NamedPosts: Post, Sequenced where Number == String { func send(_ id: Int) -> Bool }
protocol Taking { associatedtype Item; func check(_ value: Item) -> Bool }
protocol TakingFrame: Frame, Taking {}
protocol EqualPosts: Post, Hashable { func send(_ id: Int) -> Bool }

// The arguments of the superclass are unknown.
protocol Bookshelves: Bookshelf { var items: [String] { get set }; func read(_ id: Int) -> String }
protocol LargestShelf: Shelf<Document> { func largest() -> Document? }

// The class has initialisers that the double cannot override, or need not.
class Kettle {
  typealias Volume = Int
  var volumes: [Volume] { [1] }
  init() {}
  required init(kind: Int) throws {}
  convenience init?(code: Int) { self.init() }
  func boil() throws -> Int { 14 }
  func pour() throws(CancellationError) -> Int { 15 }
  func fill(required: Int, final: Int) throws -> Int { 16 }
}
protocol Kettles: Kettle, CustomStringConvertible {
  init(kind: Int)
  init(code: Int)
  var volumes: [Int] { get }
  func boil() async -> Int
  func pour() async throws(Weakness) -> Int
  func fill(required: Int, final: Int) -> Int
}
struct Weakness: Error {}
protocol Binned: LiddedBin { init(name: String); func empty(_ id: Int) -> Bool }
protocol Crates: Crate { func open(_ id: Int) -> Bool }
@MainActor class Panes { nonisolated init() {}; var size: Int { 17 } }
protocol OfPanes: Panes, Codable { var size: Int { get }; nonisolated func name() -> String }

// The class has hidden members with the names of these requirements.
protocol Doors: Door {
  func shut(_ id: String) -> Int
  func open(_ id: Int) -> Int
  subscript(row: Int) -> Int { get set }
  var width: Int { get }
  func peek() -> Int
}

// These narrow members of the class.
protocol Almanacs: Almanac {
  func find(_ id: Int?) -> Int
  func frame(_ ids: [Int]) -> Panel
  subscript(row: Int) -> Int { get }
}

// No class of another module can conform to these.
protocol CountedAlmanacs: Almanac { func count(_ id: Int?) -> Int }
protocol ShutDoors: Door { func shut(_ id: Int) -> Int }
protocol HighDoors: Door { var height: Int { get } }
protocol SlammedDoors: Door { func slam() -> Int }
protocol WideDoors: Door { var width: Int { get set } }
final class Whole { init() {} }
class Unmade { private init() {} }
protocol OfWhole: Whole { func show() }
protocol OfUnmade: Unmade { func show() }
protocol Unfulfilled: Frame { func width() throws -> Int; var title: Substring { get } }
protocol MadeCrates: Crate { init(name: String) }
class Wobbly { init(flag: Bool = true) {} }
protocol OfWobbly: Wobbly { init() }
protocol Alphas { var alpha: Int { get } }
protocol OfSurface: Surface, Alphas { func draw() -> Int }
protocol DecodedSurface: Surface, Codable { func draw() -> Int }
class Lazy { init() {}; var size: Int { 1 }; func load() throws(CancellationError) -> Int { 2 } }
protocol AsyncLazy: Lazy { var size: Int { get async } }
protocol OtherLazy: Lazy { var size: Int { get }; func load() throws(Weakness) -> Int }
protocol TakenBookshelves: Bookshelf { func takeLast() -> String? }
/// Not isolated, also in a module with a default isolation.
protocol PlainPanes: Panes { func wipe(_ scratch: Scratch) -> Scratch }
