// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// Splits the arguments of a command into options with a value, and flags.
struct ArgumentReader {
  private(set) var values: [String: [String]] = [:]
  private(set) var flags: Set<String> = []
  private let command: String

  init(
    _ arguments: [String], command: String, valued: [String], flags known: [String]
  ) throws(ToolError) {
    self.command = command
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      var name = argument
      var inline: String?
      if argument.hasPrefix("--"), let equals = argument.firstIndex(of: "=") {
        name = String(argument[..<equals])
        inline = String(argument[argument.index(after: equals)...])
      }
      if known.contains(name), inline == nil {
        flags.insert(name)
      } else if valued.contains(name) {
        if let inline, !inline.isEmpty {
          values[name, default: []].append(inline)
        } else if inline == nil, let next = rest.first, !next.hasPrefix("--"), !next.isEmpty {
          rest.removeFirst()
          values[name, default: []].append(next)
        } else {
          throw .usage("'\(name)' needs a value.", command: command)
        }
      } else {
        let guess = NearMiss.sentence(for: argument, among: valued + known)
        throw .usage("'\(command)' has no option '\(argument)'.\(guess)", command: command)
      }
    }
  }

  func all(_ name: String) -> [String] { values[name] ?? [] }

  /// The last value, or `nil` if there is none.
  func last(_ name: String) -> String? { values[name]?.last }

  /// The last value, which must be one of the known words.
  func word(_ name: String, among known: [String]) throws(ToolError) -> String? {
    guard let value = last(name) else { return nil }
    guard known.contains(value) else {
      let guess = NearMiss.sentence(for: value, among: known)
      throw .usage(
        "'\(name)' is one of \(known.joined(separator: ", ")), not '\(value)'.\(guess)",
        command: command)
    }
    return value
  }
}
