// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyTesting

private struct PostalModule: Assembly {
  func assemble(into registrar: some Registering) {
    registrar.register { RealPostman() as any Postman }
    registrar.register { r in Clerk(postman: try r.resolve()) }
  }
}

private struct PostalDoubles: Assembly {
  func assemble(into registrar: some Registering) {
    registrar.register { PostmanDouble() as any Postman }
    registrar.install(Counters())
  }
}

private struct Counters: Assembly {
  func assemble(into registrar: some Registering) {
    registrar.register(3, named: "counters")
  }
}

/// The registrations of a module, installed in one line.
@Suite struct `An assembly` {
  private let resolver: Resolver = {
    let resolver = Resolver()
    resolver.install(PostalModule())
    return resolver
  }()

  @Test func `adds all its registrations to a resolver`() throws {
    #expect(resolver.keys.count == 2)
    #expect(try resolver.resolve(Clerk.self).postman.name == "production")
  }

  @Test func `replaces a module's registrations on a layer in one line`() throws {
    try withOverrides(of: resolver) {
      $0.install(PostalDoubles())
    } operation: {
      let clerk = try resolver.resolve(Clerk.self)
      #expect(clerk.postman.name == "double")
      #expect(try resolver.resolve(Int.self, named: "counters") == 3)
    }
    #expect(try resolver.resolve(Clerk.self).postman.name == "production")
    #expect(try resolver.resolve(Int?.self, named: "counters") == nil)
  }

  @Test func `can be overridden later in the same layer`() throws {
    try withOverrides(.check(.unusedOverride, .off), of: resolver) {
      $0.install(PostalDoubles())
      $0.register { PostOffice() as any Postman }
    } operation: {
      let name = try resolver.resolve((any Postman).self).name
      #expect(name == "office")
    }
  }

  @Test(.overrides(of: assembled) { $0.install(PostalDoubles()) })
  func `is installed by a trait`() throws {
    #expect(try assembled.resolve(Clerk.self).postman.name == "double")
    #expect(try assembled.resolve(Int.self, named: "counters") == 3)
  }

  @Test func `on a layer ends with the layer`() async throws {
    let clerk = try withOverrides(of: resolver) {
      $0.install(PostalDoubles())
    } operation: {
      _ = try resolver.resolve(Int.self, named: "counters")
      return try resolver.resolve(Clerk.self)
    }
    #expect(clerk.postman.name == "double")
    #expect(try resolver.resolve((any Postman).self).name == "production")
  }
}

private let assembled: Resolver = {
  let resolver = Resolver()
  resolver.install(PostalModule())
  return resolver
}()

/// A test that uses nothing of an assembly has one issue for each `install`, whatever the number of
/// overrides.
@Suite struct `An assembly of which a test uses nothing` {
  private struct Numbers: Assembly {
    let names: [String]

    func assemble(into registrar: some Registering) {
      for name in names { registrar.register(1, named: name, line: 1030) }
    }
  }

  private let resolver = Resolver()

  private func expectIssues(
    _ issues: [Caught], under options: OverrideOptions = [],
    installing install: @escaping @Sendable (OverrideLayer) -> Void,
    asking operation: @escaping @Sendable (Resolver) throws -> Void = { _ in }
  ) async throws {
    let resolver = resolver
    try await expect(issues: issues) {
      try withOverrides(options, of: resolver, named: "test", install) { try operation(resolver) }
    }
  }

  private func issue(
    _ headline: String, _ facts: [String], _ remedies: [String] = [], isError: Bool = false,
    line: Int
  ) -> Caught {
    let off = ".check(.unusedOverride, .off)"
    let option = isError ? "[.strict, \(off)]" : off
    let remedies =
      remedies + [
        "Remove the assembly, or let the code under test ask for one of its keys.",
        "Allow it:  withOverrides(\(option)) { … } operation: { … }",
      ]
    let text =
      ["\(headline) was resolved."] + facts.map { "  \($0)" }
      + ["  Installed  \(#fileID):\(line)", "  Layer      'test'", "To fix, do one of these:"]
      + remedies.map { "  • \($0)" }
    return Caught(
      text.joined(separator: "\n"), isError: isError, line: line, file: #fileID)
  }

  @Test(arguments: [OverrideOptions(), .strict])
  func `is told with its overrides`(options: OverrideOptions) async throws {
    let isError = options == .strict
    let postal = issue(
      "None of the 2 overrides of the assembly 'PostalDoubles'",
      ["Overrides  'Int' named \"counters\"", "           'any Postman'"], isError: isError,
      line: 1031)
    let numbers = issue(
      "None of the 7 overrides of the assembly 'Numbers'",
      (1...5).map { "\($0 == 1 ? "Overrides" : "         ")  'Int' named \"\($0)\"" }
        + ["           and others"], isError: isError, line: 1032)
    try await expectIssues([postal, numbers], under: options) {
      $0.install(PostalDoubles(), line: 1031)
      $0.install(Numbers(names: (1...7).map { "\($0)" }), line: 1032)
    }
  }

  @Test func `is told beside one that is used`() async throws {
    let numbers = issue(
      "None of the 2 overrides of the assembly 'Numbers'",
      ["Overrides  'Int' named \"1\"", "           'Int' named \"2\""], line: 1035)
    try await expectIssues([numbers]) {
      $0.install(PostalDoubles())
      $0.install(Numbers(names: ["1", "2"]), line: 1035)
    } asking: { resolver in
      _ = try resolver.resolve((any Postman).self)
    }
  }

  @Test func `is told once if its registrar has defaults`() async throws {
    let numbers = issue(
      "None of the 2 overrides of the assembly 'Numbers'",
      ["Overrides  'Int' named \"1\"", "           'Int' named \"2\""], line: 1036)
    try await expectIssues([numbers]) {
      $0.needing(Coin.self).needing(Tally.self).install(Numbers(names: ["1", "2"]), line: 1036)
    }
  }

  @Test func `is told with the resolver that was asked instead`() async throws {
    let other = Resolver(named: "shop")
    other.register(2, named: "2")
    let asked = issue(
      "None of the 2 overrides of the assembly 'Numbers'",
      [
        "Overrides  'Int' named \"1\"", "           'Int' named \"2\"",
        "Asked of   the resolver 'shop', at \(#fileID):1034",
      ], ["Override that resolver:  withOverrides(of: …) { … } operation: { … }"], line: 1033)
    try await expectIssues([asked]) {
      $0.install(Numbers(names: ["1", "2"]), line: 1033)
    } asking: { _ in
      _ = try other.resolve(Int.self, named: "2", line: 1034)
    }
  }

  @Test func `with a single override is told as that override`() async throws {
    let single = Caught(
      """
      The override of 'Int' named "1" was never resolved.
        Overridden  \(#fileID):1030
        Layer       'test'
      To fix, do one of these:
        • Remove it, or let the code under test ask for 'Int' named "1".
        • Allow it:  withOverrides(.check(.unusedOverride, .off)) { … } operation: { … }
      """, isError: false, line: 1030, file: #fileID)
    try await expectIssues([single]) { $0.install(Numbers(names: ["1"])) }
  }

  @Test(arguments: [OverrideOptions(), .strict])
  func `is not told if the test uses one of its overrides`(options: OverrideOptions) async throws {
    try await expectIssues([], under: options) {
      $0.install(Numbers(names: ["1", "2", "3"]))
    } asking: {
      _ = try $0.resolve(Int.self, named: "2")
    }
  }
}

/// Two different assemblies of one type are two, and two equal ones are one.
@Suite struct `Assemblies of one type` {
  private struct Plain: Assembly {
    let name: String
    var further: [String] = []
    var block: @Sendable () -> Int = { 1 }

    func assemble(into registrar: some Registering) {
      registrar.register(name, named: name)
      registrar.register([name] + further)
    }
  }

  private struct Once: Assembly {
    let block: @Sendable () throws -> [String]

    func assemble(into registrar: some Registering) {
      registrar.register(lifecycle: .once) { try block() }
    }
  }

  /// Equal by its name, whatever its other properties.
  private struct Equal: Assembly, Equatable {
    let name: String
    var further = 0

    func assemble(into registrar: some Registering) {
      registrar.register(further, named: name)
    }

    static func == (left: Equal, right: Equal) -> Bool { left.name == right.name }
  }

  private enum Case: Assembly {
    case first, second(Int), third

    func assemble(into registrar: some Registering) {
      switch self {
      case .first: registrar.register(1, named: "first")
      case .third: registrar.register(3, named: "third")
      case .second(let number): registrar.register(number, named: "second \(number)")
      }
    }
  }

  private final class Object: Assembly {
    let number: Int

    init(_ number: Int) { self.number = number }

    func assemble(into registrar: some Registering) {
      registrar.register(number, named: "object \(number)")
    }
  }

  private struct Whole: Assembly {
    let dependencies: [any Assembly]

    init(_ dependencies: any Assembly...) { self.dependencies = dependencies }

    func assemble(into registrar: some Registering) {}
  }

  /// The registered names after the assembly was installed or loaded.
  private func names(_ whole: Whole, isLoaded: Bool) throws -> [String] {
    let resolver = Resolver()
    if isLoaded { try resolver.load(whole) } else { resolver.install(whole) }
    return resolver.keys.compactMap { ($0.name?.base as? String) }
  }

  @Test(arguments: [true, false])
  func `are all added if they are not equal`(isLoaded: Bool) throws {
    func names(_ dependencies: any Assembly...) throws -> [String] {
      try self.names(Whole(Whole(dependencies[0]), Whole(dependencies[1])), isLoaded: isLoaded)
    }
    try #expect(names(Plain(name: "a"), Plain(name: "b")) == ["a", "b"])
    try #expect(names(Plain(name: "a"), Plain(name: "a") { 2 }) == ["a"])
    try #expect(names(Equal(name: "a"), Equal(name: "b")) == ["a", "b"])
    try #expect(names(Equal(name: "a"), Equal(name: "a", further: 2)) == ["a"])
    try #expect(names(Case.first, Case.second(2)) == ["first", "second 2"])
    try #expect(names(Case.first, Case.third) == ["first", "third"])
    try #expect(names(Case.third, Case.third) == ["third"])
    try #expect(names(Case.second(2), Case.second(3)) == ["second 2", "second 3"])
    try #expect(names(Case.second(2), Case.second(2)) == ["second 2"])
    try #expect(names(Object(1), Object(1)) == ["object 1"] || isLoaded)
    try #expect(names(Object(1), Object(2)) == ["object 1", "object 2"])
  }

  @Test func `replace a registration that both add, on a layer too`() throws {
    let resolver = Resolver()
    let whole = Whole(Plain(name: "a"), Plain(name: "a", further: ["b"]))
    resolver.install(whole)
    try #expect(resolver.resolve([String].self) == ["a", "b"])
    try withOverrides(.check(.unusedOverride, .off), of: resolver) {
      $0.install(Whole(Plain(name: "c"), Plain(name: "d")))
    } operation: {
      try #expect(resolver.resolve([String].self) == ["d"])
      try #expect(resolver.resolve(String.self, named: "c") == "c")
    }
  }

  @Test func `are loaded once each, and unloaded separately`() throws {
    let resolver = Resolver()
    try resolver.load(Plain(name: "a"), Plain(name: "b"))
    try resolver.load(Plain(name: "a"))
    #expect(!resolver.unload(Plain(name: "c")))
    #expect(resolver.unload(Plain(name: "b")))
    try #expect(resolver.resolve(String?.self, named: "b") == nil)
    try #expect(resolver.resolve(String.self, named: "a") == "a")
    #expect(resolver.unload(Plain(name: "a") { 3 }))
    #expect(resolver.keys.isEmpty)
  }

  @Test(arguments: [AssemblyPriority.normal, .high])
  func `are loaded while a block of one makes its only instance`(priority: AssemblyPriority) throws
  {
    let resolver = Resolver()
    let other = Plain(name: "other")
    let isThere = Lock(true)
    let once = Once { [unowned resolver] in
      try resolver.load(other, priority: priority)
      isThere.withLock { $0 = resolver.contains(Key<[String]>()) }
      return ["only"]
    }
    try resolver.load(once)
    try #expect(resolver.resolve([String].self) == ["only"])
    // The block is in use. Only an assembly of higher priority answers meanwhile.
    #expect(isThere.withLock { $0 } == (priority == .high))
    if priority == .high { try #expect(resolver.resolve([String].self) == ["other"]) }
    #expect(resolver.unload(other))
    #expect(!resolver.contains(Key<[String]>()))
  }

  @Test func `are complete for each thread that loads them`() throws {
    for _ in 0..<200 {
      let resolver = Resolver()
      let values = try Threads.run(4) { _ in
        try resolver.load(Plain(name: "shared"))
        return try resolver.resolve(String.self, named: "shared")
      }
      try #expect(values.map { try $0.get() } == Array(repeating: "shared", count: 4))
    }
  }

  @Test func `do not return when they are loaded again after a registration by hand`() throws {
    let resolver = Resolver()
    let assembly = Plain(name: "shared")
    try resolver.load(assembly)
    let key = resolver.register("by hand", named: "shared")
    #expect(resolver.unregister(key))
    try resolver.load(assembly)
    #expect(!resolver.contains(key))
  }

  private final class LastRequest: Sendable {
    private let request: @Sendable () -> Void

    init(_ request: @escaping @Sendable () -> Void) { self.request = request }

    deinit { request() }
  }

  private struct Keeping: PrioritizedAssembly {
    let priority: AssemblyPriority
    let request: @Sendable () -> Void

    func assemble(into registrar: some Registering) {
      registrar.register(lifecycle: .cached) { LastRequest(request) }
    }
  }

  /// The registration that answers next is there when the instance of the unloaded one goes.
  @Test(arguments: [false, true])
  func `leave no moment without an answer when they are unloaded`(isByHand: Bool) throws {
    let resolver = Resolver()
    let next = LastRequest {}
    if isByHand {
      resolver.register(lifecycle: .cached) { next }
    } else {
      try resolver.load(Keeping(priority: .low) {})
    }
    let found = Box<Bool?>(nil)
    let front = Keeping(priority: .high) { [unowned resolver] in
      found.value = (try? resolver.resolve(LastRequest.self)) != nil
    }
    try resolver.load(front)
    _ = try resolver.resolve(LastRequest.self)
    #expect(resolver.unload(front))
    #expect(found.value == true)
  }

  @Test func `always leave an answer for other threads while they come and go`() throws {
    let resolver = Resolver()
    resolver.register("by hand", named: "shared")
    let isOver = Box(false)
    let failures = Tally()
    try Threads.run {
      defer { isOver.value = true }
      for _ in 0..<1_000 {
        try resolver.load(Plain(name: "shared"), priority: .high)
        resolver.unload(Plain(name: "shared"))
      }
    } _: {
      while !isOver.value {
        if (try? resolver.resolve(String.self, named: "shared")) == nil { failures.next() }
      }
    }
    #expect(failures.count == 0)
  }

  /// All assemblies add one key that hides an earlier registration. The thread sanitizer checks the
  /// reads of the loaded assemblies.
  @Test func `are loaded and unloaded on several threads at once`() throws {
    let resolver = Resolver()
    resolver.register(["direct"])
    let shared = Plain(name: "shared")
    _ = try Threads.run(4) { thread in
      for round in 0..<50 {
        let assembly = Plain(name: "\(thread) \(round)")
        try resolver.load(assembly, shared, priority: AssemblyPriority(round % 3))
        _ = resolver.graph
        #expect(
          (try? resolver.resolve(String.self, named: assembly.name)) == assembly.name)
        #expect(resolver.unload(assembly))
      }
    }
    // One of the threads has loaded it, once.
    try #expect(resolver.resolve([String].self) == ["shared"])
    #expect(resolver.unload(shared))
    #expect(!resolver.unload(shared))
    #expect(resolver.keys == [AnyKey(Key<[String]>())])
    try #expect(resolver.resolve([String].self) == ["direct"])
  }
}
