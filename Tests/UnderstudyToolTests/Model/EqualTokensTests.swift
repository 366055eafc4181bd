// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import UnderstudyTool

@Suite struct EqualTokensTests {
  @Test(arguments: [
    ("any Turnstile & Booth", "any Booth & Turnstile"),
    ("any Sendable & Booth & AnyObject", "any Booth & AnyObject & Sendable"),
    ("[any Sendable & Fair.Booth]?", "[any Fair.Booth & Sendable]?"),
    ("any Turnstile<any B & A> & Booth", "any Booth & Turnstile<any A & B>"),
    ("any Any.Type", "Any.Type"), ("(any Any.Type) -> Any", "(Any.Type) -> Any"),
    ("any Usher.Type", "any Usher.Type"), ("Int", "Int"),
    ("Usher", "any Usher"), ("[Usher?]", "[(any Usher)?]"),
    ("Turnstile & Booth", "any Booth & Turnstile"), ("any Usher & Booth", "any Booth"),
    ("(Usher) -> Booth?", "(any Usher) -> (any Booth)?"), ("Usher.Type", "any Usher.Type"),
    ("any AnyObject", "AnyObject"), ("any AnyObject & Booth", "any Booth & AnyObject"),
    ("any Usher & Usher", "any Usher"), ("some Usher", "some Usher"),
    ("any (Turnstile & Booth).Type", "any (Booth & Turnstile).Type"),
  ])
  func `both producers of graphs write a type the same way`(text: String, equal: String) throws {
    let index = GraphIndex(try Fixtures.read("Fair", "Hall"))
    let usrs = Dictionary(
      index.symbols.map { ($0.value.pathComponents.last ?? "", $0.key) }, uniquingKeysWith: min)
    let tokens = [Token](parsing: text).map {
      Token($0.text, usr: usrs[$0.text], spaceBefore: $0.spaceBefore)
    }
    #expect(tokens.equalised(index).text == equal)
  }

  @Test(arguments: [
    ("any LocalizedError & Sendable", "any LocalizedError"),
    ("any Error & LocalizedError", "any LocalizedError"),
    ("any CodingKey & CustomStringConvertible & Sendable", "any CodingKey"),
    ("any Clock<Duration> & Sendable", "any Clock<Duration>"),
    ("any Observable & Sendable", "any Observable & Sendable"),
  ])
  func `requirements of the platform's protocols are not repeated`(text: String, equal: String) {
    let usrs = [
      "LocalizedError": "s:20FoundationEssentials14LocalizedErrorP", "Sendable": "s:s8SendableP",
      "Error": "s:s5ErrorP", "CodingKey": "s:s9CodingKeyP", "Clock": "s:12_Concurrency5ClockP",
      "CustomStringConvertible": "s:s23CustomStringConvertibleP", "Duration": "s:s8DurationV",
      "Observable": "s:11Observation10ObservableP",
    ]
    let tokens = [Token](parsing: text).map {
      Token($0.text, usr: usrs[$0.text], spaceBefore: $0.spaceBefore)
    }
    #expect(tokens.equalised(GraphIndex([])).text == equal)
  }

  @Test(arguments: [
    ("(_ data: Data?, _ error: Int) -> Void", "(Data?, Int) -> Void"),
    ("((_ x: Int) -> (Int) -> Void)?", "((Int) -> (Int) -> Void)?"),
    ("(x: Int, y: Int)", "(x: Int, y: Int)"), ("[String: Int]", "[String: Int]"),
  ])
  func `parameters of functions have no names`(text: String, equal: String) {
    #expect([Token](parsing: text).withoutParameterNames.text == equal)
  }

  @Test(arguments: [
    ("(() -> Void)", "() -> Void"), ("(Int) -> (() -> Void)", "(Int) -> () -> Void"),
    ("(() -> Void)?", "(() -> Void)?"), ("(Int?)?", "Int??"), ("((Int)) -> Void", "(Int) -> Void"),
    ("((Int, Int)) -> Void", "((Int, Int)) -> Void"), ("[(any Error)]", "[any Error]"),
    ("(any Error)?", "(any Error)?"), ("(any Error).Type", "(any Error).Type"),
    ("any (Error & Hashable)", "any Error & Hashable"), ("(repeat each T)", "(repeat each T)"),
    ("(repeat (each T)?)", "(repeat (each T)?)"), ("inout (Int)", "inout Int"), ("()", "()"),
    ("() throws((Torn)) -> Void", "() throws(Torn) -> Void"),
    ("@convention(c) (Int) -> Void", "@convention(c) (Int) -> Void"),
    ("(Int, (String))", "(Int, String)"), ("(x: Int)", "(x: Int)"),
  ])
  func `brackets are written only if they are needed`(text: String, equal: String) {
    #expect([Token](parsing: text).withoutBrackets.text == equal)
  }

  @Test(arguments: [
    ("[Int].Index", "Array<Int>.Index"), ("[Int].Type", "[Int].Type"),
    ("[String: [Int].Box]", "[String: Array<Int>.Box]"),
    ("[[Int].Box].Box?", "Array<Array<Int>.Box>.Box?"),
    ("[String: Int].Element", "Dictionary<String, Int>.Element"),
    ("[3 of Int].Index", "InlineArray<3, Int>.Index"), ("Int?.Wrap", "Optional<Int>.Wrap"),
    ("A.B<C>??.Wrap", "Optional<A.B<C>?>.Wrap"), ("([Int]?.Wrap, X)", "(Optional<[Int]>.Wrap, X)"),
    ("@Sendable @escaping () -> Void", "@escaping @Sendable () -> Void"),
    ("[@Sendable @MainActor () -> Void]", "[@MainActor () -> Void]"),
    (
      "@isolated(any) @autoclosure @escaping () -> X",
      "@autoclosure @escaping @isolated(any) () -> X"
    ),
  ])
  func `types around types have their names, and attributes one order`(
    text: String, equal: String
  ) {
    #expect([Token](parsing: text).withEqualSigns.text == equal)
  }

  @Test(arguments: [
    ("(Int) async -> Void", "@concurrent (Int) async -> Void"),
    ("@escaping @Sendable () async -> Int", "@escaping @Sendable @concurrent () async -> Int"),
    ("[() async -> Int]?", "[@concurrent () async -> Int]?"),
    ("(() async -> Int, Int) -> Void", "(@concurrent () async -> Int, Int) -> Void"),
    ("() async -> () async -> Int", "@concurrent () async -> @concurrent () async -> Int"),
    ("@MainActor () async -> Void", "@MainActor () async -> Void"), ("() -> Void", "() -> Void"),
    ("@isolated(any) () async -> Void", "@isolated(any) () async -> Void"),
    ("nonisolated(nonsending) () async -> Void", "nonisolated(nonsending) () async -> Void"),
  ])
  func `an asynchronous function names its isolation`(text: String, equal: String) {
    #expect([Token](parsing: text).saying([Token("@concurrent")]).text == equal)
  }

  @Test(arguments: ["inout", "consuming", "borrowing"])
  func `sending is written last`(word: String) {
    let equal = "\(word) sending [Int]"
    #expect([Token](parsing: "sending \(word) [Int]").withSendingLast.text == equal)
    #expect([Token](parsing: equal).withSendingLast.text == equal)
  }

  @Test func `the isolation is written before attributes of a parameter`() {
    let tokens = [Token](parsing: "@escaping @Sendable () async -> Int")
    let type = TypeText(tokens.saying([Token](parsing: "nonisolated(nonsending)")))
    #expect(type.text == "nonisolated(nonsending) @escaping @Sendable () async -> Int")
    #expect(type.specifiers == ["@escaping"])
    #expect(type.stored.text == "nonisolated(nonsending) @Sendable () async -> Int")
    #expect(type.function?.isAsync == true)
    let sent = [Token](parsing: "nonisolated(nonsending) sending @escaping () async -> Int")
    let equal = TypeText(sent.withEqualSigns)
    #expect(equal.text == "sending nonisolated(nonsending) @escaping () async -> Int")
    #expect(equal.specifiers == ["sending", "@escaping"])
    #expect(equal.stored.text == "nonisolated(nonsending) () async -> Int")
  }
}
