// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// The tables of operations and of other libraries in `Docs/PerformanceTables.md` must have the
/// numbers that CI compares with.
struct `The page about performance` {
  private static let page = Page(path: "Docs/PerformanceTables.md")

  /// When the pins change, `UNDERSTUDY_RECORD=1` rewrites the page.
  @Test func `has each pinned row with its numbers`() throws {
    let text = try Self.page.text
    let (pins, debug) = try (Self.pins("pins.txt"), Self.pins("pins-debug.txt"))
    let recorded = try Self.beside(
      Self.recorded(text, pins, debug), Self.libraries(pins, debug))
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

  @Test func `has a row for each library, with the cost of its case over the same by hand`() throws
  {
    let text = try Self.page.text
    let libraries = try Self.libraries(Self.pins("pins.txt"), Self.pins("pins-debug.txt"))
    let missing = libraries.keys.filter { !text.contains("\n| \($0) |") }
    #expect(missing == [])
    #expect(libraries.count > 6)
  }

  @Test func `with another cost of a library is found`() {
    let row = "| a library | 1 | 2 | 3 | 4 | 5 | 6 |"
    let costs: [Double?] = [1.04, 2, nil, 4, 5, 65.6]
    #expect(
      Self.beside(row, ["a library": costs]) == "| a library | 1.0 | 2.0 |  | 4.0 | 5.0 | 66 |")
    #expect(Self.beside(row, ["another": costs]) == row)
  }

  /// The page says where a case by type costs less than with another library.
  @Test(arguments: ["Factory", "swift-dependencies", "Swinject"])
  func `says truly that a case by type, asked twice in release, costs less than with`(
    _ library: String
  ) throws {
    let libraries = try Self.libraries(Self.pins("pins.txt"), Self.pins("pins-debug.txt"))
    let own = try #require(libraries["Understudy, by type"])
    let others = libraries.filter { $0.key.hasPrefix("\(library) ") }
    #expect(!others.isEmpty)
    for (name, costs) in others {
      #expect(try #require(own[4]) < #require(costs[4]), "\(name)")
      if library == "Factory" { #expect(try #require(own[3]) < #require(costs[3]), "\(name)") }
    }
  }

  /// The cost of a case with each library as multiples of the case by hand: asked once, asked twice
  /// and nothing asked, in debug and then in release.
  private static func libraries(
    _ pins: [String: [String]], _ debug: [String: [String]]
  ) throws -> [String: [Double?]] {
    let counts = try self.pins("peers.txt").mapValues { $0.compactMap(Double.init) }
    let byHand = try #require(counts["by hand"])
    var libraries = counts.mapValues { counts -> [Double?] in
      counts.enumerated().map { $1 / byHand[$0 / 3 * 3] }
    }
    libraries["by hand"] = nil
    for form in ["by type", "declared"] {
      let rows = ["a case, \(form)", "a case, \(form), asked twice"]
      let last = form == "by type" ? "a case, nothing asked" : nil
      libraries["Understudy, \(form)"] = try [debug, pins].flatMap { pins in
        let byHand = try count("reference: a case by hand", in: pins)
        return try rows.map { try count($0, in: pins) / byHand }
          + [last.map { try count($0, in: pins) / byHand }]
      }
    }
    return libraries
  }

  private static func count(_ row: String, in pins: [String: [String]]) throws -> Double {
    try #require(pins[row]?.first.flatMap(Double.init))
  }

  /// The text with the costs in each row of the table of libraries.
  private static func beside(_ text: String, _ libraries: [String: [Double?]]) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let cells = line.components(separatedBy: " | ")
      guard cells.count == 7, line.hasPrefix("| "),
        let costs = libraries[String(cells[0].dropFirst(2))]
      else { return String(line) }
      let figures = costs.map { $0.map { String(format: $0 < 9.95 ? "%.1f" : "%.0f", $0) } ?? "" }
      return ([cells[0]] + figures).joined(separator: " | ") + " |"
    }.joined(separator: "\n")
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
