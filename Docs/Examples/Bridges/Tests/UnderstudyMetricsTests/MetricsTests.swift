// Part of Understudy: a bridge to swift-metrics.
// SPDX-License-Identifier: MIT

import MetricsTestKit
import Testing
import UnderstudyMetrics
import UnderstudyTesting

private struct Store: Sendable {}

private struct Broken: Error {}

@Suite struct `Counters of a resolver` {
  private let resolver = Resolver()
  private let metrics = TestMetrics()

  private func resolutions(_ key: String, _ outcome: String) -> Int64 {
    metrics.counterTotal(
      label: "understudy.resolutions", dimensions: [("key", key), ("outcome", outcome)])
  }

  private func creations(_ key: String) -> Int64 {
    metrics.counterTotal(label: "understudy.creations", dimensions: [("key", key)])
  }

  @Test func `have one for each key and outcome`() throws {
    resolver.register(lifecycle: .cached) { Store() }
    resolver.register { () throws -> String in throw Broken() }
    resolver.count(in: metrics)
    for _ in 0..<3 { _ = try resolver.resolve(Store.self) }
    _ = try resolver.resolve(Int?.self)
    #expect(throws: ResolutionError.self) { try resolver.resolve(String.self) }
    #expect(creations("'Store'") == 1)
    #expect(resolutions("'Store'", "resolved") == 3)
    #expect(resolutions("'Int'", "missed") == 1)
    #expect(resolutions("'String'", "failed") == 1)
    #expect(metrics.counters.count == 4)
  }

  @Test func `count under layers, too, until they are cancelled`() throws {
    resolver.register { Store() }
    let observation = resolver.count(in: metrics)
    try withOverrides(of: resolver) {
      $0.register { Store() }
    } operation: {
      _ = try resolver.resolve(Store.self)
    }
    observation.cancel()
    _ = try resolver.resolve(Store.self)
    #expect(resolutions("'Store'", "resolved") == 1)
  }
}
