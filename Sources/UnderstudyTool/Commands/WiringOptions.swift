// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The options of `wire`, `validate` and `graph`.
struct WiringOptions: Hashable {
  static let accessLevels = ["internal", "package", "public"]
  static let formats = ["mermaid", "dot", "json", "text", "html"]

  var command: String
  var input: GraphInput
  var modules: [String]
  /// The configuration, or `nil` for `understudy.json` if it exists.
  var configuration: String?
  var package: String?
  var format: String
  var isCheck: Bool
  var isForced: Bool
  /// Whether `wire` prints the assembly and writes no file.
  var isPrinted = false
  /// The options of the command line for the module. They win over the configuration.
  var target = WiringConfiguration.Target()

  /// Parses the arguments.
  init(_ command: String, _ arguments: [String]) throws(ToolError) {
    var valued =
      GraphInput.options + ["--module", "--config", "--resolved", "--provided", "--package"]
    var flags: [String] = []
    switch command {
    case "wire":
      valued += ["--output", "--name", "--access", "--import", "--lifecycle", "--resolved-output"]
      valued += ["--properties", "--properties-from"]
      flags += ["--check", "--force"]
    case "graph":
      valued += ["--output", "--format"]
      flags += ["--force"]
    case "validate": valued += ["--properties", "--properties-from"]
    default: break
    }
    let reader = try ArgumentReader(arguments, command: command, valued: valued, flags: flags)
    self.command = command
    input = try GraphInput(reader, command: command)
    modules = reader.all("--module")
    configuration = reader.last("--config")
    package = reader.last("--package")
    format = try reader.word("--format", among: Self.formats) ?? "mermaid"
    isCheck = reader.flags.contains("--check")
    isForced = reader.flags.contains("--force")
    isPrinted = command == "wire" && reader.last("--output") == "-"
    target.output = isPrinted ? nil : reader.last("--output")
    target.name = reader.last("--name")
    target.access = try reader.word("--access", among: Self.accessLevels)
    target.imports = reader.all("--import")
    let lifecycles = ComponentMarker.Lifecycle.allCases.map(\.rawValue)
    target.lifecycle = try reader.word("--lifecycle", among: lifecycles)
      .flatMap(ComponentMarker.Lifecycle.init)
    target.resolvedOutput = reader.last("--resolved-output")
    target.provided = reader.all("--provided")
    target.properties = reader.all("--properties")
    target.propertyCommands = reader.all("--properties-from")
    target.dependencies = reader.all("--resolved").map {
      WiringConfiguration.Dependency(path: $0, imports: [])
    }
    if isPrinted, isCheck || target.resolvedOutput != nil {
      throw .usage(
        "'--output -' prints the assembly; it cannot be used with --check or --resolved-output.",
        command: command)
    }
  }
}
