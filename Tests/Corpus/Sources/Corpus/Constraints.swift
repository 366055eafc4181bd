// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// Associated types that a clause fixes or constrains, and types that are not `Sendable` there.

protocol EntityStore {
  associatedtype Entity: Identifiable
  func save(_ entity: Entity) throws
}
struct Account: Identifiable { var id: Int }
protocol AccountEntities: EntityStore where Entity == Account {
  func save(_ accounts: [Account]) throws
}
protocol BatchEntities: EntityStore { func save(_ accounts: [Account]) throws }
protocol SmallLiteral: ExpressibleByIntegerLiteral where IntegerLiteralType == UInt8 {}

protocol PageSource: Sendable {
  associatedtype Page
  func turn(_ page: Page) async throws -> Page
}
protocol ScratchPages: PageSource where Page == Scratch {}
protocol KeyedPages: PageSource where Page == [String: Any] {}
protocol CallbackPages: PageSource where Page == (Int) -> Void {}
protocol ShapePages: PageSource where Page == any Shape {}
protocol ItemPages: PageSource where Page == Item {}
protocol ClosurePages: Sendable {
  func on(_ change: @escaping (@Sendable () -> Void) -> Void)
  func main(_ change: @escaping (@MainActor () -> Void) -> Void)
}
protocol RealNumbers: Sendable { associatedtype Real; func add(_ value: Real) -> Real }

// One member of two parents, in two spellings.
typealias AccountID = String
protocol LoadsAccounts {
  func load<T: Decodable>(_ type: T.Type) -> T
  func find(_ id: AccountID?) -> Int
  func show(_ shape: some Shape, count: Int) -> Int
}
protocol AlsoLoadsAccounts {
  func load<Value: Decodable>(_ type: Value.Type) -> Value
  func find(_ id: String?) -> Int
  func show<S>(_ shape: S, count: Int) -> Int where S: Shape
}
protocol LoadsAccountsTwice: LoadsAccounts, AlsoLoadsAccounts {}

protocol FindsTyped {
  func find<Value>(_ type: Value.Type) throws(LoadError) -> Value?
  func fetch<Value, Failure: Error>(_ type: Value.Type, _ failure: Failure.Type) throws(Failure)
    -> Value?
}
