// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Where a value came from: a file with line and column, a variable, an argument, or code.
public struct Origin: Hashable, Sendable, CustomStringConvertible {
  /// The name of the source in messages: `config/services.json`, `environment variable APP__URL`.
  public var source: String { name.text }
  /// The line, from 1. It is 0 if the source has no lines.
  public let line: Int
  /// The column in characters, from 1. In a binary file it is the offset in bytes.
  public let column: Int

  private let name: SourceName

  package init(_ name: SourceName, line: Int = 0, column: Int = 0) {
    self.name = name
    self.line = line
    self.column = column
  }

  package init(_ text: String) {
    self.init(SourceName(text))
  }

  static func ofText(_ source: String) -> Origin { Origin(SourceName(source, hasOnlyTexts: true)) }

  /// True if the source knows no other values than texts.
  var isOfText: Bool { name.hasOnlyTexts }

  /// The origin of the whole tree of several sources, which none of them contains.
  static let nowhere = Origin("no source")

  /// The place, if there is one.
  var ifSomewhere: Origin? { self == .nowhere ? nil : self }

  /// `services.json:12:5`
  public var description: String {
    if line > 0 { return "\(source):\(line):\(column)" }
    return column > 0 ? "\(source), byte \(column)" : source
  }

  /// `services.json line 12`
  package var prose: String { line > 0 ? "\(source) line \(line)" : source }

  /// The source of a property and the sources that it replaced.
  func provenance(of path: String, over shadowed: [Origin]) -> String {
    let over = shadowed.isEmpty ? "" : ", over " + shadowed.map(\.source).joined(separator: ", ")
    return "`\(path)` from \(prose)\(over)"
  }
}

extension [Origin] {
  /// The most replaced places that a property keeps. Each reload under another name adds one.
  private static let historyCount = 16

  /// The places that a value from `origin` has replaced, the last one first: one for each source,
  /// and none for the source of `origin`.
  func replaced(by origin: Origin) -> [Origin] {
    var sources: Set<String> = [origin.source]
    return Array(filter { sources.insert($0.source).inserted }.prefix(Self.historyCount))
  }
}

/// The name of a source, shared by all values from it.
package final class SourceName: Hashable, Sendable {
  package let text: String
  /// True if the source knows no other values than texts: the environment, the command line.
  let hasOnlyTexts: Bool

  package init(_ text: String, hasOnlyTexts: Bool = false) {
    self.text = text
    self.hasOnlyTexts = hasOnlyTexts
  }

  package static func == (left: SourceName, right: SourceName) -> Bool {
    left === right || left.text == right.text
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
