// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

package import Understudy

extension Finding: CustomStringConvertible {
  /// The whole explanation: the problem, its place, and names that are spelled almost like it.
  public var description: String { message.description }

  /// The explanation in one line, for a command-line tool. The facts are in parentheses.
  public var inOneLine: String { message.inOneLine }

  package var message: Message {
    var facts: [Message.Fact] = []
    switch subject {
    case .service(let name): facts.append(.init("Service", "'\(name.forMessage)'"))
    case .property(let path): facts.append(.init("Property", "'\(path.forMessage)'"))
    case nil: break
    }
    facts += problem.facts
    if let origin { facts.append(.init("At", "\(origin)".forMessage)) }
    if let reader { facts.append(.init("Read at", "\(reader)".forMessage)) }
    return Message(problem.headline.text, facts: facts, hint: problem.hint)
  }
}

extension DefinitionError: CustomStringConvertible {
  /// The largest number of described findings, since a file can have a million.
  private static let describedCount = 100

  /// All findings, one after the other. If there are more than a hundred, the text ends with the
  /// number of the others.
  public var description: String {
    guard findings.count > 1 else { return findings.map(\.description).joined() }
    var lines = ["\(findings.count) findings:"]
    lines += findings.prefix(Self.describedCount).map(\.description)
    let rest = findings.count - Self.describedCount
    if rest > 0 { lines.append("And \(rest) more.") }
    return lines.joined(separator: "\n")
  }
}

/// A sentence with texts from a file, each as `forMessage` prints it.
private struct Sentence: ExpressibleByStringInterpolation {
  struct StringInterpolation: StringInterpolationProtocol {
    var text = ""

    init(literalCapacity: Int, interpolationCount: Int) {}

    mutating func appendLiteral(_ literal: String) { text += literal }
    mutating func appendInterpolation(_ value: String) { text += value.forMessage }
    mutating func appendInterpolation(_ value: Int) { text += "\(value)" }
  }

  let text: String

  init(stringLiteral value: String) { text = value }
  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }
}

extension String {
  /// A text from a file for a message, with escapes for invisible characters, and shortened if it
  /// is longer than people write.
  fileprivate var forMessage: String {
    let longest = 300
    guard utf8.count > longest else { return withInvisibleScalarsEscaped }
    return String(unicodeScalars.prefix(longest)).withInvisibleScalarsEscaped + "…"
  }
}

extension Finding.Problem {
  fileprivate var headline: Sentence {
    switch self {
    case .fileMissing: "There is no such file."
    case .notARegularFile(let kind): "It is \(kind), and only regular files are read."
    case .fileUnreadable(let reason): "The file cannot be read: \(reason)"
    case .tooLarge(let limit): "It is larger than \(limit) bytes."
    case .tooDeep(let limit): "It nests deeper than \(limit) levels."
    case .tooManyValues(let limit): "It has more than \(limit) values."
    case .pathsTooLong(let limit): "The paths of its properties have more than \(limit) bytes."
    case .tooManyInherited(let limit):
      "The services inherit more than \(limit) values from their parents."
    case .truncated(let expected): "It ends where \(expected) is expected."
    case .unexpected(let found, let expected): "Found \(found) where \(expected) is expected."
    case .invalidUTF8: "The bytes are not valid UTF-8."
    case .duplicateKey(let key): "The key \"\(key)\" is there twice."
    case .numberOutOfRange: "The number is out of range."
    case .refused(let content): "Refused: \(content)."
    case .malformedPath(let reason): "The path is malformed: \(reason)."
    case .propertyMissing("unknown", _, _): "A required property is missing."
    case .propertyMissing(let type, _, _): "A required property of type '\(type)' is missing."
    case .wrongType(let expected, let found): "Expected '\(expected)', found \(found)."
    case .unknownKey(let key, _): "A definition has no \"\(key)\"."
    case .wrongShape(let part, let expected, let found):
      "\(part) is \(expected), and here it is \(found)."
    case .incomplete(let problem): "\(problem)"
    case .unknownClass(let name, _): "The catalogue does not offer '\(name)'."
    case .unknownMethod(let name, let type, _):
      "The catalogue offers no method '\(name)' of '\(type)'."
    case .missingReference(let name, _): "Nothing is named '\(name)'."
    case .cycle(let path): "Creating '\(path.first ?? "")' needs '\(path.first ?? "")' itself."
    case .parentCycle(let path): "'\(path.first ?? "")' is its own parent."
    case .argumentCount(let expected, let given):
      given == 1
        ? "It takes \(expected), and 1 is given." : "It takes \(expected), and \(given) are given."
    case .unknownLabel(let label, _): "It takes no argument '\(label)'."
    case .wrongArgument(let label, let expected, let found):
      "Argument \(label) is of type '\(expected)', and here it is \(found)."
    case .abstractService(let name):
      "'\(name)' is abstract: use it only as the parent of other services."
    }
  }

  fileprivate var facts: [Message.Fact] {
    switch self {
    case .cycle(let path), .parentCycle(let path):
      [.init("Path", path.listed(separator: " → "))]
    case .propertyMissing(_, _, let sources):
      [.init("Consulted", sources.isEmpty ? "no source" : sources.listed(separator: ", "))]
    case .unknownKey(_, let known), .unknownLabel(_, let known):
      known.isEmpty ? [] : [.init("Known", known.listed(separator: ", "))]
    default: []
    }
  }

  fileprivate var hint: String? {
    switch self {
    case .propertyMissing(_, let names, _), .unknownClass(_, let names),
      .unknownMethod(_, _, let names), .missingReference(_, let names):
      names.isEmpty
        ? nil
        : "Did you mean " + names.map { "'\($0.forMessage)'" }.joined(separator: ", or ") + "?"
    default: nil
    }
  }
}

extension [String] {
  /// The elements as a list, limited to the first hundred.
  fileprivate func listed(separator: String) -> String {
    let limit = 100
    let rest = count > limit ? separator + "and \(count - limit) more" : ""
    return prefix(limit).map(\.forMessage).joined(separator: separator) + rest
  }
}
