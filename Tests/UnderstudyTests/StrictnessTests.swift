// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyTesting

private let file = "UnderstudyTests/StrictnessTests.swift"

private let resolver: Resolver = {
  let resolver = Resolver(named: "strictness")
  resolver.register { RealPostman() as any Postman }
  resolver.register { r in Clerk(postman: try r.resolve(line: 90)) }
  return resolver
}()

private func fellThrough(
  _ layer: String, line: Int, isError: Bool = true, path: String = "",
  type: String = "any Postman", below: String = "", resolver: String = "'strictness'"
) -> Caught {
  let at = path.isEmpty ? "At         " : "At            "
  let consulted = path.isEmpty ? "Consulted  " : "Consulted     "
  let option = isError ? ".strict" : ".check(.fallThrough, .warning)"
  return Caught(
    """
    '\(type)' fell through to production under the \(isError ? "strict " : "")layer '\(layer)'.
    \(path)  \(at)\(file):\(line)
      \(consulted)layer '\(layer)' (0 registrations), \(below)production of \(resolver) (2 registrations)
    To fix, do one of these:
      • Override it:  $0.register { … as \(type) }
      • Allow it:  withOverrides(\(option), allowing: \(type.contains(" ") ? "(\(type))" : type).self) { … } operation: { … }
    """, isError: isError, line: line, file: file)
}

private func unused(
  _ layer: String, line: Int, isError: Bool, type: String = "any Postman", ofTest: Bool = false,
  isStrict: Bool = false
) -> Caught {
  let off = isStrict ? "[.strict, .check(.unusedOverride, .off)]" : ".check(.unusedOverride, .off)"
  let allowing =
    ofTest ? ".overrides(\(off)) { … }" : "withOverrides(\(off)) { … } operation: { … }"
  return Caught(
    """
    The override of '\(type)' was never resolved.
      Overridden  \(file):\(line)
      Layer       '\(layer)' of the resolver 'strictness'
    To fix, do one of these:
      • Remove it, or let the code under test ask for '\(type)'.
      • Allow it:  \(allowing)
    """, isError: isError, line: line, file: file)
}

private func ask(line: Int) throws {
  _ = try resolver.resolve((any Postman).self, line: line)
}

private func askInVain(line: Int) {
  #expect(throws: ResolutionError.self) { try ask(line: line) }
}

/// The checks of a layer, and their weights.
@Suite struct `Strictness` {
  @Test(arguments: [false, true])
  func `lets production answer a decorator, also of an alias or for an argument`(isWarm: Bool)
    async throws
  {
    let resolver = Resolver()
    resolver.alias(
      resolver.register(lifecycle: .cached) { RealPostman() }, as: (any Postman).self)
    resolver.register(lifecycle: .cached, per: { $0 }) { (number: Int) in Coin(number) }
    if isWarm {
      _ = try resolver.resolve((any Postman).self)
      _ = try resolver.resolve(Coin.self, with: 1)
    }
    try await expect(issues: []) {
      try withOverrides(.strict, of: resolver) {
        $0.decorate((any Postman).self) { $0 }
        $0.decorate(Coin.self) { Coin($0.id + 10) }
      } operation: {
        _ = try resolver.resolve((any Postman).self)
        try #expect(resolver.resolve(Coin.self, with: 1).id == 11)
      }
    }
  }

  @Test func `a strict layer forbids to fall through to production`() async throws {
    try await expect(issues: [fellThrough("strict", line: 101)]) {
      withOverrides(.strict, of: resolver, named: "strict") { _ in
      } operation: {
        askInVain(line: 101)
      }
    }
  }

  @Test func `a strict layer proposes the override, with its name`() async throws {
    let resolver = Resolver()
    resolver.register(named: "tea") { 1 }
    let text = """
      'Int' named "tea" fell through to production under the strict layer 'strict name'.
        At         \(file):108
        Consulted  layer 'strict name' (0 registrations), production of an unnamed resolver (1 registration)
      To fix, do one of these:
        • Override it:  $0.register(named: "tea") { … as Int }
        • Allow it:  withOverrides(.strict, allowing: Int.self) { … } operation: { … }
      """
    try await expect(issues: [Caught(text, isError: true, line: 108, file: file)]) {
      withOverrides(.strict, of: resolver, named: "strict name") { _ in
      } operation: {
        _ = #expect(throws: ResolutionError.self) {
          try resolver.resolve(Int.self, named: "tea", line: 108)
        }
      }
    }
  }

  /// A layer of `withOverrides` has the options of the trait that it was pushed on.
  @Test(.overrides(.strict, of: resolver), arguments: [false, true])
  func `a strict layer of a trait proposes the trait, under further layers, too`(isNested: Bool) {
    var error: ResolutionError?
    withKnownIssue {
      error = resolutionError {
        guard isNested else { return try ask(line: 110) }
        try withOverrides(of: resolver) { _ in
        } operation: {
          try ask(line: 110)
        }
      }
    }
    let lines = error?.description.split(separator: "\n")
    #expect(
      lines?.last == "  • Allow it:  .overrides(.strict, allowing: (any Postman).self) { … }")
  }

  @Test func `a strict layer names the key that fell through, and its path`() async throws {
    let path = """
        Requested by  Clerk
        Path          Clerk → any Postman

      """
    try await expect(issues: [
      fellThrough("strict path", line: 90, path: path)
    ]) {
      withOverrides(.strict, of: resolver, named: "strict path", allowing: Clerk.self) { _ in
      } operation: {
        _ = #expect(throws: ResolutionError.self) { try resolver.resolve(Clerk.self) }
      }
    }
  }

  /// No code had a chance to use it.
  @Test func `an override of an operation that did not run is not unused`() async throws {
    @Sendable func configure(_ layer: OverrideLayer) throws {
      layer.register { PostmanDouble() as any Postman }
      throw Mishap()
    }
    try await expect(issues: []) {
      #expect(throws: Mishap()) {
        try withOverrides(.strict, of: resolver, configure) {}
      }
      await #expect(throws: Mishap()) {
        try await withOverrides(.strict, of: resolver, configure) { await Task.yield() }
      }
    }
  }

  @Test(
    .overrides(.strict, of: resolver) { $0.register((any Postman).self) { PostmanDouble() } })
  func `an override of a cancelled test is not unused`() throws {
    try Test.cancel("nothing is asked for")
  }

  /// An alias creates nothing. Only the aliased registration can fall through.
  @Test(arguments: [false, true])
  func `an alias does not fall through by itself`(isOverridden: Bool) async throws {
    let resolver = Resolver()
    resolver.alias(resolver.register(RealPostman() as any Postman), as: (any Sendable).self)
    let path = """
        Requested by  Any
        Path          Any → any Postman

      """
    let found = fellThrough("strict", line: 113, path: path, resolver: "an unnamed resolver")
    try await expect(issues: isOverridden ? [] : [found]) {
      withOverrides(.strict, of: resolver, named: "strict") {
        if isOverridden { $0.register(PostmanDouble() as any Postman) }
      } operation: {
        let value = try? resolver.resolve((any Sendable).self, line: 113)
        #expect((value != nil) == isOverridden)
      }
    }
  }

  @Test func `an allowed type falls through, also from an inner layer`() async throws {
    try await expect(issues: []) {
      try withOverrides(.strict, of: resolver, allowing: (any Postman).self) { _ in
      } operation: {
        try ask(line: 111)
        try withOverrides(of: resolver, allowing: Clerk.self) { _ in
        } operation: {
          _ = try resolver.resolve(Clerk.self)
        }
        try withOverrides(of: resolver) { _ in
        } operation: {
          try ask(line: 112)
        }
      }
    }
  }

  @Test func `an inner layer inherits strictness, and may turn it off`() async throws {
    let below = "layer 'outer' (0 registrations), "
    try await expect(issues: [fellThrough("inner", line: 121, below: below)]) {
      try withOverrides(.strict, of: resolver, named: "outer") { _ in
      } operation: {
        withOverrides(of: resolver, named: "inner") { _ in
        } operation: {
          askInVain(line: 121)
        }
        try withOverrides(.check(.fallThrough, .off), of: resolver) { _ in
        } operation: {
          try ask(line: 122)
        }
      }
    }
  }

  @Test(arguments: [OverrideOptions.Weight.off, .warning, .error])
  func `a fall-through has the weight that the layer sets`(weight: OverrideOptions.Weight)
    async throws
  {
    let issue = fellThrough("weighed", line: 131, isError: weight == .error)
    try await expect(issues: weight == .off ? [] : [issue]) {
      try withOverrides(.check(.fallThrough, weight), of: resolver, named: "weighed") { _ in
      } operation: {
        if weight == .error { askInVain(line: 131) } else { try ask(line: 131) }
      }
    }
  }

  @Test func `a fall-through that a live guard refuses is no warning`() async throws {
    try await expect(issues: []) {
      let guarded = Resolver()
      guarded.register(inTests: .mustBeOverridden) { RealPostman() as any Postman }
      withOverrides(.check(.fallThrough, .warning), of: guarded) { _ in
      } operation: {
        let postman = withResolver(guarded) { Inject<any Postman>() }
        #expect(!postman.isAvailable)
      }
    }
  }

  @Test(arguments: [OverrideOptions.Weight.off, .warning, .error])
  func `an unused override has the weight that the layer sets`(weight: OverrideOptions.Weight)
    async throws
  {
    let issue = unused("idle", line: 141, isError: weight == .error)
    try await expect(issues: weight == .off ? [] : [issue]) {
      withOverrides(.check(.unusedOverride, weight), of: resolver, named: "idle") {
        $0.register((any Postman).self, line: 141) { PostmanDouble() }
      } operation: {
      }
    }
  }

  @Test func `an unused override names its file and line`() async throws {
    let line = #line + 4
    try await expect(issues: [unused("where", line: line, isError: true, isStrict: true)]) {
      withOverrides(.strict, of: resolver, named: "where") {
        // `line` refers to the next line.
        $0.register { PostmanDouble() as any Postman }
      } operation: {
      }
    }
  }

  @Test func `a strict layer forbids an unused override`() async throws {
    try await expect(issues: [unused("strict and idle", line: 151, isError: true, isStrict: true)])
    {
      withOverrides(.strict, of: resolver, named: "strict and idle") {
        $0.register((any Postman).self, line: 151) { PostmanDouble() }
      } operation: {
      }
    }
  }

  @Test func `each unused override is named, in the order of overriding`() async throws {
    try await expect(issues: [
      unused("three", line: 161, isError: false),
      unused("three", line: 163, isError: false, type: "Int"),
    ]) {
      try withOverrides(of: resolver, named: "three") {
        $0.register((any Postman).self, line: 161) { PostmanDouble() }
        $0.register(String.self, line: 162) { "used" }
        $0.register(Int.self, line: 163) { 1 }
      } operation: {
        _ = try resolver.resolve(String.self)
      }
    }
  }

  @Test func `an override counts as used if only its cached value is used`() async throws {
    try await expect(issues: []) {
      try withOverrides(.strict, of: resolver) {
        $0.register(lifecycle: .cached) { PostmanDouble() as any Postman }
        $0.register(instance: 1)
        $0.register("once", lifecycle: .once)
      } operation: {
        try ask(line: #line)
        try ask(line: #line)
        #expect(try resolver.resolve([Int].self) == [1])
        #expect(try resolver.resolve(String?.self) == "once")
      }
    }
  }

  @Test func `an override with a decorator or a fault counts as used when it answers`() async throws
  {
    try await expect(issues: []) {
      try withOverrides(.strict, of: resolver) {
        $0.register { PostmanDouble() as any Postman }
        $0.decorate((any Postman).self) { $0 }
        $0.fault((any Postman).self, .throwing(Strike()), on: .flaky(0))
      } operation: {
        try ask(line: #line)
      }
    }
  }

  @Test func `a decorator may wrap the answer of production`() async throws {
    try await expect(issues: []) {
      try withOverrides(.strict, of: resolver) {
        $0.decorate((any Postman).self) { _ in PostmanDouble() }
      } operation: {
        try #expect(resolver.resolve((any Postman).self).name == "double")
      }
    }
  }

  @Test func `an unimplemented dependency without a request is not an unused override`()
    async throws
  {
    try await expect(issues: []) {
      withOverrides(.strict, of: resolver) {
        $0.unimplemented((any Postman).self)
        $0.decorate((any Postman).self) { $0 }
        $0.unimplemented(\.postman)
      } operation: {
      }
    }
  }

  @Test func `using an unimplemented dependency throws, and is a violation even if it is caught`()
    async throws
  {
    let text = """
      'any Postman' was used, though the test says that it is unimplemented.
        At          \(file):172
        Resolver    'strictness'
        Registered  \(file):171
      To fix, do one of these:
        • Override it with a double:  $0.register { … as any Postman }
        • Find out why the code under test asks for it.
      """
    try await expect(issues: [.error(text, line: 172)]) {
      withOverrides(of: resolver) {
        $0.unimplemented((any Postman).self, line: 171)
      } operation: {
        let error = #expect(throws: ResolutionError.self) { try ask(line: 172) }
        #expect(error?.description == text)
      }
    }
  }

  @Test func `the layer, the outer layer and the process decide in this order`() async {
    await #expect(processExitsWith: .success) {
      func weight() -> OverrideOptions.Weight? {
        OverrideLayer.current?.options.weight(of: .unusedOverride)
      }
      withOverrides(.strict) { _ in
      } operation: {
        #expect(weight() == .error)
      }
      OverrideOptions.processDefault = .check(.unusedOverride, .off)
      withOverrides { _ in
      } operation: {
        #expect(weight() == .off)
        withOverrides(.check(.unusedOverride, .warning)) { _ in
        } operation: {
          #expect(weight() == .warning)
          withOverrides { _ in
          } operation: {
            #expect(weight() == .warning)
          }
        }
      }
      let layer = Stage.root("off", of: resolver, adoptsEscapedWork: false)
      layer.register { PostmanDouble() as any Postman }
      #expect(layer.end().isEmpty)
      OverrideOptions.processDefault = .strict
      let strict = Stage.root("on", of: resolver, adoptsEscapedWork: false)
      strict.register((any Postman).self, line: 201) { PostmanDouble() }
      #expect(
        strict.end().map { Caught($0) } == [unused("on", line: 201, isError: true, ofTest: true)])
    }
  }
}

@Suite(
  .catching(),
  .overrides(of: resolver) { $0.register((any Postman).self, line: 301) { PostmanDouble() } })
struct `A suite's overrides` {
  @Test func `need not all be used by each test`() {}

  @Test(
    .catching(
      unused("are not a test's own", line: 302, isError: false, type: "Int", ofTest: true)),
    .overrides(of: resolver) { $0.register(Int.self, line: 302) { 1 } })
  func `are not a test's own`() {}
}

@Suite(
  .catching(
    unused("must be used by each test", line: 321, isError: true, ofTest: true, isStrict: true)),
  .overrides(.strict, of: resolver) {
    $0.register((any Postman).self, line: 321) { PostmanDouble() }
  })
struct `The overrides of a suite that is strict` {
  @Test func `must be used by each test`() {}
}

@Suite(
  .catching(),
  .overrides(.check(.unusedOverride, .off), of: resolver) {
    $0.register((any Postman).self) { PostmanDouble() }
  })
struct `A suite that checks nothing` {
  @Test(.overrides(of: resolver) { $0.register { 1 } })
  func `says so for the layers of its tests`() {}
}

@Suite(
  .overrides(.strict, of: resolver) {
    $0.register((any Postman).self, line: 311) { PostmanDouble() }
  })
struct `A strict suite's overrides` {
  @Test func `hold for each test`() throws {
    #expect(try resolver.resolve((any Postman).self).name == "double")
  }
}
