// Part of an example of Understudy: a command-line tool.
// SPDX-License-Identifier: MIT

/// The medium that tickets are printed on.
public protocol Paper: Sendable {
  /// Prints a line.
  func put(_ line: String)
}

/// Production's paper: standard output.
struct StandardOutput: Paper {
  func put(_ line: String) { print(line) }
}
