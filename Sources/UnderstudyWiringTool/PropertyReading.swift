// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy
internal import UnderstudyDefinitions
package import UnderstudyTool

extension Library {
  package func checkProperties(
    in files: [PropertyFiles.File], readBy sources: [(path: String, text: String)],
    choices: [WiringPlan.Choice], directory: String
  ) -> PropertyCheck {
    let uses =
      choices.map(\.use) + sources.flatMap { PropertyUse.uses(in: $0.text, named: $0.path) }
    do throws(DefinitionError) {
      let properties = try Properties(
        files.map { file in file.name.map { .file(file.path, named: $0) } ?? .file(file.path) })
      return PropertyCheck(
        count: uses.count,
        diagnostics: (properties.warnings + properties.findings(of: uses)).map {
          Diagnostic($0, directory)
        } + choices.compactMap { $0.problem(in: properties) })
    } catch {
      return PropertyCheck(
        count: uses.count, diagnostics: error.findings.map { Diagnostic($0, directory) })
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
    var place: SourcePlace?
    if let origin = finding.origin, origin.line > 0 {
      place = SourcePlace(path: origin.source, line: origin.line, column: origin.column)
        .relative(to: directory)
      message.facts.removeAll { $0.label == "At" }
    }
    self.init(place: place, message: message.inOneLine)
  }
}
