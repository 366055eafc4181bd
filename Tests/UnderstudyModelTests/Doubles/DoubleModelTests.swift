// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@Suite struct `The model of doubles` {
  /// Runs programs until the package and the model differ, and reports the smallest such program.
  @Test func `agrees with the package on every program`() async {
    for seed in 0..<UInt64(Effort.of(30_000)) {
      let program = DoubleProgram.random(seed: seed)
      guard await DoubleRun.difference(program) != nil else { continue }
      let shrunk = await program.shrunk { await DoubleRun.difference($0) != nil }
      let difference = await DoubleRun.difference(shrunk) ?? "nothing"
      Issue.record("Seed \(seed): \(difference)\n\(shrunk.listing)")
      return
    }
  }
}
