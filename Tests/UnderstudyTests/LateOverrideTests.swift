// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyTesting

private let file = #fileID

private final class Office: Sendable {
  let postman: any Postman
  init(_ postman: any Postman) { self.postman = postman }
}
/// Overrides that come too late.
@Suite struct `Late overrides` {
  private let resolver: Resolver = {
    let resolver = Resolver()
    resolver.register { RealPostman() as any Postman }
    return resolver
  }()

  init() { RunIssues.claim() }

  @Test(arguments: [OverrideOptions.Weight.off, .warning, .error])
  func `an override of a key that a live object has resolved is reported with both places`(
    weight: OverrideOptions.Weight
  ) async throws {
    let resolver = resolver
    let issue = late("too late", captured: 301, line: 302, isError: weight == .error)
    try await expect(issues: weight == .off ? [] : [issue]) {
      try withOverrides(
        [.check(.lateOverride, weight), .check(.unusedOverride, .off)], of: resolver,
        named: "too late"
      ) {
        $0.register { PostOffice() as any Postman }
      } operation: {
        let office = Office(try resolver.resolve((any Postman).self, line: 301))
        let layer = try #require(OverrideLayer.current)
        layer.register((any Postman).self, line: 302) { PostmanDouble() }
        #expect(office.postman.name == "office")
      }
    }
  }

  /// A second finding would say that no request came, and contradict the first.
  @Test(arguments: [OverrideOptions(), .strict])
  func `an override that comes too late for an object is one finding, unless the layer is strict`(
    options: OverrideOptions
  ) async throws {
    let resolver = resolver
    let unused = Caught.error(
      """
      The override of 'any Postman' was never resolved.
        Overridden  \(file):318
        Layer       'one'
      To fix, do one of these:
        • Remove it, or let the code under test ask for 'any Postman'.
        • Allow it:  withOverrides([.strict, .check(.unusedOverride, .off)]) { … } operation: { … }
      """, line: 318)
    let captured = late("one", captured: 317, line: 318)
    try await expect(issues: options == .strict ? [captured, unused] : [captured]) {
      try withOverrides(of: resolver, named: "outer") {
        $0.register { PostOffice() as any Postman }
      } operation: {
        let office = Office(try resolver.resolve((any Postman).self, line: 317))
        withOverrides(options, of: resolver, named: "one") {
          $0.register((any Postman).self, line: 318) { PostmanDouble() }
        } operation: {
        }
        #expect(office.postman.name == "office")
      }
    }
  }

  /// A value is no object that is known to live.
  @Test func `an override of a value that production has answered says where`() async throws {
    let resolver = resolver
    resolver.register(true, named: "isReachable")
    try await expect(issues: [
      .warning(
        """
        The override of 'Bool' named "isReachable" was never resolved.
          Production  answered it, at \(file):315
          Overridden  \(file):316
          Layer       'value'
        To fix, do one of these:
          • Override it before the code under test asks for it.
          • Allow it:  withOverrides(.check(.unusedOverride, .off)) { … } operation: { … }
        """, line: 316)
    ]) {
      try withOverrides(of: resolver, named: "value") { _ in
      } operation: {
        try #expect(resolver.resolve(Bool.self, named: "isReachable", line: 315))
        OverrideLayer.current?.register(Bool.self, named: "isReachable", line: 316) { false }
      }
    }
  }

  /// Few objects of a key are watched at a time.
  @Test func `an override is reported although many earlier objects are gone`() async throws {
    let resolver = resolver
    try await expect(issues: [late("after many", captured: 303, line: 304)]) {
      try withOverrides(.check(.unusedOverride, .off), of: resolver, named: "after many") {
        $0.register { PostOffice() as any Postman }
      } operation: {
        var offices = try (0..<10).map { _ in Office(try resolver.resolve((any Postman).self)) }
        #expect(offices.map(\.postman.name) == Array(repeating: "office", count: 10))
        offices = []
        offices.append(Office(try resolver.resolve((any Postman).self, line: 303)))
        OverrideLayer.current?.register((any Postman).self, line: 304) { PostmanDouble() }
        #expect(offices.first?.postman.name == "office")
      }
    }
  }

  @Test func `an override in an inner layer of a key that a live object has resolved is reported`()
    async throws
  {
    let resolver = resolver
    try await expect(issues: [late("inner", captured: 311, line: 312)]) {
      try withOverrides(.check(.unusedOverride, .off), of: resolver, named: "outer") {
        $0.register { PostOffice() as any Postman }
      } operation: {
        let office = Office(try resolver.resolve((any Postman).self, line: 311))
        withOverrides(of: resolver, named: "inner") {
          $0.register((any Postman).self, line: 312) { PostmanDouble() }
        } operation: {
        }
        #expect(office.postman.name == "office")
      }
    }
  }

  @Test func `an override of what an ended layer made of its own double is in time`() async throws {
    let resolver = resolver
    resolver.register(lifecycle: .cached) { r in Office(try r.resolve()) }
    try await expect(issues: []) {
      try withOverrides(of: resolver) { _ in
      } operation: {
        let first = try withOverrides(of: resolver) {
          $0.register { PostmanDouble() as any Postman }
        } operation: {
          try resolver.resolve(Office.self)
        }
        try withOverrides(of: resolver) {
          $0.register(Office(PostmanDouble()))
        } operation: {
          _ = try resolver.resolve(Office.self)
        }
        #expect(first.postman.name == "double")
      }
    }
  }

  @Test(arguments: [true, false])
  func `an override of a key that a live object has resolved in an ended inner layer is reported`(
    isFirst: Bool
  ) async throws {
    let resolver = resolver
    try await expect(issues: [late("outer", captured: 313, line: 314)]) {
      try withOverrides(.check(.unusedOverride, .off), of: resolver, named: "outer") {
        $0.register { PostOffice() as any Postman }
      } operation: {
        if !isFirst { _ = try resolver.resolve((any Postman).self) }
        let office = try withOverrides(of: resolver) { _ in
        } operation: {
          Office(try resolver.resolve((any Postman).self, line: 313))
        }
        OverrideLayer.current?.register((any Postman).self, line: 314) { PostmanDouble() }
        #expect(office.postman.name == "office")
      }
    }
  }

  /// The object has the double that was meant for it.
  @Test func `an override after an ended inner layer overrode the same key is in time`()
    async throws
  {
    let resolver = resolver
    try await expect(issues: []) {
      try withOverrides(of: resolver) { _ in
      } operation: {
        let offices = try (0..<2).map { _ in
          try withOverrides(of: resolver) {
            $0.register(lifecycle: .cached) { PostOffice() as any Postman }
          } operation: {
            try withOverrides(of: resolver) { _ in
            } operation: {
              Office(try resolver.resolve((any Postman).self))
            }
          }
        }
        #expect(offices.map(\.postman.name) == ["office", "office"])
      }
    }
  }

  /// Such as the layer of the process.
  @Test func `an override after another test on the same layer has ended is in time`() throws {
    let outer = OverrideLayer(LayerTraits(of: resolver, named: "outer", on: nil, at: CallSite()))
    defer { _ = outer.end() }
    outer.register { PostOffice() as any Postman }
    func test(_ name: String) -> OverrideLayer {
      var traits = LayerTraits(of: resolver, named: name, on: outer, at: CallSite())
      traits.test = RunningTest(name: name, adoptsEscapedWork: false)
      return OverrideLayer(traits)
    }
    let first = test("first")
    let office = try OverrideLayer.binding(first) {
      Office(try resolver.resolve((any Postman).self))
    }
    #expect(first.end().isEmpty)
    let second = test("second")
    second.register { PostmanDouble() as any Postman }
    _ = try OverrideLayer.binding(second) { try resolver.resolve((any Postman).self) }
    #expect(second.end().isEmpty)
    #expect(office.postman.name == "office")
  }

  @Test func `an override of the type after the declared dependency was resolved is reported`()
    async throws
  {
    try await expect(issues: [late("declared", captured: 321, line: 322)]) {
      try withOverrides(.check(.unusedOverride, .off), named: "declared") {
        $0.override(\.postman) { PostOffice() }
      } operation: {
        let office = Office(Resolver.main.resolve(\.postman, line: 321))
        try #require(OverrideLayer.current).register((any Postman).self, line: 322) {
          PostmanDouble()
        }
        #expect(office.postman.name == "office")
      }
    }
  }

  @Test func `an override after the object is released is in time`() async throws {
    let resolver = resolver
    try await expect(issues: []) {
      try withOverrides(of: resolver) {
        $0.register { PostOffice() as any Postman }
      } operation: {
        _ = Office(try resolver.resolve((any Postman).self))
        try #require(OverrideLayer.current).register { PostmanDouble() as any Postman }
        _ = try resolver.resolve((any Postman).self)
      }
    }
  }

  @Test func `an override after a value was returned cannot be recognised as late`() async throws {
    let resolver = resolver
    try await expect(issues: []) {
      try withOverrides(of: resolver) { _ in
      } operation: {
        let office = Office(try resolver.resolve((any Postman).self))
        try #require(OverrideLayer.current).register { PostmanDouble() as any Postman }
        _ = try resolver.resolve((any Postman).self)
        #expect(office.postman.name == "production")
      }
    }
  }

  private struct LazyOffice: Sendable {
    @LazyInject(line: 331) var postman: (any Postman)?
    let provided = Provider<any Postman>()
  }

  /// Both wrappers resolve in the context in which their owner was created.
  @Test(arguments: [true, false])
  func `an override is reported if an earlier object resolves below it`(isInTest: Bool)
    async throws
  {
    let text = { (key: String, line: Int) in
      """
      \(key) was requested by an object that was created before the override, and got the earlier answer.
        Asked for   \(file):\(line)
        Overridden  \(file):332
        Layer       'inner'
      To fix, do one of these:
        • Override it before the code under test is made.
        • Ask for it when it is needed:  try resolver.resolve(…)
      """
    }
    try await expect(
      issues: [
        .warning(text("'(any Postman)?'", 331), line: 332),
        .warning(text("'any Postman'", 333), line: 332),
      ]
    ) {
      try withResolver(resolver) {
        if !isInTest { return try use(LazyOffice()) }
        try withOverrides(.check(.unusedOverride, .off)) {
          $0.register { 7 }
        } operation: {
          try use(LazyOffice())
        }
      }
    }
  }

  /// A check that is off replaces no other one.
  @Test func `an override for an earlier object is unused if the check of late ones is off`()
    async throws
  {
    try await expect(issues: [
      .warning(
        """
        The override of 'any Postman' was never resolved.
          Overridden  \(file):341
          Layer       'unchecked'
        To fix, do one of these:
          • Remove it, or let the code under test ask for 'any Postman'.
          • Allow it:  withOverrides([.check(.lateOverride, .off), \
        .check(.unusedOverride, .off)]) { … } operation: { … }
        """, line: 341)
    ]) {
      let office = withResolver(resolver) { LazyOffice() }
      withOverrides(.check(.lateOverride, .off), of: resolver, named: "unchecked") {
        $0.register((any Postman).self, line: 341) { PostmanDouble() }
      } operation: {
        #expect(office.postman is RealPostman)
      }
    }
  }

  private func use(_ office: LazyOffice) throws {
    try withOverrides(of: resolver, named: "inner") {
      $0.register((any Postman).self, line: 332) { PostmanDouble() }
    } operation: {
      #expect(office.postman is RealPostman)
      try #expect(office.provided(line: 333) is RealPostman)
      #expect(LazyOffice().postman is PostmanDouble)
      try #expect(resolver.resolve((any Postman).self) is PostmanDouble)
    }
  }
}
