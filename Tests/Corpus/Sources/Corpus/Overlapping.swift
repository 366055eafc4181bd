// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation

/// - Understudy: double
protocol AsyncOverload: Sendable {
  func load(_ id: Int) throws -> Int
  func load(_ id: Int) async throws -> Int
}

/// - Understudy: double
protocol VariadicOverload {
  func add(_ numbers: Int...)
  func add(_ numbers: [Int])
}

protocol Lenient {
  var name: String { get async throws }
  func close() throws
  func run() async
  func log() throws(LoadError)
  subscript(index: Int) -> Int { get }
  @MainActor func show()
  init?(_ id: Int)
}

protocol Strict {
  var name: String { get set }
  func close()
  func run()
  func log() throws
  subscript(index: Int) -> Int { get set }
  func show()
  init(_ id: Int)
}

/// - Understudy: double
protocol LenientStrict: Lenient, Strict {}

/// - Understudy: double
protocol FixedElement: Sequence where Element == Int {
  func sum() -> Element
}

/// - Understudy: double
protocol FixedAsyncElement: AsyncSequence, Sendable where Element == Int {}

/// - Understudy: double
protocol AllTheCases: CaseIterable, Sendable {
  func others() -> AllCases
}

/// - Understudy: double
protocol AliasOfAssociated {
  associatedtype Item
  typealias Handler = (Item) -> Void
  typealias Pair<Other> = (Other, Item)
  func on(_ handler: @escaping Handler, _ other: Handler?) -> Handler
  func each(_ handler: Handler) -> Pair<Int>
}

/// - Understudy: double
protocol HasSpy {
  var spy: Int { get }
  static func spy(_ count: Int) -> Int
}

/// - Understudy: double
protocol HidingParameters {
  func first(_ `self`: Int, answer: inout Int) -> Int
  func second(`self`: Int)
}

/// - Understudy: double
protocol Warned {
  func keep<T>(_ optional: T?, _ more: T?...) -> T?
  func pack<each T>(_ optionals: repeat (each T)?)
  func never(_ never: Never) -> Int
}

/// - Understudy: double
protocol SharedParts: Sendable {
  func boxes() -> Box<[String: any Hashable & Sendable]>
  func pointer(_ pointer: OpaquePointer?, _ encoder: JSONEncoder) -> AnyHashable
}

protocol Changing: Sendable {
  var count: Int { get set }
  mutating func reset()
}

/// - Understudy: double
protocol ChangingClass: Changing, AnyObject {
  func close()
}

struct Box<Value> {
  var value: Value
}

enum Outer {
  struct Inner: Sendable {}

  /// - Understudy: double
  protocol Nested {
    func turn(_ inner: Inner) -> Inner
  }
}

/// The double of `Space.Nested` has another name than this one's.
protocol SpaceNested { func turn() -> Int }
enum Space {
  protocol Nested { func turn() -> String }
}

/// - Understudy: double
protocol NeverFailing: AsyncSequence, Sendable where Element == Int, Failure == Never {
  func stop() -> Int
}

/// - Understudy: double
protocol FailingAs: AsyncSequence {
  func why() -> Failure?
}
