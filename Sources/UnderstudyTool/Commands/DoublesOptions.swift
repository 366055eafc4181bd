// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What the user asks of `doubles`.
struct DoublesOptions: Hashable {
  var symbolGraphs: [String] = []
  var selection = Selection()
  var output: String?
  var package: String?
  var isCheck = false
  var isExplaining = false
  var isForced = false

  /// Takes the arguments apart.
  init(_ arguments: [String]) throws(ToolError) {
    let reader = try ArgumentReader(
      arguments, command: "doubles",
      valued: ["--symbol-graph", "--protocol", "--module", "--output", "--package"],
      flags: ["--check", "--explain", "--force"])
    symbolGraphs = reader.all("--symbol-graph")
    selection.patterns = reader.all("--protocol")
    selection.modules = reader.all("--module")
    output = reader.last("--output")
    package = reader.last("--package")
    isCheck = reader.flags.contains("--check")
    isExplaining = reader.flags.contains("--explain")
    isForced = reader.flags.contains("--force")
    if symbolGraphs.isEmpty {
      throw .usage("'doubles' needs --symbol-graph, a file or a directory.", command: "doubles")
    }
    if output == nil, isCheck || !isExplaining {
      throw .usage("'doubles' needs --output, a directory.", command: "doubles")
    }
  }
}
