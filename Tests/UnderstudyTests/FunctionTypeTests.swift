// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import Understudy

@Suite struct `A function type` {
  @Test func `of one parameter has its result`() {
    func check<Result>(_ function: any Any.Type, _ result: Result.Type) {
      #expect(FunctionType.result(of: function) == result)
    }
    check(((Int) -> String).self, String.self)
    check((((any Postman)?) -> any Postman).self, (any Postman).self)
    check(((String) -> [Coin]?).self, [Coin]?.self)
    check(((Coin) -> (Int, String)).self, (Int, String).self)
    check(((Coin) -> (String) -> Int).self, ((String) -> Int).self)
    check((((Int) -> Int) -> Void).self, Void.self)
  }

  @Test func `is distinguished from every other type`() {
    let others: [any Any.Type] = [
      Int.self, Coin.self, (any Postman).self, Any.self, Int?.self, [Int].self, (Int, Int).self,
      Int.Type.self, Provider<(Int) -> Int>.self, (() -> Int).self, ((Int, Int) -> Int).self,
      ((Int) throws -> Int).self, ((Int) async -> Int).self, (@Sendable (Int) -> Int).self,
      (@MainActor (Int) -> Int).self, ((inout Int) -> Int).self,
      (@convention(c) (Int) -> Int).self,
    ]
    for type in others { #expect(FunctionType.result(of: type) == nil, "\(type)") }
  }
}
