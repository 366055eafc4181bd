// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

// Effects and isolation of functions and of their closures.

protocol EscapingRethrowsAlone {
  func run(_ body: @escaping () throws -> Int) rethrows -> Int
}
protocol EscapingRethrowsGeneric {
  func run<Result>(_ body: @escaping () throws -> Result) rethrows -> Result
}
protocol GenericErrors {
  func run<Failure: Error>(_ type: Failure.Type) async throws(Failure)
  func load<Failure: Error>(_ type: Failure.Type) async throws(Failure) -> Int
  static func run<Failure: Error>(_ type: Failure.Type) throws(Failure)
  static func load<Failure: Error>(_ type: Failure.Type) async throws(Failure) -> Int
}
protocol ThrowingOverloads {
  func run(_ body: @escaping () -> Int)
  func run(_ body: @escaping () throws -> Int)
}
protocol ActorOverloads {
  func run(_ body: @escaping () -> Void)
  func run(_ body: @escaping @MainActor () -> Void)
}
protocol EncodesAlone: Encodable { var name: String { get } }
extension Inner {
  /// A public protocol in an extension of an internal type.
  public protocol Wide {
    /// Its requirement.
    func wide() -> Int
  }
}
protocol FailingAsAssociated {
  associatedtype Failure: Error
  func run() async throws(Failure)
  func load(_ id: Int) throws(Failure) -> Int
  func each(_ body: (Int) -> Void) throws(Failure)
}
protocol FailingNever: FailingAsAssociated where Failure == Never {}
