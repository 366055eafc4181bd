// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// The tool, from its arguments to its exit status.
public struct Tool {
  let library: (any WiringLibrary)?
  let write: (String) -> Void
  let writeError: (String) -> Void
  let showProgress: ((String) -> Void)?
  let launch: (String, [String]) -> ProgramEnd

  /// Creates a tool that writes its output to two closures.
  ///
  /// - Parameters:
  ///   - library: The parts of the library for the commands that wire a module. Without it, these
  /// commands are errors.
  ///   - write: Receives every line of output.
  ///   - writeError: Receives every line of an error.
  ///   - showProgress: Receives the progress of long work. Each text replaces the previous one, and
  /// the last one is empty. `nil` without a terminal.
  ///   - launch: Runs a program of the toolchain.
  package init(
    library: (any WiringLibrary)?,
    write: @escaping (String) -> Void, writeError: @escaping (String) -> Void,
    showProgress: ((String) -> Void)? = nil,
    launch: @escaping (_ program: String, _ arguments: [String]) -> ProgramEnd = { _, _ in
      ProgramEnd(status: 1)
    }
  ) {
    self.library = library
    self.write = write
    self.writeError = { writeError($0.withInvisibleScalarsOfLinesEscaped) }
    self.showProgress = showProgress
    self.launch = launch
  }

  /// The last argument in a run by a plugin, whose users do not know the program.
  static let pluginMark = "--plugin"

  /// Runs a command.
  ///
  /// - Parameter arguments: The arguments without the name of the program.
  /// - Returns: 0 for success, 1 for an error, 2 for invalid arguments.
  public func run(_ arguments: [String]) -> Int32 {
    let isPlugin = arguments.last == Self.pluginMark
    do throws(ToolError) {
      return try runCommand(isPlugin ? arguments.dropLast() : arguments)
    } catch {
      let program = isPlugin ? "swift package understudy" : "understudy-tool"
      writeError("error: \(error.message(from: program))")
      if case .usage = error { return 2 }
      if case .unwritable = error, isPlugin {
        writeError(
          "note: A sandbox may be the reason. It is open after"
            + " 'swift package --allow-writing-to-package-directory understudy …'.")
      }
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
    case "wire", "validate", "graph": return try wiring(WiringOptions(command, rest))
    case "version", "--version": write("understudy-tool \(ToolVersion.text)")
    case "upgrade": write(HelpText.upgrade)
    case "help", "--help", "-h": return try help(rest)
    default:
      let guess = NearMiss.sentence(for: command, among: HelpText.commands, within: 2)
      throw .usage("There is no command '\(command)'.\(guess)", command: nil)
    }
    return 0
  }

  /// Reports a file that `--check` finds missing or different.
  func reportStale(_ path: String) {
    let isThere = FileFacts(path) != nil
    writeError(
      "error: '\(path)' is \(isThere ? "stale: generate it again" : "missing: generate it").")
  }

  private func help(_ arguments: [String]) throws(ToolError) -> Int32 {
    guard let text = HelpText.text(for: arguments.first) else {
      throw .usage("There is no command '\(arguments.first ?? "")'.", command: nil)
    }
    write(text)
    return 0
  }
}

extension String {
  /// The text without its last line break, since `write` adds one.
  var withoutLastLineEnd: String { hasSuffix("\n") ? String(dropLast()) : self }
}
