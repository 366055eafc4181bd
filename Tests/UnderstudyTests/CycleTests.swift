// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import Testing
@testable import Understudy

extension Dependencies {
  /// True if the egg needs the chicken.
  @TaskLocal fileprivate static var isCyclic = true

  fileprivate static var chicken: Dependency<String> { Dependency { outcome(of: egg) } }
  fileprivate static var egg: Dependency<String> {
    Dependency { isCyclic ? outcome(of: chicken) : "egg" }
  }

  /// The value of a dependency, or its error and the number of steps that led to it.
  private static func outcome(of dependency: Dependency<String>) -> String {
    do {
      return try Resolver.current.resolve(dependency.key)
    } catch {
      return "\(error.kind) of \(error.path.count)"
    }
  }
}

/// A cycle is an error that names the path, with any number of threads. It is never a hang or a
/// crash.
@Suite struct `A cycle` {
  final class A: Sendable {}
  final class B: Sendable {}
  final class C: Sendable {}
  final class D: Sendable {}

  /// Requests itself in an initialiser, through B.
  struct InjectedA { @Inject var b: B }

  @Test(arguments: Lifecycle.allCases.filter { $0 != .once })
  func `of one key is an error`(lifecycle: Lifecycle) {
    let resolver = Resolver()
    resolver.register(lifecycle: lifecycle) { r in
      _ = try r.resolve(A.self)
      return A()
    }
    let error = resolutionError { try resolver.resolve(A.self) }
    #expect(error?.kind == "cycle")
    #expect(error?.steps == ["A", "A"])
  }

  @Test(arguments: [false, true])
  func `of computed declared dependencies is found at once`(isUnderLayer: Bool) throws {
    let resolver = Resolver()
    func check() {
      for _ in 1...3 {
        Dependencies.$isCyclic.withValue(false) {
          #expect(resolver.resolve(\.chicken) == "egg")
        }
      }
      #expect(resolver.resolve(\.chicken) == "cycle of 3")
    }
    guard isUnderLayer else { return check() }
    withOverrides(of: resolver, { _ in }, operation: check)
  }

  @Test func `of one key in an autowired initialiser is an error`() {
    let resolver = Resolver()
    resolver.register(autowiring: { (_: A) in A() })
    #expect(resolutionError { try resolver.resolve(A.self) }?.kind == "cycle")
  }

  @Test(arguments: [Lifecycle.cached, .notCached], [Lifecycle.cached, .notCached])
  func `of three keys is an error with the whole path`(first: Lifecycle, second: Lifecycle) {
    let resolver = Resolver()
    resolver.register(lifecycle: first) { r in
      _ = try r.resolve(B.self)
      return A()
    }
    resolver.register(lifecycle: second) { r in
      _ = try r.resolve(C.self)
      return B()
    }
    resolver.register(lifecycle: first) { r in
      _ = try r.resolve(A.self)
      return C()
    }
    resolver.register { r in
      _ = try r.resolve(A.self)
      return D()
    }
    let error = resolutionError { try resolver.resolve(D.self) }
    #expect(error?.kind == "cycle")
    #expect(error?.steps == ["D", "A", "B", "C", "A"])
    #expect(error?.key == AnyKey(type: A.self))
  }

  @Test func `through the current resolver of an initialiser is an error`() {
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { () throws -> A in
      _ = try Resolver.current.resolve(B.self)
      return A()
    }
    resolver.register(lifecycle: .cached) { () throws -> B in
      _ = try Resolver.current.resolve(A.self)
      return B()
    }
    let error = resolutionError { try withResolver(resolver) { try resolver.resolve(A.self) } }
    #expect(error?.steps == ["A", "B", "A"])
  }

  @Test func `through the main resolver is an error`() {
    struct Name: Hashable, Sendable {}
    Resolver.main.register(named: Name(), lifecycle: .cached) { () throws -> A in
      _ = try Resolver.main.resolve(B.self, named: Name())
      return A()
    }
    Resolver.main.register(named: Name(), lifecycle: .cached) { () throws -> B in
      _ = try Resolver.main.resolve(A.self, named: Name())
      return B()
    }
    let error = resolutionError { try Resolver.main.resolve(A.self, named: Name()) }
    #expect(error?.kind == "cycle")
    let types: [any Any.Type] = [A.self, B.self, A.self]
    #expect(error?.path.map { ObjectIdentifier($0.type) } == types.map { ObjectIdentifier($0) })
  }

  #if os(Linux) || os(macOS)
    @Test func `through an injected property ends the process with the path`() async {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let resolver = Resolver()
        resolver.register(lifecycle: .cached) { () -> A in
          _ = InjectedA().b
          return A()
        }
        resolver.register(lifecycle: .cached) { (r: Resolver) throws -> B in
          _ = try r.resolve(A.self)
          return B()
        }
        _ = try? withResolver(resolver) { try resolver.resolve(A.self) }
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("Creating 'A' needs 'A' itself."))
      #expect(text.contains("Path          A → B → A"))
    }
  #endif

  @Test func `retains nothing`() throws {
    let resolver = Resolver()
    let isCyclic = Box(true)
    resolver.register(lifecycle: .cached) { r in
      _ = try r.resolve(B.self)
      return A()
    }
    resolver.register(lifecycle: .cached) { r in
      if isCyclic.value { _ = try r.resolve(A.self) }
      return B()
    }
    #expect(resolutionError { try resolver.resolve(A.self) }?.kind == "cycle")
    #expect(resolutionError { try resolver.resolve(B.self) }?.kind == "cycle")
    isCyclic.value = false
    let a: A = try resolver.resolve()
    try #expect(resolver.resolve(A.self) === a)
  }

  @Test func `through a decorator is an error`() {
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { A() }
    let error = resolutionError {
      try withLayer(of: resolver) {
        $0.decorate(A.self) { _ in try resolver.resolve(A.self) }
      } operation: {
        try resolver.resolve(A.self)
      }
    }
    #expect(error?.kind == "cycle")
  }

  @Test func `is broken by an override`() throws {
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { r in
      _ = try r.resolve(B.self)
      return A()
    }
    resolver.register(lifecycle: .cached) { r in
      _ = try r.resolve(A.self)
      return B()
    }
    try withLayer(of: resolver) {
      $0.register { B() }
    } operation: {
      _ = try resolver.resolve(A.self)
    }
    #expect(resolutionError { try resolver.resolve(A.self) }?.kind == "cycle")
  }

  // MARK: Depth

  @Test func `does not occur if an argument ends the recursion`() throws {
    let resolver = Resolver()
    resolver.register { (r, n: Int) in n == 0 ? 1 : n * (try r.resolve(Int.self, with: n - 1)) }
    try #expect(resolver.resolve(Int.self, with: 10) == 3_628_800)
  }

  @Test(arguments: [Lifecycle.cached, .notCached, .once])
  func `occurs if no block takes the argument`(lifecycle: Lifecycle) {
    let resolver = Resolver()
    resolver.register(lifecycle: lifecycle == .once ? .notCached : lifecycle) { r throws -> A in
      try r.resolve(A.self, with: 1, lifecycle: .notCached)
    }
    let error = resolutionError { try resolver.resolve(A.self, with: 2, lifecycle: lifecycle) }
    #expect(error?.kind == (lifecycle == .once ? "missing" : "cycle"))
    #expect(error?.path.count == 2)
  }

  @Test func `with endlessly new arguments is an error at the maximum depth`() {
    let resolver = Resolver()
    let calls = Tally()
    resolver.register { (r, n: Int) throws -> Int in
      calls.next()
      return try r.resolve(Int.self, with: n + 1)
    }
    let error = resolutionError { try resolver.resolve(Int.self, with: 0) }
    #expect(error?.kind == "tooDeep")
    #expect(calls.count == Resolver.maximumDepth)
    #expect(error?.path.count == Resolver.maximumDepth + 1)
  }

  @Test func `with an argument through a cached registration is an error`() {
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { (r, n: Int) throws -> A in
      n == 0 ? A() : try r.resolve(A.self, with: n - 1)
    }
    #expect(resolutionError { try resolver.resolve(A.self, with: 3) }?.kind == "cycle")
  }

  @Test(.timeLimit(.minutes(20)), arguments: 1...3)
  func `of completions is an error, however many values a round creates`(count: Int) {
    let resolver = Resolver()
    resolver.register { r throws -> A in
      for _ in 0..<count { _ = try r.resolve(B.self) }
      return A()
    }
    resolver.register { _ in
      B()
    } then: { _, r in
      _ = try r.resolve(A.self)
    }
    let error = resolutionError { try resolver.resolve(A.self) }
    #expect(error?.kind == "cycle")
    #expect(error?.message.headline == "Creating 'B' needs 'B' itself.")
  }

  /// An argument may end the recursion, so a deep one is no cycle.
  @Test func `is not reported for completions that an argument would end`() throws {
    let resolver = Resolver()
    resolver.register(named: "deep") { (n: Int) in
      Step(n)
    } then: { step, r in
      if step.number > 0 { _ = try r.resolve(Step.self, with: step.number - 1, named: "deep") }
    }
    let deepest = Resolver.maximumDepth - 1
    try #expect(resolver.resolve(Step.self, with: deepest, named: "deep").number == deepest)
    let error = resolutionError {
      try resolver.resolve(Step.self, with: deepest + 1, named: "deep")
    }
    #expect(error?.kind == "tooDeep")
  }

  private struct Step: Sendable {
    let number: Int

    init(_ number: Int) { self.number = number }
  }

  @Test func `is not reported for many completions that come to an end`() throws {
    let (resolver, made) = (Resolver(), Lock(0))
    resolver.register { _ in
      made.withLock { $0 += 1 }
      return B()
    } then: { _, r in
      for _ in 0..<2 where made.withLock({ $0 < 1_000 }) { _ = try r.resolve(B.self) }
    }
    _ = try resolver.resolve(B.self)
    #expect(made.withLock { $0 } == 1_000)
  }

  @Test(arguments: [Lifecycle.cached, .notCached])
  func `is not reported for a long chain`(lifecycle: Lifecycle) throws {
    let resolver = Resolver()
    let length = Resolver.maximumDepth
    for index in 0..<length {
      resolver.register(named: index, lifecycle: lifecycle) { r in
        index == length - 1 ? 0 : 1 + (try r.resolve(Int.self, named: index + 1))
      }
    }
    try #expect(resolver.resolve(Int.self, named: 0) == length - 1)
  }
}
