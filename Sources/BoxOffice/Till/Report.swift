// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

/// The sold seats and the takings of each performance.
///
/// Its dependencies are parameters of its initialiser, so it is registered with `autowiring:` and
/// knows no resolver.
///
/// - Understudy: component
public struct Report: Sendable {
  /// One performance.
  public struct Line: Hashable, Sendable {
    /// The performance's identifier.
    public let performance: String
    /// The number of sold seats.
    public let sold: Int
    /// The number of all seats, or `nil` if the season does not have the performance.
    public let seats: Int?
    /// The paid amount.
    public let takings: Money
  }

  private let source: any SeasonSource
  private let store: any SalesStore

  /// Makes a report.
  public init(source: any SeasonSource, store: any SalesStore) {
    self.source = source
    self.store = store
  }

  /// One line for each performance of the season, and then one for each other performance with
  /// sales, so that no sale is left out.
  public func lines() throws -> [Line] {
    let season = try source.season()
    let sales = try Dictionary(grouping: store.sales(), by: \.performance)
    let known = season.performances.map { line($0.id, $0.seatCount, sales) }
    let others = Set(sales.keys).subtracting(season.performances.map(\.id)).sorted()
    return known + others.map { line($0, nil, sales) }
  }

  private func line(_ id: String, _ seats: Int?, _ sales: [String: [Sale]]) -> Line {
    let own = sales[id] ?? []
    return Line(
      performance: id, sold: own.reduce(0) { $0 + $1.seats.count }, seats: seats,
      takings: own.reduce(.zero) { $0 + $1.total })
  }

  /// The report as a table with a line for the total.
  public func text() throws -> String {
    let currency = try source.season().currency
    let lines = try lines()
    let sum = lines.reduce(.zero) { $0 + $1.takings }
    let rows =
      [["Performance", "Sold", "Takings"]]
      + lines.map { line in
        [
          line.performance,
          line.seats.map { "\(line.sold) of \($0)" } ?? "\(line.sold), not in season",
          line.takings.text(in: currency),
        ]
      } + [["Total", "\(lines.reduce(0) { $0 + $1.sold })", sum.text(in: currency)]]
    return rows.table
  }
}

extension [[String]] {
  /// The rows with aligned columns. The last column is aligned to the right.
  fileprivate var table: String {
    let count = first?.count ?? 0
    let widths = (0..<count).map { column in map { $0[column].count }.max() ?? 0 }
    return map { row in
      row.enumerated().map { column, cell in
        let space = String(repeating: " ", count: widths[column] - cell.count)
        return column == count - 1 ? space + cell : cell + space
      }.joined(separator: "  ")
    }.joined(separator: "\n")
  }
}
