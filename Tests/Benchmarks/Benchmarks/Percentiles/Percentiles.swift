// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Benchmark
import BenchmarkRows

/// Measures every row with `ordo-one/benchmark`, for percentiles and for comparisons with a
/// baseline.
///
///     swift package --package-path Tests/Benchmarks benchmark --target Percentiles
let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock, .throughput], scalingFactor: .kilo, maxDuration: .seconds(1))
  for row in Rows.all() {
    Benchmark(row.name) { benchmark in try row.run(benchmark.scaledIterations.count) }
  }
}
