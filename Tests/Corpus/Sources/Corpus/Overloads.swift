// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// Overloads that differ in closures, in `some`, or in constraints; packs; pointers to functions; isolation.

public protocol ClosureOverloads {
  func run(_ body: @escaping (Int) -> Void)
  func run(_ body: @escaping (String) -> Void)
}
public protocol ClosureEffects {
  func run(_ body: @escaping @Sendable () -> Int)
  func run(_ body: @escaping @Sendable () async -> Int)
}
public protocol ClosureTuples {
  func run(_ body: @escaping (Int, Int) -> Void)
  func run(_ body: @escaping ((Int, Int)) -> Void)
}
public protocol SomeOverloads {
  func use(_ value: some Equatable) -> Int
  func use(_ value: some Collection) -> Int
}
public protocol ConstraintOverloads {
  func use<T: Equatable>(_ value: T) -> Int
  func use<T: Hashable>(_ value: T) -> Int
  func use<T>(_ value: T) -> Int
}
public protocol ResultOverloads { func value() -> Int; func value() -> [Int]; func value() -> Int? }
public protocol TwoPacks { func pair<each A, each B>(_ a: repeat each A, with b: repeat each B) -> Int }
public struct Boxed<Value> { public var value: Value; public init(_ value: Value) { self.value = value } }
public protocol PackOfBoxes { func open<each T>(_ boxes: repeat Boxed<each T>) -> Int }
public protocol PackSame { func same<each T>(_ values: repeat each T) -> (repeat each T) }
public protocol PackMap { func map<each T>(_ values: repeat each T, by body: (repeat each T) -> Int) -> Int }
public protocol PackEscaping { func map<each T>(_ body: @escaping (repeat each T) -> Void) }
public protocol EscapingRethrows { func run(_ body: @escaping () throws -> Int, _ other: () throws -> Int) rethrows -> Int }
public typealias CCallback = @convention(c) (Int32) -> Int32
public protocol CAlias { func register(_ callback: CCallback); func optional(_ callback: CCallback?) }
public protocol UnsafePointers {
  func read(_ pointer: UnsafePointer<UInt8>, _ buffer: UnsafeMutableBufferPointer<Int>) -> UnsafeRawPointer?
}
public protocol SharedPointers: Sendable { func read(_ pointer: UnsafePointer<UInt8>) -> UnsafeRawBufferPointer }
public protocol AsyncSubscripts { subscript(key: String) -> Int { get async throws } }
@_spi(Testing) public protocol SPIProtocol { func secret() -> Int }
public protocol SPIMember { func plain() -> Int }
enum Inner { public protocol Deep { func deep() -> Int } }
public protocol StreamResults {
  func stream() -> AsyncStream<Int>
  func failing() -> AsyncThrowingStream<String, any Error>
  func result() -> Result<Int, Failing>
  func tuple() -> (count: Int, name: String)
  func sets() -> Set<Int>
  func nested() -> [String: [Int]]
  var flag: Bool { get set }
  static func now() -> Double
}
public protocol GivesDoubles { func stream() -> any StreamResults; func again() -> any GivesDoubles }
