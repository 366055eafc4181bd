// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// A diagnostic in the compiler's format, which editors understand.
package struct Diagnostic: Hashable {
  package enum Severity: String, Hashable { case error, warning }

  package var severity: Severity
  package var place: SourcePlace?
  package var message: String

  package init(severity: Severity = .error, place: SourcePlace? = nil, message: String) {
    self.severity = severity
    self.place = place
    self.message = message
  }

  /// `Shop/Till.swift:3:7: error: …`
  var text: String {
    (place.map { $0.text + ": " } ?? "") + "\(severity.rawValue): \(message)"
  }
}
