// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import UnderstudyTool

@Suite struct PlanningTests {
  private func declaration(_ text: String) throws -> Declaration {
    try #require(Declaration(parsing: text))
  }

  private func plan(_ text: String, isShared: Bool = false) throws -> MemberPlan {
    let facts = TypeFacts(
      index: GraphIndex([]), names: ["Self": "D"], unsharedNames: isShared ? [] : ["Self", "D"])
    let planner = MemberPlanner(
      facts: facts, isShared: isShared, isActor: false, globalActor: nil)
    let requirement = ProtocolModel.Requirement(declaration: try declaration(text), usr: "")
    return planner.plan(
      requirement, spy: SpyName(name: "f", title: requirement.declaration.title))
  }

  @Test(
    arguments: [
      ("func f()", "Spy<Void, Void, Never>"),
      ("func f(_ a: Int, b: String) throws -> Int", "Spy<(Int, String), Int, any Error>"),
      ("func f() async throws(E) -> Int", "AsyncSpy<Void, Int, E>"),
      ("func f(_ a: inout Int) -> Bool", "Spy<Int, (Bool, Int), Never>"),
      ("func f(_ a: Int...)", "Spy<[Int], Void, Never>"),
      ("func f<T>(_ a: T, b: Int) -> T", "GenericSpy<(Any, Int)>"),
      ("func f<T>(_ a: T.Type) throws -> T", "GenericSpy<Void>"),
      ("func f<each T>(_ a: repeat each T)", "Spy<[Any], Void, Never>"),
      ("func f(_ a: @autoclosure () -> Int)", "Spy<Int, Void, Never>"),
      ("func f(_ a: () throws -> Int) rethrows -> Int", "Spy<Void, Void, Never>"),
      ("func f(_ a: (Int) -> Int) -> Int", "Spy<Void, @Sendable ((Int) -> Int) -> Int, Never>"),
      ("static func f(_ a: Self) -> Int", "Spy<Unchecked<D>, Int, Never>"),
      ("static func f<T>() -> T", "Spy<Void, any Sendable, Never>"),
      ("init?(a: Int)", "Spy<Int, Void?, Never>"), ("var f: Int { get }", "Spy<Void, Int, Never>"),
      ("var f: Int { get set }", "SpyProperty<Int>"),
      ("var f: Int { get async throws }", "AsyncSpy<Void, Int, any Error>"),
      ("func f() -> String!", "Spy<Void, String?, Never>"),
    ])
  func `every shape has its spy`(text: String, type: String) throws {
    #expect(try plan(text).spies.first?.type == type)
  }

  @Test func `a shared double stores values that are not Sendable as Unchecked`() throws {
    let member = try plan("func f(_ a: @escaping (Int) -> Void) -> Any", isShared: true)
    #expect(member.spies[0].type == "Spy<Unchecked<(Int) -> Void>, Unchecked<Any>, Never>")
    #expect(member.witness[1] == "  return self.spy.f(Unchecked(a)).value")
  }

  @Test(
    arguments: [
      ("Int", true), ("[String: [Date?]]", true), ("Swift.Array<UUID>", true), ("Order", true),
      ("Set<Int>", false), ("[UUID: Int]", false), ("Decimal", false), ("Date/Billing", false),
      ("Date/FoundationEssentials", true),
      ("Shop.Order?", true), ("OrderError", false), ("Ticket", false), ("[Ticket]", false),
      ("Any", false), ("any Codable", false), ("(Int, Int)", false), ("() -> Int", false),
      ("Result<Int, OrderError>", false),
    ])
  func `only a type that is Codable according to the graph can be recorded`(
    text: String, isIt: Bool
  )
    throws
  {
    let index = GraphIndex(try Fixtures.read("Shop"))
    let usrs = index.symbols.filter { $0.key.hasPrefix("s:4Shop") }
      .map { (name: $0.value.pathComponents.joined(separator: "."), usr: $0.key) }
    let parts = text.split(separator: "/").map(String.init)
    let tokens = TypeText(parsing: parts[0]).tokens.map { token in
      let other = parts.count > 1 ? "s:\(parts[1].count)\(parts[1])4DateV" : nil
      return Token(token.text, usr: usrs.first { $0.name == token.text }?.usr ?? other)
    }
    let facts = TypeFacts(index: index, names: [:], unsharedNames: [])
    #expect(facts.isCodable(TypeText(tokens)) == isIt)
  }

  @Test(
    arguments: [
      ("func f<T>(_ a: T?) -> T?", "  return self.spy.f.value(a as Any, as: (T?).self)"),
      ("func f<T>(_ a: T?...)", "  self.spy.f(a as [Any])"),
      ("func f(_ a: Never) -> Int", "}"),
      ("func f(_ `self`: Int)", "  self.spy.f(value1)"),
      ("func f(`self`: Int)", "  self.spy.f(value1)"),
      ("func f(_ answer: inout Int)", "  value1 = self.spy.f(value1)"),
    ])
  func `a witness compiles without a warning`(text: String, line: String) throws {
    #expect(try plan(text).witness[1] == line)
  }

  @Test(
    arguments: [
      ("subscript(key: Key) -> Int { get async throws }", "subscript(key: Key) -> Int {"),
      ("var f: Key { get async }", "var f: Key {"),
    ])
  func `an asynchronous getter runs on its caller's actor`(text: String, head: String) throws {
    #expect(try plan(text).witness[0] == "nonisolated(nonsending) " + head)
  }

  private func names(_ declarations: String...) throws -> [String] {
    try SpyNames.spies(for: declarations.map(declaration)).map(\.name)
  }

  @Test func `overloads are distinguished by labels, types, results and effects`() throws {
    #expect(
      try names(
        "func a()", "func b(_ x: Int)", "func b(_ x: String)", "func b(to x: Int)",
        "func b(to x: String)", "func c() -> Int", "func c() -> String",
        "static func + (l: Int, r: Int)", "var `self`: Int { get }", "func e() throws",
        "func e() async throws", "func f(_ x: Int)", "func f()", "func g() async", "func g()",
        "func h() -> Int", "func h()"
      ) == [
        "a", "b", "bString", "bTo", "bToString", "c", "cReturningString", "plus", "selfSpy", "e",
        "eAsync", "fInt", "f", "gAsync", "g", "hReturningInt", "h",
      ])
  }

  @Test(
    arguments: [
      ("_ x: [Int]", "ArrayOfInt"), ("_ x: [String: [Int]]", "DictionaryOfStringToArrayOfInt"),
      ("_ x: Int?", "OptionalInt"), ("_ x: [Int?]?", "OptionalArrayOfOptionalInt"),
      ("_ x: Deck.Card?", "OptionalDeckCard"), ("_ x: Box<Int>?", "OptionalBoxInt"),
      ("_ x: (Int, Int)", "TupleOfIntInt"), ("_ x: ()", "Void"), ("_ x: (Int)", "Int"),
      ("_ x: @escaping (Int, Int) -> Void", "IntIntToVoid"),
      ("_ x: @escaping ((Int, Int)) -> Void", "TupleOfIntIntToVoid"),
      ("_ x: @escaping () async throws -> [Int]", "VoidAsyncThrowsToArrayOfInt"),
      ("_ x: ((Int) -> Void)?", "OptionalIntToVoid"), ("_ x: Int...", "VariadicInt"),
      ("_ x: inout Int", "InoutInt"), ("_ x: any Shop", "AnyShop"), ("_ x: Int.Type", "IntType"),
    ])
  func `the name of an overload has words for its types`(parameter: String, words: String) throws {
    #expect(
      try names("func run()", "func run(\(parameter))") == ["run", "run" + words])
  }

  @Test func `a generic parameter has the words of its constraint`() throws {
    #expect(
      try names(
        "func run(_ x: Int)", "func run<T: Shop>(_ x: T)", "func run<T>(_ x: T) where T: Till")
        == ["run", "runShop", "runTill"])
  }

  @Test(
    arguments: [
      ("OrderStore", "Order*", true), ("OrderStore", "*Store", true),
      ("OrderStore", "Store", false),
      ("Größe", "Gr??e", true), ("", "*", true), ("A.B", "A.?", true),
    ])
  func `a pattern matches a whole name`(name: String, pattern: String, matches: Bool) {
    #expect(Selection.matches(name, pattern) == matches)
  }

  @Test(
    arguments: [
      ("s:4Shop6TicketV", "Shop"), ("s:20FoundationEssentials4DataV", "FoundationEssentials"),
      ("s:Si", nil), ("c:objc(cs)NSObject", nil), ("s:s5NeverO", nil),
    ])
  func `the module is read from an identifier`(usr: String, module: String?) {
    #expect(ModuleName.written(in: usr) == module)
  }

  @Test(
    arguments: [
      ("s:20FoundationEssentials4DataV", "Foundation"), ("c:objc(cs)NSXMLParser", "FoundationXML"),
      ("s:10Foundation10URLRequestV", "FoundationNetworking"),
      ("c:objc(pl)NSURLSessionDelegate", "FoundationNetworking"), ("c:objc(cs)NSURL", nil),
      ("c:objc(cs)NSObject", nil), ("s:10Foundation3URLV", "Foundation"),
    ])
  func `a module has its name on Linux`(usr: String, module: String?) {
    #expect(ModuleName.imported(for: usr) == module)
  }
}
