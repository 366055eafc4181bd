// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy

@Suite struct `The model` {
  @Test func `agrees with the package on every program`() {
    for seed in 0..<UInt64(Effort.of(100_000)) {
      let program = [Step].random(seed: seed)
      guard Comparison.difference(program, from: ReferenceModel()) != nil else { continue }
      report(program, seed)
      return
    }
  }

  @Test func `agrees with the package on programs whose every block waits`() async {
    for seed in 0..<UInt64(Effort.of(10_000)) {
      let program = [Step].random(seed: seed)
      guard let difference = await Comparison.asyncDifference(program, from: ReferenceModel())
      else { continue }
      Issue.record("Seed \(seed): \(difference)\n\(program.listing)")
      return
    }
  }

  @Test func `agrees with the package on programs that ask for everything again and again`() {
    for seed in 0..<UInt64(Effort.of(60_000)) {
      let program = [Step].random(seed: seed)
      let plain = Int(seed % UInt64([Step].keyCount))
      func difference(_ program: [Step]) -> String? {
        Comparison.differenceInMemory(program, from: ReferenceModel(), plain: plain)
      }
      guard difference(program) != nil else { continue }
      let shrunk = program.shrunk { difference($0) != nil }
      Issue.record(
        "Seed \(seed), key \(plain) is plain: \(difference(shrunk) ?? "nothing")\n\(shrunk.listing)"
      )
      return
    }
  }

  @Test(arguments: 1...2)
  func `agrees with the package on programs of a child resolver`(children: Int) {
    for seed in 0..<UInt64(Effort.of(40_000)) {
      let program = [Step].random(seed: seed)
      func difference(_ program: [Step]) -> String? {
        Comparison.difference(program, from: ReferenceModel(), children: children)
      }
      guard difference(program) != nil else { continue }
      let shrunk = program.shrunk { difference($0) != nil }
      Issue.record("Seed \(seed): \(difference(shrunk) ?? "nothing")\n\(shrunk.listing)")
      return
    }
  }

  @Test func `agrees with the package on programs with faults, resets and looks at what is kept`() {
    for seed in 0..<UInt64(Effort.of(60_000)) {
      if let difference = differenceWithFaults(seed: seed) {
        Issue.record("\(difference)")
        return
      }
    }
  }

  private func differenceWithFaults(seed: UInt64) -> String? {
    let program = [Step].randomWithFaults(seed: seed)
    let plain = Int(seed % UInt64([Step].keyCount))
    func difference(_ program: [Step]) -> String? {
      Comparison.differenceInMemory(
        program, from: ReferenceModel(), plain: plain, repetitions: seed % 2 == 0 ? 1 : 3)
    }
    guard difference(program) != nil else { return nil }
    let shrunk = program.shrunk { difference($0) != nil }
    return
      "Seed \(seed), key \(plain) is plain: \(difference(shrunk) ?? "nothing")\n\(shrunk.listing)"
  }

  private func report(_ program: [Step], _ seed: UInt64) {
    let shrunk = program.shrunk { Comparison.difference($0, from: ReferenceModel()) != nil }
    let difference = Comparison.difference(shrunk, from: ReferenceModel()) ?? "nothing"
    Issue.record("Seed \(seed): \(difference)\n\(shrunk.listing)")
  }
}
