// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// Every form of a requirement with `inout` parameters.

protocol InoutForms {
  func optional(_ value: inout Int?) -> Int?
  func failing(_ value: inout Int) throws(LoadError) -> Bool
  func wait(_ value: inout Int, for name: String) async throws -> String
  func many(
    _ a: inout Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int, _ g: inout String
  ) -> Int
}
protocol InoutShared: Sendable {
  func take(_ scratch: inout Scratch)
  func exchange(_ scratch: inout Scratch, _ count: inout Int, by other: Scratch)
  func open(_ scratch: inout Scratch, _ count: Int) async -> Int
}
@MainActor protocol InoutOnMain {
  func bump(_ value: inout Int) -> Bool
  nonisolated func take(_ scratch: inout Scratch) -> Int
}
protocol InoutActor: Actor {
  func bump(_ value: inout Int) -> Bool
  func take(_ scratch: inout Scratch)
}
protocol InoutGeneric {
  func reset<Value>(_ value: inout Value)
  func both<Value>(_ value: inout Value, _ count: inout Int) throws -> Int
  func typed<Value>(_ value: inout Value) throws(LoadError) -> [Value]
  func wait<Value>(_ value: inout Value) async -> Int
}
protocol InoutStatic {
  static func bump(_ value: inout Int)
  static func count(_ value: inout Int) async -> Int
  static func open(_ scratch: inout Scratch) throws -> Int
  static func reset<Value>(_ value: inout Value)
  static func both<A, B: Equatable>(_ a: inout A, _ found: inout B) throws(LoadError) -> Int
}
protocol InoutInitializers {
  init(_ value: inout Int)
  init?(text: inout String)
  init(scratch: inout Scratch)
  init?<Value>(any value: inout Value) throws
}
protocol InoutFunctions {
  func wrap(_ body: inout (Int) -> Int)
  func replace(_ body: inout @Sendable () -> Void, by count: Int) -> Bool
  static func wrap(_ body: inout (Int) -> Int) -> Int
}
protocol InoutFunctionsShared: Sendable {
  func wrap(_ body: inout (Int) -> Int) async
  func replace(_ body: inout @Sendable () -> Void, by count: Int) -> Bool
}
