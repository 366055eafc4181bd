// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Foundation
internal import Understudy
internal import UnderstudyDefinitions

/// Compares the properties that the sources of a module read with those in its files.
struct PropertyCheck {
  /// The number of places that read a property.
  let count: Int
  let diagnostics: [Diagnostic]

  /// Reads the files and the sources, without running the program.
  ///
  /// - Parameters:
  ///   - files: The files of the properties. The last file with a property wins.
  ///   - sources: The sources.
  ///   - choices: The arguments that properties choose.
  ///   - directory: The directory from which paths are resolved and places are named.
  /// - Throws: An error if a source is missing.
  init(
    files: [String], sources: [String], choices: [WiringPlan.Choice] = [], directory: String
  ) throws(ToolError) {
    var uses = choices.map(\.use)
    for source in sources {
      let path = directory.appending(path: source)
      guard let data = FileManager.default.contents(atPath: path) else {
        throw .sourceMissing(path: source)
      }
      uses += PropertyUse.uses(in: String(decoding: data, as: UTF8.self), named: source)
    }
    count = uses.count
    do throws(DefinitionError) {
      let properties = try Properties(files.map { .file(directory.appending(path: $0)) })
      diagnostics =
        (properties.warnings + properties.findings(of: uses)).map {
          Diagnostic($0, directory)
        } + choices.compactMap { $0.problem(in: properties) }
    } catch {
      diagnostics = error.findings.map { Diagnostic($0, directory) }
    }
  }
}

extension WiringPlan.Choice {
  fileprivate var use: PropertyUse {
    PropertyUse(
      path: property, type: "String", file: place?.path ?? "", line: place?.line ?? 0,
      column: place?.column ?? 0)
  }

  fileprivate func problem(in properties: Properties) -> Diagnostic? {
    guard let name = properties[property, as: String.self], !names.contains(name) else {
      return nil
    }
    return Diagnostic(
      place: place,
      message: "The property `\(property)` is `\(name)`, and `\(type)` has no implementation of"
        + " that name. (\(names.sorted().joined(separator: ", ")))")
  }
}

extension Diagnostic {
  fileprivate init(_ finding: Finding, _ directory: String) {
    var message = finding.message
    if let origin = finding.origin, origin.line > 0 {
      place = SourcePlace(path: origin.source, line: origin.line, column: origin.column)
        .relative(to: directory)
      message.facts.removeAll { $0.label == "At" }
    }
    self.message = message.inOneLine
  }
}
