// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

package import Understudy

extension Finding: CustomStringConvertible {
  /// The whole explanation: what, where, and what was perhaps meant.
  public var description: String { message.description }

  /// The same in one line, as a command-line tool prints it: the facts are in parentheses.
  public var inOneLine: String { message.inOneLine }

  package var message: Message {
    var facts: [Message.Fact] = []
    switch subject {
    case .service(let name): facts.append(.init("Service", "'\(name)'"))
    case .property(let path): facts.append(.init("Property", "'\(path)'"))
    case nil: break
    }
    facts += problem.facts
    if let origin { facts.append(.init("At", "\(origin)")) }
    return Message(problem.headline, facts: facts, hint: problem.hint)
  }
}

extension DefinitionError: CustomStringConvertible {
  /// Every finding, one after the other.
  public var description: String {
    guard findings.count > 1 else { return findings.map(\.description).joined() }
    return (["\(findings.count) findings:"] + findings.map(\.description)).joined(separator: "\n")
  }
}

extension Finding.Problem {
  fileprivate var headline: String {
    switch self {
    case .fileMissing: "There is no such file."
    case .notARegularFile(let kind): "It is \(kind), and only regular files are read."
    case .fileUnreadable(let reason): "The file cannot be read: \(reason)"
    case .tooLarge(let limit): "It is larger than \(limit) bytes."
    case .tooDeep(let limit): "It nests deeper than \(limit) levels."
    case .tooManyValues(let limit): "It has more than \(limit) values."
    case .truncated(let expected): "It ends where \(expected) is expected."
    case .unexpected(let found, let expected): "Found \(found) where \(expected) is expected."
    case .invalidUTF8: "The bytes are not valid UTF-8."
    case .duplicateKey(let key): "The key \"\(key)\" is there twice."
    case .numberOutOfRange: "The number is out of range."
    case .refused(let what): "Refused: \(what)."
    case .malformedPath(let reason): "The path is malformed: \(reason)."
    case .propertyMissing("unknown", _, _): "A required property is missing."
    case .propertyMissing(let type, _, _): "A required property of type '\(type)' is missing."
    case .wrongType(let expected, let found): "Expected '\(expected)', found \(found)."
    case .unknownKey(let key, _): "A definition has no \"\(key)\"."
    case .wrongShape(let part, let expected, let found):
      "\(part) is \(expected), and here it is \(found)."
    case .incomplete(let what): what
    case .unknownClass(let name, _): "The catalogue does not offer '\(name)'."
    case .unknownMethod(let name, let type, _):
      "The catalogue offers no method '\(name)' of '\(type)'."
    case .missingReference(let name, _): "Nothing is named '\(name)'."
    case .cycle(let path): "Making '\(path.first ?? "")' needs '\(path.first ?? "")' itself."
    case .parentCycle(let path): "'\(path.first ?? "")' is its own parent."
    case .argumentCount(let expected, let given):
      "It takes \(expected), and \(given) \(given == 1 ? "is" : "are") given."
    case .unknownLabel(let label, _): "It takes no argument '\(label)'."
    case .wrongArgument(let label, let expected, let found):
      "Argument \(label) is of type '\(expected)', and here it is \(found)."
    case .abstractService(let name):
      "'\(name)' is abstract: it is there for others to have as their parent."
    }
  }

  fileprivate var facts: [Message.Fact] {
    switch self {
    case .cycle(let path), .parentCycle(let path):
      [.init("Path", path.joined(separator: " → "))]
    case .propertyMissing(_, _, let sources):
      [.init("Consulted", sources.isEmpty ? "no source" : sources.joined(separator: ", "))]
    case .unknownKey(_, let known), .unknownLabel(_, let known):
      known.isEmpty ? [] : [.init("Known", known.joined(separator: ", "))]
    default: []
    }
  }

  fileprivate var hint: String? {
    switch self {
    case .propertyMissing(_, let names, _), .unknownClass(_, let names),
      .unknownMethod(_, _, let names), .missingReference(_, let names):
      names.isEmpty
        ? nil : "Did you mean " + names.map { "'\($0)'" }.joined(separator: ", or ") + "?"
    default: nil
    }
  }
}
