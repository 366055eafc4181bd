// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyTesting

/// Prints the measured time if `UNDERSTUDY_MEASURE` is set.
private func measured<Result>(_ what: String, _ body: () throws -> Result) rethrows -> Result {
  let start = ContinuousClock.now
  let result = try body()
  if ProcessInfo.processInfo.environment["UNDERSTUDY_MEASURE"] != nil {
    print("measured: \(what): \(ContinuousClock.now - start)")
  }
  return result
}

/// True in an optimised build.
private let isOptimized: Bool = {
  var isOptimized = true
  assert(
    {
      isOptimized = false
      return true
    }())
  return isOptimized
}()

/// A name that counts how often it is hashed or compared.
private struct Seen: Hashable, Sendable {
  let name: Int
  let counter: CallCounter

  init(_ name: Int, _ counter: CallCounter) {
    self.name = name
    self.counter = counter
  }

  static func == (left: Seen, right: Seen) -> Bool {
    _ = left.counter.next()
    return left.name == right.name
  }

  func hash(into hasher: inout Hasher) {
    _ = counter.next()
    hasher.combine(name)
  }
}

@Suite struct Scale {
  /// A graph without cycles and five edges for each node on average. Each node needs the five
  /// before it, and the last fifteen need six.
  private func ladder(_ count: Int) -> Resolver {
    let resolver = Resolver()
    for name in 0..<count {
      let width = name < count - 15 ? 5 : 6
      let needs = (max(0, name - width)..<name).map { AnyKey(type: Prop.self, named: $0) }
      resolver.needing(needs).register(Prop.self, named: name, lifecycle: .cached) { Prop(name) }
    }
    return resolver
  }

  @Test func `eight thousand displaced registrations answer again after an assembly`() throws {
    let (resolver, count) = (Resolver(), 8_000)
    let module = Module { for name in 0..<count { $0.register(name, named: name) } }
    for name in 0..<count { resolver.register(-name, named: name) }
    try measured("loading 8,000") { try resolver.load(module) }
    try #expect(resolver.resolve(Int.self, named: 7_000) == 7_000)
    #expect(measured("unloading 8,000") { resolver.unload(module) })
    for name in [0, 1, 7_999] { try #expect(resolver.resolve(Int.self, named: name) == -name) }
  }

  @Test func `ten thousand registrations with fifty thousand edges are validated within a second`()
    throws
  {
    let resolver = measured("registering 10,000") { ladder(10_000) }
    let graph = measured("graph of 10,000") { resolver.graph }
    #expect(graph.nodes.count == 10_000)
    #expect(graph.edges.count == 50_000)
    try measured("validating 10,000 with 50,000 edges") { try graph.validate() }
    // Only optimised code has to be this fast. A debug build has to find nothing.
    if isOptimized {
      let clock = ContinuousClock()
      let times = try (1...3).map { _ in try clock.measure { try graph.validate() } }
      #expect(times.contains { $0 < .seconds(1) })
    }
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

  @Test func `filtering by container finds its members among a hundred thousand`() {
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

  /// Names and containers are user code. They are hashed and compared no more often if there are
  /// many other registrations.
  @Test func `filtering by container compares no names of other registrations`() {
    func looks(others: Int) -> Int {
      let resolver = Resolver()
      let counter = CallCounter()
      let (few, many) = (Seen(-1, counter), Seen(-2, counter))
      for name in 0..<100 { resolver.register(name, named: Seen(name, counter), in: few) }
      for name in 0..<others { resolver.register(name, named: Seen(name, counter), in: many) }
      let before = counter.value
      #expect(resolver.filter(Int.self, named: Seen(50, counter), in: few).count == 1)
      #expect(resolver.filter(in: few).count == 100)
      #expect(resolver.filter(Int.self, in: few) { (_: Void) in true }.count == 100)
      let looks = counter.value - before
      #expect(resolver.store.registrations(in: KeyName(few)).count == 100)
      return looks
    }
    let alone = looks(others: 0)
    let crowded = looks(others: 99_900)
    // Each of the three filters hashes its container, and compares it once.
    #expect((3...30).contains(alone))
    #expect(crowded == alone)
  }
}
