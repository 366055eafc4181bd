// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import CorpusBase
import Foundation

protocol SyncVoid { func ping() }
protocol SyncValue { func count() -> Int }
protocol OneArgument { func load(_ id: Int) -> String }
protocol Labelled { func load(id: Int, from place: String) -> String }
protocol AsyncVoid { func ping() async }
protocol AsyncValue { func load(_ id: Int) async -> String }
protocol Throwing { func load(_ id: Int) throws -> String }
protocol ThrowingVoid { func save(_ text: String) throws }
protocol TypedThrowing { func load(_ id: Int) throws(LoadError) -> String }
protocol AsyncThrowing { func load(_ id: Int) async throws -> Item }
protocol AsyncTypedThrowing { func load(_ id: Int) async throws(LoadError) -> Item }
protocol ThrowsNever { func load(_ id: Int) throws(Never) -> Int }
protocol InoutVoid { func bump(_ value: inout Int) }
protocol InoutResult { func bump(_ value: inout Int, by step: Int) -> Bool }
protocol InoutTwo { func exchange(_ a: inout Int, _ b: inout String) throws }
protocol Variadic { func sum(_ numbers: Int...) -> Int }
protocol VariadicLabelled { func join(_ texts: String..., by separator: String) -> String }
protocol Mutating { mutating func advance(by step: Int) -> Int }
protocol ManyArguments {
  func place(_ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int, _ g: Int, _ h: Int) -> Int
}
protocol LongSignature {
  func reserve(
    performanceIdentifier identifier: Identifier, customerEmailAddress address: String,
    preferredRowNumbers rows: [Int], seatsByPriceCategory seats: [String: [Int]],
    discountPercentage discount: Double?, isWheelchairAccessible accessible: Bool
  ) async throws -> [String: (row: Int, seat: Int)]
}
protocol TupleArgument { func move(_ point: (x: Int, y: Int)) -> Int }
protocol TupleResult { func origin() -> (x: Int, y: Int) }
protocol OptionalArgument { func note(_ text: String?) -> Bool }
protocol OptionalResult { func find(_ id: Int) -> String? }
protocol Collections { func group(_ items: [Item], by names: [String: Set<Int>]) -> [[Item]] }
protocol NestedTypes { func cut(_ part: Item.Part, size: Item.Size) -> Item.Part? }
protocol NestedElsewhere { func style(_ label: Label) -> Label.Style }
protocol FoundationTypes { func stamp(_ url: URL, at date: Date) -> Data? }
protocol FunctionResult { func maker() -> (Int) -> String }
protocol MetatypeArgument { func build(_ type: Item.Type) -> String }
protocol MetatypeResult { func kind() -> any Shape.Type }
protocol AnyArgument { func log(_ value: Any) }
protocol ExistentialArgument { func draw(_ shape: any Shape) -> Int }
protocol ExistentialResult { func shape(_ id: Int) -> any Shape }
protocol ComposedExistential { func draw(_ shape: any Shape & Sendable) -> Int }
protocol ConstrainedExistential { func sum(_ numbers: any Collection<Int>) -> Int }
protocol Aliased { func load(_ id: Identifier) -> Identifier }
protocol DefaultLabelOnly { func run(for _: Int, in _: String) -> Int }
protocol ReturnsNever { func stop(_ code: Int) -> Never }
protocol Unicode { func größe(_ länge: Int) -> Int }
protocol Smile { func 😀(_ 🎭: Int) -> Int }
protocol BacktickName { func `default`(_ value: Int) -> Int }
protocol BacktickLabel { func move(`in` place: Int, `for`: Int) -> Int }
protocol RawName { func `load an item`(_ id: Int) -> Int }
protocol `class` { func close() -> Int }
protocol _Underscored { func _load(_ id: Int) -> Int }
protocol DefaultImplementation { func greet(_ name: String) -> String }
extension DefaultImplementation { func greet(_ name: String) -> String { "Hello, \(name)" } }
protocol Discardable { @discardableResult func push(_ item: Int) -> Bool }
protocol Deprecated {
  @available(*, deprecated, message: "Use \"load\" instead") func old(_ id: Int) -> Int
}
@available(*, deprecated) struct Antique: Hashable, Sendable { var year = 1900 }
protocol DeprecatedTypes {
  @available(*, deprecated) func restore(_ antique: Antique) throws -> Antique
  @available(*, deprecated) var oldest: Antique? { get set }
  @available(*, deprecated) static func appraise(_ antiques: [Antique]) async -> Int
  func count() -> Int
}
protocol Introduced { @available(macOS 15, iOS 18, *) func recent(_ id: Int) -> Int }
@available(macOS 15, iOS 18, *) protocol IntroducedProtocol { func recent(_ id: Int) -> Int }
protocol SwiftVersioned { @available(swift 5.0) func modern(_ id: Int) -> Int }
protocol TwiceIntroduced {
  @available(macOS 15, iOS 18, *) func recent(_ id: Int) -> Int
  @available(macOS 14, tvOS 17, *) func older(_ id: Int) -> Int
}
protocol UnnamedParameters { func add(_: Int, value1: Int) -> Int }
