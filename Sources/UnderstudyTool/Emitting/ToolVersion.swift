// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The version of the tool, which is that of the package: the newest one in CHANGELOG.md.
enum ToolVersion {
  static let text = "1.0.0"
}
