// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation

/// The instructions of some rows at several sizes, from the pins.
struct GrowthChart {
  struct Curve {
    let name: String
    let points: [(label: String, instructions: Int)]
  }

  let title: String
  let curves: [Curve]

  /// A chart for each group of rows that the pins have at several sizes.
  static func all() throws -> [GrowthChart] {
    let pins = try Page(path: "Tests/Benchmarks/pins.txt").text.split(separator: "\n").map {
      line -> (name: String, instructions: Int) in
      let fields = line.split(separator: "|")
      return (String(fields[0]), Int(fields[1]) ?? 0)
    }
    func curve(_ prefix: String, _ suffix: String = "") -> Curve {
      Curve(
        name: String(prefix.prefix { $0 != "," }),
        points: pins.filter { $0.name.hasPrefix(prefix) && $0.name.hasSuffix(suffix) }.map {
          (String($0.name.dropFirst(prefix.count).dropLast(suffix.count)), $0.instructions)
        })
    }
    return [
      GrowthChart(
        title: "layers on the stack",
        curves: [curve("overridden, depth "), curve("not overridden, depth ")]),
      GrowthChart(title: "layers on the stack", curves: [curve("push and pop, depth ")]),
      GrowthChart(title: "registrations", curves: [curve("cached, named, ", " registrations")]),
    ]
  }
}

extension Picture {
  /// Two charts in a row, each with its own scale from zero.
  static func growth(_ charts: [GrowthChart]) -> Picture {
    let width = 330
    var picture = Picture(
      "Costs that do not grow",
      "Instructions of one operation as the stack of layers or the number of registrations grows: flat "
        + "lines.", width: 24 + width * 2, height: 50 + 220 * ((charts.count + 1) / 2))
    picture.text("Instructions of one operation", .bold, x: 24, y: 30)
    for (index, chart) in charts.enumerated() {
      picture.draw(
        chart, left: 24 + width * (index % 2), top: 64 + 220 * (index / 2), width: width - 90)
    }
    return picture
  }

  private mutating func draw(_ chart: GrowthChart, left: Int, top: Int, width: Int) {
    let bottom = top + 146
    let axis = left + 54
    let most = chart.curves.flatMap(\.points).map(\.instructions).max() ?? 1
    // The next round number above the highest point.
    let unit = Int(pow(10, log10(Double(most)).rounded(.down)))
    let limit = (most / unit + 1) * unit
    func height(_ instructions: Int) -> Int { bottom - (bottom - top) * instructions / limit }
    line("M\(axis) \(top) V\(bottom) H\(axis + width)")
    text("\(limit)", .small, x: axis - 6, y: top + 5, anchor: "end")
    text("0", .small, x: axis - 6, y: bottom + 4, anchor: "end")
    text(chart.title, .sub, x: axis + width / 2, y: bottom + 42, anchor: "middle")
    for curve in chart.curves {
      let step = (width - 40) / max(1, curve.points.count - 1)
      var path = ""
      for (index, point) in curve.points.enumerated() {
        let (x, y) = (axis + 20 + step * index, height(point.instructions))
        path += path.isEmpty ? "M\(x) \(y)" : " L\(x) \(y)"
        dot(x: x, y: y)
        // The curves of a chart have the same points.
        guard curve.name == chart.curves.first?.name else { continue }
        text(point.label, .small, x: x, y: bottom + 20, anchor: "middle")
      }
      line(path)
      let isTopmost = curve.points.map(\.instructions).max() == most
      let y = height(curve.points.first?.instructions ?? 0) + (isTopmost ? -12 : 22)
      text(curve.name, .sub, x: axis + 20, y: y)
    }
  }
}
