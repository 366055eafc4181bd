// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import UnderstudyTool

@Suite struct DeclarationParserTests {
  private func parse(_ text: String) throws -> Declaration {
    try #require(Declaration(parsing: text))
  }

  @Test(
    arguments: [
      ("func a()", "a()"), ("func a(_ b: Int, c d: (Int, Int))", "a(_:c:)"),
      ("func `in`(for: Int)", "in(for:)"), ("static func + (left: Int, right: Int)", "+(_:_:)"),
      ("static func < (left: Int, right: Int)", "<(_:_:)"),
      ("static func > (a: Int, b: Int)", ">(_:_:)"),
      ("static func <+> (a: Int, b: Int)", "<+>(_:_:)"),
      ("static func == (a: Int, b: Int)", "==(_:_:)"),
      ("static func <<= (a: Int, b: Int)", "<<=(_:_:)"),
      ("init?(a: Int)", "init(a:)"), ("subscript(a: Int) -> Int { get }", "subscript(_:)"),
      ("subscript(a b: Int) -> Int { get set }", "subscript(a:)"),
      ("var a: [Int : (Int) -> Int] { get }", "a"),
      ("associatedtype A : B = C where A.D == E", "A"),
    ])
  func `a declaration has a title`(text: String, title: String) throws {
    #expect(try parse(text).title == title)
  }

  @Test func `an attribute has its generic arguments`() {
    let declaration = Declaration(
      parsing: "@Builder<Int, Self.Context>(1) var body: Self.Body { get }")
    #expect(declaration?.attributes.map(\.text) == ["@Builder<Int, Self.Context>(1)"])
    #expect(declaration?.modifiers == [])
    #expect(declaration?.isChecked == true)
  }

  @Test func `a function is split into its parts`() throws {
    let function = try parse(
      "@discardableResult nonisolated(nonsending) func f<A, each B : C>(_ a: inout A, b: repeat each B)"
        + " async throws(E) -> [A : Int] where A : Hashable")
    #expect(function.attributes.map(\.text) == ["@discardableResult"])
    #expect(function.modifiers == ["nonisolated(nonsending)"])
    #expect(function.generics.map(\.name) == ["A", "B"])
    #expect(function.generics.map(\.isPack) == [false, true])
    #expect(function.parameters.map(\.type.text) == ["inout A", "repeat each B"])
    #expect(function.isAsync)
    #expect(function.throwing == .typed(TypeText(parsing: "E")))
    #expect(function.type?.text == "[A : Int]")
    #expect(function.whereClause.text == "A : Hashable")
  }

  @Test(
    arguments: [
      #"", ""#, #"")""#, #""(""#, #""->""#, #""\"), (""#, ##"#"a", ("#"##,
      #""\(f(")", (1, 2))), (""#,
      "\"\"\"\n\", (\n\"\"\"", "1 < 2 ? 1 : 2", "1 > 2", "1 << 3", "0..<10", "0 ..< 10",
      "{ (a: Int) -> Int in a }",
      "[\"a, b\": (1, 2)]", "\"\"",
    ])
  func `no default value hides the text after it`(value: String) throws {
    let function = try parse("init(a: A = \(value), b: B, c: C = \(value)) async throws")
    #expect(function.parameters.map(\.label) == ["a", "b", "c"])
    #expect(function.parameters.map(\.type.text) == ["A", "B", "C"])
    #expect(function.parameters.map(\.hasDefault) == [true, false, true])
    #expect(function.isAsync && function.throwing == .any)
  }

  @Test(
    arguments: [
      ("func a() throws(E) -> B", true), ("func a() throws(E()) -> B", false),
      ("func a() throws(E) -> B()", false), ("func a(b: C) throws(E)", true),
      ("func a(b: C()) throws(E)", false), ("var a: B { get throws(E()) }", false),
    ])
  func `a declaration with code in the place of a type is not accepted`(
    text: String, isChecked: Bool
  ) throws {
    #expect(try parse(text).isChecked == isChecked)
  }

  @Test func `accessors are read`() throws {
    let property = try parse("var a: Int { get async throws(E) }")
    #expect(property.isAsync && !property.isSettable)
    #expect(property.throwing == .typed(TypeText(parsing: "E")))
    let settable = try parse("static var a: Int { mutating get nonmutating set }")
    #expect(settable.isSettable && settable.isStatic)
    #expect(settable.modifiers.contains("mutating"))
  }

  @Test(
    arguments: [
      ("inout Int", "Int"), ("@escaping @Sendable (Int) -> Void", "@Sendable (Int) -> Void"),
      ("@autoclosure () -> Int", "() -> Int"), ("borrowing Token", "Token"),
      ("isolated (any Actor)?", "(any Actor)?"),
      ("@convention(c) (Int) -> Int", "@convention(c) (Int) -> Int"),
    ])
  func `the recorded type of a parameter`(type: String, stored: String) {
    #expect(TypeText(parsing: type).stored.text == stored)
  }

  @Test func `a function type is split into its parts`() throws {
    let type = try #require(
      TypeText(parsing: "@escaping (Int, [A : B]) async throws(E) -> (Int) -> Int").function)
    #expect(type.parameters.map(\.text) == ["Int", "[A : B]"])
    #expect(type.isAsync && type.isThrowing)
    #expect(type.result.text == "(Int) -> Int")
    #expect(TypeText(parsing: "((Int) -> Void)?").function == nil)
    #expect(TypeText(parsing: "(Int, Int)").function == nil)
  }

  @Test(
    arguments: [
      ("var a: Int { get }", true), ("var a: Int { get set }", false),
      ("var a: Int { get async }", false), ("var a: Int { get throws }", false),
      ("var a: Int { mutating get }", false), ("var b: String { get }", true),
      ("@MainActor var a: Int { get }", false),
    ])
  func `two members are alike if a call of them has the same effects`(text: String, isIt: Bool)
    throws
  {
    #expect(try parse("var a: Int { get }").isLike(parse(text)) == isIt)
    #expect(try parse(text).isLike(parse("var a: Int { get }")) == isIt)
  }

  @Test(
    arguments: [
      ("s:1M2qqopyS2iF", "op", true), ("s:1M2qqopyS2iF", "oP", false), ("s:1M1oop", "op", true),
      ("s:1M", "op", false), ("s:9M", "op", false), ("s:1M99qqop", "op", false),
    ])
  func `an operator's name is read from its identifier`(usr: String, kind: String, isIt: Bool) {
    #expect(usr.hasOperator(ofKind: kind) == isIt)
  }

  @Test func `Self is replaced in associated types and stays the double elsewhere`() {
    let type = TypeText(parsing: "(Self.Key, Child.Self, [Self])")
    #expect(type.replacing(["Self": "D"]).text == "(Key, Child.Self, [D])")
  }
}
