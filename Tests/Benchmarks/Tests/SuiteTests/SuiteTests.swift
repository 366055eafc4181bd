// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting
import XCTest

// The cost for a suite of two thousand cases that do the same work, with doubles that are passed by
// hand and with doubles that are resolved under a layer of each case.
//
//     Tests/Benchmarks/suite-seconds

private protocol Part: Sendable {
  func number(_ index: Int) -> Int
}

private struct First: Part { func number(_ index: Int) -> Int { index } }

private protocol Other1: Sendable {}
private protocol Other2: Sendable {}
private protocol Other3: Sendable {}
private protocol Other4: Sendable {}
private struct Others: Other1, Other2, Other3, Other4 {}

/// The work of a small test.
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
  fileprivate static let resolver: Resolver = {
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

#if !canImport(ObjectiveC)
  // XCTest on Linux makes cases of closures, so one class can have two thousand cases.

  final class ByHandCase: XCTestCase {
    func testTwoThousandCases() {
      for index in 0..<2000 {
        ByHandOnce(name: "runs") { _ in
          let part: any Part = First()
          var sum = 0
          for _ in 0..<20 { sum &+= work(part, index) }
          XCTAssertGreaterThanOrEqual(sum, 0)
        }.run()
      }
    }
  }

  final class ByHandOnce: XCTestCase {}

  final class UnderLayersCase: XCTestCase {
    func testTwoThousandCases() {
      for index in 0..<2000 {
        UnderLayersOnce(name: "runs") { _ in
          let resolver = UnderLayers.resolver
          var sum = 0
          for _ in 0..<16 { sum &+= work(try resolver.resolve((any Part).self), index) }
          _ = try resolver.resolve((any Other1).self)
          _ = try resolver.resolve((any Other2).self)
          _ = try resolver.resolve((any Other3).self)
          _ = try resolver.resolve((any Other4).self)
          for _ in 0..<4 { sum &+= work(First(), index) }
          XCTAssertGreaterThanOrEqual(sum, 0)
        }.run()
      }
    }
  }

  final class UnderLayersOnce: OverridesTestCase {
    override var overriddenResolver: Resolver { UnderLayers.resolver }

    override func overrides(_ layer: OverrideLayer) {
      layer.register(First() as any Part)
      layer.register(Others() as any Other1)
      layer.register(Others() as any Other2)
      layer.register(Others() as any Other3)
      layer.register(Others() as any Other4)
    }
  }
#endif
