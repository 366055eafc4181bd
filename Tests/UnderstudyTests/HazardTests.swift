// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyTesting

private let file = "UnderstudyTests/HazardTests.swift"

private func shared(
  _ test: String, line: Int, with other: String, line otherLine: Int, isError: Bool = false
) -> Caught {
  Caught(
    """
    One instance of 'any Postman' is used by two tests that run at the same time.
      Test  '\(test)' at \(file):\(line)
      Test  '\(other)' at \(file):\(otherLine)
    To fix, do one of these:
      • Make a new one for each test, in the block that is registered.
      • Allow it:  .overrides(.check(.sharedInstance, .off)) { … }
    """, isError: isError, line: line, file: file)
}

/// One object that two tests use while both run.
@Suite struct `A shared instance` {
  private let resolver = Resolver()

  private func root(
    _ name: String, _ options: OverrideOptions = [],
    _ postman: @escaping @Sendable () -> any Postman
  ) -> OverrideLayer {
    let layer = Stage.root(name, of: resolver, adoptsEscapedWork: false, options: options)
    layer.register((any Postman).self) { postman() }
    return layer
  }

  private func ask(under layer: OverrideLayer, line: Int) throws {
    _ = try OverrideLayer.binding(layer) {
      try resolver.resolve((any Postman).self, line: line)
    }
  }

  @Test(arguments: [OverrideOptions.Weight.off, .warning, .error])
  func `is reported with the names of both tests`(weight: OverrideOptions.Weight) throws {
    let office = PostOffice()
    let first = root("first") { office }
    let second = root("second", .check(.sharedInstance, weight)) { office }
    try ask(under: first, line: 11)
    try ask(under: second, line: 12)
    try ask(under: second, line: 13)
    let issue = shared("second", line: 12, with: "first", line: 11, isError: weight == .error)
    #expect(second.end().map { Caught($0) } == (weight == .off ? [] : [issue]))
    #expect(first.end().isEmpty)
  }

  /// Hundreds of tests may use it.
  @Test func `is told once as a warning, and as an error to each test`() throws {
    let (office, other) = (PostOffice(), PostOffice())
    let first = root("first") { office }
    try ask(under: first, line: 11)
    func findings(_ name: String, _ weight: OverrideOptions.Weight, line: Int) throws -> [Caught] {
      let layer = root(name, .check(.sharedInstance, weight)) { office }
      try ask(under: layer, line: line)
      return layer.end().map { Caught($0) }
    }
    func shared(_ name: String, line: Int, isError: Bool) -> Caught {
      UnderstudyTests.shared(name, line: line, with: "first", line: 11, isError: isError)
    }
    #expect(try findings("off", .off, line: 12) == [])
    #expect(try findings("error", .error, line: 13) == [shared("error", line: 13, isError: true)])
    #expect(
      try findings("warned", .warning, line: 14) == [shared("warned", line: 14, isError: false)])
    #expect(try findings("later", .warning, line: 15) == [])
    #expect(try findings("again", .error, line: 16) == [shared("again", line: 16, isError: true)])
    #expect(first.end().isEmpty)
    let third = root("third") { other }
    let fourth = root("fourth") { other }
    try ask(under: third, line: 17)
    try ask(under: fourth, line: 18)
    #expect(
      fourth.end().map { Caught($0) }
        == [UnderstudyTests.shared("fourth", line: 18, with: "third", line: 17)])
    #expect(third.end().isEmpty)
  }

  @Test func `is reported with a test that still runs when the first one has ended`() throws {
    let office = PostOffice()
    let first = root("first") { office }
    let second = root("second", .check(.sharedInstance, .error)) { office }
    let third = root("third", .check(.sharedInstance, .error)) { office }
    let fourth = root("fourth", .check(.sharedInstance, .error)) { office }
    try ask(under: first, line: 11)
    try ask(under: second, line: 12)
    #expect(first.end().isEmpty)
    try ask(under: third, line: 13)
    let issue = shared("second", line: 12, with: "first", line: 11, isError: true)
    #expect(second.end().map { Caught($0) } == [issue])
    try ask(under: fourth, line: 14)
    let later = [
      shared("third", line: 13, with: "second", line: 12, isError: true),
      shared("fourth", line: 14, with: "third", line: 13, isError: true),
    ]
    #expect((third.end() + fourth.end()).map { Caught($0) } == later)
  }

  /// A new one in the registered block would be no remedy: production keeps the first one.
  @Test func `of production is to be replaced by one of each test`() throws {
    resolver.register((any Postman).self, lifecycle: .cached) { PostOffice() }
    let layers = ["first", "second"].map { name in
      var traits = LayerTraits(of: resolver, named: name, on: nil, at: CallSite())
      traits.test = RunningTest(name: name, adoptsEscapedWork: false)
      return OverrideLayer(traits)
    }
    for layer in layers { try ask(under: layer, line: 21) }
    let message = try #require(layers[1].end().first).message
    #expect(message.remedies.first == "Give each test its own:  @Test(.overrides { … })")
    #expect(layers[0].end().isEmpty)
  }

  @Test func `is found between two tests that run in parallel`() async throws {
    let office = PostOffice()
    let asked = Passage()
    let compared = Passage()
    try await withThrowingTaskGroup(of: [Violation].self) { group in
      group.addTask {
        let layer = root("one") { office }
        try ask(under: layer, line: 21)
        asked.open()
        await compared.wait()
        return layer.end()
      }
      group.addTask {
        await asked.wait()
        let layer = root("two") { office }
        try ask(under: layer, line: 22)
        compared.open()
        return layer.end()
      }
      let found = try await group.reduce(into: []) { $0 += $1 }.map { Caught($0) }
      #expect(found == [shared("two", line: 22, with: "one", line: 21)])
    }
  }

  /// An earlier returned object that is released is not shared.
  @Test func `is found after many that were not shared`() throws {
    let office = PostOffice()
    let fresh = Lock(true)
    let first = root("first") { fresh.withLock { $0 } ? PostOffice() : office }
    let second = root("second", .check(.sharedInstance, .warning)) { office }
    for _ in 0..<5 { try ask(under: first, line: 14) }
    fresh.withLock { $0 = false }
    try ask(under: first, line: 15)
    try ask(under: second, line: 16)
    #expect(
      second.end().map { Caught($0) } == [shared("second", line: 16, with: "first", line: 15)])
    #expect(first.end().isEmpty)
  }

  @Test func `is not reported for tests that run one after the other`() throws {
    let office = PostOffice()
    // Both layers stay in memory, so that no state is lost by chance.
    let layers = [root("before") { office }, root("after") { office }]
    for layer in layers {
      try ask(under: layer, line: #line)
      #expect(layer.end().isEmpty)
    }
  }

  @Test func `is not reported if each test creates its own, or gets a value`() throws {
    let layers = [
      root("a") { PostOffice() }, root("b") { PostOffice() }, root("c") { PostmanDouble() },
      root("d") { PostmanDouble() },
    ]
    for layer in layers { try ask(under: layer, line: #line) }
    for layer in layers { #expect(layer.end().isEmpty) }
  }

  @Test func `is not reported between a test and its inner layers`() throws {
    let office = PostOffice()
    let layer = root("outer") { office }
    try ask(under: layer, line: #line)
    try OverrideLayer.binding(layer) {
      try withOverrides(.check(.lateOverride, .off), of: resolver) {
        $0.register { office as any Postman }
      } operation: {
        _ = try resolver.resolve((any Postman).self)
      }
    }
    #expect(layer.end().isEmpty)
  }

  /// The test has no trait, so each layer is an outermost one.
  @Test func `is not reported between two layers of one test`() async throws {
    let (resolver, office) = (resolver, PostOffice())
    let (asked, compared) = (Passage(), Passage())
    @Sendable func push(_ operation: () async throws -> Void) async throws {
      try await withOverrides(of: resolver) {
        $0.register { office as any Postman }
      } operation: {
        _ = try resolver.resolve((any Postman).self)
        try await operation()
      }
    }
    try await expect(issues: []) {
      async let first: Void = push {
        asked.open()
        await compared.wait()
      }
      async let second: Void = push {
        await asked.wait()
        compared.open()
      }
      _ = try await (first, second)
    }
  }
}
