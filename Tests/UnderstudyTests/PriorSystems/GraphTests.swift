// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

struct Front: Sendable { init(api: Backend, mailer: (any Mailer)?, plugins: [any Plugin]) {} }
struct Backend: Sendable { init(store: any Store, payments: any Payments) {} }
struct Left: Sendable { init(right: Right) {} }
struct Right: Sendable { init(left: Left) {} }
struct Before: Sendable { init(left: Left) {} }
struct Selfish: Sendable { init(selfish: Selfish) {} }
struct Holder: Sendable { init(middle: Between) {} }
struct Between: Sendable { init(user: User) {} }
struct Counted: Sendable { init(level: Int) {} }
struct Wanting: Sendable { init(service: any Servicing) {} }
struct Waiting: Sendable { init(left: Provider<Left>) {} }
struct Awaiting: Sendable { init(share: Double) {} }

extension Dependencies {
  static let clock = Dependency<Int>(lifecycle: .cached) { 12 }
}

@Suite struct `The graph` {
  let resolver = Resolver()
  private let counter = CallCounter()

  /// A graph with five kinds of edges, a layer, a missing dependency and an isolated node.
  static func shop() -> Resolver {
    let resolver = Resolver()
    resolver.register(autowiring: Front.init(api:mailer:plugins:))
    resolver.register(autowiring: Backend.init(store:payments:), lifecycle: .cached)
    resolver.register { SMTPMailer() as any Mailer }
    resolver.register(lifecycle: .cached) { Database() as any Store }
    resolver.register((any Plugin).self, named: "a <b>") { ToolPlugin(id: 1) }
    resolver.register((any Plugin).self, named: "\"c\"") { ToolPlugin(id: 2) }
    resolver.needing(Key<String>(named: "level"), Dependencies.clock.key)
      .register { (tries: Int) in Service(tries: tries) as any Servicing }
    resolver.register("high", named: "level")
    resolver.register(autowiring: Waiting.init(left:))
    resolver.register(1.5, named: "alone")
    return resolver
  }

  static func shopUnderLayer<Result>(_ body: (DependencyGraph) throws -> Result) rethrows -> Result
  {
    let resolver = shop()
    return try withOverrides(.check(.unusedOverride, .off), of: resolver, named: "doubles") {
      $0.register { FakeMailer() as any Mailer }
    } operation: {
      try body(resolver.graph)
    }
  }

  @Test func `edges come from autowiring, from stated needs and from the log`() throws {
    let mailer = resolver.register { SMTPMailer() as any Mailer }
    resolver.register(lifecycle: .cached) { Database() as any Store }
    resolver.register(autowiring: Api.init(mailer:store:))
    resolver.needing(mailer).needing((any Store)?.self).register(named: 1) { 1 }
    resolver.register(named: 2) { r in try r.resolve(Int.self, named: 1) }
    func edges() -> [String] {
      let graph = resolver.graph
      return graph.edges.map {
        "\(graph.nodes[$0.from].key.step) \($0.origin) \($0.kind) \(graph.nodes[$0.to].key.step)"
      }
    }
    let stated = [
      "Api autowired one any Mailer", "Api autowired one any Store",
      "Int named 1 stated one any Mailer", "Int named 1 stated optional any Store",
    ]
    #expect(edges() == stated)
    try withOverrides(of: resolver) { _ in
    } operation: {
      _ = try resolver.resolve(Int.self, named: 2)
      #expect(edges() == stated + ["Int named 2 seen one Int named 1"])
    }
  }

  @Test func `a valid graph passes, and nothing is created`() throws {
    resolver.register(lifecycle: .cached) { [counter] in
      _ = counter.next()
      return Database() as any Store
    }
    resolver.register { SMTPMailer() as any Mailer }
    resolver.register(autowiring: Api.init(mailer:store:))
    try resolver.graph.validate()
    #expect(counter.value == 0)
  }

  @Test func `every finding is thrown at once`() throws {
    resolver.register(autowiring: Backend.init(store:payments:))
    resolver.register((any Store).self, named: 1) { Database() }
    resolver.register((any Store).self, named: 2) { Database() }
    resolver.register(autowiring: Before.init(left:))
    resolver.register(autowiring: Left.init(right:))
    resolver.register(autowiring: Right.init(left:))
    resolver.register(autowiring: Holder.init(middle:), lifecycle: .cached)
    resolver.register(autowiring: Between.init(user:))
    resolver.register(lifecycle: .once) { User() }
    resolver.register("old", named: "level")
    resolver.register("new", named: "level")
    resolver.register { (tries: Int) in Service(tries: tries) as any Servicing }
    resolver.register(autowiring: Wanting.init(service:))
    resolver.register { () async throws -> Double in 1 }
    resolver.register(autowiring: Awaiting.init(share:))
    let error = #expect(throws: DependencyGraph.ValidationError.self) {
      try resolver.graph.validate()
    }
    let findings = try #require(error?.findings)
    #expect(
      findings.map { "\($0.kind): \($0.path.map(\.step).joined(separator: " → "))" } == [
        "missing: Backend → any Payments", "ambiguous: Backend → any Store",
        "cycle: Left → Right → Left", "captive: Holder → Between → User",
        "duplicate: String named \"level\"", "argumentNeeded: Wanting → any Servicing",
        "asynchronous: Awaiting → Double",
      ])
    #expect(error?.description.hasPrefix("The dependency graph has 7 findings.\n\n") == true)
    for kind in DependencyGraph.Finding.Kind.allCases where kind != .shadowed {
      #expect(findings.count { $0.kind == kind } == 1)
    }
    try resolver.graph.validate(ignoring: Set(DependencyGraph.Finding.Kind.allCases))
  }

  @Test func `a finding names the mistake, its place, and the remedies`() throws {
    resolver.register(autowiring: Left.init(right:))
    let line = #line - 1
    #expect(
      resolver.graph.findings.map(\.description) == [
        """
        'Left' needs 'Right', and nothing is registered for it.
          Path  Left → Right
          At    UnderstudyTests/GraphTests.swift:\(line)
        To fix, do one of these:
          • Register 'Right'.
          • Ask for it as an optional.
        """
      ])
  }

  /// Registers exactly one mistake, at lines that the expected texts name.
  private func registerWrongly(_ kind: DependencyGraph.Finding.Kind) throws {
    switch kind {
    case .cycle:
      resolver.register(autowiring: Left.init(right:), line: 1)
      resolver.register(autowiring: Right.init(left:), line: 2)
    case .ambiguous:
      resolver.register(autowiring: Counted.init(level:), line: 1)
      resolver.register(7, named: "low", line: 2)
      resolver.register(9, named: "high", line: 3)
    case .captive:
      resolver.register(autowiring: Holder.init(middle:), lifecycle: .cached, line: 1)
      resolver.register(autowiring: Between.init(user:), line: 2)
      resolver.register(lifecycle: .once, line: 3) { User() }
    case .shadowed:
      try resolver.load(Module(.high) { $0.register("high", line: 1) })
      try resolver.load(Module(.low) { $0.register("low", line: 2) })
    case .missing, .duplicate, .argumentNeeded, .asynchronous:
      Issue.record("\(kind) is told elsewhere")
    }
  }

  @Test(
    arguments: [
      (
        .cycle,
        """
        'Left' needs itself.
          Path  Left → Right → Left
          At    UnderstudyTests/GraphTests.swift:1
        To fix, do one of these:
          • Take a Provider of one of them.
          • Register one of them with 'then:'.
        """
      ),
      (
        .ambiguous,
        """
        'Counted' needs 'Int', and only other keys of its type are registered.
          Path        Counted → Int
          At          UnderstudyTests/GraphTests.swift:1
          Registered  'Int' named "low"
                      'Int' named "high"
        To fix, do one of these:
          • Ask for one of them by its name.
          • Register one without a name.
        """
      ),
      (
        .captive,
        """
        'Holder' is cached and holds 'User', which is not.
          Path   Holder → Between → User
          At     UnderstudyTests/GraphTests.swift:1
          Other  UnderstudyTests/GraphTests.swift:3
        To fix, do one of these:
          • Take a Provider of it.
          • Keep both, or neither.
        """
      ),
      (
        .shadowed,
        """
        A registration of 'String' never answers: another registration shadows it.
          At     UnderstudyTests/GraphTests.swift:2
          Other  UnderstudyTests/GraphTests.swift:1
        To fix, do one of these:
          • Remove it.
          • Allow it:  validate(ignoring: [.shadowed])
        """
      ),
    ] as [(DependencyGraph.Finding.Kind, String)])
  func `a finding of each kind has its text`(kind: DependencyGraph.Finding.Kind, text: String)
    throws
  {
    try registerWrongly(kind)
    let findings = resolver.graph.findings
    #expect(findings.map(\.kind) == [kind])
    #expect(findings.map(\.description) == [text])
    #expect(Resolver(parent: resolver).graph.findings == findings)
  }

  @Test func `a cycle names exactly its members, and two connected cycles are both reported`() {
    func state(_ from: Int, _ to: Int...) {
      resolver.needing(to.map { AnyKey(type: Prop.self, named: $0) })
        .register(named: from) { Prop(from) }
    }
    state(0, 1)
    state(1, 2)
    state(2, 1, 3)
    state(3, 2)
    state(4, 4)
    let cycles = resolver.graph.findings.filter { $0.kind == .cycle }.map { finding in
      finding.path.map { key in (0...4).first { AnyKey(type: Prop.self, named: $0) == key } ?? -1 }
    }
    #expect(cycles == [[1, 2, 1], [2, 3, 2], [4, 4]])
  }

  @Test func `a ring of completions is not a cycle, unless none of it is cached`() throws {
    func ring(_ lifecycle: Lifecycle) {
      resolver.needing(Key<Partner>(named: "B")).register(named: "A", lifecycle: lifecycle) { r in
        Partner("A", try r.resolve(named: "B"))
      }
      resolver.needing(Key<Partner>(named: "A")).register(named: "B") {
        Partner("B")
      } then: { partner, r in
        partner.other = try r.resolve(named: "A")
      }
    }
    ring(.cached)
    try resolver.graph.validate()
    #expect(resolver.graph.edges.count == 2)
    try withOverrides(of: resolver) { _ in
    } operation: {
      _ = try resolver.resolve(Partner.self, named: "A")
      try resolver.graph.validate()
    }
    try withOverrides(.check(.unusedOverride, .off), of: resolver) {
      $0.decorate(Partner.self, named: "B") { $0 }
    } operation: {
      try resolver.graph.validate()
    }
    resolver.reset()
    ring(.notCached)
    #expect(resolver.graph.findings.map(\.kind) == [.cycle])
  }

  @Test func `a decorated registration, or one with another argument, does not need itself`() throws
  {
    resolver.register { SMTPMailer() as any Mailer }
    resolver.register { (r: Resolver, level: Int) in
      level == 0 ? Prop() : try r.resolve(Prop.self, with: level - 1)
    }
    try withOverrides(of: resolver) {
      $0.decorate((any Mailer).self) { LoudMailer($0) }
    } operation: {
      _ = try resolver.resolve((any Mailer).self)
      _ = try resolver.resolve(Prop.self, with: 2)
      #expect(resolver.graph.edges == [])
      try resolver.graph.validate()
    }
  }

  @Test func `a decorator or a fault takes the argument of what it stands before`() {
    resolver.register { (tries: Int) in Service(tries: tries) as any Servicing }
    resolver.register(autowiring: Wanting.init(service:))
    withOverrides(.check(.unusedOverride, .off), of: resolver) {
      $0.decorate((any Servicing).self) { $0 }
    } operation: {
      #expect(resolver.graph.findings.map(\.kind) == [.argumentNeeded])
      withOverrides(.check(.unusedOverride, .off), of: resolver) {
        $0.fault((any Servicing).self, .throwing(Strike()))
      } operation: {
        #expect(resolver.graph.findings.map(\.kind) == [.argumentNeeded])
      }
    }
  }

  @Test(arguments: [Lifecycle.notCached, .once, .cached])
  func `an autowired type needs no value that each request must await`(lifecycle: Lifecycle) throws
  {
    struct Pool: Sendable {}
    struct Store { init(pool: Pool) {} }
    struct Lazily { init(pool: Provider<Pool>) {} }
    resolver.register(lifecycle: lifecycle) { () async throws -> Pool in Pool() }
    resolver.register(autowiring: Lazily.init(pool:))
    resolver.needing(Pool.self).register { "stated" }
    try resolver.graph.validate()
    resolver.register(autowiring: Store.init(pool:), line: 7)
    let (file, awaited) = (#fileID, lifecycle != .cached)
    #expect(resolver.graph.findings.map(\.kind) == (awaited ? [.asynchronous] : []))
    guard let text = resolver.graph.findings.first?.description else { return }
    #expect(
      text.hasPrefix(
        """
        'Store' is autowired, and needs 'Pool', which is created asynchronously.
          Path   Store → Pool
          At     \(file):7
        """), "\(text)")
  }

  @Test func `an autowired type needs no alias of a value that each request must await`() {
    let service = resolver.register { () async throws -> Service in Service(tries: 1) }
    resolver.alias(service, as: (any Servicing).self)
    resolver.register(autowiring: Wanting.init(service:))
    #expect(resolver.graph.findings.map(\.kind) == [.asynchronous])
  }

  @Test func `a provider breaks a cycle, and its type is still required`() throws {
    resolver.register(autowiring: Waiting.init(left:))
    resolver.needing(Waiting.self).register { r in Left(right: try r.resolve()) }
    try resolver.graph.validate()
    resolver.unregister(Left.self)
    #expect(resolver.graph.findings.map(\.kind) == [.missing])
  }

  @Test func `a cached value with a weak dependency is captive unless it is weak itself`() {
    let user = resolver.register(scopedTo: Signup.self) { User() }
    resolver.needing(user).register(named: "strong", lifecycle: .cached) { Prop() }
    resolver.needing(user).register(scopedTo: Signup.self) { Prop() }
    #expect(
      resolver.graph.findings.map(\.path)
        == [[AnyKey(type: Prop.self, named: "strong"), AnyKey(user)]])
  }

  @Test func `a captive is found through any number of registrations that are not cached`() {
    let user = resolver.register(scopedTo: Signup.self) { User() }
    resolver.needing(user).register(named: 3) { Prop() }
    for name in [2, 1, 0] {
      resolver.needing(Key<Prop>(named: name + 1))
        .register(named: name, lifecycle: name == 0 ? .cached : .notCached) { Prop() }
    }
    let path = (0...3).map { AnyKey(type: Prop.self, named: $0) } + [AnyKey(user)]
    #expect(resolver.graph.findings.map(\.path) == [path])
    #expect(resolver.graph.findings.map(\.kind) == [.captive])
  }

  @Test func `a declared dependency is never missing`() throws {
    resolver.needing(Dependencies.clock.key).register { 5 }
    try resolver.graph.validate()
    #expect(resolver.graph.nodes.map(\.kind) == [.registered, .declared])
  }

  @Test func `a registration that is repeated at one place is not a duplicate`() throws {
    for value in 1...2 { resolver.register(value) }
    try resolver.graph.validate()
  }

  @Test func `a replaced registration is a duplicate until it is removed, also in a layer`() {
    func places() -> [[Int]] {
      resolver.graph.findings.map { [$0.callSite?.line ?? 0, $0.otherCallSite?.line ?? 0] }
    }
    func check(_ registrar: some Registering, _ forget: (Key<Int>) -> Void) {
      registrar.register(1, line: 1)
      let key = registrar.register(2, line: 2)
      #expect(places() == [[2, 1]])
      registrar.register(3, line: 3)
      #expect(places() == [[3, 2]])
      registrar.register(4, line: 3)
      #expect(places() == [])
      registrar.register(lifecycle: .cached, line: 5) { 5 }
      #expect(places() == [[5, 3]])
      resolver.reset(.instances)
      #expect(places() == [[5, 3]])
      forget(key)
      registrar.register(6, line: 6)
      #expect(places() == [])
      forget(key)
    }
    check(resolver) { resolver.unregister($0) }
    withOverrides(.check(.unusedOverride, .off), of: resolver) { layer in
      OverrideLayer.binding(layer) { check(layer) { layer.unregister($0) } }
    } operation: {
    }
  }

  @Test func `the text equals the committed one`() {
    let text = `The graph`.shopUnderLayer { $0.text }
    #expect(
      text == #"""
        Front  notCached
        ├─ Backend  autowired
        ├─ any Mailer  autowired, optional
        ├─ any Plugin named "a <b>"  autowired, every
        └─ any Plugin named "\"c\""  autowired, every
        Backend  cached
        ├─ any Store  autowired
        └─ any Payments  autowired
        any Mailer  notCached, layer 'doubles'
        any Store  cached
        any Plugin named "a <b>"  notCached
        any Plugin named "\"c\""  notCached
        any Servicing  notCached, takes Int
        ├─ String named "level"  stated
        └─ \.clock  stated
        String named "level"  cached
        Waiting  notCached
        └─ Left  autowired, deferred
        Double named "alone"  cached
        any Payments  missing
        \.clock  cached, declared
        Left  missing
        """#)
  }
}
