// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

/// A ring of completions ends at a cached instance. Without one, each value would need another new
/// value.
@Suite struct `A ring of completions` {
  let resolver = Resolver()

  /// Each value would need another one.
  @Test(arguments: [1, 2, 3])
  func `DE-07 a ring without a cached instance is a cycle`(size: Int) {
    for number in 0..<size {
      resolver.register(named: number, lifecycle: .notCached) {
        Partner("\(number)")
      } then: { partner, r in
        partner.other = try r.resolve(named: (number + 1) % size)
      }
    }
    let numbers = Array(0..<size) + [0]
    let error = resolutionError { try resolver.resolve(Partner.self, named: 0) }
    #expect(error?.kind == "cycle")
    #expect(error?.path == numbers.map { AnyKey(type: Partner.self, named: $0) })
    #expect(resolutionError { try resolver.resolve(Partner?.self, named: 0) }?.kind == "cycle")
    #expect(
      error?.description.hasSuffix(
        """
        To fix, do one of these:
          • Create one of them once:  lifecycle: .cached
          • Share one of them while it is held:  scopedTo: …
        """) == true)
  }

  @Test func `DE-07 a cycle through a block names the block, and the request for the ring`() {
    resolver.register(named: "A") {
      Partner("A")
    } then: { partner, r in
      partner.other = try r.resolve(named: "B")
    }
    resolver.register(named: "B") { r in Partner("B", try r.resolve(named: "C")) }
    resolver.register(named: "C") {
      Partner("C")
    } then: { partner, r in
      partner.other = try r.resolve(named: "D")
    }
    resolver.register(named: "D") { r in Partner("D", try r.resolve(named: "A")) }
    let error = resolutionError { try resolver.resolve(Partner.self, named: "A") }
    #expect(error?.path == ["A", "C", "D", "A"].map { AnyKey(type: Partner.self, named: $0) })
  }

  @Test func `DE-07 one cached instance ends a ring`() throws {
    resolver.register(named: "A") {
      Partner("A")
    } then: { partner, r in
      partner.other = try r.resolve(named: "B")
    }
    resolver.register(named: "B", lifecycle: .cached) {
      Partner("B")
    } then: { partner, r in
      partner.other = try r.resolve(named: "A")
    }
    let partner = try resolver.resolve(Partner.self, named: "A")
    #expect(partner.other?.other?.other === partner.other)
    #expect(partner.other?.other !== partner)
  }

  @Test func `DE-07 a value that is created very often for others is not a ring`() throws {
    resolver.register(named: "leaf") {
      Partner("leaf")
    } then: { _, _ in
    }
    resolver.register(named: "tree") {
      Partner("tree")
    } then: { partner, r in
      for _ in 0..<2 * Resolver.maximumDepth {
        partner.other = try r.resolve(named: "leaf")
      }
    }
    #expect(try resolver.resolve(Partner.self, named: "tree").other?.name == "leaf")
  }

  @Test func `DE-07 a long chain is completed, however long it is`() throws {
    let last = 2 * Resolver.maximumDepth
    resolver.register(named: last) { Partner("last") }
    for number in 0..<last {
      resolver.register(named: number) {
        Partner("\(number)")
      } then: { partner, r in
        partner.other = try r.resolve(named: number + 1)
      }
    }
    var partner: Partner? = try resolver.resolve(named: 0)
    while let next = partner, next.name != "last" { partner = next.other }
    #expect(partner != nil)
  }

  // MARK: The graph of a ring

  private struct First: Sendable {}
  private struct Second: Sendable {}
  private struct Third: Sendable {}

  private func register<Value: Sendable, Needed: Sendable>(
    _ value: Value, _ lifecycle: Lifecycle, needing needed: Needed.Type, later: Bool
  ) {
    let registering = resolver.needing(needed)
    if later {
      registering.register(lifecycle: lifecycle) {
        value
      } then: { _, r in
        _ = try r.resolve(Needed.self)
      }
    } else {
      registering.register(lifecycle: lifecycle) { r in
        _ = try r.resolve(Needed.self)
        return value
      }
    }
  }

  /// True if each of the three types can be resolved first.
  private var canBeMade: Bool {
    func canBeMade<Value>(_ type: Value.Type) -> Bool {
      resolver.reset(.instances)
      return (try? resolver.resolve(type)) != nil
    }
    return [canBeMade(First.self), canBeMade(Second.self), canBeMade(Third.self)]
      .allSatisfy(\.self)
  }

  /// The test tries each of the types as the first request.
  @Test(arguments: 0..<64)
  func `DE-07 a ring is not a cycle in the graph if each member can be resolved first`(number: Int)
  {
    func isSet(_ bit: Int) -> Bool { number >> bit & 1 == 1 }
    func lifecycle(_ bit: Int) -> Lifecycle { isSet(bit) ? .cached : .notCached }
    register(First(), lifecycle(0), needing: Second.self, later: isSet(3))
    register(Second(), lifecycle(1), needing: Third.self, later: isSet(4))
    register(Third(), lifecycle(2), needing: First.self, later: isSet(5))
    #expect(resolver.graph.findings.filter { $0.kind == .cycle }.isEmpty == canBeMade)
  }

  @Test func `DE-07 a cached instance beside a ring does not end it`() {
    resolver.needing(Second.self, Third.self).register {
      First()
    } then: { _, r in
      _ = try r.resolve(Second.self)
    }
    register(Second(), .notCached, needing: First.self, later: true)
    register(Third(), .cached, needing: First.self, later: true)
    #expect(!canBeMade)
    #expect(
      resolver.graph.findings.map(\.path)
        == [[First.self, Second.self, First.self].map { AnyKey(type: $0) }])
  }
}
