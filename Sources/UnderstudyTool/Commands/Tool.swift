// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The tool, from its arguments to its exit status.
public struct Tool {
  let write: (String) -> Void
  let writeError: (String) -> Void
  private let showProgress: ((String) -> Void)?
  let launch: (String, [String]) -> Int32

  /// Makes a tool that writes its lines to two places.
  ///
  /// - Parameters:
  ///   - write: Gets every line of output.
  ///   - writeError: Gets every line that says what went wrong.
  ///   - showProgress: Gets what long work has come to, to be shown in the place of what it got
  ///     before, and nothing at its end; `nil` where nobody watches.
  ///   - launch: Runs a program of the toolchain, and gives its status.
  public init(
    write: @escaping (String) -> Void, writeError: @escaping (String) -> Void,
    showProgress: ((String) -> Void)? = nil,
    launch: @escaping (_ program: String, _ arguments: [String]) -> Int32 = { _, _ in 1 }
  ) {
    self.write = write
    self.writeError = writeError
    self.showProgress = showProgress
    self.launch = launch
  }

  /// Runs a command.
  ///
  /// - Parameter arguments: The arguments without the name of the program.
  /// - Returns: 0 if all is well, 1 if not, 2 if the arguments make no sense.
  public func run(_ arguments: [String]) -> Int32 {
    do throws(ToolError) {
      return try runCommand(arguments)
    } catch {
      writeError("error: \(error.message)")
      if case .usage = error { return 2 }
      return 1
    }
  }

  private func runCommand(_ arguments: [String]) throws(ToolError) -> Int32 {
    guard let command = arguments.first else { return try help([]) }
    let rest = Array(arguments.dropFirst())
    if rest.contains("--help") || rest.contains("-h") {
      return try help([command])
    }
    switch command {
    case "doubles": return try doubles(DoublesOptions(rest))
    case "needs": return try needs(DoublesOptions(rest, command: "needs"))
    case "wire", "validate", "graph": return try wiring(WiringOptions(command, rest))
    case "version", "--version": write("understudy-tool \(ToolVersion.text)")
    case "help", "--help", "-h": return try help(rest)
    default:
      let guess = NearMiss.sentence(for: command, among: HelpText.commands, within: 2)
      throw .usage("There is no command '\(command)'.\(guess)", command: nil)
    }
    return 0
  }

  private func help(_ arguments: [String]) throws(ToolError) -> Int32 {
    guard let text = HelpText.text(for: arguments.first) else {
      throw .usage("There is no command '\(arguments.first ?? "")'.", command: nil)
    }
    write(text)
    return 0
  }

  /// Prints the modules whose graphs the doubles need beside the ones that are given.
  private func needs(_ options: DoublesOptions) throws(ToolError) -> Int32 {
    guard let graphs = try options.input.files(.protocols(options.selection), launch: launch)
    else { return GraphInput.needsBuilds }
    let index = GraphIndex(graphs)
    var missing: Set<String> = []
    for model in try options.selection.models(in: index, mayBeEmpty: true) {
      missing.formUnion(index.missingModules(of: model))
    }
    for module in missing.sorted() { write(module) }
    return 0
  }

  private func doubles(_ options: DoublesOptions) throws(ToolError) -> Int32 {
    guard let graphs = try options.input.files(.protocols(options.selection), launch: launch)
    else { return GraphInput.needsBuilds }
    let output = try DoublesOutput(
      graphs, options.selection, source: SymbolGraphFile.source
    ) { done, count in
      if count >= 50, done.isMultiple(of: 10) { showProgress?("\(done) of \(count) protocols") }
    }
    showProgress?("")
    for problem in output.problems { writeError(problem.text) }
    guard output.problems.isEmpty else { return 1 }
    if options.isExplaining { output.explanation.forEach(write) }
    for line in output.refusals { writeError("warning: \(line)") }
    if options.output == "-" { writeError(output.summary) } else { write(output.summary) }
    let patterns = options.selection.patterns
    // A comment names its protocol, too.
    let isNamed = output.refused.contains { refused in
      patterns.isEmpty
        || patterns.contains {
          $0 == refused.protocolName || refused.protocolName.hasSuffix(".\($0)")
        }
    }
    guard let path = options.output else { return isNamed ? 1 : 0 }
    if path == "-" {
      for file in output.files { write(file.content.text.withoutLastLineEnd) }
      return isNamed ? 1 : 0
    }
    if path.hasSuffix(".swift") { return try writeWhole(output, to: path, options) }
    let directory = OutputDirectory(path: path)
    if let package = options.package {
      try OutputDirectory.check(path, isInside: package)
      try directory.check(output.files, areInside: package)
    }
    let changes = try directory.changes(for: output.files, force: options.isForced)
    let orphans = directory.orphans(of: output)
    for orphan in orphans { writeError("\(options.isCheck ? "error" : "warning"): \(orphan)") }
    if options.isCheck {
      for name in changes.stale {
        writeError("error: '\(path)/\(name)' is stale: generate it again.")
      }
      return changes.stale.isEmpty && orphans.isEmpty && !isNamed ? 0 : 1
    }
    try directory.write(output.files, changes)
    write("\(changes.stale.count) written, \(changes.unchanged) unchanged, in \(path)")
    return isNamed ? 1 : 0
  }
}

extension Tool {
  /// Writes all doubles to one file.
  private func writeWhole(
    _ output: DoublesOutput, to path: String, _ options: DoublesOptions
  ) throws(ToolError) -> Int32 {
    if let package = options.package { try OutputDirectory.check(path, isInside: package) }
    let file = OutputFile(path: path, text: output.wholeFile.text, isSwift: true)
    let isStale = try file.isStale(force: options.isForced)
    if options.isCheck {
      if isStale { writeError("error: '\(path)' is stale: generate it again.") }
      return isStale ? 1 : 0
    }
    if isStale { try file.write() }
    write(isStale ? "1 written, 0 unchanged, \(path)" : "0 written, 1 unchanged, \(path)")
    return 0
  }
}

extension String {
  /// The text as a line is written, which gets its end by that.
  var withoutLastLineEnd: String { hasSuffix("\n") ? String(dropLast()) : self }
}
