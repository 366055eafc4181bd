// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The result of comparing the properties that the sources of a module read with those in its
/// files.
package struct PropertyCheck {
  /// The number of places that read a property.
  package let count: Int
  package let diagnostics: [Diagnostic]

  package init(count: Int, diagnostics: [Diagnostic]) {
    self.count = count
    self.diagnostics = diagnostics
  }
}
