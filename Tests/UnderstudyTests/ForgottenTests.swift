// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

@testable import Understudy

private protocol Postbox: AnyObject, Sendable {}
private final class LivePostbox: Postbox {}
private final class PostboxSpy: Postbox {}

private struct Stopped: Error {}

private struct Production: Assembly {
  func assemble(into registrar: some Registering) {
    registrar.register { LivePostbox() as any Postbox }
    registrar.register(1)
  }
}

private let file = #fileID

/// Mistakes that leave a test green are reported to it.
@Suite struct `A mistake` {
  private let resolver = Resolver()

  private func expectIssue(
    _ text: String, isError: Bool = false, line: Int,
    _ body: @Sendable @escaping @concurrent () async throws -> Void
  ) async throws {
    try await expect(issues: [Caught(text, isError: isError, line: line, file: file)], body)
  }

  /// A block that failed, or was refused, gave no answer.
  @Test(arguments: ["answered", "was asked for"])
  func `in the concrete type is reported with the type that was requested of production`(
    words: String
  ) async throws {
    let resolver = resolver
    resolver.register { () throws -> any Postbox in
      if words == "answered" { return LivePostbox() }
      throw CancellationError()
    }
    try await expectIssue(
      """
      The override of 'PostboxSpy' was never resolved.
        Production  \(words) 'any Postbox'
        Overridden  \(file):1001
        Layer       'test'
      To fix, do one of these:
        • Override that:  $0.register { … as any Postbox }
        • Remove it, or let the code under test ask for 'PostboxSpy'.
        • Allow it:  withOverrides(.check(.unusedOverride, .off)) { … } operation: { … }
      """, line: 1001
    ) {
      withOverrides(of: resolver, named: "test") {
        $0.register(line: 1001) { PostboxSpy() }
      } operation: {
        _ = try? resolver.resolve((any Postbox).self)
      }
    }
  }

  @Test func `is no override that the test took back`() async throws {
    let resolver = resolver
    try await expect(issues: []) {
      try withOverrides(of: resolver) {
        let key = $0.register { PostboxSpy() }
        $0.decorate(PostboxSpy.self) { $0 }
        #expect($0.unregister(key))
        #expect(!$0.unregister(key))
      } operation: {
        try #expect(resolver.resolve(PostboxSpy?.self) == nil)
      }
    }
  }

  /// The advised line has the name and the container of the key.
  @Test func `of the container is told with the key that production answered`() async throws {
    let resolver = resolver
    resolver.register(named: "red", in: "street") { LivePostbox() as any Postbox }
    try await expectIssue(
      """
      The override of 'any Postbox' was never resolved.
        Production  answered 'any Postbox' named "red" in "street"
        Overridden  \(file):1021
        Layer       'test'
      To fix, do one of these:
        • Override that:  $0.register(named: "red", in: "street") { … as any Postbox }
        • Remove it, or let the code under test ask for 'any Postbox'.
        • Allow it:  withOverrides(.check(.unusedOverride, .off)) { … } operation: { … }
      """, line: 1021
    ) {
      try withOverrides(of: resolver, named: "test") {
        $0.register(line: 1021) { PostboxSpy() as any Postbox }
      } operation: {
        _ = try resolver.resolve((any Postbox).self, named: "red", in: "street")
      }
    }
  }

  @Test func `of a namesake is told with the modules of both types`() async throws {
    let resolver = resolver
    resolver.register { OldOffice.Stamp() }
    try await expectIssue(
      """
      The override of 'Stamp' was never resolved.
        In full     'UnderstudyTests.NewOffice.Stamp'
        Production  answered 'UnderstudyTests.OldOffice.Stamp'
        Overridden  \(file):1024
        Layer       'test'
      To fix, do one of these:
        • Override that:  $0.register { … as OldOffice.Stamp }
        • Remove it, or let the code under test ask for 'Stamp'.
        • Allow it:  withOverrides(.check(.unusedOverride, .off)) { … } operation: { … }
      """, line: 1024
    ) {
      try withOverrides(of: resolver, named: "test") {
        $0.register(line: 1024) { NewOffice.Stamp() }
      } operation: {
        _ = try resolver.resolve(OldOffice.Stamp.self)
      }
    }
  }

  /// A test need not use an override of its suite, but this one was meant for another resolver. The
  /// test may have a layer of the right one, too.
  @Test(arguments: [(false, false), (true, false), (true, true)], [true, false])
  func `in the resolver is reported with the resolver that got the request`(
    layers: (hasRight: Bool, areOfSuite: Bool), hasRegistration: Bool
  ) async throws {
    let (hasRightLayer, isOfSuite) = layers
    let (resolver, other) = (resolver, Resolver(named: "shop"))
    if hasRegistration { other.register { LivePostbox() as any Postbox } }
    try await expectIssue(
      """
      The override of 'any Postbox' was never resolved.
        Asked of    the resolver 'shop', at \(file):1003
        Overridden  \(file):1002
        Layer       'test'
      To fix, do one of these:
        • Override that resolver:  withOverrides(of: …) { … } operation: { … }
        • Remove it, or let the code under test ask for 'any Postbox'.
        • Allow it:  withOverrides(.check(.unusedOverride, .off)) { … } operation: { … }
      """, line: 1002
    ) {
      withOverrides(of: resolver, named: "test") {
        $0.register(line: 1002) { PostboxSpy() as any Postbox }
        if isOfSuite { $0.markShared() }
      } operation: {
        withOverrides(of: hasRightLayer ? other : resolver) { _ in
        } operation: {
          _ = try? other.resolve((any Postbox).self, line: 1003)
        }
      }
    }
  }

  @Test func `in a decorated override is reported once`() async throws {
    let resolver = resolver
    try await expectIssue(
      """
      The override of 'any Postbox' was never resolved.
        Overridden  \(file):1010
        Layer       'test'
      To fix, do one of these:
        • Remove it, or let the code under test ask for 'any Postbox'.
        • Allow it:  withOverrides(.check(.unusedOverride, .off)) { … } operation: { … }
      """, line: 1010
    ) {
      withOverrides(of: resolver, named: "test") {
        $0.register { PostboxSpy() as any Postbox }
        $0.decorate((any Postbox).self, line: 1010) { $0 }
      } operation: {
      }
    }
  }

  @Test func `is no decorated override whose block failed`() async throws {
    let resolver = resolver
    try await expect(issues: []) {
      withOverrides(.strict, of: resolver) {
        $0.register { () throws -> any Postbox in throw Stopped() }
        $0.decorate((any Postbox).self) { $0 }
      } operation: {
        _ = #expect(throws: ResolutionError.self) { try resolver.resolve((any Postbox).self) }
      }
    }
  }

  @Test func `of registering twice is reported with the second place`() async throws {
    let resolver = resolver
    try await expectIssue(
      """
      The override of 'Int' was replaced before it was resolved.
        Replaced    \(file):1005
        Overridden  \(file):1004
        Layer       'test'
      To fix, do one of these:
        • Register one of them, or tell them apart with a name.
        • Allow it:  withOverrides(.check(.unusedOverride, .off)) { … } operation: { … }
      """, line: 1004
    ) {
      try withOverrides(of: resolver, named: "test") {
        $0.register(1, line: 1004)
        $0.register(2, line: 1005)
      } operation: {
        _ = try resolver.resolve(Int.self)
      }
    }
  }

  @Test func `is not assumed if an assembly is installed and one of its keys overridden`()
    async throws
  {
    let resolver = resolver
    try await expect(issues: []) {
      try withOverrides(.strict, of: resolver) {
        $0.install(Production())
        $0.register { PostboxSpy() as any Postbox }
      } operation: {
        #expect(try resolver.resolve((any Postbox).self) is PostboxSpy)
        _ = try resolver.resolve(Int.self)
      }
    }
  }

  @Test(arguments: [false, true], [false, true])
  func `of a new double for each request is reported if production shares an instance`(
    isAliased: Bool, isBelowInnerLayer: Bool
  ) async throws {
    let resolver = resolver
    if isAliased {
      let live = resolver.register(lifecycle: .cached, line: 1006) { LivePostbox() }
      resolver.alias(live, as: (any Postbox).self)
    } else {
      resolver.register(lifecycle: .cached, line: 1006) { LivePostbox() as any Postbox }
    }
    try await expectIssue(
      """
      The override of 'any Postbox' made 2 doubles, and production shares one instance.
        Production  \(file):1006
        Overridden  \(file):1007
        Layer       'test'
      To fix, do one of these:
        • Share the double:  lifecycle: .cached
        • Allow it:  withOverrides(.check(.unsharedDouble, .off)) { … } operation: { … }
      """, line: 1007
    ) {
      try withOverrides(of: resolver, named: "test") {
        $0.register(line: 1007) { PostboxSpy() as any Postbox }
      } operation: {
        func askTwice() throws {
          let (first, second) = (
            try resolver.resolve((any Postbox).self), try resolver.resolve((any Postbox).self)
          )
          #expect(first !== second)
        }
        guard isBelowInnerLayer else { return try askTwice() }
        try withOverrides(of: resolver, { _ in }, operation: askTwice)
      }
    }
  }

  @Test func `is no new double for each inner layer if only one lives at a time`() async throws {
    let resolver = resolver
    resolver.register(lifecycle: .cached) { LivePostbox() as any Postbox }
    try await expect(issues: []) {
      try withOverrides(of: resolver) {
        $0.register { PostboxSpy() as any Postbox }
      } operation: {
        for _ in 0..<3 {
          try withOverrides(of: resolver) { _ in
          } operation: {
            _ = try resolver.resolve((any Postbox).self)
          }
        }
      }
    }
  }

  @Test(arguments: [false, true])
  func `of an argument that no block takes is reported, and fails a strict test`(isStrict: Bool)
    async throws
  {
    let resolver = resolver
    resolver.register(line: 1008) { 5 }
    let off = ".check(.ignoredArgument, .off)"
    let option = isStrict ? "[.strict, \(off)]" : off
    try await expectIssue(
      """
      'Int' was asked for with an argument, and its registration takes none.
        Argument    7
        At          \(file):1009
        Registered  \(file):1008
      To fix, do one of these:
        • Leave out 'with:'.
        • Allow it:  withOverrides(\(option)) { … } operation: { … }
      """, isError: isStrict, line: 1009
    ) {
      try withOverrides(isStrict ? .strict : [], of: resolver, allowing: Int.self) { _ in
      } operation: {
        _ = try resolver.resolve(Int.self, with: 7, line: 1009)
      }
    }
  }

  /// A double need not take what the code passes to production's block.
  @Test(arguments: [false, true])
  func `of a double that takes no argument is none if production takes one`(isPer: Bool)
    async throws
  {
    let resolver = resolver
    if isPer {
      resolver.register(lifecycle: .cached, per: { $0 }) { (number: Int) in "\(number)" }
    } else {
      resolver.register { (number: Int) in "\(number)" }
    }
    try await expect(issues: []) {
      try withOverrides(.strict, of: resolver) {
        $0.register("a double")
      } operation: {
        try #expect(resolver.resolve(String.self, with: 7) == "a double")
        try withOverrides(.strict, of: resolver) {
          $0.register { "another" }
        } operation: {
          try #expect(resolver.resolve(String.self, with: 7) == "another")
        }
      }
    }
  }

  @Test
  func `of another argument for a cached instance is reported, and the same argument is valid`()
    async throws
  {
    let resolver = resolver
    resolver.register(lifecycle: .cached, line: 1010) { (number: Int) in "\(number)" }
    try await expectIssue(
      """
      'String' was asked for with an argument, and its instance was created with another.
        Argument    2
        At          \(file):1011
        Registered  \(file):1010
      To fix, do one of these:
        • Create a new value:  lifecycle: .notCached
        • Allow it:  withOverrides(.check(.ignoredArgument, .off)) { … } operation: { … }
      """, line: 1011
    ) {
      try withOverrides(of: resolver, isBoundary: true) { _ in
      } operation: {
        _ = try resolver.resolve(String.self, with: 1)
        _ = try resolver.resolve(String.self, with: 1)
        // A loop is told once.
        for number in 2...9 { _ = try resolver.resolve(String.self, with: number, line: 1011) }
      }
    }
  }

  @Test func `of requesting a one-time registration twice is reported with both places`() throws {
    resolver.register(5, lifecycle: .once, line: 1012)
    _ = try resolver.resolve(Int.self, line: 1013)
    let error = #expect(throws: ResolutionError.self) { try resolver.resolve(Int.self, line: 1014) }
    #expect(
      error?.description.contains(
        """
          Handed out  once, at \(file):1013
          Registered  \(file):1012
        """) == true)
    resolver.register(6, lifecycle: .once)
    #expect(try resolver.resolve(Int.self) == 6)
  }

  @Test func `of registering on the main resolver while a test runs is reported`() async throws {
    struct Leaked: Sendable {}
    defer { Resolver.main.unregister(Key<Leaked>()) }
    try await expectIssue(
      """
      'Leaked' was registered on 'Resolver.main' while a test runs: other tests see it, too.
        Registered  \(file):1015
        Layer       'test'
      To fix, do one of these:
        • Override it for this test:  OverrideLayer.required.register { … as Leaked }
        • Allow it:  withOverrides(.check(.leakedRegistration, .off)) { … } operation: { … }
      """, line: 1015
    ) {
      withOverrides(named: "test") { _ in
      } operation: {
        _ = Resolver.main.register(Leaked(), line: 1015)
      }
    }
  }
}

private final class Counter: Sendable {
  let postbox: Inject<any Postbox>
  init(_ resolver: Resolver) { postbox = withResolver(resolver) { Inject() } }
}

/// The object of a case of XCTest, whose properties are created before its layer.
private class OuterFixture {
  let counter: Counter
  init(_ counter: Counter) { self.counter = counter }
}

/// The runtime cannot reflect its property if the value cannot be copied.
private final class HandleKeeper<Value: ~Copyable> {
  let value: Value
  init(_ value: consuming Value) { self.value = value }
}

private struct Handle: ~Copyable {
  let number = 3
  deinit {}
}

private final class Fixture: OuterFixture {
  let keeper = HandleKeeper(Handle())
  var again: Fixture?
  let number = 1
}

/// A test need not use each override of its suite, and each of an assembly. A mistake in them is
/// told all the same.
@Suite struct `An override for several tests` {
  private let resolver = Resolver()

  init() { RunIssues.claim() }

  /// The first lines of the findings of a test under a suite's overrides.
  private func findings(
    _ options: OverrideOptions = [], isShared: Bool = true,
    _ configure: (OverrideLayer) -> Void, operation: () async throws -> Void
  ) async rethrows -> [String] {
    let layer = Stage.root(
      "shared overrides", of: resolver, adoptsEscapedWork: false, options: options)
    configure(layer)
    if isShared { layer.markShared() }
    try await OverrideLayer.binding(layer, operation: operation)
    return layer.end().map { String($0.description.prefix { $0 != "\n" }) }
  }

  @Test func `is told if production answered in the place of the concrete type`() async throws {
    resolver.register { LivePostbox() as any Postbox }
    let told = try await findings {
      $0.register { PostboxSpy() }
    } operation: {
      _ = try resolver.resolve((any Postbox).self)
    }
    #expect(told == ["The override of 'PostboxSpy' was never resolved."])
  }

  /// A property of a case of XCTest is created before the layer of the case.
  @Test(arguments: [true, false])
  func `is told if an object holds production's value from before the layer`(isEarly: Bool)
    async throws
  {
    resolver.register { LivePostbox() as any Postbox }
    let layer = Stage.root("early", of: resolver, adoptsEscapedWork: false)
    layer.register(line: 1022) { PostboxSpy() as any Postbox }
    layer.register { "unused" }
    layer.register(named: "express") { PostboxSpy() as any Postbox }
    layer.markShared()
    let resolver = resolver
    let counter = isEarly ? Counter(resolver) : OverrideLayer.binding(layer) { Counter(resolver) }
    let fixture = Fixture(counter)
    fixture.again = fixture
    layer.note(EarlyInjections(of: fixture))
    fixture.again = nil
    let text = """
      The override of 'any Postbox' was never resolved.
        Injected    into Fixture.counter.postbox, before the test began
        Overridden  \(file):1022
        Layer       'early'
      To fix, do one of these:
        • Create that object in the test, or in 'setUp'.
        • Remove it, or let the code under test ask for 'any Postbox'.
        • Allow it:  .overrides(.check(.unusedOverride, .off)) { … }
      """
    #expect(layer.end().map { Caught($0) } == (isEarly ? [.warning(text, line: 1022)] : []))
  }

  @Test func `is told with a key of the same type that production answered`() async throws {
    resolver.register(named: "tea") { 3 }
    let layer = Stage.root("names", of: resolver, adoptsEscapedWork: false)
    layer.register(named: "tee", line: 1023) { 4 }
    let resolver = resolver
    try OverrideLayer.binding(layer) { _ = try resolver.resolve(Int.self, named: "tea") }
    let text = """
      The override of 'Int' named "tee" was never resolved.
        Production  answered 'Int' named "tea"
        Overridden  \(file):1023
        Layer       'names'
      To fix, do one of these:
        • Override that:  $0.register(named: "tea") { … as Int }
        • Remove it, or let the code under test ask for 'Int' named "tee".
        • Allow it:  .overrides(.check(.unusedOverride, .off)) { … }
      """
    #expect(layer.end().map { Caught($0) } == [.warning(text, line: 1023)])
  }

  @Test func `is told if another resolver was asked`() async throws {
    let other = Resolver()
    other.register { LivePostbox() as any Postbox }
    let told = try await findings {
      $0.register { PostboxSpy() as any Postbox }
    } operation: {
      _ = try other.resolve((any Postbox).self)
    }
    #expect(told == ["The override of 'any Postbox' was never resolved."])
  }

  @Test func `is told if it makes a double for each request`() async throws {
    resolver.register(lifecycle: .cached) { LivePostbox() as any Postbox }
    let told = try await findings {
      $0.register { PostboxSpy() as any Postbox }
    } operation: {
      let pair = try (resolver.resolve((any Postbox).self), resolver.resolve((any Postbox).self))
      withExtendedLifetime(pair) {}
    }
    #expect(
      told == [
        "The override of 'any Postbox' made 2 doubles, and production shares one instance."
      ])
  }

  @Test func `is not told if the test asks its own resolver, or escaped work asks for the key`()
    async throws
  {
    resolver.register { LivePostbox() as any Postbox }
    // Production knows the class, so an override of it is no mistake.
    resolver.register { LivePostbox() }
    let resolver = resolver
    let told = try await findings {
      $0.register { LivePostbox() }
      $0.register { "unused" }
      $0.register(1)
      $0.register(2)
    } operation: {
      _ = try resolver.resolve((any Postbox).self)
      let own = Resolver()
      own.register(3)
      _ = try own.resolve(Int.self)
      await Task.detached { _ = try? resolver.resolve(String.self) }.value
    }
    #expect(told == [])
    #expect(RunIssues.take(mentioning: "'shared overrides'").count == 1)
  }

  @Test(arguments: [OverrideOptions(), .strict])
  func `of an assembly is told if the test uses nothing of it, or production answers`(
    options: OverrideOptions
  ) async throws {
    resolver.register { LivePostbox() as any Postbox }
    resolver.register("live")
    struct Doubles: Assembly {
      func assemble(into registrar: some Registering) {
        registrar.register { PostboxSpy() }
        registrar.register("double")
        registrar.register(1)
      }
    }
    let options: OverrideOptions = [options, .check(.fallThrough, .off)]
    let used = try await findings(options, isShared: false) {
      $0.install(Doubles())
    } operation: {
      _ = try resolver.resolve(String.self)
    }
    #expect(used == [])
    let mistaken = try await findings(options, isShared: false) {
      $0.install(Doubles())
    } operation: {
      _ = try (resolver.resolve(String.self), resolver.resolve((any Postbox).self))
    }
    #expect(mistaken == ["The override of 'PostboxSpy' was never resolved."])
    let unused = await findings(options, isShared: false) {
      $0.install(Doubles())
    } operation: {
    }
    #expect(unused == ["None of the 3 overrides of the assembly 'Doubles' was resolved."])
  }
}

enum OldOffice {
  struct Stamp: Sendable {}
}

enum NewOffice {
  struct Stamp: Sendable {}
}
