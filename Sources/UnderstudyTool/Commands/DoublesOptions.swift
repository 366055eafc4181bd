// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// What the user asks of `doubles`.
struct DoublesOptions: Hashable {
  var symbolGraphs: [String] = []
  var selection = Selection()
  var output: String?
  var isCheck = false
  var isExplaining = false
  var isForced = false

  /// Takes the arguments apart.
  init(_ arguments: [String]) throws(ToolError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      var name = argument
      var inline: String?
      if argument.hasPrefix("--"), let equals = argument.firstIndex(of: "=") {
        name = String(argument[..<equals])
        inline = String(argument[argument.index(after: equals)...])
      }
      switch name {
      case "--symbol-graph": symbolGraphs.append(try Self.value(of: name, inline, &rest))
      case "--protocol": selection.patterns.append(try Self.value(of: name, inline, &rest))
      case "--module": selection.modules.append(try Self.value(of: name, inline, &rest))
      case "--output": output = try Self.value(of: name, inline, &rest)
      case "--check": isCheck = true
      case "--explain": isExplaining = true
      case "--force": isForced = true
      default: throw Self.unknown(argument)
      }
    }
    if symbolGraphs.isEmpty {
      throw .usage("'doubles' needs --symbol-graph, a file or a directory.", command: "doubles")
    }
    if output == nil, isCheck || !isExplaining {
      throw .usage("'doubles' needs --output, a directory.", command: "doubles")
    }
  }

  private static let names = [
    "--symbol-graph", "--protocol", "--module", "--output", "--check", "--explain", "--force",
  ]

  private static func unknown(_ argument: String) -> ToolError {
    let nearest = names.map { ($0, Selection.distance($0, argument)) }.min { $0.1 < $1.1 }
    let guess = nearest.flatMap { $0.1 <= 3 ? " Did you mean '\($0.0)'?" : nil } ?? ""
    return .usage("'doubles' has no option '\(argument)'.\(guess)", command: "doubles")
  }

  private static func value(
    of name: String, _ inline: String?, _ rest: inout ArraySlice<String>
  ) throws(ToolError) -> String {
    if let inline, !inline.isEmpty { return inline }
    if inline == nil, let next = rest.first, !next.hasPrefix("--"), !next.isEmpty {
      rest.removeFirst()
      return next
    }
    throw .usage("'\(name)' needs a value.", command: "doubles")
  }
}
