// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// Overloads that differ in closures, in `some`, or in constraints; packs; pointers to functions; isolation.

protocol ClosureOverloads {
  func run(_ body: @escaping (Int) -> Void)
  func run(_ body: @escaping (String) -> Void)
}
protocol ClosureEffects {
  func run(_ body: @escaping @Sendable () -> Int)
  func run(_ body: @escaping @Sendable () async -> Int)
}
protocol ClosureActors {
  func run(_ body: @escaping () -> Int)
  func run(_ body: @escaping @MainActor () -> Int)
}
protocol ClosureTuples {
  func run(_ body: @escaping (Int, Int) -> Void)
  func run(_ body: @escaping ((Int, Int)) -> Void)
}
protocol SomeOverloads {
  func use(_ value: some Equatable) -> Int
  func use(_ value: some Collection) -> Int
}
protocol ConstraintOverloads {
  func use<T: Equatable>(_ value: T) -> Int
  func use<T: Hashable>(_ value: T) -> Int
  func use<T>(_ value: T) -> Int
}
protocol ResultOverloads { func value() -> Int; func value() -> [Int]; func value() -> Int? }
protocol TwoPacks {
  func pair<each A, each B>(_ a: repeat each A, with b: repeat each B) -> Int
}
struct Boxed<Value> {
  var value: Value; init(_ value: Value) { self.value = value }
}
protocol PackOfBoxes { func open<each T>(_ boxes: repeat Boxed<each T>) -> Int }
protocol PackSame { func same<each T>(_ values: repeat each T) -> (repeat each T) }
protocol PackMap {
  func map<each T>(_ values: repeat each T, by body: (repeat each T) -> Int) -> Int
}
protocol PackEscaping { func map<each T>(_ body: @escaping (repeat each T) -> Void) }
protocol EscapingRethrows {
  func run(_ body: @escaping () throws -> Int, _ other: () throws -> Int) rethrows -> Int
}
typealias CCallback = @convention(c) (Int32) -> Int32
protocol CAlias {
  func register(_ callback: CCallback); func optional(_ callback: CCallback?)
}
protocol UnsafePointers {
  func read(_ pointer: UnsafePointer<UInt8>, _ buffer: UnsafeMutableBufferPointer<Int>)
    -> UnsafeRawPointer?
}
protocol SharedPointers: Sendable {
  func read(_ pointer: UnsafePointer<UInt8>) -> UnsafeRawBufferPointer
}
protocol AsyncSubscripts { subscript(key: String) -> Int { get async throws } }
/// A protocol of an SPI group.
@_spi(Testing) public protocol SPIProtocol {
  /// Its requirement.
  func secret() -> Int
}
/// A public protocol with requirements of an SPI group, which have defaults.
public protocol SPIRequirements {
  /// Visible to all.
  func open() -> Int
  /// Visible to the group.
  @_spi(Testing) func secret() -> Int
  /// Visible to another group.
  @_spi(Other)
  static var count: Int { get }
}
extension SPIRequirements {
  /// The default.
  @_spi(Testing) public func secret() -> Int { 1 }
  /// The default.
  @_spi(Other) public static var count: Int { 2 }
}
/// A type whose extension is of an SPI group.
public enum Outside {}
@_spi(Testing) extension Outside {
  /// A constant before the protocol.
  public static var one: Int { 1 }
  /// A function with braces before the protocol.
  public static func text(of number: Int) -> String {
    if number == 1 { return "one }" }
    return "\(number)"
  }
  /// The attribute is on the extension alone.
  public protocol Far {
    /// Its requirement.
    func far() -> Int
  }
}
enum Inner {
  /// A public protocol in an internal type.
  public protocol Deep {
    /// Its requirement.
    func deep() -> Int
  }
}
protocol StreamResults {
  func stream() -> AsyncStream<Int>
  func failing() -> AsyncThrowingStream<String, any Error>
  func result() -> Result<Int, Failing>
  func tuple() -> (count: Int, name: String)
  func sets() -> Set<Int>
  func nested() -> [String: [Int]]
  var flag: Bool { get set }
  static func now() -> Double
}
protocol GivesDoubles {
  func stream() -> any StreamResults; func again() -> any GivesDoubles
}
