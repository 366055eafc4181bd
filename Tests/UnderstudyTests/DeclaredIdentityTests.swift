// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import Understudy
@testable import UnderstudyTesting

private final class Counter: Sendable {
  let number: Int

  init(_ number: Int) { self.number = number }
}

/// A helper that declares. Each static that calls it has a dependency of its own.
private func live(_ number: Int) -> Dependency<Int> { Dependency { number } }

private func shared(_ number: Int) -> Dependency<Counter> {
  Dependency(lifecycle: .cached) { Counter(number) }
}

extension Dependencies {
  fileprivate static let live = UnderstudyTests.live(1)
  fileprivate static let stats = UnderstudyTests.live(2)
  fileprivate static let first = shared(1)
  fileprivate static let second = shared(2)
  fileprivate static var anew: Dependency<Int> { UnderstudyTests.live(3) }
  fileprivate static var sharedAnew: Dependency<Counter> { shared(3) }

  fileprivate static let stored = Dependency<Bool> { true }
  fileprivate static let `default`: Dependency<any Error & Sendable> =
    Dependency<any Error & Sendable>(lifecycle: .notCached) { CancellationError() }
  fileprivate static var computed: Dependency<Bool> { Dependency { false } }
}

@Suite struct `Dependencies that one helper declares` {
  private let resolver = Resolver()

  @Test func `are different`() {
    #expect(resolver.resolve(\.live) == 1)
    #expect(resolver.resolve(\.stats) == 2)
    #expect(resolver.resolve(\.first).number == 1)
    #expect(resolver.resolve(\.second).number == 2)
    #expect(resolver.resolve(\.first) === resolver.resolve(\.first))
    #expect(Dependencies.live.key != Dependencies.stats.key)
  }

  @Test func `leave nothing behind if each access declares another one`() {
    for _ in 0..<100 { #expect(resolver.resolve(\.anew) == 3) }
    #expect(resolver.store.lock.counts.answers == 0)
  }

  @Test func `are overridden one by one`() {
    withOverrides(of: resolver) {
      $0.override(\.stats) { 20 }
      $0.override(\.second, with: Counter(20))
    } operation: {
      #expect(resolver.resolve(\.live) == 1 && resolver.resolve(\.stats) == 20)
      #expect(resolver.resolve(\.first).number == 1 && resolver.resolve(\.second).number == 20)
    }
  }

  private func anew(_ function: String, _ type: String, declared: Int, used: Int) -> String {
    """
    '\(function)' declares '\(type)' anew at each access, so two dependencies of it are not told apart.
      Declared  UnderstudyTests/DeclaredIdentityTests.swift:\(declared)
      Used      UnderstudyTests/DeclaredIdentityTests.swift:\(used)
    To fix, do one of these:
      • Store it:  static let … = \(function.prefix { $0 != "(" })(…)
      • Declare it in its static:  static var …: Dependency<\(type)> { Dependency { … } }
    """
  }

  @Test func `anew at each access are an issue if they are overridden, counted or shared`()
    async throws
  {
    let resolver = resolver
    let number = anew("live(_:)", "Int", declared: 16, used: 90)
    let counter = anew("shared(_:)", "Counter", declared: 19, used: 90)
    let issues: [Caught] =
      Array(repeating: .error(number, line: 90), count: 6)
      + Array(repeating: .error(counter, line: 90), count: 3)
    try await expect(issues: issues) {
      withOverrides(.check(.unusedOverride, .off), of: resolver, isBoundary: true) {
        $0.override(\.anew, line: 90) { 4 }
        $0.decorate(\.anew, line: 90) { $0 }
        $0.unimplemented(\.anew, line: 90)
        $0.fault(\.anew, .throwing(Strike()), line: 90)
      } operation: {
        assertNeverResolved(\.anew, of: resolver, line: 90)
        #expect(OverrideLayer.current?.log.count(of: \.anew, line: 90) == 0)
        _ = resolver.resolve(\.sharedAnew, line: 90)
        withResolver(resolver) {
          _ = Inject(\.sharedAnew, line: 90)
          _ = LazyInject(\.sharedAnew, line: 90)
        }
      }
    }
  }

  @Test func `anew at each access answer with their own blocks`() {
    #expect(resolver.resolve(\.anew) == 3)
  }

  #if os(Linux) || os(macOS)
    @Test func `anew at each access end a program without tests`() async throws {
      let result = try await #require(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        TestHosts.install(nil)
        _ = Resolver().resolve(\.sharedAnew)
      }
      let text = String(decoding: result.standardErrorContent, as: UTF8.self)
      #expect(text.contains("'shared(_:)' declares 'Counter' anew at each access"), "\(text)")
    }
  #endif
}

@Suite struct `The name of a declared dependency` {
  @Test func `is the name of its static, stored or computed`() {
    #expect(Dependencies.stored.key.erased.description == "'\\.stored'")
    #expect(Dependencies.computed.key.erased.description == "'\\.computed'")
    #expect(Dependencies.default.key.erased.description == "'\\.default'")
  }

  @Test func `of a helper is unknown, and its place is named instead`() {
    let text = Dependencies.live.key.erased.description
    #expect(text == "'Int' declared at UnderstudyTests/DeclaredIdentityTests.swift:16")
  }

  @Test(
    arguments: [
      ("static let a = Dependency<Int> {", 1, 32, "a"),
      ("static let a: Dependency<Int> = Dependency {", 1, 43, "a"),
      ("public static let a: Dependency<Int> =\n  Dependency(lifecycle: .cached) {", 2, 12, "a"),
      ("static let a = Dependency { 1 }; static let b = Dependency { 2 }", 1, 58, "b"),
      ("static let a = Dependency { 1 }\nlet b = 1\nfoo(Dependency { 2 })", 3, 15, nil),
      ("static let a = 1", 7, 1, nil),
      ("extension D {\r\n  static let a = Dependency { 1 }\r\n}", 2, 18, "a"),
      ("func live() -> Dependency<Int> { Dependency { 1 } }", 1, 44, nil),
    ] as [(String, Int, Int, String?)])
  func `is found in the source`(text: String, line: Int, column: Int, name: String?) {
    #expect(DeclaredName.find(in: text, line: line, column: column) == name)
  }
}

/// A static of a generic type declares a dependency for each of its types.
@Suite struct `A declared dependency of a generic type` {
  @Test func `has its own default for each type`() throws {
    let resolver = Resolver()
    let (ints, texts) = (Dependencies.Crate<Int>.contents, Dependencies.Crate<String>.contents)
    try #expect(resolver.resolve(ints.key) == [])
    try #expect(resolver.resolve(texts.key) == [])
    #expect(resolver.resolve { _ in Dependencies.Crate<Int>.contents } == [])
    resolver.register(for: ints) { [1] }
    try #expect(resolver.resolve(ints.key) == [1])
    try #expect(resolver.resolve(texts.key) == [])
  }
}

extension Dependencies {
  fileprivate enum Crate<Item: Sendable> {
    static var contents: Dependency<[Item]> { Dependency(lifecycle: .cached) { [] } }
  }
}

/// A computed static creates a `Dependency` for each access, which nothing retains.
@Suite struct `A dependency of a computed static whose accesses are over` {
  private let resolver = Resolver()

  @Test func `is requested by its key`() throws {
    let key = Dependencies.computed.key
    #expect(try resolver.resolve(key) == false)
    #expect(
      try withOverrides(of: resolver, { $0.decorate(\.computed) { !$0 } }) {
        try resolver.resolve(key)
      })
  }

  @Test func `is a node of the graph`() throws {
    resolver.register { resolver in Seller(isOpen: resolver.resolve(\.computed)) }
    let (graph, seller) = try withOverrides(.check(.unusedOverride, .off), of: resolver) { _ in
    } operation: {
      let seller = try resolver.resolve(Seller.self)
      return (resolver.graph, seller)
    }
    #expect(!seller.isOpen)
    #expect(graph.nodes.map(\.kind) == [.registered, .declared])
    #expect(graph.edges.map(\.origin) == [.seen])
  }

  @Test func `guards its live registration`() {
    resolver.register(for: Dependencies.guarded) {
      Issue.record("the live block ran")
      return 1
    }
    withKnownIssue {
      let key = Dependencies.guarded.key
      #expect(throws: ResolutionError.self) { try resolver.resolve(key) }
    } matching: {
      $0.comments.contains { $0.rawValue.contains("Guarded by  its registration") }
    }
  }

  /// The last access is what answers, and what it captured is released with the next one.
  @Test func `has the block of its last access`() throws {
    weak var first: Counter?
    for number in 1...3 {
      let counter = Counter(number)
      if number == 1 { first = counter }
      let key = Dependencies.$capturing.withValue(counter) { Dependencies.captured.key }
      #expect(try resolver.resolve(key) === counter)
    }
    #expect(first == nil)
  }
}

private struct Seller: Sendable {
  let isOpen: Bool
}

extension Dependencies {
  @TaskLocal fileprivate static var capturing = Counter(0)
  fileprivate static var captured: Dependency<Counter> {
    let counter = capturing
    return Dependency { counter }
  }
  fileprivate static var guarded: Dependency<Int> {
    Dependency(inTests: .mustBeOverridden) { 0 }
  }
}

extension Resolver {
  fileprivate func register<Value: Sendable>(
    for dependency: Dependency<Value>, _ block: @escaping @Sendable () -> Value
  ) {
    prepare({ _ in dependency }, block)
  }
}
