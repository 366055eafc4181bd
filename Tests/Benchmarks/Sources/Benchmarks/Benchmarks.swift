// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import AllocationCounter
import BenchmarkRows

/// Measures every row, and prints the results.
///
///     Benchmarks times [WORDS]    prints medians and ratios, of the rows with these words
///     Benchmarks counts [short]   prints the allocations of each row, with marks for callgrind
@main
enum Benchmarks {
  static func main() throws {
    switch CommandLine.arguments.dropFirst().first {
    case "counts": try counts()
    case "loop": try loop()
    case "times", nil: try times(of: CommandLine.arguments.dropFirst(2).first)
    default: print("usage: Benchmarks [times [WORDS] | counts [short] | loop ROW COUNT]")
    }
  }

  /// Runs each row n and 2 n times between two marks. A profiler that starts anew at each mark sees
  /// the cost of n operations as the difference.
  private static func counts() throws {
    // A debug build executes ten times as many instructions. Growth is measured in release.
    let isShort = CommandLine.arguments.contains("short")
    for row in isShort ? Rows.all(crowds: [], depths: [0, 1]) : Rows.all() {
      // More than the log's tail stores, so that its end always costs the same. A row that pushes
      // layers first does so in every run, and not with exactly as many instructions. More
      // operations make that difference less important.
      let count =
        (row.goal == nil || row.goal?.of == Rows.push ? 1_000 : 10_000) / (isShort ? 10 : 1)
        / row.weight
      try row.run(count)
      benchmark_mark()
      try row.run(count)
      benchmark_mark()
      try row.run(2 * count)
      benchmark_mark()
      let allocations = try row.allocations()
      print("\(row.name)|\(count)|\(allocations)")
    }
  }

  private static func loop() throws {
    let arguments = CommandLine.arguments
    for row in Rows.all(crowds: []) where row.name == arguments[2] {
      try row.run(1)
      try measured(row, Int(arguments[3]) ?? 1)
    }
  }

  /// The function for a profiler: `--toggle-collect='*measured*'`.
  @inline(never) @_optimize(none)
  private static func measured(_ row: Row, _ count: Int) throws { try row.run(count) }

  private static func times(of words: String?) throws {
    // These run first, before the rows fragment the allocator's memory.
    let more = words == nil ? try MoreMeasurements.lines() : []
    let rows = Rows.all().filter { row in
      words.map { row.name.contains($0) } ?? true || row.name.hasPrefix("reference")
    }
    let medians = try medianTimes(of: rows)
    print("| operation | ns | allocations | ratio | goal | met |\n|---|---:|---:|---:|---:|---|")
    for row in rows {
      let time = medians[row.name] ?? 0
      var cells = [row.name, time.figure, try row.allocations().figure, "", "", ""]
      if let goal = row.goal, let reference = medians[goal.of] {
        let reads = Double(goal.reads) * (medians[Rows.read] ?? 0)
        cells[3] = (time / reference).figure
        cells[4] = "≤ \(goal.factor.figure)" + (goal.reads == 0 ? "" : " and \(goal.reads) r")
        cells[5] = time <= goal.factor * reference + reads ? "yes" : "no"
      }
      print("| " + cells.joined(separator: " | ") + " |")
    }
    print("\n" + more.joined(separator: "\n"))
  }

  /// Nanoseconds of one operation, from the difference between n and 3 n operations. It is the
  /// median of eleven rounds through all rows, so a busy moment of the machine affects all of them
  /// alike.
  private static func medianTimes(of rows: [Row]) throws -> [String: Double] {
    let clock = ContinuousClock()
    var samples: [String: [Double]] = [:]
    for row in rows { try row.run(50) }
    for _ in 0..<11 {
      for row in rows {
        let count = (row.name.hasPrefix("push") ? 2_000 : 20_000) / row.weight
        let short = try clock.measure { try row.run(count) }
        let long = try clock.measure { try row.run(3 * count) }
        samples[row.name, default: []].append((long - short).nanoseconds / Double(2 * count))
      }
    }
    return samples.mapValues { $0.sorted()[$0.count / 2] }
  }
}
