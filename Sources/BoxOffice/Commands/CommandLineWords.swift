// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

/// The commands of the program.
enum Command: String, CaseIterable {
  case sell
  case report
  case rehearse
  case help

  /// The options of a command.
  var options: [CommandOption] {
    switch self {
    case .sell, .rehearse: CommandOption.allCases
    case .report: [.season, .store, .settings, .services]
    case .help: []
    }
  }
}

/// The options of commands. Each has a value.
enum CommandOption: String, CaseIterable {
  case performance
  case seats
  case patron
  case discount
  case season
  case store
  case settings
  case services

  var spelling: String { "--\(rawValue)" }
}

/// A command and its options, read from the words of a command line.
struct CommandLineWords: Equatable {
  let command: Command
  private var values: [CommandOption: String] = [:]

  /// Reads `sell --performance hamlet-fri --seats=A1,A2`; knows `--help` and `-h` everywhere.
  init(_ words: [String]) throws(BoxOfficeError) {
    let names = Command.allCases.map(\.rawValue)
    guard let first = words.first else { throw .noCommand(known: names) }
    guard !words.contains(where: { $0 == "--help" || $0 == "-h" }) else {
      command = .help
      return
    }
    guard let command = Command(rawValue: first) else { throw .unknownCommand(first, known: names) }
    self.command = command
    var rest = words.dropFirst()
    while let word = rest.popFirst() { try read(word, from: &rest) }
  }

  /// The value of an option, if it is there.
  subscript(option: CommandOption) -> String? { values[option] }

  /// The value of an option that must be there.
  func required(_ option: CommandOption) throws(BoxOfficeError) -> String {
    guard let value = values[option] else {
      throw .optionMissing(option.spelling, command: command.rawValue)
    }
    return value
  }

  private mutating func read(
    _ word: String, from rest: inout ArraySlice<String>
  ) throws(BoxOfficeError) {
    guard word.hasPrefix("-") else { throw .unexpectedWord(word, command: command.rawValue) }
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let spelling = String(parts[0])
    guard let option = command.options.first(where: { $0.spelling == spelling }) else {
      throw .unknownOption(
        spelling, command: command.rawValue, known: command.options.map(\.spelling))
    }
    let value = parts.count > 1 ? String(parts[1]) : rest.popFirst()
    guard let value, !value.isEmpty, parts.count > 1 || !value.hasPrefix("--") else {
      throw .valueMissing(option: spelling)
    }
    guard values.updateValue(value, forKey: option) == nil else { throw .optionRepeated(spelling) }
  }
}
