// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import AllocationCounter

/// One measured operation, and the limit for its cost.
public struct Row {
  /// The name of the operation.
  public let name: String
  /// The row to compare with, the highest allowed factor, and the number of task-local reads that
  /// are allowed besides.
  public let goal: (factor: Double, of: String, reads: Int)?
  /// The number of operations that count as one. Such an operation does as much as many of another
  /// row.
  public let weight: Int
  /// Runs the operation the given number of times.
  public let run: (Int) throws -> Void

  init(
    _ name: String, atMost factor: Double, of reference: String, andReads reads: Int = 0,
    weight: Int = 1, _ run: @escaping (Int) throws -> Void
  ) {
    self.name = name
    self.weight = weight
    goal = (factor, reference, reads)
    self.run = run
  }

  init(_ name: String, _ run: @escaping (Int) throws -> Void) {
    self.name = name
    weight = 1
    goal = nil
    self.run = run
  }

  /// The allocations of one operation, without those of the first run.
  public func allocations() throws -> Double {
    count_allocations(1)
    defer { count_allocations(0) }
    // Another part of the process may allocate at the same time, but hardly three times in a row.
    return try (0..<3).map { _ in try allocationsOnce() }.min() ?? 0
  }

  private func allocationsOnce() throws -> Double {
    // More than the log's tail stores, since a growing tail is not a cost of one operation.
    let count = 1_000 / weight
    try run(count)
    let before = allocations_so_far()
    try run(count)
    let between = allocations_so_far()
    try run(2 * count)
    return Double((allocations_so_far() - between) - (between - before)) / Double(count)
  }
}
