// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyTesting

private protocol Courier: Sendable {
  var name: String { get }
}

/// What production would send. Counts how many blocks ran.
private final class Truck: Courier, Sendable {
  static let made = Lock(0)
  let name = "truck"
  init() { Truck.made.withLock { $0 += 1 } }
}

/// A part of the program that needs a courier, and is allowed in tests.
private final class Depot: Sendable {
  let courier: String
  init(_ courier: String) { self.courier = courier }
}

private final class Shed: Sendable {
  let courier: LazyInject<any Courier>
  init() { courier = LazyInject(line: 20) }
}

private struct Bench: Sendable {
  let provider: Provider<any Courier>
}

extension Dependencies {
  fileprivate static let truck = Dependency<any Courier> {
    writeToStandardError("the live block ran")
    return Truck()
  }
  fileprivate static let allowedTruck = Dependency<any Courier>(inTests: .allowed) { Truck() }
}

/// Tests whose names a task-local knows. Collects what is reported.
private final class Runner: TestHost {
  @TaskLocal static var test: RunningTest?
  let reported = Lock<[Violation]>([])
  private let running: RunningTest?

  init(running: RunningTest? = nil) {
    self.running = running
  }

  func testOfCallingTask() -> RunningTest? { Runner.test }
  func isSkip(_ error: any Error) -> Bool { false }
  func runningCase() -> RunningTest? { running }
  func report(_ violation: Violation) -> Bool {
    reported.withLock { $0.append(violation) }
    return false
  }

  /// Writes issues to standard error, for a process that ends.
  static func writing() -> any TestHost { Writing() }

  private struct Writing: TestHost {
    func testOfCallingTask() -> RunningTest? { Runner.test }
    func isSkip(_ error: any Error) -> Bool { false }
    func runningCase() -> RunningTest? { nil }
    func report(_ violation: Violation) -> Bool {
      writeToStandardError("Issue: \(violation)")
      return false
    }
  }
}

/// Registers something, and asks for it.
private struct Program {
  let name: String
  /// The result under a guard.
  let expected: String
  var register: @Sendable (Resolver) -> Void = { $0.register { Truck() as any Courier } }
  /// What production has cached before the test.
  var warm: @Sendable (Resolver) throws -> Void = { _ in }
  let ask: @Sendable (Resolver) async throws -> String

  static let refused = "mustBeOverridden any Courier, 1 issue, 1 event"
  static let refusedPart = "mustBeOverridden any Courier, 1 issue, 2 events"
  static func allowDepot(_ r: Resolver) {
    r.register { Truck() as any Courier }
    r.register(lifecycle: .cached, inTests: .allowed) { r in
      Depot(try r.resolve((any Courier).self, line: 20).name)
    }
  }

  static func allowPatientDepot(_ r: Resolver) {
    r.register { Truck() as any Courier }
    r.register(lifecycle: .cached, inTests: .allowed) { (r: Resolver) in
      Depot((try? r.resolve((any Courier).self, line: 20).name) ?? "none")
    }
  }

  static func allowShed(_ r: Resolver) {
    r.register { Truck() as any Courier }
    r.register(lifecycle: .cached, inTests: .allowed) { Shed() }
  }

  static let all: [Program] = [
    Program(name: "resolve", expected: refused) {
      try $0.resolve((any Courier).self, line: 20).name
    },
    Program(name: "an optional", expected: refused) {
      try $0.resolve((any Courier)?.self, line: 20)?.name ?? "none"
    },
    Program(name: "an array", expected: refused) {
      try $0.resolve([any Courier].self, line: 20).map(\.name).joined()
    },
    Program(name: "resolveAsync", expected: refused) {
      try await $0.resolveAsync((any Courier).self, line: 20).name
    },
    Program(
      name: "an asynchronous block", expected: refused,
      register: { $0.register { () async in Truck() as any Courier } }
    ) {
      try await $0.resolveAsync((any Courier).self, line: 20).name
    },
    Program(
      name: "a block of the main actor", expected: refused,
      register: { $0.register { @MainActor in Truck() as any Courier } }
    ) {
      try await $0.resolveAsync((any Courier).self, line: 20).name
    },
    Program(
      name: "an argument", expected: refused,
      register: { $0.register { (_: Int) in Truck() as any Courier } }
    ) {
      try $0.resolve((any Courier).self, with: 7, line: 20).name
    },
    Program(name: "a provider", expected: refused) {
      try Provider<any Courier>(of: $0)(line: 20).name
    },
    Program(name: "a resolved provider", expected: refused) {
      try $0.resolve(Provider<any Courier>.self)(line: 20).name
    },
    Program(name: "a wrapper that is not read", expected: "false, 0 issues, 1 event") {
      withResolver($0) { "\(Inject<any Courier>(line: 20).isAvailable)" }
    },
    Program(name: "a wrapper", expected: refused) {
      try withResolver($0) { try Inject<any Courier>(line: 20).projectedValue.get().name }
    },
    Program(name: "a lazy wrapper", expected: refused) {
      try withResolver($0) { try LazyInject<any Courier>(line: 20).projectedValue.get().name }
    },
    Program(name: "a wrapper of all", expected: refused) {
      try withResolver($0) {
        try InjectAll<any Courier>(line: 20).projectedValue.get().map(\.name).joined()
      }
    },
    Program(name: "a weak wrapper", expected: refused) {
      try withResolver($0) {
        try WeakInject<any Courier>(line: 20).projectedValue.get()?.name ?? "none"
      }
    },
    Program(name: "a weak lazy wrapper", expected: refused) {
      try withResolver($0) {
        try WeakLazyInject<any Courier>(line: 20).projectedValue.get()?.name ?? "none"
      }
    },
    Program(name: "a declared dependency", expected: #"mustBeOverridden \.truck, 1 issue, 1 event"#)
    {
      try withResolver($0) { try Inject(\.truck, line: 20).projectedValue.get().name }
    },
    Program(name: "an allowed declaration", expected: "truck, 0 issues, 0 events") {
      $0.resolve(\.allowedTruck).name
    },
    Program(
      name: "an allowed registration", expected: "truck, 0 issues, 0 events",
      register: { $0.register(inTests: .allowed) { Truck() as any Courier } }
    ) {
      try $0.resolve((any Courier).self, line: 20).name
    },
    // The guard of a layer comes before that of a resolver.
    Program(
      name: "an allowed resolver", expected: refused,
      register: {
        $0.inTests = .allowed
        $0.register { Truck() as any Courier }
      }
    ) {
      try $0.resolve((any Courier).self, line: 20).name
    },
    Program(name: "a child resolver", expected: refused) {
      try Resolver(parent: $0).resolve((any Courier).self, line: 20).name
    },
    Program(
      name: "an alias", expected: "mustBeOverridden Truck, 1 issue, 2 events",
      register: { $0.alias($0.register { Truck() }, as: (any Courier).self) }
    ) {
      try $0.resolve((any Courier).self, line: 20).name
    },
    Program(
      name: "a weak registration", expected: refused,
      register: {
        let truck = Truck()
        $0.register(weak: truck as any Courier)
        $0.register(named: "holder", inTests: .allowed) { truck }
      }
    ) {
      try $0.resolve((any Courier).self, line: 20).name
    },
    Program(
      name: "a value", expected: refused,
      register: { $0.register(Truck() as any Courier) }
    ) {
      try $0.resolve((any Courier).self, line: 20).name
    },
    Program(
      name: "a one-time registration", expected: refused,
      register: { $0.register(Truck() as any Courier, lifecycle: .once) }
    ) {
      try $0.resolve((any Courier).self, line: 20).name
    },
    Program(
      name: "a cached instance", expected: refused,
      register: { $0.register(lifecycle: .cached) { Truck() as any Courier } },
      warm: { _ = try ($0.resolve((any Courier).self), $0.resolve((any Courier).self)) }
    ) {
      try $0.resolve((any Courier).self, line: 20).name
    },
    Program(
      name: "existing", expected: "none, 0 issues, 0 events",
      register: { $0.register(lifecycle: .cached) { Truck() as any Courier } }
    ) {
      $0.existing((any Courier).self)?.name ?? "none"
    },
    Program(
      name: "existing, cached", expected: "none, 0 issues, 0 events",
      register: { $0.register(lifecycle: .cached) { Truck() as any Courier } },
      warm: { _ = try $0.resolve((any Courier).self) }
    ) {
      $0.existing((any Courier).self)?.name ?? "none"
    },
    Program(name: "a part", expected: refusedPart, register: allowDepot) {
      try $0.resolve(Depot.self).courier
    },
    Program(
      name: "a part of a cached instance", expected: refusedPart, register: allowDepot,
      warm: { _ = try $0.resolve(Depot.self) }
    ) {
      try $0.resolve(Depot.self).courier
    },
    Program(
      name: "a part of a cached instance, asked for asynchronously", expected: refusedPart,
      register: allowDepot, warm: { _ = try $0.resolve(Depot.self) }
    ) {
      try await $0.resolveAsync(Depot.self).courier
    },
    Program(
      name: "a part that can be missing", expected: "none, 1 issue, 1 event",
      register: allowPatientDepot
    ) {
      try $0.resolve(Depot.self).courier
    },
    Program(
      name: "a part of a cached instance that can be missing", expected: "none, 1 issue, 1 event",
      register: allowPatientDepot, warm: { _ = try $0.resolve(Depot.self) }
    ) {
      try $0.resolve(Depot.self).courier
    },
    Program(
      name: "a part of a cached instance that is not asked for again",
      expected: "none, 0 issues, 0 events",
      register: {
        let isAsked = Lock(false)
        $0.register { Truck() as any Courier }
        $0.register(lifecycle: .cached, inTests: .allowed) { r in
          let isFirst = isAsked.withLock { !exchange(&$0, with: true) }
          return Depot(isFirst ? try r.resolve((any Courier).self).name : "none")
        }
      },
      warm: { _ = try $0.resolve(Depot.self) }
    ) {
      try $0.resolve(Depot.self).courier
    },
    Program(
      name: "a part of a part that can be missing", expected: "none, 1 issue, 1 event",
      register: {
        allowPatientDepot($0)
        $0.register(lifecycle: .cached, inTests: .allowed) { r in
          [try r.resolve(Depot.self)]
        }
      }
    ) {
      try $0.resolve([Depot].self)[0].courier
    },
    Program(name: "a lazy part", expected: refused, register: allowShed) {
      try $0.resolve(Shed.self).courier.projectedValue.get().name
    },
    Program(
      name: "a lazy part of a cached instance", expected: refused, register: allowShed,
      warm: { _ = try $0.resolve(Shed.self) }
    ) {
      try $0.resolve(Shed.self).courier.projectedValue.get().name
    },
    Program(
      name: "a provider in an allowed instance", expected: refused,
      register: {
        $0.register { Truck() as any Courier }
        $0.register(lifecycle: .cached, inTests: .allowed) { Bench(provider: Provider()) }
      }
    ) {
      try $0.resolve(Bench.self).provider(line: 20).name
    },
  ]
}

/// The results of a program under a guard, and in production after it.
private struct Outcome: Equatable, CustomStringConvertible {
  var under = ""
  var after = ""
  var made = 0
  var lines: [Int] = []

  var description: String { "\(under); after: \(after); made: \(made); lines: \(lines)" }
}

/// Work that lost its context is refused production's answer if each live layer has the guard.
/// Other layers would lift it, so each test has a process of its own.
@Suite struct `A live guard of each live layer` {
  private static func root(
    _ name: String, of resolver: Resolver, _ options: OverrideOptions = .live(.mustBeOverridden),
    allowing types: [any Any.Type] = []
  ) -> OverrideLayer {
    var traits = LayerTraits(of: resolver, named: name, on: nil, at: .unknown)
    traits.test = RunningTest(name: name, adoptsEscapedWork: false)
    traits.isBoundary = true
    traits.options = options
    traits.allowed = types
    return OverrideLayer(traits)
  }

  private static func answer(_ program: Program, _ resolver: Resolver) async -> String {
    do throws(any Error) {
      return try await program.ask(resolver)
    } catch let error as ResolutionError {
      return "\(error.kind) \(error.key)".replacing("'", with: "")
    } catch {
      return "\(error)"
    }
  }

  private static func outcome(_ program: Program, isEscaped: Bool, _ host: Runner) async throws
    -> Outcome
  {
    let resolver = Resolver()
    program.register(resolver)
    try program.warm(resolver)
    host.reported.withLock { $0 = [] }
    Truck.made.withLock { $0 = 0 }
    let events = Lock(0)
    _ = resolver.observe { event in if event.kind == .failed { events.withLock { $0 += 1 } } }
    let layer = root("first", of: resolver)
    var outcome = Outcome()
    if isEscaped {
      outcome.under = await Task.detached { await answer(program, resolver) }.value
    } else {
      outcome.under = await OverrideLayer.binding(layer) {
        await Runner.$test.withValue(layer.test) { await answer(program, resolver) }
      }
    }
    _ = layer.end()
    let issues = host.reported.withLock { $0 }
    let count = events.withLock { $0 }
    outcome.under += ", \(issues.count) issue\(issues.count == 1 ? "" : "s")"
    outcome.under += ", \(count) event\(count == 1 ? "" : "s")"
    outcome.lines = issues.map(\.callSite.line)
    outcome.made = Truck.made.withLock { $0 }
    outcome.after = await answer(program, resolver)
    return outcome
  }

  /// The same as on the task of the test, whatever the form of the request is, and whatever
  /// production has cached. Production is as if the work had not asked.
  @Test func `refuses work that lost its context what it refuses the test`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let host = Runner()
      TestHosts.install(host)
      for program in Program.all {
        let own = try await Self.outcome(program, isEscaped: false, host)
        let escaped = try await Self.outcome(program, isEscaped: true, host)
        if own != escaped || own.under != program.expected {
          writeToStandardError(
            """
            \(program.name)
              expected \(program.expected)
              own      \(own)
              escaped  \(escaped)
            """)
        }
      }
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    // Production's answer after the test.
    #expect(text.replacing("the live block ran\n", with: "") == "")
  }

  @Test(arguments: ["all", "one", "inner", "allowed", "registration"])
  func `is one issue of the run, unless a layer has no guard or production is allowed`(
    place: String
  ) async throws {
    await #expect(processExitsWith: .success) { [place] in
      let resolver = Resolver(named: "shop")
      resolver.register(inTests: place == "registration" ? .allowed : nil, line: 700) {
        Truck() as any Courier
      }
      let host = Runner()
      TestHosts.install(host)
      let first = Self.root(
        "first", of: resolver, allowing: place == "allowed" ? [(any Courier).self] : [])
      let second = Self.root(
        "second", of: resolver, place == "one" ? [] : .live(.mustBeOverridden))
      var inner = LayerTraits(of: resolver, named: "inner", on: second, at: .unknown)
      inner.options = place == "inner" ? .live(.allowed) : []
      let innermost = OverrideLayer(inner)
      let text = """
        'any Courier' was asked for by work that belongs to no test, and production must not answer.
          At          \(#fileID):906
          Consulted   production of 'shop' (1 registration)
          Guarded by  the test 'first'
                      the test 'second'
          Registered  \(#fileID):700
        To fix, do one of these:
          • Carry the context:  let context = OverrideContext.current … context.run { … }
          • Allow it where it is registered:  inTests: .allowed
        """
      for _ in 1...2 {
        let answer = await Task.detached { () -> String in
          do throws(ResolutionError) {
            return try resolver.resolve((any Courier).self, line: 906).name
          } catch {
            return error.description
          }
        }.value
        guard answer == (place == "all" ? text : "truck") else { fatalError(answer) }
      }
      _ = (innermost.end(), first.end(), second.end())
      let said = host.reported.withLock { $0.map { Caught($0) } }
      guard said == (place == "all" ? [Caught.error(text, line: 906)] : []),
        Truck.made.withLock({ $0 }) == (place == "all" ? 0 : 2)
      else {
        fatalError("\(said)")
      }
    }
  }

  /// Such a layer belongs to no test. What it allows is allowed.
  @Test(arguments: [false, true])
  func `holds under a layer that such work has pushed`(isAllowed: Bool) async {
    await #expect(processExitsWith: .success) { [isAllowed] in
      let resolver = Resolver()
      resolver.register { Truck() as any Courier }
      TestHosts.install(Runner())
      let layer = Self.root("first", of: resolver)
      let answer = await Task.detached {
        withOverrides(of: resolver, allowing: isAllowed ? (any Courier).self : Int.self) { _ in
        } operation: {
          try? resolver.resolve((any Courier).self).name
        }
      }.value
      _ = layer.end()
      guard answer == (isAllowed ? "truck" : nil) else { fatalError("\(answer ?? "nil")") }
    }
  }

  /// It may use production, whatever other tests forbid.
  @Test func `lets production answer a test without a layer`() async {
    await #expect(processExitsWith: .success) {
      let resolver = Resolver()
      resolver.register { Truck() as any Courier }
      TestHosts.install(Runner())
      let layer = Self.root("first", of: resolver)
      let other = RunningTest(name: "without a layer", adoptsEscapedWork: false)
      let name = try await Runner.$test.withValue(other) {
        try await Task { try resolver.resolve((any Courier).self).name }.value
      }
      _ = layer.end()
      guard name == "truck" else { fatalError(name) }
    }
  }

  /// An object that production created before the test asks production. A case of XCTest takes all
  /// work, so it is as on the task of a test.
  @Test(arguments: [false, true])
  func `holds for what an older object asks for, but not in a case of XCTest`(isCase: Bool) async {
    await #expect(processExitsWith: .success) { [isCase] in
      let resolver = Resolver()
      Program.allowShed(resolver)
      let shed = try resolver.resolve(Shed.self)
      let test = RunningTest(name: "a case", adoptsEscapedWork: true, file: "")
      TestHosts.install(Runner(running: isCase ? test : nil))
      let layer = Self.root("first", of: resolver)
      let answer = await Task.detached { try? shed.courier.projectedValue.get().name }.value
      _ = layer.end()
      guard answer == (isCase ? "truck" : nil) else { fatalError("\(answer ?? "nil")") }
    }
  }

  /// The forms that cannot throw, and what they print last. If a test overrides the key, the work
  /// has the issue of that, and production must not answer either.
  @Test(arguments: ["declared", "property", "injected", "overridden", "overridden property"])
  func `ends the process where a form cannot throw`(form: String) async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [form] in
      TestHosts.install(Runner.writing())
      let resolver = Resolver()
      let layer = Self.root("first", of: resolver)
      if form.hasPrefix("overridden") { layer.override(\.truck) { Truck() } }
      await Task.detached {
        withResolver(resolver) {
          switch form {
          case "property", "overridden property": _ = Inject(\.truck).wrappedValue
          case "injected":
            resolver.register {
              writeToStandardError("the live block ran")
              return Truck()
            }
            _ = Resolver.injected(Truck.self)
          default: _ = resolver.resolve(\.truck)
          }
        }
      }.value
      _ = layer.end()
    }
    let output = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(!output.contains("the live block ran"), "\(output)")
    let end = try #require(output.split(separator: "Fatal error: ").last)
    let text =
      form == "overridden property"
      ? "a running test overrides it."
      : "by work that belongs to no test, and production must not answer."
    #expect(end.contains(text), "\(output)")
    let issues = output.split(separator: "Issue: ", omittingEmptySubsequences: false).count - 1
    #expect(issues == (form == "overridden" ? 2 : 1))
  }
}
