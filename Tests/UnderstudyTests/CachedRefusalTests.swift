// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyTesting

private struct Office: Sendable {
  let clerk: Clerk
}

private struct Counter: Sendable {
  let postmen: Int
}

private final class Desk: Sendable {
  let postman: (any Postman)?
  init(_ postman: (any Postman)?) { self.postman = postman }
}

/// An object whose wrapper keeps an error.
private struct Errand: Sendable {
  @Inject var postman: any Postman
}

private struct LateErrand: Sendable {
  let postman = Provider<any Postman>()
}

/// A request under a layer that forbids an answer of production.
private struct Program: Sendable, CustomTestStringConvertible {
  let testDescription: String
  var options = OverrideOptions.strict
  var allowing: (any Any.Type, any Any.Type) = (Clerk.self, Office.self)
  var overrides: @Sendable (OverrideLayer) -> Void = { _ in }
  let register: @Sendable (Resolver) -> Void
  /// A description of the value.
  let ask: @Sendable (Resolver) async throws -> String

  /// Registers a clerk, which is shared, and a postman.
  static func registerClerk(_ resolver: Resolver) {
    resolver.register(line: 10) { RealPostman() as any Postman }
    resolver.register(lifecycle: .cached, line: 11) { r in Clerk(postman: try r.resolve(line: 12)) }
  }

  static func askClerk(_ resolver: Resolver) throws -> String {
    try resolver.resolve(Clerk.self, line: 20).postman.name
  }

  static let all = [
    Program(testDescription: "a part that is created for each request", register: registerClerk) {
      try askClerk($0)
    },
    Program(testDescription: "a part that is shared") { resolver in
      resolver.register(lifecycle: .cached, line: 10) { RealPostman() as any Postman }
      resolver.register(lifecycle: .cached) { r in Clerk(postman: try r.resolve(line: 12)) }
    } ask: {
      try askClerk($0)
    },
    Program(testDescription: "a part of a part") { resolver in
      registerClerk(resolver)
      resolver.register(lifecycle: .cached) { r in Office(clerk: try r.resolve(line: 13)) }
    } ask: {
      try $0.resolve(Office.self, line: 21).clerk.postman.name
    },
    Program(testDescription: "a part and its own part", allowing: (Office.self, Office.self)) {
      resolver in
      registerClerk(resolver)
      resolver.register(lifecycle: .cached) { r in Office(clerk: try r.resolve(line: 13)) }
    } ask: {
      try $0.resolve(Office.self, line: 21).clerk.postman.name
    },
    Program(testDescription: "two parts", allowing: (String.self, String.self)) { resolver in
      registerClerk(resolver)
      resolver.register { 7 }
      resolver.register(lifecycle: .cached) { r in
        "\(try r.resolve(Int.self, line: 14)), \(try r.resolve(Clerk.self, line: 15).postman.name)"
      }
    } ask: {
      try $0.resolve(String.self, line: 22)
    },
    Program(testDescription: "an optional part", allowing: (Counter.self, Counter.self)) {
      resolver in
      resolver.register { RealPostman() as any Postman }
      resolver.register(lifecycle: .cached) { r in
        Counter(postmen: try r.resolve((any Postman)?.self, line: 12) == nil ? 0 : 1)
      }
    } ask: {
      "\(try $0.resolve(Counter.self, line: 20).postmen)"
    },
    Program(testDescription: "an array of parts", allowing: (Counter.self, Counter.self)) {
      resolver in
      resolver.register { RealPostman() as any Postman }
      resolver.register(named: "other") { RealPostman() as any Postman }
      resolver.register(lifecycle: .cached) { r in
        Counter(postmen: try r.resolve([any Postman].self, line: 12).count)
      }
    } ask: {
      "\(try $0.resolve(Counter.self, line: 20).postmen)"
    },
    Program(testDescription: "a part behind an alias") { resolver in
      let key = resolver.register { RealPostman() as any Postman }
      resolver.alias(key, as: (any Sendable).self)
      resolver.register(lifecycle: .cached) { r in
        _ = try r.resolve((any Sendable).self, line: 12)
        return Clerk(postman: RealPostman())
      }
    } ask: {
      try askClerk($0)
    },
    Program(testDescription: "an alias of the cached instance") { resolver in
      resolver.register { RealPostman() as any Postman }
      let key = resolver.register(lifecycle: .cached) { r in
        Clerk(postman: try r.resolve(line: 12))
      }
      resolver.alias(key, as: (any Sendable).self)
    } ask: {
      "\(type(of: try $0.resolve((any Sendable).self, line: 20)))"
    },
    Program(
      testDescription: "a decorator around the cached instance",
      overrides: { $0.decorate(Clerk.self) { $0 } }, register: registerClerk
    ) {
      try askClerk($0)
    },
    Program(testDescription: "a part that the block can do without") { resolver in
      resolver.register { RealPostman() as any Postman }
      resolver.register(lifecycle: .cached) { r in
        Clerk(postman: (try? r.resolve((any Postman).self, line: 12)) ?? PostmanDouble())
      }
    } ask: {
      try askClerk($0)
    },
    Program(testDescription: "a part that a wrapper holds", allowing: (Errand.self, Errand.self)) {
      resolver in
      resolver.register { RealPostman() as any Postman }
      resolver.register(lifecycle: .cached) { Errand() }
    } ask: {
      let errand = try $0.resolve(Errand.self, line: 20)
      return errand.$postman.isAvailable ? errand.postman.name : "kept"
    },
    Program(testDescription: "a part for later", allowing: (LateErrand.self, LateErrand.self)) {
      resolver in
      resolver.register { RealPostman() as any Postman }
      resolver.register(lifecycle: .cached) { LateErrand() }
    } ask: {
      _ = try $0.resolve(LateErrand.self, line: 20)
      return "created"
    },
    Program(testDescription: "an asynchronous block") { resolver in
      resolver.register { RealPostman() as any Postman }
      resolver.register(lifecycle: .cached) { (r: Resolver) async throws in
        Clerk(postman: try await r.resolveAsync(line: 12))
      }
    } ask: {
      try await $0.resolveAsync(Clerk.self, line: 20).postman.name
    },
    Program(testDescription: "a synchronous request for an asynchronous block") { resolver in
      resolver.register { RealPostman() as any Postman }
      resolver.register(lifecycle: .cached) { (r: Resolver) async throws in
        Clerk(postman: try await r.resolveAsync(line: 12))
      }
    } ask: {
      if OverrideLayer.current == nil {
        return try await $0.resolveAsync(Clerk.self, line: 20).postman.name
      }
      return try askClerk($0)
    },
    Program(testDescription: "a request that removes the registration", register: registerClerk) {
      let lifecycle: Lifecycle = OverrideLayer.current == nil ? .cached : .once
      return try $0.resolve(Clerk.self, lifecycle: lifecycle, line: 20).postman.name
    },
    Program(testDescription: "a completion", allowing: (Desk.self, Desk.self)) { resolver in
      resolver.register { RealPostman() as any Postman }
      resolver.register(lifecycle: .cached) { _ in
        Desk(nil)
      } then: { _, r in
        _ = try r.resolve((any Postman).self, line: 12)
      }
    } ask: {
      "\(type(of: try $0.resolve(Desk.self, line: 20)))"
    },
    Program(
      testDescription: "a live guard of the layer", options: .live(.mustBeOverridden),
      register: registerClerk
    ) {
      try askClerk($0)
    },
  ]
}

/// A layer that forbids production to answer gives the same results, whatever was cached before.
@Suite struct `A cached instance of production` {
  /// What a program returns and reports: under the layer, and in production after it.
  private struct Outcome: Equatable, Sendable {
    var under: String
    var after: String
    var issues: [Caught]
  }

  private func outcome(_ program: Program, isWarm: Bool, of resolver: Resolver) async throws
    -> Outcome
  {
    program.register(resolver)
    return try await outcome(isWarm: isWarm) { isUnderLayer in
      guard isUnderLayer else { return try await program.ask(resolver) }
      return try await withOverrides(
        program.options, of: resolver, named: "same", allowing: program.allowing.0,
        program.allowing.1
      ) {
        program.overrides($0)
      } operation: {
        try await program.ask(resolver)
      }
    }
  }

  private func outcome(
    isWarm: Bool, _ ask: @Sendable @escaping (_ isUnderLayer: Bool) async throws -> String
  ) async throws -> Outcome {
    @Sendable func answer(isUnderLayer: Bool) async -> String {
      do { return try await ask(isUnderLayer) } catch { return "\(error)" }
    }
    let (caught, said) = (Transcript<Caught>(), Transcript<String>())
    let watch: IssueHandlingTrait = .compactMapIssues { issue in
      caught.say(Caught(issue))
      return nil
    }
    let test = try #require(Test.current)
    try await watch.provideScope(for: test, testCase: Test.Case.current) {
      if isWarm { said.say("warm: \(await answer(isUnderLayer: false))") }
      await Stage.besideUnguardedTest { said.say(await answer(isUnderLayer: true)) }
      said.say(await answer(isUnderLayer: false))
    }
    return Outcome(
      under: said.all.dropLast().last ?? "", after: said.all.last ?? "", issues: caught.all)
  }

  @Test(arguments: Program.all)
  private func `changes no result of a layer that forbids production to answer`(program: Program)
    async throws
  {
    let cold = try await outcome(program, isWarm: false, of: Resolver(named: "same"))
    let warm = try await outcome(program, isWarm: true, of: Resolver(named: "same"))
    #expect(cold == warm)
    #expect(cold.under != cold.after || program.testDescription == "a part for later")
  }

  @Test(arguments: Program.all)
  private func `of a parent changes no result either`(program: Program) async throws {
    func outcome(isWarm: Bool) async throws -> Outcome {
      let parent = Resolver(named: "parent")
      program.register(parent)
      let child = Resolver(named: "child", parent: parent)
      return try await self.outcome(isWarm: isWarm) { isUnderLayer in
        guard isUnderLayer else { return try await program.ask(parent) }
        return try await withOverrides(
          program.options, of: parent, named: "same", allowing: program.allowing.0,
          program.allowing.1
        ) {
          program.overrides($0)
        } operation: {
          try await program.ask(child)
        }
      }
    }
    let (cold, warm) = (try await outcome(isWarm: false), try await outcome(isWarm: true))
    #expect(cold == warm)
  }

  @Test(arguments: [false, true], [false, true])
  func `with a part of another resolver is refused by that resolver's layer`(
    isWarm: Bool, hasLayer: Bool
  ) async throws {
    let (resolver, other) = (Resolver(named: "one"), Resolver(named: "other"))
    other.register { RealPostman() as any Postman }
    resolver.register(lifecycle: .cached) { Clerk(postman: try other.resolve(line: 12)) }
    if isWarm { _ = try resolver.resolve(Clerk.self) }
    withKnownIssue {
      try withOverrides(.strict, of: other) { _ in
      } operation: {
        guard hasLayer else {
          _ = try resolver.resolve(Clerk.self)
          return
        }
        try withOverrides(of: resolver) { _ in
        } operation: {
          _ = try resolver.resolve(Clerk.self)
        }
      }
    }
    try #expect(resolver.resolve(Clerk.self).postman.name == "production")
  }

  @Test(arguments: [false, true])
  func `with a part that was handed out once is refused`(isWarm: Bool) throws {
    let resolver = Resolver()
    resolver.register(RealPostman() as any Postman, lifecycle: .once)
    resolver.register(lifecycle: .cached) { r in Clerk(postman: try r.resolve()) }
    if isWarm { _ = try resolver.resolve(Clerk.self) }
    withKnownIssue {
      withOverrides(.strict, of: resolver, allowing: Clerk.self) { _ in
      } operation: {
        let error = #expect(throws: ResolutionError.self) { try resolver.resolve(Clerk.self) }
        guard case .fellThrough = error?.reason else {
          Issue.record("\(error as Any)")
          return
        }
      }
    } matching: {
      $0.comments.contains { $0.rawValue.contains("fell through to production") }
    }
  }

  /// The layer that made the exception owns the instance.
  @Test func `is not created under an exception of a live guard`() throws {
    let resolver = Resolver()
    resolver.register(inTests: .mustBeOverridden) { RealPostman() as any Postman }
    resolver.register(lifecycle: .cached) { r in Clerk(postman: try r.resolve()) }
    try withOverrides(of: resolver, allowing: (any Postman).self) { _ in
    } operation: {
      let name = try resolver.resolve(Clerk.self).postman.name
      #expect(name == "production")
    }
    withKnownIssue { _ = try resolver.resolve(Clerk.self) }
  }

  @Test func `that keeps the error of a live guard is created anew under an exception`() throws {
    let resolver = Resolver()
    resolver.register(inTests: .mustBeOverridden) { RealPostman() as any Postman }
    resolver.register(lifecycle: .cached) { Errand() }
    #expect(try !resolver.resolve(Errand.self).$postman.isAvailable)
    try withOverrides(of: resolver, allowing: (any Postman).self) { _ in
    } operation: {
      let errand = try resolver.resolve(Errand.self)
      #expect(errand.$postman.isAvailable && errand.postman.name == "production")
    }
  }

  /// Production may answer the value that a decorator wraps.
  @Test func `that an outer layer decorates is reused under strictness`() throws {
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { Desk(nil) }
    try withOverrides(of: resolver) {
      $0.decorate(Desk.self) { _ in Desk(PostmanDouble()) }
    } operation: {
      let outer = try resolver.resolve(Desk.self)
      let inner = try withOverrides(.strict, of: resolver) { _ in
      } operation: {
        try resolver.resolve(Desk.self)
      }
      #expect(outer === inner)
    }
  }

  @Test func `is shared by requests of the layer that refuses a part of it`() throws {
    let resolver = Resolver()
    resolver.register { RealPostman() as any Postman }
    resolver.register(lifecycle: .cached) { r in
      Desk(try? r.resolve((any Postman).self))
    }
    let live = try resolver.resolve(Desk.self)
    try withKnownIssue {
      try withOverrides(.strict, of: resolver, allowing: Desk.self) { _ in
      } operation: {
        let first = try withOverrides(of: resolver) { _ in
        } operation: {
          try resolver.resolve(Desk.self)
        }
        let second = try resolver.resolve(Desk.self)
        #expect(first.postman == nil && first === second)
        #expect(first !== live)
      }
    } matching: {
      $0.comments.contains { $0.rawValue.contains("fell through to production") }
    }
    try #expect(resolver.resolve(Desk.self) === live)
  }
}
