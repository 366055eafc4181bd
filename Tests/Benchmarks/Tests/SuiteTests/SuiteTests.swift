// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

// What a suite pays: two thousand cases that do the same work with doubles that are handed over,
// and with doubles that are resolved under a layer of each case's own.
//
//     swift test -c release --package-path Tests/Benchmarks --filter ByHand
//     swift test -c release --package-path Tests/Benchmarks --filter UnderLayers

private protocol Part: Sendable {
  func number(_ index: Int) -> Int
}

private struct First: Part { func number(_ index: Int) -> Int { index } }

private protocol Other1: Sendable {}
private protocol Other2: Sendable {}
private protocol Other3: Sendable {}
private protocol Other4: Sendable {}
private struct Others: Other1, Other2, Other3, Other4 {}

/// Something to do besides: about what a small test does.
private func work(_ part: any Part, _ index: Int) -> Int {
  (0..<100).reduce(0) { $0 &+ part.number($1 ^ index) }
}

@Suite struct ByHand {
  @Test(arguments: 0..<2000) func runs(index: Int) {
    let part: any Part = First()
    var sum = 0
    for _ in 0..<20 { sum &+= work(part, index) }
    #expect(sum >= 0)
  }
}

@Suite struct UnderLayers {
  private static let resolver: Resolver = {
    let resolver = Resolver(named: "suite")
    resolver.register { First() as any Part }
    return resolver
  }()

  @Test(
    .overrides(of: UnderLayers.resolver) {
      $0.register(First() as any Part)
      $0.register(Others() as any Other1)
      $0.register(Others() as any Other2)
      $0.register(Others() as any Other3)
      $0.register(Others() as any Other4)
    }, arguments: 0..<2000)
  func runs(index: Int) throws {
    var sum = 0
    for _ in 0..<16 { sum &+= work(try Self.resolver.resolve((any Part).self), index) }
    _ = try Self.resolver.resolve((any Other1).self)
    _ = try Self.resolver.resolve((any Other2).self)
    _ = try Self.resolver.resolve((any Other3).self)
    _ = try Self.resolver.resolve((any Other4).self)
    for _ in 0..<4 { sum &+= work(First(), index) }
    #expect(sum >= 0)
  }
}
