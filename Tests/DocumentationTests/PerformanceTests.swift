// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// The table of operations in `Docs/Performance.md` must have the numbers that CI compares with.
struct `The page about performance` {
  private static let page = Page(path: "Docs/Performance.md")

  /// When the pins change, `UNDERSTUDY_RECORD=1` rewrites the page.
  @Test func `has each pinned row with its numbers`() throws {
    let text = try Self.page.text
    let recorded = try Self.recorded(text, Self.pins("pins.txt"), Self.pins("pins-debug.txt"))
    if ProcessInfo.processInfo.environment["UNDERSTUDY_RECORD"] != nil {
      try recorded.write(
        to: Page.root.appending(path: Self.page.path), atomically: true, encoding: .utf8)
    }
    let (new, old) = (recorded.split(separator: "\n"), text.split(separator: "\n"))
    #expect(new.count == old.count)
    for (new, old) in zip(new, old) where new != old { Issue.record("\(old)\nis now\n\(new)") }
    let missing = try Self.pins("pins.txt").keys.filter { row in
      !text.contains("\n| \(row) |") && !text.contains("\n| *\(row)* |")
    }
    #expect(missing == [])
  }

  @Test func `with another number is found`() {
    let row = "| a call | 1,024 | 0.5 | 9 | 2,048 | 9 |"
    let (pins, debug) = (["a call": ["1024", "0.5"]], ["a call": ["2048", "1.0"]])
    #expect(Self.recorded(row, pins, debug) == row)
    let other = Self.recorded("| a call | 1,023 | 0 | 9 | 2,047 | 9 |", pins, debug)
    #expect(other == row)
  }

  /// The numbers in a file of pins, by row.
  private static func pins(_ name: String) throws -> [String: [String]] {
    let file = Page.root.appending(path: "Tests/Benchmarks/\(name)")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    return Dictionary(
      uniqueKeysWithValues: lines.filter { !$0.hasPrefix("#") }.map { line in
        let parts = line.split(separator: "|").map(String.init)
        return (parts[0], Array(parts.dropFirst()))
      })
  }

  /// The text with the pins in each row of the table: instructions, allocations, and in debug.
  private static func recorded(
    _ text: String, _ pins: [String: [String]], _ debug: [String: [String]]
  ) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      var cells = line.components(separatedBy: " | ")
      guard cells.count == 6, line.hasPrefix("| "),
        let pin = pins[cells[0].dropFirst(2).filter { $0 != "*" }]
      else { return String(line) }
      let row = cells[0].dropFirst(2).filter { $0 != "*" }
      cells[1] = grouped(pin[0])
      cells[2] = pin[1].hasSuffix(".0") ? String(pin[1].dropLast(2)) : pin[1]
      if let inDebug = debug[row] { cells[4] = grouped(inDebug[0]) }
      return cells.joined(separator: " | ")
    }.joined(separator: "\n")
  }

  /// A number with a comma before each group of three digits.
  private static func grouped(_ number: String) -> String {
    var digits = number[...]
    var groups: [Substring] = []
    while digits.count > 3 {
      groups.insert(digits.suffix(3), at: 0)
      digits = digits.dropLast(3)
    }
    return ([digits] + groups).joined(separator: ",")
  }
}
