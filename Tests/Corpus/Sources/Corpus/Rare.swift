// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// Forms that few protocols have.

protocol PointerResults {
  func callback() -> @convention(c) (Int32) -> Int32
  var handler: @convention(c) (Int32) -> Int32 { get }
}
protocol IsolatedFunctions: Actor {
  func run(_ body: @escaping @Sendable (isolated Self) async -> Int) async -> Int
}
protocol HoldsItself: Holding where Held == [Self] { func first(_ all: Held) -> Held }
protocol Holding {
  associatedtype Held
  func keep(_ held: Held)
}
protocol FailingWith {
  associatedtype Failure: Error & Equatable
  func load() throws(Failure) -> Int
  var size: Int { get async throws(Failure) }
  func each(_ body: () throws(Failure) -> Int) throws(Failure) -> Int
}
protocol Callable {
  func callAsFunction(_ number: Int) -> Int
  subscript(number: Int, default value: @autoclosure () -> Int) -> Int { get set }
}
protocol StandardNames {
  associatedtype Int
  associatedtype String
  associatedtype Optional
  func convert(_ number: Int, _ text: String) -> Optional
  func count() -> Swift.Int
  var isOn: Swift.Bool { get }
}
protocol KeywordLabels {
  func run(`in`: Int, for: Int, throws: Int) async -> Int
  func `init`() -> Int
  var `Protocol`: Int { get }
}
protocol LibraryLabels {
  func run(spy: Int, real: Int, tape: Int, errors: Int, arguments: Int) -> Int
  func set(_ answer: inout Int, spy: inout Int) -> Int
}
protocol DeepOptionals {
  var handler: ((Int) -> Void)? { get set }
  func find(_ number: Int??, _ body: (() -> (() -> Int)?)?) -> Int???
  var bodies: [String: (Int) throws -> Int] { get set }
}
protocol NoncopyableFunctions {
  func each(_ body: (consuming Token) -> Token) -> Int
  func maker() -> (Int) -> Token
  func find() -> Token?
  func drop(_ token: consuming Token?) async throws
}
protocol AutoclosureForms {
  func later(_ value: @autoclosure @escaping () -> Int)
  func run<Value>(_ value: @autoclosure () async throws -> Value) async rethrows -> Value
}
protocol NamelessParameters {
  func add(_: Int, _: Int, _: String...) -> Int
  subscript(_: Int, _: Int) -> Int { get set }
}
protocol ManyOverloads {
  func load(a: Int) -> Int
  func load(b: Int) -> Int
  func load<Value>(_: Value) -> Int
  func load<Value: Hashable>(_: Value) -> Int
  func load(_: [Int]) -> Int
}
protocol StaticForms {
  static var size: Int { get async throws }
  static subscript<Value>(value: Value) -> Value { get set }
  static func change(_ document: inout Document, _ body: () -> Void) throws(LoadError) -> Int
  static func find() -> Self?
}
protocol ConcurrencyTypes {
  func run(_ clock: any Clock<Duration>) async throws
  func open(_ continuation: AsyncStream<Int>.Continuation) -> AsyncStream<Int>
  func wait<Timer: Clock>(_ timer: Timer, _ until: Timer.Instant) async throws -> Timer.Duration
}
protocol ElementsAndIterator: Sequence, IteratorProtocol where Element == Int {
  func more() -> Int
}
protocol OperatorForms {
  static func += (left: inout Self, right: Int)
  static prefix func - (value: Self) -> Int
  static func ~= (left: Self, right: Int) -> Bool
  static func ... (left: Self, right: Self) -> Int
}
protocol BodyOfBodies {
  associatedtype Body: BodyOfBodies
  @MainActor var body: Body { get }
}
extension Never: BodyOfBodies {
  var body: Never { fatalError() }
}
protocol MutatingGetters {
  var next: Int { mutating get async throws }
  subscript(index: Int) -> Int { mutating get throws(LoadError) }
}
protocol SentDocuments {
  func both(_ a: inout sending Document, _ b: inout sending Document) async throws -> Document
  func each(_ a: inout sending Document, _ body: () -> Void) -> Document
  func wait(_ a: inout sending Document, _ body: () -> Void) async throws -> Int
  func reset<Value>(_ value: inout sending Value) -> Int
  func pair<Value>(_ a: inout sending Value, _ b: inout sending Value) throws -> Value
  subscript(document: sending Document) -> Int { get set }
}
protocol SentOnMain: Sendable {
  @MainActor func change(_ document: inout sending Document, _ other: inout Document) -> Int
  static func reset<Value>(_ value: inout sending Value)
  static func both(_ a: inout sending Document, _ b: inout Int) -> Document
}
protocol KeyedRows {
  associatedtype Key: Hashable
  associatedtype Row
  func rows(_ body: () -> Void) -> [Key: Row]
  func keys(_ body: () -> Void) -> [Key]
  func list(_ body: () -> Void) -> [Row]
  func run(_ body: () -> [Key]) -> [Key]
  func each(_ key: Key, _ body: (Key) -> Void)
  func change(_ key: inout Key)
  func swap(_ key: inout Key, _ other: inout [Key], _ count: Int)
}
protocol SortedRows: KeyedRows where Row: Comparable {
  func sorted(_ body: () -> Void) -> [Row]
}

// No type can conform to it, because the compiler accepts no implementation.
protocol PackPairs {
  func zip<each Left, each Right>(
    _ pairs: repeat (each Left, each Right)
  ) -> (repeat each Left)
}
enum Database {
  @globalActor actor Executor { static let shared = Executor() }
}
protocol Rows {
  @Database.Executor func count() -> Int
  func run(_ body: @Database.Executor @Sendable () -> Int)
}
prefix operator +++
postfix operator +++
protocol Stepping {
  static prefix func +++ (value: Self) -> Int
  static postfix func +++ (value: Self) -> Int
}
enum Farther { enum Nothing {} }
protocol NestedNothing {
  func end() async -> Farther.Nothing
  func pair(_ pair: (Int, Farther.Nothing))
}
protocol RemovingKeys {
  associatedtype Key: Hashable
  func removeAll(where body: (Key) -> Bool)
  func each(_ body: (Key) throws -> Void) rethrows
  func bump(_ key: inout Key)
}
