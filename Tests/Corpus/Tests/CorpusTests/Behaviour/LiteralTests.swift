// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyDoubles

@testable import Corpus

/// A text whose parts a double records.
private struct Recorded: ExpressibleByStringInterpolation {
  let parts: InterpolationsDouble
  init(stringInterpolation: InterpolationsDouble) { parts = stringInterpolation }
  init(stringLiteral value: String) { parts = InterpolationsDouble() }
}

@Suite struct `Literals call the spies of initialisers` {
  @Test func `of one value`() {
    func number<It: LiteralIntegers>(_: It.Type) -> It { 7 }
    _ = number(LiteralIntegersDouble.self)
    same(LiteralIntegersDouble.spy.initialize.calls, [7])
    func fraction<It: LiteralFloats>(_: It.Type) -> It { 1.5 }
    _ = fraction(LiteralFloatsDouble.self)
    same(LiteralFloatsDouble.spy.initialize.calls, [1.5])
    func truth<It: LiteralBooleans>(_: It.Type) -> It { true }
    _ = truth(LiteralBooleansDouble.self)
    same(LiteralBooleansDouble.spy.initialize.calls, [true])
    func nothing<It: LiteralNil>(_: It.Type) -> It { nil }
    _ = nothing(LiteralNilDouble.self)
    same(LiteralNilDouble.spy.initialize.callCount, 1)
  }

  @Test func `of several values`() {
    typealias List = LiteralArraysDouble<Int>
    func list<It: LiteralArrays>(_: It.Type) -> It where It.ArrayLiteralElement == Int { [1, 2] }
    _ = list(List.self)
    same(List.spy.initialize.calls.map(\.value), [[1, 2]])
    typealias Table = LiteralDictionariesDouble<String, Int>
    func table<It: LiteralDictionaries>(_: It.Type) -> It where It.Key == String, It.Value == Int {
      ["a": 1, "b": 2]
    }
    _ = table(Table.self)
    same(Table.spy.initialize.calls.map { $0.value.map(\.0) }, [["a", "b"]])
    same(Table.spy.initialize.calls.map { $0.value.map(\.1) }, [[1, 2]])
  }

  @Test func `of a text`() {
    typealias Text = LiteralStringsDouble
    func make<It: LiteralStrings>(_: It.Type) -> It where It.StringLiteralType == String { "abc" }
    let text = make(Text.self)
    same(Text.spy.initialize.calls, ["abc"])
    text.spy.text.returns("x")
    same((text as any LiteralStrings).text, "x")
    _ = Text(unicodeScalarLiteral: "u")
    same(Text.spy.initializeUnicodeScalarLiteral.calls, ["u"])
    _ = Text(extendedGraphemeClusterLiteral: "e")
    same(Text.spy.initializeExtendedGraphemeClusterLiteral.calls, ["e"])
  }

  @Test func `of a text with interpolations`() {
    typealias Text = LiteralInterpolationsDouble
    _ = "a\(1)" as Text
    let texts = Text.spy.initializeStringInterpolation.calls
    same(texts.map(String.init(stringInterpolation:)), ["a1"])
    _ = "b" as Text
    same(Text.spy.initialize.calls, ["b"])
    _ = Text(unicodeScalarLiteral: "u")
    same(Text.spy.initializeUnicodeScalarLiteral.calls, ["u"])
    _ = Text(extendedGraphemeClusterLiteral: "e")
    same(Text.spy.initializeExtendedGraphemeClusterLiteral.calls, ["e"])
    let parts = ("c\(2)" as Recorded).parts
    same(InterpolationsDouble.spy.initialize.calls.map { [$0, $1] }, [[1, 1]])
    same(parts.spy.appendLiteral.calls.first, "c")
    same(parts.spy.appendInterpolation.calls.map { $0 as? Int }, [2])
  }
}
