// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The options of `doubles`.
struct DoublesOptions: Hashable {
  var input: GraphInput
  var selection = Selection()
  var output: String?
  var package: String?
  /// The configuration, or `nil` for `understudy.json` if it exists.
  var configuration: String?
  /// The path of a build step's `doubles.json`, which chooses in place of the arguments.
  var choices: String?
  /// The access level of the doubles, or `nil` for that of the configuration.
  var access: DoublesAccess?
  var isCheck = false
  var isExplaining = false
  var isForced = false
  var isWriting = false

  /// Parses the arguments.
  init(_ arguments: [String]) throws(ToolError) {
    let reader = try ArgumentReader(
      arguments, command: "doubles",
      valued: GraphInput.options + [
        "--protocol", "--module", "--output", "--package", "--config", "--choices",
        "--access",
      ],
      flags: ["--check", "--explain", "--force", "--write"])
    input = try GraphInput(reader, command: "doubles")
    selection.patterns = reader.all("--protocol")
    selection.modules = reader.all("--module")
    output = reader.last("--output")
    package = reader.last("--package")
    isCheck = reader.flags.contains("--check")
    isExplaining = reader.flags.contains("--explain")
    isForced = reader.flags.contains("--force")
    isWriting = reader.flags.contains("--write")
    configuration = reader.last("--config")
    choices = reader.last("--choices")
    access = try reader.word("--access", among: DoublesAccess.words).flatMap(DoublesAccess.init)
    if choices != nil, input.list == nil {
      throw .usage("'--choices' needs --modules.", command: "doubles")
    }
    if choices != nil, !selection.patterns.isEmpty || !selection.modules.isEmpty {
      throw .usage(
        "'--choices' names the protocols, and cannot be used with --protocol or --module.",
        command: "doubles")
    }
    if output == "-", isCheck || isExplaining {
      throw .usage(
        "'--output -' prints the doubles; it cannot be used with --check or --explain.",
        command: "doubles")
    }
    if output == nil, input.list == nil, isCheck || !isExplaining {
      throw .usage("'doubles' needs --output, a directory.", command: "doubles")
    }
  }
}
