// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The errors that stop the tool. Each has one line.
enum ToolError: Error, Hashable {
  case usage(String, command: String?)
  case noSymbolGraphs(path: String)
  case unreadable(path: String, reason: String)
  case truncated(path: String)
  case malformed(path: String, symbol: String)
  case unknownFormat(path: String, version: String)
  case noProtocol(pattern: String, nearest: [String])
  /// A pattern that is the name of another declaration, and the kind of that.
  case notProtocol(pattern: String, kind: String)
  case nothingChosen(modules: [String])
  case ambiguousProtocol(name: String, modules: [String])
  case outputIsFile(path: String)
  case fileIsDirectory(path: String)
  case sameFile(path: String, [String])
  case unwritable(path: String, reason: String)
  case editedByHand(path: String)
  case notGenerated(path: String)
  case noResolved(path: String)
  case badResolved(path: String)
  case unknownResolved(path: String, version: Int)
  case configuration(path: String, String)
  case twoSections(module: String)
  case noSource(String, key: String, module: String)
  case sourceMissing(path: String)
  case outside(path: String, package: String)
  case noModule(String, [String])
  /// A module without a graph, its target, and its generated sources.
  case noGraph(String, target: String, generated: [String])
  /// A compiled module that the extractor cannot read.
  case noExtraction(String, SymbolGraphFile.Failure)
  /// An executable target that compiles.
  case noGraphOfExecutable(String)
  case noTests(String)
  case noProperties(pattern: String)
  /// A command that prints properties, and the reason of its failure.
  case propertyCommand(String, String)
  case noLibrary(String)
}

extension ToolError {
  /// The line for the user, without the `error: ` prefix.
  var message: String {
    switch self {
    case .usage: return message(from: "understudy-tool")
    case .noSymbolGraphs(let path):
      return "There is no symbol graph at '\(path)': no file there ends in '.symbols.json'."
    case .unreadable(let path, let reason):
      return "The symbol graph '\(path)' cannot be read: \(reason)."
    case .malformed(let path, let symbol):
      return "'\(path)' is not a compiler's symbol graph: '\(symbol.literal)' has no name or no"
        + " valid place in a file."
    case .truncated(let path):
      return "The symbol graph '\(path)' is truncated or invalid: emit it again."
    case .unknownFormat(let path, let version):
      return "The symbol graph '\(path)' has format \(version); this tool knows the formats 0.x."
    case .noProtocol(let pattern, let nearest):
      return "No protocol is named '\(pattern)'.\(Self.guess(nearest))"
    case .notProtocol(let pattern, let kind):
      return "'\(pattern)' is \(kind), and only protocols get doubles."
    case .nothingChosen(let modules):
      return "No protocol of \(Self.list(modules)) says '- Understudy: double' in its documentation"
        + " comment. Choose protocols there, or with --protocol."
    case .ambiguousProtocol(let name, let modules):
      return "Several modules have a protocol '\(name)'. Choose one with --protocol: "
        + "\(Self.list(modules.map { "\($0).\(name)" }))."
    case .outputIsFile(let path):
      return "The output '\(path)' is a file; --output names a directory."
    case .fileIsDirectory(let path):
      return "The file '\(path)' cannot be written: there is a directory of that name."
    case .sameFile(let path, let targets):
      return "The output of \(Self.list(targets, "and")) would be the same file '\(path)'."
        + " Give each target an output of its own in the configuration."
    case .unwritable(let path, let reason):
      return "The file '\(path)' cannot be written: \(reason)."
    case .editedByHand(let path):
      return "The file '\(path)' was edited by hand, so nothing was written."
        + " Use --force to replace it."
    case .notGenerated(let path):
      return "The file '\(path)' was not written by this tool, so nothing was written."
        + " Use --force to replace it."
    case .noResolved(let path):
      return "Not found dependency resolved file on '\(path)'."
    case .badResolved(let path):
      return "The file '\(path)' does not contain the results of a wiring."
    case .unknownResolved(let path, let version):
      return "The file '\(path)' has version \(version); this tool knows version 1."
    case .configuration(let path, let problem):
      return "The configuration '\(path)' \(problem)"
    case .twoSections(let module):
      return "The configuration has two sections for '\(module)': by its target and by its module."
    case .noSource(let path, let key, let module):
      return "The configuration has '\(path)' in '\(key)', and '\(module)' has no source there."
    case .sourceMissing(let path):
      return "The symbol graph names the source '\(path)', which cannot be read: build again."
    case .outside(let path, let package):
      return "The output '\(path)' is outside the package '\(package)'."
    case .noTests(let target):
      return "No test target depends on '\(target)'. Say where its doubles go with --output, or in"
        + " the configuration."
    case .noProperties(let pattern):
      return "No file of properties matches '\(pattern)'."
    case .propertyCommand(let command, let reason):
      return "The command '\(command)', which prints properties, failed: \(reason)"
    case .noLibrary(let command):
      return "This program only writes doubles. 'understudy-tool \(command)' has the command."
    case .noGraph(let name, _, let generated) where !generated.isEmpty:
      return "There is no symbol graph of '\(name)', since it could not be built. If the reason is"
        + " in what this tool has generated, remove \(Self.list(generated, "and")) and run this again."
    case .noGraph(let name, let target, _):
      return "There is no symbol graph of '\(name)', since it could not be built. Fix the errors"
        + " above, or see what 'swift build --target \(target)' says, and run this again."
    case .noExtraction(let name, let failure):
      return failure.text(name)
    case .noGraphOfExecutable(let target):
      return "There is no symbol graph of '\(target)', an executable. Move its components and its"
        + " protocols to a library target that it depends on, and name that one."
    case .noModule(let name, []):
      return "No module is named '\(name)': the symbol graphs are empty."
    case .noModule(let name, let known):
      return "No module is named '\(name)': the symbol graphs are of \(Self.list(known, "and"))."
    }
  }

  /// The same line. It names the command with which the user runs the tool.
  func message(from program: String) -> String {
    guard case .usage(let problem, let command) = self else { return message }
    return "\(problem) See '\(program) help\(command.map { " \($0)" } ?? "")'."
  }

  /// A question about similar names, if there are any.
  static func guess(_ nearest: [String]) -> String {
    nearest.isEmpty ? "" : " Did you mean \(list(nearest))?"
  }

  static func list(_ names: [String], _ word: String = "or") -> String {
    let quoted = names.map { "'\($0)'" }
    guard quoted.count > 1 else { return quoted.first ?? "any module" }
    return quoted.dropLast().joined(separator: ", ") + " \(word) " + quoted[quoted.count - 1]
  }
}
