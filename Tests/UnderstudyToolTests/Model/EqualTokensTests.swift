// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import UnderstudyTool

@Suite struct EqualTokensTests {
  @Test(arguments: [
    ("any Usher & Booth", "any Booth & Usher"),
    ("any Sendable & Booth & AnyObject", "any Booth & AnyObject & Sendable"),
    ("[any Sendable & Fair.Booth]?", "[any Fair.Booth & Sendable]?"),
    ("any Usher<any B & A> & Booth", "any Booth & Usher<any A & B>"),
    ("any Any.Type", "Any.Type"), ("(any Any.Type) -> Any", "(Any.Type) -> Any"),
    ("any Usher.Type", "any Usher.Type"), ("Int", "Int"),
  ])
  func `both producers write a type in one way`(text: String, equal: String) throws {
    let index = GraphIndex(try Fixtures.read("Fair", "Hall"))
    let usrs = Dictionary(
      index.symbols.map { ($0.value.pathComponents.last ?? "", $0.key) }, uniquingKeysWith: min)
    let tokens = [Token](parsing: text).map {
      Token($0.text, usr: usrs[$0.text], spaceBefore: $0.spaceBefore)
    }
    #expect(tokens.equalised(index).text == equal)
  }

  @Test(arguments: [
    ("(_ data: Data?, _ error: Int) -> Void", "(Data?, Int) -> Void"),
    ("((_ x: Int) -> (Int) -> Void)?", "((Int) -> (Int) -> Void)?"),
    ("(x: Int, y: Int)", "(x: Int, y: Int)"), ("[String: Int]", "[String: Int]"),
  ])
  func `parameters of functions have no names`(text: String, equal: String) {
    #expect([Token](parsing: text).withoutParameterNames.text == equal)
  }
}
