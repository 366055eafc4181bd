// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyTesting

private protocol Courier: Sendable {
  var name: String { get }
}

private struct LiveCourier: Courier {
  static let made = Lock(0)
  let name = "live"
  init() { LiveCourier.made.withLock { $0 += 1 } }
}

private struct FakeCourier: Courier {
  let name = "fake"
}

extension Dependencies {
  fileprivate static let courier = Dependency<any Courier>(inTests: .mustBeOverridden, line: 801) {
    Issue.record("the live block ran")
    return LiveCourier()
  }
}

extension Dependencies {
  fileprivate static let allowedCourier = Dependency<any Courier>(line: 802) {
    writeToStandardError("the live block ran")
    return LiveCourier()
  }
}

/// The host of a test target with a guard, as `Docs/Examples/LiveGuard` has it.
private struct GuardedTarget: TestHost {
  var forbidsLive: Bool { true }
  func testOfCallingTask() -> RunningTest? { nil }
  func isSkip(_ error: any Error) -> Bool { false }
  func runningCase() -> RunningTest? { nil }
  func report(_ violation: Violation) -> Bool { false }
}

private let adopting = Resolver(named: "adopting")

/// A host that collects violations, and whose tasks belong to no test.
private final class CollectingHost: TestHost {
  let reported = Lock<[Violation]>([])
  func testOfCallingTask() -> RunningTest? { nil }
  func isSkip(_ error: any Error) -> Bool { false }
  func runningCase() -> RunningTest? { nil }
  func report(_ violation: Violation) -> Bool {
    reported.withLock { $0.append(violation) }
    return false
  }
}

/// A host that prints the issues of a test.
private struct PrintingHost: TestHost {
  func testOfCallingTask() -> RunningTest? {
    RunningTest(name: "a test", adoptsEscapedWork: false)
  }
  func isSkip(_ error: any Error) -> Bool { false }
  func runningCase() -> RunningTest? { nil }
  func report(_ violation: Violation) -> Bool {
    writeToStandardError("Issue: \(violation)")
    return false
  }
}

private struct Parcel {
  @Inject var courier: any Courier
  @Inject(\.courier) var declared
  @LazyInject var later: any Courier
  @InjectAll var all: [any Courier]
  @WeakInject var weak: (any Courier)?
  @WeakLazyInject var found: (any Courier)?
}

private let file = #fileID

/// Production must not answer in tests unless a key is overridden or allowed.
@Suite struct `A live guard` {
  private let resolver = Resolver(named: "shop")

  init() { RunIssues.claim() }

  private func guarded(_ text: String, line: Int, by guardian: String, registered: Int = 700)
    -> String
  {
    """
    \(text) must be overridden in tests, and production would have answered.
      At          \(file):\(line)
      Consulted   production of 'shop' (1 registration)
      Guarded by  \(guardian)
      Registered  \(file):\(registered)
    To fix, do one of these:
      • Override it:  withOverrides(of: …) { $0.register { … as any Courier } } operation: { … }
      • Allow it:  @Test(.overrides(allowing: (any Courier).self))
    """
  }

  private func register(_ inTests: LiveGuard?) {
    resolver.register(inTests: inTests, line: 700) {
      Issue.record("the live block ran")
      return LiveCourier() as any Courier
    }
  }

  @Test func `on a registration throws, and is an issue of the test, with or without a layer`()
    async throws
  {
    register(.mustBeOverridden)
    let text = guarded("'any Courier'", line: 901, by: "its registration")
    let resolver = resolver
    try await expect(issues: [.error(text, line: 901)]) {
      let error = #expect(throws: ResolutionError.self) {
        try resolver.resolve((any Courier).self, line: 901)
      }
      #expect(error?.description == text)
    }
    try await expect(issues: [
      .error(text.consulting("layer 'inner' (0 registrations), "), line: 901)
    ]) {
      withOverrides(of: resolver, named: "inner") { _ in
      } operation: {
        _ = try? resolver.resolve((any Courier).self, line: 901)
      }
    }
  }

  @Test func `holds for escaped work, as an issue of the run`() async {
    register(.mustBeOverridden)
    let resolver = resolver
    let text = guarded("'any Courier'", line: 905, by: "its registration")
    let error = await Task.detached {
      #expect(throws: ResolutionError.self) { try resolver.resolve((any Courier).self, line: 905) }
    }.value
    #expect(error?.description == text)
    #expect(RunIssues.take(mentioning: ":905").map { Caught($0) } == [.error(text, line: 905)])
  }

  @Test func `of a test that adopts escaped work covers that work if no other test is live`() async
  {
    await #expect(processExitsWith: .success) {
      TestHosts.install(CollectingHost())
      adopting.register { FakeCourier() as any Courier }
      var traits = LayerTraits(of: adopting, named: "only", on: nil, at: .unknown)
      traits.options = .live(.mustBeOverridden)
      traits.test = RunningTest(name: "only", adoptsEscapedWork: true)
      let layer = OverrideLayer(traits)
      let error = await Task.detached {
        #expect(throws: ResolutionError.self) { try adopting.resolve((any Courier).self) }
      }.value
      _ = layer.end()
      guard error?.description.contains("Guarded by  the layer 'only'") == true else {
        fatalError("\(String(describing: error))")
      }
    }
  }

  @Test func `lets an override answer`() throws {
    register(.mustBeOverridden)
    let name = try withOverrides(of: resolver) {
      $0.register { FakeCourier() as any Courier }
    } operation: {
      try resolver.resolve((any Courier).self).name
    }
    #expect(name == "fake")
  }

  @Test(arguments: ["type", "layer", "registration", "resolver"])
  func `lets production answer if it is allowed`(by place: String) throws {
    let resolver = Resolver()
    resolver.inTests = place == "resolver" ? nil : .mustBeOverridden
    resolver.register(inTests: place == "registration" ? .allowed : nil) {
      FakeCourier() as any Courier
    }
    let name = try withOverrides(
      place == "layer" ? .live(.allowed) : [], of: resolver,
      allowing: place == "type" ? (any Courier).self : Int.self
    ) { _ in
    } operation: {
      try resolver.resolve((any Courier).self).name
    }
    #expect(name == "fake")
  }

  @Test
  func `on a resolver covers all its answers, and its children unless they set their own`()
    async throws
  {
    register(nil)
    resolver.inTests = .mustBeOverridden
    let (child, free) = (Resolver(named: "child", parent: resolver), Resolver(parent: resolver))
    free.inTests = .allowed
    #expect(resolver.inTests == .mustBeOverridden && child.inTests == nil)
    let text = guarded("'any Courier'", line: 902, by: "the resolver 'shop'")
    let resolver = resolver
    try await expect(issues: [.error(text, line: 902)]) {
      _ = try? resolver.resolve((any Courier).self, line: 902)
    }
    withKnownIssue {
      #expect((try? child.resolve((any Courier).self)) == nil)
    } matching: {
      $0.comments.contains { $0.rawValue.contains("Guarded by  the resolver 'shop'") }
    }
    // The block throws to show that it ran.
    withKnownIssue { try #expect(free.resolve((any Courier).self).name == "live") }
  }

  @Test func `on a declared dependency holds for a prepared default`() {
    let resolver = resolver
    resolver.prepare(\.courier) { FakeCourier() }
    let courier = withResolver(resolver) { Inject(\.courier) }
    #expect(!courier.isAvailable)
    withKnownIssue { _ = try? courier.get() }
  }

  @Test func `is evaluated again after the resolver's setting has changed`() throws {
    resolver.register(lifecycle: .cached) { FakeCourier() as any Courier }
    #expect(try resolver.resolve((any Courier).self).name == "fake")
    resolver.inTests = .mustBeOverridden
    withKnownIssue { _ = try resolver.resolve((any Courier).self) }
    resolver.inTests = nil
    #expect(try resolver.resolve((any Courier).self).name == "fake")
  }

  @Test func `on a layer covers keys that the layer does not override`() async throws {
    resolver.register(line: 700) { FakeCourier() as any Courier }
    let text = guarded("'any Courier'", line: 903, by: "the layer 'suite'")
      .consulting("layer 'suite' (0 registrations), ")
    let resolver = resolver
    try await expect(issues: [.error(text, line: 903)]) {
      await Stage.besideUnguardedTest {
        withOverrides(.live(.mustBeOverridden), of: resolver, named: "suite") { _ in
        } operation: {
          _ = try? resolver.resolve((any Courier).self, line: 903)
        }
      }
    }
  }

  /// An allowed type may be live on any resolver.
  @Test(arguments: [false, true])
  func `is lifted for all resolvers by a layer that allows the type`(isNested: Bool) throws {
    let (resolver, other) = (Resolver(), Resolver())
    resolver.register(inTests: .mustBeOverridden) { FakeCourier() as any Courier }
    func resolvedName() throws -> String {
      try withOverrides(of: other, allowing: (any Courier).self) { _ in
      } operation: {
        try resolver.resolve((any Courier).self).name
      }
    }
    guard isNested else { return try #expect(resolvedName() == "fake") }
    try withOverrides(of: resolver) { _ in
    } operation: {
      try #expect(resolvedName() == "fake")
    }
    // The exception ends with its layer.
    withKnownIssue { _ = try resolver.resolve((any Courier).self) }
  }

  @Test(arguments: [false, true])
  func `on a layer covers all resolvers`(isNested: Bool) async throws {
    let (resolver, other) = (Resolver(), Resolver())
    resolver.register { FakeCourier() as any Courier }
    @Sendable func ask() {
      withOverrides(.live(.mustBeOverridden), of: other, named: "suite") { _ in
      } operation: {
        let error = #expect(throws: ResolutionError.self) {
          try resolver.resolve((any Courier).self)
        }
        #expect(error?.description.contains("Guarded by  the layer 'suite'") == true)
      }
    }
    await withKnownIssue {
      await Stage.besideUnguardedTest {
        guard isNested else { return ask() }
        withOverrides(of: resolver) { _ in
        } operation: {
          ask()
        }
      }
    }
  }

  @Test func `hides the live value from a decorator`() async throws {
    register(.mustBeOverridden)
    let resolver = resolver
    withKnownIssue {
      try withOverrides(of: resolver) {
        $0.decorate((any Courier).self) { $0 }
      } operation: {
        _ = try resolver.resolve((any Courier).self)
      }
    }
  }

  private struct Production: Assembly {
    func assemble(into registrar: some Registering) {
      registrar.register(inTests: .mustBeOverridden) {
        Issue.record("the live block ran")
        return LiveCourier() as any Courier
      }
    }
  }

  @Test func `holds for an assembly that a layer installs`() throws {
    let resolver = resolver
    let message = Lock<String?>(nil)
    withKnownIssue {
      try withOverrides(of: resolver) {
        $0.install(Production())
      } operation: {
        do { _ = try resolver.resolve((any Courier).self) } catch {
          message.withLock { $0 = "\(error)" }
          throw error
        }
      }
    }
    #expect(message.withLock { $0 }?.hasPrefix("'any Courier' must be overridden in tests") == true)
    let courier = try withOverrides(of: resolver) {
      $0.install(Production())
      $0.register { FakeCourier() as any Courier }
    } operation: {
      try resolver.resolve((any Courier).self)
    }
    #expect(courier.name == "fake")
  }

  private final class Depot: Sendable {
    let courier: (any Courier)?
    init(_ courier: (any Courier)?) { self.courier = courier }
  }

  private struct Live: Assembly {
    func assemble(into registrar: some Registering) {
      registrar.register(inTests: .mustBeOverridden) { FakeCourier() as any Courier }
    }
  }

  /// The result does not depend on the scope that asked first.
  @Test(arguments: [true, false])
  func `holds for an owner of an installed registration, whichever scope asks first`(
    allowsFirst: Bool
  ) throws {
    let resolver = resolver
    resolver.register(lifecycle: .cached) { Depot(try? $0.resolve((any Courier).self)) }
    try withOverrides(of: resolver, isBoundary: true) {
      $0.install(Live())
    } operation: {
      func outer() throws -> Depot {
        var depot: Depot?
        withKnownIssue(isIntermittent: true) { depot = try resolver.resolve() }
        return try #require(depot)
      }
      func inner() throws -> Depot {
        try withOverrides(.live(.allowed), of: resolver) { _ in
        } operation: {
          try resolver.resolve()
        }
      }
      let depots = allowsFirst ? [try inner(), try outer()] : [try outer(), try inner()]
      #expect(depots.map { $0.courier == nil } == [!allowsFirst, allowsFirst])
    }
  }

  @Test func `covers T? and [T]`() throws {
    register(.mustBeOverridden)
    withKnownIssue { _ = try resolver.resolve((any Courier)?.self) }
    withKnownIssue { _ = try resolver.resolve([any Courier].self) }
  }

  @Test func `covers an asynchronous block`() async throws {
    resolver.register(inTests: .mustBeOverridden) { () async in
      Issue.record("the live block ran")
      return LiveCourier() as any Courier
    }
    let resolver = resolver
    await withKnownIssue { _ = try await resolver.resolveAsync((any Courier).self) }
  }

  @Test func `leaves a once registration unclaimed`() throws {
    resolver.register(1, lifecycle: .once, inTests: .mustBeOverridden)
    withKnownIssue { _ = try resolver.resolve(Int.self) }
    resolver.inTests = nil
    let value = try withOverrides(.live(.allowed), of: resolver) { _ in
    } operation: {
      try resolver.resolve(Int.self)
    }
    #expect(value == 1)
  }

  @Test func `is stored by wrappers until they are read`() async throws {
    register(.mustBeOverridden)
    let resolver = resolver
    let parcel = withResolver(resolver) { Parcel() }
    #expect(!parcel.$courier.isAvailable && !parcel.$declared.isAvailable)
    #expect(!parcel.$later.isAvailable && !parcel.$all.isAvailable)
    #expect(!parcel.$weak.isAvailable && !parcel.$found.isAvailable)
    withKnownIssue { _ = try? parcel.$courier.get() }
    withKnownIssue { _ = try? parcel.$declared.get() }
    withKnownIssue { _ = try? parcel.$later.get() }
    withKnownIssue { _ = try? parcel.$all.get() }
    withKnownIssue { _ = try? parcel.$weak.get() }
    withKnownIssue { _ = try? parcel.$found.get() }
  }

  @Test func `is one issue when a weak wrapper is read`() async throws {
    register(.mustBeOverridden)
    let resolver = resolver
    let text = guarded("'any Courier'", line: 904, by: "its registration")
    try await expect(issues: [.error(text, line: 904), .error(text, line: 904)]) {
      withResolver(resolver) {
        let weak = WeakInject<any Courier>(line: 904)
        let found = WeakLazyInject<any Courier>(line: 904)
        #expect(weak.wrappedValue == nil && found.wrappedValue == nil)
      }
    }
  }

  @Test(arguments: ["guard", "strict", "allowed"])
  func `and strict mode hold for an object that is older than the layer`(kind: String) {
    struct Outbox: Sendable {
      @LazyInject var lazy: any Courier
      @Inject var provider: Provider<any Courier>
      @WeakLazyInject var weak: (any Courier)?
    }
    let resolver = Resolver()
    resolver.register(inTests: kind == "allowed" ? .allowed : nil) { LiveCourier() as any Courier }
    let outbox = withResolver(resolver) { Outbox() }
    let options: OverrideOptions = kind == "strict" ? .strict : .live(.mustBeOverridden)
    let kinds = Lock<[String?]>([])
    withKnownIssue(isIntermittent: kind == "allowed") {
      withOverrides(options, of: resolver) { _ in
      } operation: {
        let found = [
          resolutionError { _ = try outbox.$lazy.get() },
          resolutionError { _ = try outbox.provider() },
          resolutionError { _ = try outbox.$weak.get() },
        ].map { $0?.kind }
        kinds.withLock { $0 = found }
      }
    }
    let expected: String? =
      switch kind {
      case "guard": "mustBeOverridden"
      case "strict": "fellThrough"
      default: nil
      }
    if kind == "allowed" {
      // The value of the weak wrapper is no object.
      #expect(kinds.withLock { $0.prefix(2) } == [nil, nil])
    } else {
      #expect(kinds.withLock { $0 } == [expected, expected, expected])
    }
  }

  #if os(Linux) || os(macOS)
    @Test func `ends the process when a guarded declared dependency is read without an override`()
      async throws
    {
      let result = try await #require(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        _ = Resolver().resolve(\.courier)
      }
      let text = String(decoding: result.standardErrorContent, as: UTF8.self)
      #expect(text.contains("must be overridden in tests"), "\(text)")
      #expect(!text.contains("the live block ran"))
    }

    /// `resolve(\.x)` cannot throw, so it ends the process as the read of a wrapper does. The test
    /// has the issue before that.
    @Test(arguments: Refusal.allCases)
    private func `ends the process if the layer has no value for a declared dependency`(
      refusal: Refusal
    ) async throws {
      let result = try await #require(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) { [refusal] in
        TestHosts.install(PrintingHost())
        withOverrides(refusal.options) {
          refusal.configure($0)
        } operation: {
          _ = Resolver.main.resolve(\.allowedCourier)
        }
      }
      let output = String(decoding: result.standardErrorContent, as: UTF8.self)
      let parts = output.split(separator: refusal.text, omittingEmptySubsequences: false)
      #expect(parts.count == 3, "\(output)")
      #expect(parts.first?.contains("Issue: ") == true)
      #expect(parts.dropFirst().first?.contains("Fatal error") == true)
      #expect(!output.contains("the live block ran"))
    }

    @Test func `on a test target covers every resolver`() async {
      await #expect(processExitsWith: .success) {
        TestHosts.install(GuardedTarget())
        let resolver = Resolver()
        resolver.register { FakeCourier() as any Courier }
        let error = #expect(throws: ResolutionError.self) {
          try resolver.resolve((any Courier).self)
        }
        guard error?.description.contains("Guarded by  the test target\n") == true else {
          fatalError("\(String(describing: error))")
        }
      }
    }

    @Test func `has no effect in a process without tests`() async {
      await #expect(processExitsWith: .success) {
        TestHosts.install(nil)
        let resolver = Resolver()
        resolver.inTests = .mustBeOverridden
        resolver.register(inTests: .mustBeOverridden) { FakeCourier() as any Courier }
        guard try resolver.resolve((any Courier).self).name == "fake" else {
          fatalError("no answer")
        }
      }
    }
  #endif
}

extension String {
  fileprivate func consulting(_ layers: String) -> String {
    replacing("Consulted   ", with: "Consulted   " + layers)
  }
}

/// The ways in which a layer refuses a declared dependency.
private enum Refusal: String, CaseIterable, Codable, Sendable {
  case strict, guarded, unimplemented, throwing, faulty

  var options: OverrideOptions {
    switch self {
    case .strict: .strict
    case .guarded: .live(.mustBeOverridden)
    default: []
    }
  }

  func configure(_ layer: OverrideLayer) {
    switch self {
    case .strict, .guarded: break
    case .unimplemented: layer.unimplemented(\.allowedCourier)
    case .throwing: layer.override(\.allowedCourier) { throw OnStrike() }
    case .faulty: layer.fault(\.allowedCourier, .throwing(OnStrike()))
    }
  }

  /// A part of the message.
  var text: String {
    switch self {
    case .strict: "fell through to production under"
    case .guarded: "Guarded by  the layer"
    case .unimplemented: "though the test says that it is unimplemented"
    case .throwing: "threw an error: on strike"
    case .faulty: "Fault       resolution 1, set at"
    }
  }
}

private struct OnStrike: Error, CustomStringConvertible {
  var description: String { "on strike" }
}
