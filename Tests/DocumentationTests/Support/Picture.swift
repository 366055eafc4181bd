// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyGraph

/// A picture of the documentation as SVG, with boxes, texts and lines in colours for light and dark
/// mode.
struct Picture {
  /// The part of a program that a box stands for. It has the same colour as in drawn graphs.
  enum Part: String, CaseIterable {
    case layer, production, neither

    var color: GraphColor {
      switch self {
      case .layer: .layer(0)
      case .production: .production
      case .neither: .declared
      }
    }
  }

  /// The style of a text.
  enum Style: String {
    case bold, code = "mono", name, small, sub
  }

  private let title: String
  private let summary: String
  private let width: Int
  private let height: Int
  private var elements: [String] = []

  init(_ title: String, _ summary: String, width: Int, height: Int) {
    self.title = title
    self.summary = summary
    self.width = width
    self.height = height
  }

  mutating func text(
    _ text: String, _ style: Style, x: Int, y: Int, anchor: String = "start"
  ) {
    elements.append(
      #"<text class="\#(style.rawValue)" x="\#(x)" y="\#(y)" text-anchor="\#(anchor)" "#
        + #"xml:space="preserve">\#(Self.escaped(text))</text>"#)
  }

  mutating func box(_ part: Part, x: Int, y: Int, width: Int, height: Int, radius: Int = 6) {
    elements.append(
      #"<rect class="\#(part.rawValue)" x="\#(x)" y="\#(y)" width="\#(width)" "#
        + #"height="\#(height)" rx="\#(radius)"/>"#)
  }

  /// A box with a title, and a line below it.
  mutating func box(
    _ part: Part, _ name: String, _ line: String, x: Int, y: Int, width: Int, isCentred: Bool
  ) {
    box(part, x: x, y: y, width: width, height: 52)
    let anchor = isCentred ? "middle" : "start"
    let start = isCentred ? x + width / 2 : x + 14
    text(name, .bold, x: start, y: y + 23, anchor: anchor)
    text(line, .sub, x: start, y: y + 41, anchor: anchor)
  }

  mutating func line(_ path: String, isArrow: Bool = false) {
    let head = isArrow ? #"marker-end="url(#a)" "# : ""
    elements.append(#"<path class="line" \#(head)d="\#(path)"/>"#)
  }

  mutating func dot(x: Int, y: Int) {
    elements.append(#"<circle class="head" cx="\#(x)" cy="\#(y)" r="5"/>"#)
  }

  /// The text of the file.
  var svg: String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" \
    height="\(height)" role="img" aria-labelledby="t d">
    <title id="t">\(Self.escaped(title))</title>
    <desc id="d">\(Self.escaped(summary))</desc>
    <style>
      text { font: 14px ui-sans-serif, system-ui, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1f2328 }
      .mono { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 13px }
      .name { font-size: 12px }
      .small { font-size: 12px; fill: #59636e }
      .sub { font-size: 12px; fill: #424a53 }
      .bold { font-weight: 600 }
      \(Self.rules { ($0.fill, $0.stroke) })
      .page { fill: #fff }
      .line { stroke: #59636e; fill: none; stroke-width: 1.5 }
      .head { fill: #59636e }
      @media (prefers-color-scheme: dark) {
        text { fill: #f0f6fc }
        .small { fill: #9198a1 }
        .sub { fill: #d1d9e0 }
        \(Self.rules { ($0.darkFill, $0.darkStroke) })
        .page { fill: #0d1117 }
        .line { stroke: #9198a1 }
        .head { fill: #9198a1 }
      }
    </style>
    <defs><marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" \
    orient="auto"><path class="head" d="M0 0 8 4 0 8z"/></marker></defs>
    <rect class="page" width="100%" height="100%"/>
    \(elements.joined(separator: "\n"))
    </svg>

    """
  }

  private static func rules(_ colors: (GraphColor) -> (fill: String, stroke: String)) -> String {
    Part.allCases.map { part in
      let colors = colors(part.color)
      return ".\(part.rawValue) { fill: \(colors.fill); stroke: \(colors.stroke) }"
    }.joined(separator: " ")
  }

  private static func escaped(_ text: String) -> String {
    // This compares scalars, since a cluster such as "<" after U+0600 is not equal to "<".
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case "\"": "&quot;"
      default: String(scalar)
      }
    }.joined()
  }

  /// Compares a picture with the committed one, or writes it if `UNDERSTUDY_RECORD` is in the
  /// environment.
  static func expect(
    _ picture: Picture, isCommittedAs name: String, at location: SourceLocation = #_sourceLocation
  ) throws {
    let file = Page.root.appending(path: "Docs/Pictures/\(name)")
    let drawn = Data(picture.svg.utf8)
    if ProcessInfo.processInfo.environment["UNDERSTUDY_RECORD"] != nil { try drawn.write(to: file) }
    let isTheSame = try Data(contentsOf: file) == drawn
    #expect(isTheSame, "Docs/Pictures/\(name) is stale.", sourceLocation: location)
  }
}
