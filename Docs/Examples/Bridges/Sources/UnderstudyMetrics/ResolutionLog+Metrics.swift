// Part of Understudy: a bridge to swift-metrics.
// SPDX-License-Identifier: MIT

import Metrics
import Understudy

extension ResolutionLog {
  /// Adds what a layer has counted to counters, one for each key and outcome:
  /// `understudy.resolutions` with the dimensions `key` and `outcome`.
  ///
  /// Call it once for each layer, at the end of its work, as a request's: a second call counts
  /// everything again.
  public func count(in factory: any MetricsFactory = MetricsSystem.factory) {
    for (key, counts) in allCounts {
      for (outcome, count) in counts.byOutcome where count > 0 {
        Counter(
          label: "understudy.resolutions",
          dimensions: [("key", "\(key)"), ("outcome", outcome)], factory: factory
        ).increment(by: count)
      }
    }
  }
}

extension ResolutionCounts {
  fileprivate var byOutcome: [(String, Int)] {
    [("created", made), ("reused", reused), ("missing", missed), ("failed", failed)]
  }
}
