// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

// The sample of Docs/ParallelAndSerial.md about suites that must not overlap.

private let users = Lock(0)

/// Fails if another test uses the printer, too.
private func useThePrinter() async {
  let count = users.withLock { users in
    users += 1
    return users
  }
  #expect(count == 1)
  for _ in 0..<50 { await Task.yield() }
  users.withLock { $0 -= 1 }
}

@Suite(.serialized) enum UsesThePrinter {
  @Suite struct Tickets {
    @Test func `are printed`() async { await useThePrinter() }
  }

  @Suite struct Posters {
    @Test func `are printed`() async { await useThePrinter() }
  }
}

extension UsesThePrinter {
  @Suite struct Badges {
    @Test(arguments: 1...5) func `are printed`(number: Int) async { await useThePrinter() }
  }
}
