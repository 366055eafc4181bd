// Part of Understudy: a bridge to swift-metrics.
// SPDX-License-Identifier: MIT

import MetricsTestKit
import Testing
import UnderstudyMetrics
import UnderstudyTesting

private struct Store: Sendable {}

@Suite struct `Counters of resolutions` {
  @Test func `have one for each key and outcome`() throws {
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { Store() }
    let metrics = TestMetrics()
    try withOverrides(of: resolver, isBoundary: true) { _ in
    } operation: {
      for _ in 0..<3 { _ = try resolver.resolve(Store.self) }
      _ = try resolver.resolve(Int?.self)
      try #require(OverrideLayer.current).log.count(in: metrics)
    }
    func total(_ key: String, _ outcome: String) -> Int64 {
      metrics.counterTotal(
        label: "understudy.resolutions", dimensions: [("key", key), ("outcome", outcome)])
    }
    #expect(total("'Store'", "created") == 1)
    #expect(total("'Store'", "reused") == 2)
    #expect(total("'Int'", "missing") == 1)
    #expect(metrics.counters.count == 3)
  }
}
