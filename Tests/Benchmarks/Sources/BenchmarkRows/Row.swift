// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import AllocationCounter

/// One operation that is measured, and what its cost may be.
public struct Row {
  /// What is done.
  public let name: String
  /// The row that this one is compared with, the factor that is the goal, and how many reads of a
  /// task-local it may take besides.
  public let goal: (factor: Double, of: String, reads: Int)?
  /// How many operations are one, where each does as much as many of another row.
  public let weight: Int
  /// Does the operation so many times.
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

  /// Allocations of one operation, without those of the first.
  public func allocations() throws -> Double {
    count_allocations(1)
    defer { count_allocations(0) }
    // Something of the whole process may grow just then: it does not three times in a row.
    return try (0..<3).map { _ in try allocationsOnce() }.min() ?? 0
  }

  private func allocationsOnce() throws -> Double {
    // More than a log's tail keeps: a growing tail is no cost of one operation.
    let count = 1_000 / weight
    try run(count)
    let before = allocations_so_far()
    try run(count)
    let between = allocations_so_far()
    try run(2 * count)
    return Double((allocations_so_far() - between) - (between - before)) / Double(count)
  }
}
