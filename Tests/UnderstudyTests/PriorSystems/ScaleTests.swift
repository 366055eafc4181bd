// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyTesting

/// Prints what was measured if `UNDERSTUDY_MEASURE` is set.
private func measured<Result>(_ what: String, _ body: () throws -> Result) rethrows -> Result {
  let start = ContinuousClock.now
  let result = try body()
  if ProcessInfo.processInfo.environment["UNDERSTUDY_MEASURE"] != nil {
    print("measured: \(what): \(ContinuousClock.now - start)")
  }
  return result
}

@Suite struct Scale {
  /// A graph without cycles: each needs the five before it.
  private func ladder(_ count: Int) -> Resolver {
    let resolver = Resolver()
    for name in 0..<count {
      let needs = (max(0, name - 5)..<name).map { AnyKey(type: Prop.self, named: $0) }
      resolver.needing(needs).register(Prop.self, named: name, lifecycle: .cached) { Prop(name) }
    }
    return resolver
  }

  @Test func `ten thousand registrations with fifty thousand edges are validated`() throws {
    let resolver = measured("registering 10,000") { ladder(10_000) }
    let graph = measured("graph of 10,000") { resolver.graph }
    #expect(graph.nodes.count == 10_000)
    #expect(graph.edges.count == 49_985)
    try measured("validating 10,000 with 49,985 edges") { try graph.validate() }
  }

  @Test func `a ring of ten thousand is one cycle with all its members`() {
    let resolver = ladder(9_999)
    resolver.needing([AnyKey(type: Prop.self, named: 9_998)])
      .register(Prop.self, named: -1) { Prop() }
    resolver.needing([AnyKey(type: Prop.self, named: -1)]).register(Prop.self, named: 0) { Prop() }
    let findings = measured("validating a knot of 10,000") { resolver.graph.findings }
    #expect(findings.allSatisfy { $0.kind == .cycle || $0.kind == .duplicate })
    #expect(findings.contains { $0.kind == .cycle })
  }

  @Test func `filtering by container touches its members alone`() {
    let resolver = Resolver()
    measured("registering 100,000") {
      for name in 0..<100_000 {
        resolver.register(name, named: name, in: name % 1000 == 0 ? "few" : "many")
      }
    }
    let few = measured("filtering 100 of 100,000") { resolver.filter(Int.self, in: "few") }
    #expect(few.count == 100)
    let again = measured("filtering 99,900 of 100,000") { resolver.filter(Int.self, in: "many") }
    #expect(again.count == 99_900)
    #expect(measured("unregistering 100 of 100,000") { resolver.unregister(in: "few") } == 100)
  }

  @Test func `a page of five hundred nodes is drawn the same each time`() throws {
    let resolver = Resolver()
    // A fixed sequence, so that the page is the same in every run.
    var seed: UInt64 = 7
    func random(_ bound: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((seed >> 33) % UInt64(bound))
    }
    for name in 0..<500 {
      let needs =
        name < 40 || name % 17 == 0
        ? [] : (0..<(1 + random(3))).map { _ in AnyKey(type: Prop.self, named: random(name)) }
      resolver.needing(needs).register(Prop.self, named: name) { Prop(name) }
    }
    let page = measured("drawing 500") { resolver.graph.html(title: "Five hundred") }
    #expect(page == resolver.graph.html(title: "Five hundred"))
    if let path = ProcessInfo.processInfo.environment["UNDERSTUDY_PAGE"] {
      try page.write(to: URL(filePath: path), atomically: true, encoding: .utf8)
    }
  }
}
