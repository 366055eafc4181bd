// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

protocol EscapingClosure { func later(_ body: @escaping (Int) -> Void) }
protocol NonEscapingClosure { func each(_ body: (Int) -> Void) }
protocol NonEscapingResult { func first(in list: [Int], where test: (Int) -> Bool) -> Int? }
protocol NonEscapingAsync { func each(_ body: (Int) async -> Void) async }
protocol NonEscapingThrowing { func attempt(_ body: (Int) throws -> Void) throws }
protocol OptionalClosure { func finish(_ body: ((Int) -> Void)?) -> Bool }
protocol SendableClosure { func later(_ body: @escaping @Sendable (Int) -> Void) }
protocol AsyncClosure { func later(_ body: @escaping @Sendable (Int) async throws -> Item) async }
protocol MainActorClosure { func later(_ body: @escaping @MainActor (Int) -> Void) }
protocol NestedClosure { func wrap(_ body: @escaping (@escaping (Int) -> Void) -> Void) -> Int }
protocol ClosureResultClosure { func wrap(_ body: @escaping (Int) -> (Int) -> Int) -> (Int) -> Int }
protocol InoutClosure { func update(_ body: (inout Int) -> Void) -> Bool }
protocol TwoClosures { func either(_ left: () -> Int, or right: @escaping () -> Int) -> Int }
protocol Autoclosure { func assume(_ condition: @autoclosure () -> Bool) -> Int }
protocol VoidAutoclosure { func log(_ message: @autoclosure () -> Void) -> Bool }
protocol EscapingAutoclosure { func assume(_ text: @autoclosure @escaping () -> String) }
protocol ThrowingAutoclosure {
  func assume(_ condition: @autoclosure () throws -> Bool) rethrows -> Int
}
protocol Rethrowing { func each(_ body: (Int) throws -> Void) rethrows }
protocol RethrowingRun { func locked<Result>(_ body: () throws -> Result) rethrows -> Result }
protocol RethrowingMap {
  func map<Output>(_ transform: (Int) throws -> Output) rethrows -> [Output]
}
protocol RethrowingAsync { func locked(_ body: () async throws -> Int) async rethrows -> Int }
protocol TypedRethrowing {
  func run<Failure: Error>(_ body: () throws(Failure) -> Int) throws(Failure) -> Int
}
protocol ConventionC { func register(_ callback: @convention(c) (Int32) -> Int32) -> Int }
protocol BuilderArgument { func list(@ListBuilder _ content: () -> [String]) -> Int }
protocol BuilderRequirement { @ListBuilder func list(_ count: Int) -> [String] }
protocol BuilderProperty { @ListBuilder var list: [String] { get } }
typealias Visitor = (Int) -> Void
protocol AliasedClosure { func each(_ body: Visitor) }
