// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

protocol GenericArgument { func log<Value>(_ value: Value) -> String }
protocol GenericResult { func decode<Value>(_ type: Value.Type, key: String) throws -> Value }
protocol GenericResultOnly { func make<Value>() -> Value }
protocol GenericBoth { func echo<Value>(_ value: Value, times: Int) -> [Value] }
protocol GenericConstrained { func draw<Kind: Shape>(_ shape: Kind) -> Int }
protocol GenericComposed { func draw<Kind: Shape & Sendable>(_ shape: Kind) -> Int }
protocol GenericWhere {
  func total<Numbers>(_ numbers: Numbers) -> Int where Numbers: Sequence, Numbers.Element == Int
}
protocol GenericTwo {
  func pair<Left: Hashable, Right>(_ left: Left, _ right: Right) -> [Left: Right]
}
protocol GenericClass { func open<File: Document>(_ file: File) -> File? }
protocol GenericObject { func hold<Thing: AnyObject>(_ thing: Thing) -> Bool }
protocol GenericInout { func reset<Value>(_ value: inout Value) }
protocol GenericAsync { func fetch<Value: Decodable>(_ type: Value.Type) async throws -> Value }
protocol GenericTypedThrows {
  func fetch<Value>(_ type: Value.Type, id: Int) throws(LoadError) -> Value
}
protocol GenericVariadic { func all<Value>(_ values: Value...) -> Int }
protocol GenericMetatype { func know<Value>(_ type: Value.Type) -> Bool }
protocol GenericClosure { func later<Value>(_ body: @escaping (Value) -> Void) }
protocol GenericOptional { func first<Value: Equatable>(_ values: [Value?]) -> Value? }
protocol SomeArgument { func draw(_ shape: some Shape) -> Int }
protocol SomeCollection { func total(_ numbers: some Collection<Int>) -> Int }
protocol Pack { func all<each Value>(_ values: repeat each Value) -> Int }
protocol PackResult { func wrap<each Value>(_ values: repeat each Value) -> (repeat (each Value)?) }
protocol PackConstrained { func all<each Value: Hashable>(_ values: repeat each Value) throws }
protocol GenericNoncopyable { func take<Value: ~Copyable>(_ value: consuming Value) }
protocol GenericNoncopyableResult {
  func pass<Value: ~Copyable>(_ value: consuming Value) -> Value
}
@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
protocol IntegerGeneric { func count<let size: Int>(_ values: InlineArray<size, Int>) -> Int }
protocol PackClosure {
  func map<each Value, Result>(
    _ body: (repeat each Value) -> Result, _ values: repeat each Value
  ) -> Result
}
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
struct Many<each Value> {}
// One value whose type contains a pack, and packs of functions.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
protocol PackInside {
  func open<each Value>(_ many: Many<repeat each Value>) -> Int
  func openAll<each Value>(_ many: Many<repeat each Value>..., or other: Many<repeat each Value>?)
  func rows<each Value>(_ rows: [(repeat each Value)]) -> Int
  func row<each Value>(_ row: (repeat each Value), or other: (repeat each Value)?) -> Int
  func type<each Value>(_ type: (repeat each Value).Type) -> Bool
  func change<each Value>(_ row: inout (repeat each Value))
  func lists<each Value>(_ lists: repeat [each Value]) -> Int
  func value<each Value>(_ value: @autoclosure () -> (repeat each Value)) -> Int
}
protocol PackOptionalClosure { func on<each Value>(_ body: ((repeat each Value) -> Void)?) }
protocol PackFunctions {
  func each<each Value>(_ bodies: repeat (each Value) -> Int) -> Int
  func later<each Value>(_ bodies: repeat @escaping (each Value) -> Int) -> Int
  func list<each Value>(_ bodies: [(repeat each Value) -> Void], count: Int) -> Int
}
protocol TypeKey { associatedtype Content }
protocol KeyedByType {
  func content<Key: TypeKey>(of key: Key.Type) -> Key.Content?
  // The parameter has the name of the module.
  func first<Corpus: TypeKey>(_ key: Corpus.Type, or other: Corpus.Content) -> [Corpus.Content]
  func convert<From, To>(_ from: From.Type, to: To.Type) -> To
}
