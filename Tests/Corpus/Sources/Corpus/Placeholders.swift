// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// Results that have an obvious value.

protocol EmptyResults {
  func text() throws -> Substring
  func finish() throws -> Result<Void, any Error>
  func pairs() -> KeyValuePairs<Int, String>
  func sequence() -> AnySequence<Int>
  func items() -> any Collection<Int>
  func shared() -> any Sequence<Int> & Sendable
}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
protocol EmptySequences {
  func events() -> any AsyncSequence<Int, Never> & Sendable
  func lines() async throws -> any AsyncSequence<String, any Error>
}
enum Aisle {
  struct Item: Sendable {}
  typealias Items = any Sequence<Item>
}
/// The placeholder of an alias cannot name the types in it.
protocol AliasedResults { func items() -> Aisle.Items }
@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
protocol FixedResults {
  func row() throws -> [3 of Int]
  func names() throws -> InlineArray<2, String>
}
protocol FunctionResults {
  func subscribe() -> () -> Void
  func counter() -> @Sendable (Int, inout String) throws -> [Int]
  var onEnd: (Int) -> Void { get set }
  func factory() -> () async -> (Int) -> Bool
}
protocol Chained {
  func named(_ name: String) -> Self
  func loaded(_ number: inout Int) async throws -> Self
}
protocol Scoped { func scope(_ name: String) -> any Scoped }
protocol SharedChained: Sendable { func named(_ name: Scratch) -> Self }
protocol RangeResults {
  func rows() -> Range<Int>
  func prices() throws -> ClosedRange<Double>
  func names() -> ClosedRange<String>
  var pages: CountableRange<Int> { get }
  static func seats() -> Range<UInt8>
  // A bound without an obvious value.
  func objects() throws -> Range<ObjectIdentifier>
}
protocol GenericParts {
  func pair<Value>(_ type: Value.Type) -> (Value?, Int)
  func named<Value>(_ value: Value) throws -> (items: [Value], name: String)
  func pairs<Value>(_ value: Value) -> KeyValuePairs<Int, Value>
  func every<Value>(_ value: Value) -> AnySequence<Value>
  func maker<Value>(_ value: Value) -> (Int) -> Value?
  func found<Value: Hashable>(_ value: Value) async -> Result<Set<Value>, any Error>
  func both<Value>(_ value: Value) throws(LoadError) -> ([Value], any Scoped)
}
protocol GenericStaticParts {
  static func load<Value>() -> Value?
  static func all<Value>(of type: Value.Type) -> [Value]
  static func list<Value>(_ value: Value) async throws -> [String: Value]
  static func pair<Value>(_ answer: Value, found: Int) -> (Value?, Int)
  static func unique<Value: Hashable>(_ value: Value) throws(LoadError) -> Set<Value>
  static func stream<Value>(_ value: Value) -> AsyncStream<Value>
  static func change<Value>(_ value: inout Value?)
  static subscript<Value>(value value: Value) -> [Value] { get }
}
