// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import UnderstudyTool

/// Associated types tied to each other, and other shapes that a compiler could refuse.
///
/// The graph is from the extractor:
///
/// ```swift
/// // Braid.swift
/// enum Naughty {}
/// protocol Keyed { associatedtype Key: Hashable; func find(_ key: Key) -> Bool }
/// protocol Replying { associatedtype Reply: Decodable; func reply() -> Reply }
/// protocol Echo: Keyed, Replying where Key == Reply {}
/// protocol Echoes: Keyed, Replying where Key == [Reply?], Reply: Comparable {}
/// protocol Chain {
///   associatedtype First: Hashable
///   associatedtype Second: Sendable where Second == First
///   associatedtype Third: Codable where Third == Second
///   func third(_ first: First) -> Third
/// }
/// protocol Slices: Collection where SubSequence == ArraySlice<Element> {}
/// protocol Narrow: Collection where Indices: Sendable {}
/// protocol Sliced: Collection {
///   associatedtype Part where Part == SubSequence.Iterator
///   func part() -> Part
/// }
/// protocol Throwing {
///   associatedtype Failure: Error
///   func run(_ body: () throws(Failure) -> Void) throws(Failure)
/// }
/// protocol NeverThrowing: Throwing where Failure == Never {}
/// protocol AnyThrowing: Throwing where Failure == any Error { func load() throws(Failure) }
/// protocol Quiet {
///   func run(_ body: () throws -> Void)
///   func wait(_ body: () throws(Never) -> Void)
/// }
/// protocol Naught { func load(_ none: Naughty) -> Int }
/// protocol Levels {
///   static var level: Int { get set }
///   static func put(_ number: Int)
///   static func put(_ text: String)
///   func depth() -> Int
/// }
/// @MainActor protocol Staged { func show() }
/// ```
@Suite struct TiesTests {
  private func output(_ name: String) throws -> DoublesOutput {
    try DoublesOutput(Fixtures.read("Braid"), Selection(patterns: ["Braid.\(name)"]))
  }

  private func plan(_ name: String) throws -> DoublePlan {
    try #require(output(name).files.first?.plan)
  }

  @Test func `a type of two associated types meets the constraints of both`() throws {
    let echo = try plan("Echo")
    #expect(echo.generics == ["Reply: Decodable"])
    #expect(echo.typealiases == ["typealias Key = Reply"])
    #expect(echo.whereClause == ["Reply: Hashable"])
    let chain = try plan("Chain")
    #expect(chain.typealiases == ["typealias First = Third", "typealias Second = Third"])
    #expect(chain.whereClause == ["Third: Decodable & Encodable & Hashable & Sendable"])
  }

  @Test func `the elements of an array meet the constraint of an associated type`() throws {
    let echoes = try plan("Echoes")
    #expect(echoes.typealiases == ["typealias Key = [Reply?]"])
    #expect(echoes.whereClause == ["Reply: Hashable", "Reply: Comparable"])
  }

  @Test func `a clause about a default of the standard library is refused, and its use is not`()
    throws
  {
    let remedy = "a double has the standard library's"
    #expect(
      try (output("Slices").refusals + output("Narrow").refusals) == [
        "No double for 'Braid.Slices': \(remedy) 'SubSequence', which need not meet"
          + " 'where SubSequence == ArraySlice<Element>'.",
        "No double for 'Braid.Narrow': \(remedy) 'Indices', which need not meet"
          + " 'where Indices : Sendable'.",
      ])
    #expect(try plan("Sliced").typealiases == ["typealias Part = SubSequence.Iterator"])
  }

  @Test func `an associated type of errors that is Never is refused in a closure`() throws {
    #expect(
      try output("NeverThrowing").refusals == [
        "No double for 'Braid.NeverThrowing': the compiler accepts no implementation of 'run(_:)',"
          + " whose closure throws an associated type that is fixed to Never; let the closure throw"
          + " another type."
      ])
  }

  @Test func `an associated type of errors that is any error is a plain throws`() throws {
    let witness = try plan("AnyThrowing").members.flatMap(\.witness)
    #expect(witness.contains("func load() throws {"))
    #expect(!witness.contains { $0.contains("catch") })
  }

  @Test func `a closure runs without a stub only if the call may throw its errors`() throws {
    let spies = try plan("Quiet").members.flatMap(\.spies)
    #expect(spies.map(\.fallback) == ["{ _ in { _ in } }", "{ _ in { body in body() } }"])
  }

  @Test func `a call with a value of an enumeration without cases has no body`() throws {
    #expect(
      try plan("Naught").members.map(\.witness) == [["func load(_ none: Naughty) -> Int {", "}"]])
  }

  @Test func `each of several members that are not forwarded has a name of its own`() throws {
    let text = try #require(output("Levels").files.first?.content.text)
    let names = text.matches(of: #/- `(.+)`, which is static/#).map { String($0.output.1) }
    #expect(names == ["level", "put(_:)", "putString(_:)"])
  }

  @Test func `the double of an actor's protocol is created anywhere`() throws {
    let text = try #require(output("Staged").files.first?.content.text)
    #expect(text.contains("\n  nonisolated init() {}\n"))
  }
}
