// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// One call on a cassette, with its outcome.
struct Interaction: Hashable, Sendable {
  var request: Request
  var outcome: Outcome

  /// The member and the arguments of the call.
  struct Request: Hashable, Sendable {
    let member: String
    let arguments: [JSON]

    /// Creates a request. Documents in its arguments are compared as values, so they are stored in
    /// one form.
    init(member: String, arguments: [JSON]) {
      self.member = member
      self.arguments = arguments.map { $0.mapTexts(JSONDocument.sorted) }
    }

    /// The arguments for a message.
    var text: String { CallName.shortened(JSON.array(arguments).line) }

    /// Texts are equal by their bytes: the real object may tell `é` from `e` with a combining
    /// accent.
    static func == (one: Request, other: Request) -> Bool {
      one.member.utf8.elementsEqual(other.member.utf8)
        && JSON.array(one.arguments).isIdentical(to: .array(other.arguments))
    }
  }

  enum Outcome: Hashable, Sendable {
    case value(JSON)
    case error(RecordedError)
  }
}

extension Interaction: Codable {
  private enum Keys: String, CodingKey {
    case member, arguments, value, error
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Keys.self)
    request = Request(
      member: try container.decode(String.self, forKey: .member),
      arguments: try container.decode([JSON].self, forKey: .arguments))
    if let error = try container.decodeIfPresent(RecordedError.self, forKey: .error) {
      outcome = .error(error)
    } else {
      outcome = .value(try container.decode(JSON.self, forKey: .value))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(request.member, forKey: .member)
    try container.encode(request.arguments, forKey: .arguments)
    switch outcome {
    case .value(let value): try container.encode(value, forKey: .value)
    case .error(let error): try container.encode(error, forKey: .error)
    }
  }
}

/// An error on a cassette. It is thrown in playback if the real type is unknown.
public struct RecordedError: Error, Hashable, Sendable, Codable, CustomStringConvertible {
  /// The name of the error's type, with its module.
  public let type: String
  /// The description of the error.
  public let description: String
  /// The error itself, if it could be encoded.
  public let value: Cassette.JSON?
}
