// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

@testable import Understudy

extension LevelStore {
  var instanceCount: Int { reading { $0.instances.count } }
}

extension LevelLock {
  /// How many answers are cached, and how many other locks are told of changes.
  var counts: (answers: Int, dependents: Int) {
    mutex.lock()
    defer { mutex.unlock() }
    return (state.value.answers.count, state.value.dependents.count)
  }
}

extension Latch {
  /// How many tasks wait.
  var taskCount: Int { locked { tasks.count } }
}
