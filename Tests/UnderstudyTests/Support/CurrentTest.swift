// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

/// The name of the running test in messages.
var currentTestName: String {
  Test.current.map { $0.displayName ?? $0.name } ?? "no test"
}

/// Runs work on a thread without the context of the calling task.
func elsewhere<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
  await WayOut.thread.send(work)[0].value
}
