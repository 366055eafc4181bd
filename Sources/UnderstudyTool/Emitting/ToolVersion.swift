// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The version of the tool, which is the package's version.
enum ToolVersion {
  static let text = "0.1.0"
}
