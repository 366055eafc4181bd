// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

private protocol Post: Sendable { func send(_ text: String) throws }

private struct Line: Sendable { let name: String }

private final class Outbox: Post {
  let sends = Spy<String, Void, any Error>("Outbox.send(_:)")
  let line: Line
  init(over line: Line = Line(name: "none")) { self.line = line }
  func send(_ text: String) throws { try sends(text) }
}

private final class PostSpy: Post {
  let sends = Spy<String, Void, any Error>("send(_:)")
  let wrapped: any Post
  init(forwardingTo post: any Post) {
    wrapped = post
    sends.forwards { try post.send($0) }
  }
  func send(_ text: String) throws { try sends(text) }
}

extension Dependencies {
  fileprivate static var post: Dependency<any Post> { Dependency(lifecycle: .cached) { Outbox() } }
}

private enum Visit: Scope {}
private enum Express: Qualifier {}

@Suite struct `A spy on the value below a layer` {
  let resolver = Resolver()

  @Test func `replaces the value and forwards to it`() throws {
    let outbox = Outbox()
    resolver.register { outbox as any Post }
    try withOverrides(of: resolver) {
      let spy = try $0.spy(on: (any Post).self) { PostSpy(forwardingTo: $0) }
      spy.sends.when("lost").throws(Lost())
    } operation: {
      let post: any Post = try resolver.resolve()
      try post.send("hello")
      #expect(throws: Lost.self) { try post.send("lost") }
      #expect((post as? PostSpy)?.sends.calls == ["hello", "lost"])
    }
    #expect(outbox.sends.calls == ["hello"])
    #expect(try resolver.resolve((any Post).self) is Outbox)
  }

  @Test func `replaces the value under a whole key`() throws {
    let outbox = Outbox()
    resolver.register(
      named: "n", scopedTo: Visit.self, qualifiedBy: Express.self, in: "c"
    ) { outbox }
    try withOverrides(of: resolver) {
      _ = try $0.spy(
        on: Outbox.self, named: "n", scopedTo: Visit.self, qualifiedBy: Express.self, in: "c"
      ) { Outbox(over: Line(name: "over \($0.line.name)")) }
    } operation: {
      let found = try resolver.resolve(
        Outbox.self, named: "n", scopedTo: Visit.self, qualifiedBy: Express.self, in: "c")
      #expect(found.line.name == "over none")
    }
  }

  @Test func `replaces a declared dependency`() throws {
    let resolver = resolver
    try withOverrides(of: resolver) {
      _ = try $0.spy(on: \.post) { PostSpy(forwardingTo: $0) }
    } operation: {
      let post = resolver.resolve(\.post)
      try post.send("hello")
      let spy = try #require(resolver.existing(\.post, as: PostSpy.self))
      #expect(spy.sends.calls == ["hello"])
      #expect((spy.wrapped as? Outbox)?.sends.calls == ["hello"])
    }
    #expect(resolver.resolve(\.post) is Outbox)
    #expect(throws: NotADouble.self) {
      try withOverrides(of: resolver) {
        _ = try $0.spy(on: \.post) { _ in Line(name: "none") }
      } operation: {
      }
    }
  }

  @Test(arguments: [true, false])
  func `wraps an instance that is made of the layer's own doubles`(isInsideAnother: Bool) throws {
    resolver.register { Line(name: "live") }
    resolver.register { r in Outbox(over: try r.resolve(Line.self)) as any Post }
    try withOverrides(of: resolver, isBoundary: true) { layer in
      layer.register { Line(name: "double") }
      guard isInsideAnother else { return try spy(layer) }
      try withOverrides(.check(.unusedOverride, .off), of: resolver) {
        $0.register { Line(name: "double of another layer") }
      } operation: {
        try spy(layer)
      }
    } operation: {
      let spy = try #require(try resolver.resolve((any Post).self) as? PostSpy)
      #expect((spy.wrapped as? Outbox)?.line.name == "double")
    }
  }

  private func spy(_ layer: OverrideLayer) throws {
    try layer.spy(on: (any Post).self) { PostSpy(forwardingTo: $0) }
  }

  @Test func `belongs to the layer`() throws {
    resolver.register { Outbox() as any Post }
    try withOverrides(of: resolver, named: "outer") { outer in
      try withOverrides(of: resolver, named: "inner") { _ in
      } operation: {
        let spy = try outer.spy(on: (any Post).self) {
          #expect(OverrideLayer.current?.name == "outer")
          return PostSpy(forwardingTo: $0)
        }
        try spy.send("from within")
      }
    } operation: {
      try resolver.resolve((any Post).self).send("afterwards")
    }
  }

  @Test func `is not late for any instance, and can be spied on itself`() async throws {
    let resolver = resolver
    try await expect(issues: []) {
      resolver.register { Outbox() as any Post }
      try withOverrides(of: resolver) { layer in
        for line in 1...2 {
          try layer.spy(on: (any Post).self, line: line) { PostSpy(forwardingTo: $0) }
        }
      } operation: {
        let outer = try #require(try resolver.resolve((any Post).self) as? PostSpy)
        let inner = try #require(outer.wrapped as? PostSpy)
        #expect(inner.wrapped is Outbox)
      }
    }
  }

  @Test func `is late for an instance that has the wrapped value`() async throws {
    let resolver = resolver
    let text = """
      'any Post' is overridden after an object captured it: that object keeps the old one.
        Captured    \(here):301
        Overridden  \(here):302
        Layer       'late'
      To fix, do one of these:
        • Override it before the code under test is made.
        • Ask for it when it is needed:  try resolver.resolve(…)
      """
    try await expect(issues: [.warning(text, line: 302)]) {
      let outbox = Outbox()
      resolver.register { outbox as any Post }
      try withOverrides(of: resolver, named: "late") { _ in
      } operation: {
        let post = try resolver.resolve((any Post).self, line: 301)
        let layer = try #require(OverrideLayer.current)
        try layer.spy(on: (any Post).self, line: 302) { PostSpy(forwardingTo: $0) }
        let spy = try resolver.resolve((any Post).self)
        #expect(post is Outbox && spy is PostSpy)
      }
    }
  }

  @Test func `without a value below is reported`() throws {
    withOverrides(of: resolver) { layer in
      let error = #expect(throws: ResolutionError.self) { try spy(layer) }
      #expect(error?.kind == "missing")
    } operation: {
    }
  }

  @Test func `is refused if it is of the wrong type`() throws {
    resolver.register { Outbox() as any Post }
    withOverrides(of: resolver) { layer in
      let error = #expect(throws: NotADouble.self) {
        try layer.spy(on: (any Post).self) { _ in 3 }
      }
      #expect(
        error?.description == "'Int' cannot stand in for 'any Post': it does not conform to it.")
    } operation: {
    }
  }
}

private let office: Resolver = {
  let resolver = Resolver(named: "office")
  resolver.register { Outbox() as any Post }
  return resolver
}()

/// Pushes a layer as a server does for each request.
private func request(from name: String) throws {
  try withOverrides(.check(.unusedOverride, .off), of: office) {
    $0.register(Line(name: name))
  } operation: {
    try office.resolve((any Post).self).send(name)
  }
}

@Suite(
  .overrides(of: office) {
    $0.register(lifecycle: .cached) { PostSpy(forwardingTo: Outbox()) as any Post }
  })
struct `A spy of a suite` {
  @Test func `covers each test as a whole, whatever layers come and go`() throws {
    try request(from: "Ann")
    try request(from: "Bob")
    let spy = try #require(try office.resolve((any Post).self) as? PostSpy)
    #expect(spy.sends.calls == ["Ann", "Bob"])
  }
}

private struct Lost: Error {}

private let here = "UnderstudyTests/LayerSpyTests.swift"

private func unstubbed(_ call: String, line: Int) -> Caught {
  // A call without arguments cannot be chosen.
  let choosing = call.hasSuffix("()") ? "" : "\n  • Stub this call:   .when(…).returns(…)"
  return .error(
    """
    No stub answers \(call).
      Called at  \(here):\(line)
      Stubs      none
    To fix, do one of these:\(choosing)
      • Stub every call:  .returns(…)
      • Allow it:         unstubbed(.relaxed, double)
    """, line: line, file: here)
}

@Suite struct `A violation of a double` {
  @Test(
    .catching(
      unstubbed("ping(7)", line: 103),
      .error(
        """
        send(any arguments) was expected once, and was never called.
          Expected at  \(here):102
          Calls        - send(any arguments)
        """, line: 102, file: here),
      .error(
        """
        The stub of send("bye") answered no call.
          Stubbed at  \(here):101
          Calls       none
        To fix, do one of these:
          • Remove it, or make the call that it is for.
          • Allow it:  .optional()
        """, line: 101, file: here)),
    .overrides())
  func `is reported to the test whose layer owns the double, from detached work too`() async {
    let sends = Spy<String, Void, Never>("send(_:)")
    sends.when("bye", line: 101).returns()
    sends.expects(.once, line: 102)
    let pings = Spy<Int, Bool, Never>("ping(_:)", placeholder: true)
    let answer = await Task.detached { pings(7, line: 103) }.value
    #expect(answer)
  }

  @Test(.catching(unstubbed("ping()", line: 201)))
  func `is reported to the running test if there is no layer`() {
    let pings = Spy<Void, Bool, Never>("ping()", placeholder: true)
    #expect(OverrideLayer.current == nil)
    #expect(pings(line: 201))
  }
}

extension `A violation of a double` {
  /// A host that expects no exit, unlike that of an exit test.
  private struct Telling: TestHost {
    func testOfCallingTask() -> RunningTest? { nil }
    func runningCase() -> RunningTest? { nil }
    func isSkip(_ error: any Error) -> Bool { false }
    func report(_ violation: Violation) -> Bool {
      writeToStandardError("told: \(violation.description)")
      return false
    }
  }

  @Test func `is an issue of its test before it ends the process`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      TestHosts.install(Telling())
      _ = Spy<Int, ContinuousClock, Never>("ping(_:)")(1)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("told: No stub answers ping(1)."), "\(text)")
  }
}

private enum Chime {
  static var rings: Spy<Void, Void, Never> { .static(of: Self.self, "ring()") }
}

@Suite struct `A static double that work outside of any test uses` {
  private let resolver = Resolver()

  init() { RunIssues.claim() }

  @Test func `is an issue of the run as soon as a running test has one of its own`() async {
    await withOverrides(.check(.unusedOverride, .off), of: resolver) { _ in
    } operation: {
      await Task.detached { Chime.rings() }.value
      #expect(RunIssues.take(mentioning: "Chime.ring()").isEmpty)
      Chime.rings()
      await Task.detached { Chime.rings() }.value
      let told = RunIssues.take(mentioning: "Chime.ring()").map(\.description)
      #expect(told.count == 1)
      #expect(told.first?.contains("and a running test has a double of its own.") == true)
    }
  }
}
