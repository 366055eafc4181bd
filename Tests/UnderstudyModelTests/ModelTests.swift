// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy

@Suite struct `The model` {
  @Test func `agrees with the package on every program`() {
    check(100_000) {
      .random(seed: $0)
    } difference: { program, _ in
      Comparison.difference(program, from: ReferenceModel())
    }
  }

  @Test func `agrees with the package on programs that repeat every request`() {
    check(60_000) {
      .random(seed: $0)
    } difference: { program, seed in
      Comparison.difference(
        program, from: ReferenceModel(), plain: seed.plain, repetitions: 3)
    }
  }

  @Test(arguments: 1...2)
  func `agrees with the package on programs of a child resolver`(children: Int) {
    check(40_000) {
      .random(seed: $0)
    } difference: { program, _ in
      Comparison.difference(
        program, from: ReferenceModel(), repetitions: 2, children: children)
    }
  }

  @Test(arguments: 0...1)
  func `agrees with the package on programs with completions and captured contexts`(
    children: Int
  ) {
    check(60_000) {
      .randomWithContexts(seed: $0, completions: true)
    } difference: { program, seed in
      Comparison.difference(
        program, from: ReferenceModel(), plain: seed.plain, repetitions: seed % 2 == 0 ? 1 : 3,
        children: children)
    }
  }

  @Test
  func
    `agrees with the package on programs with faults, resets and requests for existing instances`()
  {
    check(60_000) {
      .randomWithFaults(seed: $0)
    } difference: { program, seed in
      Comparison.difference(
        program, from: ReferenceModel(), plain: seed.plain, repetitions: seed % 2 == 0 ? 1 : 3)
    }
  }

  @Test(arguments: 0...1)
  func `agrees with the package on programs that request every part`(children: Int) {
    check(40_000) {
      .randomWithArrays(seed: $0)
    } difference: { program, seed in
      Comparison.difference(
        program, from: ReferenceModel(), plain: seed.plain, repetitions: seed % 2 == 0 ? 1 : 2,
        children: children)
    }
  }

  @Test(arguments: 0...1)
  func `agrees with the package on programs with asynchronous blocks`(children: Int) async {
    await check(children: children) { .random(seed: $0) }
  }

  @Test(arguments: 0...1)
  func `agrees with the package on captured contexts of asynchronous blocks`(
    children: Int
  ) async {
    await check(children: children) { .randomWithContexts(seed: $0, completions: false) }
  }

  /// Runs programs until the package and the model differ, and reports the smallest such program.
  private func check(
    _ count: Int, _ program: (UInt64) -> [Step], difference: ([Step], UInt64) -> String?
  ) {
    for seed in 0..<UInt64(Effort.of(count)) {
      let program = program(seed)
      guard difference(program, seed) != nil else { continue }
      let shrunk = program.shrunk { difference($0, seed) != nil }
      Issue.record(
        "Seed \(seed), key \(seed.plain) is plain: \(difference(shrunk, seed) ?? "nothing")\n\(shrunk.listing)"
      )
      return
    }
  }

  /// The same check with asynchronous blocks.
  private func check(children: Int, _ program: (UInt64) -> [Step]) async {
    for seed in 0..<UInt64(Effort.of(10_000)) {
      let program = program(seed)
      guard
        let difference = await Comparison.asyncDifference(
          program, from: ReferenceModel(), children: children)
      else { continue }
      Issue.record("Seed \(seed): \(difference)\n\(program.listing)")
      return
    }
  }
}

extension UInt64 {
  /// The key without a name in the program of this seed.
  fileprivate var plain: Int { Int(self % UInt64([Step].keyCount)) }
}
