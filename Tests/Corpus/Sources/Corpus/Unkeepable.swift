// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// Values that no spy can store, because they cannot outlive a call or cannot be copied.

enum Slip: ~Copyable {
  case seat(Int)

  var number: Int {
    switch self {
    case .seat(let number): number
    }
  }
}
struct Ring<
  Stone
>:
  Sendable, ~Copyable
where Stone: Sendable {
  var stone: Stone
}
struct View: ~Escapable {
  var width: Int
  @_lifetime(immortal)
  init(width: Int) { self.width = width }
}
/// Can be copied, although a parameter has an ownership modifier.
struct Tag { var number: Int }

protocol SpanArgument { func sum(_ values: Span<Int>) -> Int }
protocol SpanBeside { func sum(_ values: Span<Int>, scale: Int) throws -> Int }
protocol SpanBorrowed { func sum(_ values: borrowing Span<Int>) -> Int }
protocol SpanOptional { func sum(_ values: Span<Int>?) -> Int }
protocol SpanAsync { func sum(_ values: Span<Int>) async throws -> Int }
protocol SpanStatic { static func sum(_ values: Span<Int>) -> Int }
protocol SpanShared: Sendable { func sum(_ values: Span<Int>) -> Int }
protocol SpanActor: Actor { func sum(_ values: Span<Int>) -> Int }
@MainActor protocol SpanMain { func sum(_ values: Span<Int>) -> Int }
protocol SpanGeneric { func count<Value>(_ values: Span<Value>, by step: Int) -> Int }
protocol SpanGenericResult { func last<Value>(_ values: Span<Value>) -> Value? }
protocol SpanAndKey { func sum(_ values: Span<Int>, by key: some Hashable) -> Int }
protocol SpanAndClosure { func each(_ values: Span<Int>, _ body: (Int) -> Void) }
protocol SpanClosure { func each(_ body: (Span<Int>) -> Void) }
protocol SpanEscapingClosure { func each(_ body: @escaping (Span<Int>) -> Void) }
protocol RawSpanArgument { func sum(_ bytes: RawSpan) -> Int }
protocol RawSpanInitializer { init(bytes: RawSpan, name: String) throws }
protocol RawSpanSubscript { subscript(bytes: RawSpan) -> Int { get } }
protocol MutableSpanArgument { func fill(_ values: inout MutableSpan<Int>) }
protocol MutableRawSpanArgument { func fill(_ bytes: consuming MutableRawSpan) -> Int }
protocol OutputSpanArgument { func fill(_ values: inout OutputSpan<Int>) throws(LoadError) }
protocol ViewArgument { func show(_ view: View) -> Int }
protocol ViewResult {
  @_lifetime(immortal)
  func make() -> View
}
protocol GenericNonescapable { func take<Value: ~Escapable>(_ value: borrowing Value) -> Int }
protocol NonescapableSelf: ~Copyable, ~Escapable { func width() -> Int }

/// Cannot be copied, but its kinds can.
struct Ticket: ~Copyable {
  enum Kind: Hashable { case day, season }
  typealias Kinds = [Kind]
}
protocol KindOfUncopied {
  func price(of kind: Ticket.Kind, among kinds: Ticket.Kinds) throws -> Int
  func best() -> Ticket.Kind
  func type(at address: UnsafePointer<Ticket>?) -> Ticket.Type
}
protocol ReturnsSlip { func issue(_ value: Int) throws -> Slip }
protocol ReturnsRing { func ring() -> Ring<Int> }
protocol OptionalToken { func find(_ value: Int) -> Token? }
protocol ResultToken { func find(_ value: Int) -> Result<Token, LoadError> }
protocol InoutToken { func spend(_ token: inout Token) }
protocol TokenProperty { var token: Token { get set } }
protocol TokenSubscript { subscript(value: Int) -> Token { get set } }
protocol TokenInitializer { init(_ token: consuming Token) }
protocol TokenFailableInitializer { init?(_ token: consuming Token) }
protocol TokenClosure { func each(_ body: @escaping (consuming Token) -> Token) }
protocol ConsumesTag { func use(_ tag: consuming Tag) -> Int }

// Values that cannot be stored, beside `inout` parameters, and in failable initialisers.
protocol UpdatesState {
  func update(_ state: inout Int, using body: (Int) -> Int) -> Bool
  func fill(_ scratch: inout Scratch, in order: () -> Void)
  func wait(_ state: inout Int, _ body: () -> Void) async throws(LoadError)
}
protocol SharedUpdates: Sendable {
  func fill(_ scratch: inout Scratch, in order: () -> Void)
  static func make(_ scratch: inout Scratch, in order: () -> Void)
}
protocol ParsedHeader { init?(bytes: RawSpan) throws(LoadError) }
protocol ParsedBody { init?(_ text: inout String, bytes: RawSpan) throws }
protocol ConsumesAny { func use(_ value: consuming some ~Copyable) -> Int }
protocol AnyUncopied {
  func look(_ value: borrowing any ~Copyable) -> Int
  func make() -> any ~Copyable
}

// What the graph says of a type is not enough: the sources decide.
protocol Closeable: ~Copyable { consuming func close() }
struct RawSocket: ~Copyable, Closeable { consuming func close() {} }
struct Seal /* { */: ~Copyable {}
struct Casing<Value: ~Copyable>: ~Copyable {}
extension Casing: Copyable where Value: Copyable {}
protocol OpensRawSocket {
  func open(_ path: String) throws -> RawSocket
  func use(_ socket: borrowing RawSocket) -> Int
}
protocol BreaksSeal { func seal() -> Seal }
protocol CasedValues {
  func number() -> Casing<Int>
  func socket() -> Casing<RawSocket>
}
// A form feed, , ends no line.
struct AfterFormFeed: ~Copyable {}
protocol ReturnsAfterFormFeed { func make() -> AfterFormFeed }
