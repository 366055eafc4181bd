// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The parts of the library that the commands for wiring use.
///
/// This module is built without the library, which takes longer to compile than the tool. So the
/// tool for doubles is ready sooner.
package protocol WiringLibrary {
  /// Draws a graph in one of the formats of `WiringOptions`.
  func text(of graph: WiringGraph, format: String, title: String) -> String

  /// Compares the properties that sources read with those in files. No code of the module runs.
  ///
  /// - Parameters:
  ///   - files: The files. The last file with a property wins.
  ///   - sources: The sources, each with its path and its text.
  ///   - choices: The arguments that properties choose.
  ///   - directory: The directory from which places are named.
  func checkProperties(
    in files: [PropertyFiles.File], readBy sources: [(path: String, text: String)],
    choices: [WiringPlan.Choice], directory: String
  ) -> PropertyCheck
}
