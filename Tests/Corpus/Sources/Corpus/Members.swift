// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

prefix operator +++
postfix operator +++
infix operator <+>

protocol StaticFunction { static func now(_ zone: Int) -> Int }
protocol StaticAsync { static func now(_ zone: Int) async throws -> Int }
protocol StaticProperty { static var shared: Int { get } }
protocol StaticSettable { static var level: Int { get set } }
protocol StaticGeneric { static func decode<Value>(_ text: String) throws -> Value }
protocol StaticSubscript { static subscript(key: String) -> Int { get } }
protocol StaticSelf { static func make(_ id: Int) -> Self }
protocol StaticDocument { static func open(_ document: Document) -> Int }
protocol Initializer { init(id: Int) }
protocol InitializerEmpty { init() }
protocol InitializerFailable { init?(text: String) }
protocol InitializerThrowing { init(path: String) throws }
protocol InitializerAsync { init(path: String) async throws(LoadError) }
protocol InitializerGeneric { init<Value>(_ value: Value) }
protocol SubscriptGet { subscript(index: Int) -> String { get } }
protocol SubscriptGetSet { subscript(index: Int) -> String { get set } }
protocol SubscriptLabelled { subscript(row row: Int, column column: Int) -> Double { get set } }
protocol SubscriptGeneric { subscript<Value>(key: String, as type: Value.Type) -> Value { get } }
protocol SubscriptGenericKey { subscript<Key: Hashable>(key: Key) -> Int { get } }
protocol SubscriptThrowing { subscript(index: Int) -> String { get throws } }
protocol SubscriptAsync { subscript(index: Int) -> String { get async throws(LoadError) } }
protocol PropertyGet { var title: String { get } }
protocol PropertyGetSet { var title: String { get set } }
protocol PropertyOptional { var owner: Item? { get set } }
protocol PropertyAsync { var title: String { get async } }
protocol PropertyThrowing { var title: String { get throws } }
protocol PropertyTyped { var title: String { get throws(LoadError) } }
protocol PropertyAsyncThrowing { var title: String { get async throws } }
protocol PropertyMutatingGet { var next: Int { mutating get } }
protocol PropertyNonmutatingSet { var level: Int { get nonmutating set } }
protocol PropertyClosure { var handler: (Int) -> String { get set } }
protocol PropertyExistential { var shape: any Shape { get } }
protocol PropertyBacktick { var `self`: Int { get } }
protocol OperatorInfix { static func <+> (left: Self, right: Self) -> Int }
protocol OperatorEquals { static func == (left: Self, right: Self) -> Bool }
protocol OperatorPrefix { static prefix func +++ (value: Self) -> Int }
protocol OperatorPostfix { static postfix func +++ (value: inout Self) -> Int }
protocol OperatorMixed { static func + (left: Self, right: Int) -> String }
protocol ConsumesToken { func spend(_ token: consuming Token) -> Int }
protocol BorrowsToken { func read(_ token: borrowing Token) -> Int }
protocol ReturnsToken { func issue(_ value: Int) -> Token }
protocol ConsumingCopyable { consuming func use(_ item: consuming Item) -> Int }
protocol BorrowingCopyable { borrowing func use(_ item: borrowing Item) -> Int }
protocol InitializerForwarding { init(forwardingTo other: Int) }
