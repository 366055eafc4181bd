// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The colours of every picture of this package: production is blue, layers are amber and then
/// other colours, a declared default is grey, and a missing dependency is red.
package struct GraphColor: Hashable, Sendable {
  package let fill: String
  package let stroke: String
  /// The same colour in dark mode.
  package let darkFill: String
  package let darkStroke: String

  private init(_ fill: String, _ stroke: String, dark darkFill: String, _ darkStroke: String) {
    self.fill = fill
    self.stroke = stroke
    self.darkFill = darkFill
    self.darkStroke = darkStroke
  }

  package static let production = GraphColor("#ddf4ff", "#0969da", dark: "#0c2d6b", "#4493f8")
  package static let declared = GraphColor("#eff2f5", "#59636e", dark: "#212830", "#9198a1")
  package static let missing = GraphColor("#ffebe9", "#d1242f", dark: "#3c0614", "#f85149")

  private static let layers = [
    GraphColor("#fff8c5", "#9a6700", dark: "#3b2300", "#d29922"),
    GraphColor("#dafbe1", "#1a7f37", dark: "#04260f", "#3fb950"),
    GraphColor("#fbefff", "#8250df", dark: "#271052", "#ab7df8"),
    GraphColor("#d2f4f2", "#0f6f6c", dark: "#00312f", "#39c5bb"),
    GraphColor("#ffeff7", "#bf3989", dark: "#42062a", "#db61a2"),
  ]

  /// The colour of a layer, counted from the outermost. The sixth layer has the colour of the
  /// first.
  package static func layer(_ index: Int) -> GraphColor { layers[index % layers.count] }
}
