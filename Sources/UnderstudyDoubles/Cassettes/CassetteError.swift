// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// An error of a cassette, or of a call that it should answer.
public struct CassetteError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of errors.
  public enum Kind: Hashable, Sendable, CaseIterable {
    /// The file is not JSON to its end.
    case truncated
    /// The file is JSON, and no cassette.
    case foreign
    /// A newer version of this package wrote the file.
    case newer
    /// The file is there and cannot be read.
    case unreadable
    /// The file cannot be written.
    case unwritable
    /// The call is not on the cassette, and nothing may be recorded.
    case missing
    /// The file contains a secret, or would contain one.
    case secret
    /// Arguments, value or error cannot be encoded or decoded.
    case uncodable
    /// The environment variable `UNDERSTUDY_CASSETTES` names no mode.
    case unknownMode
  }

  /// The kind of the error.
  public let kind: Kind
  /// The whole message.
  public var description: String { message.description }

  let message: Message

  init(_ kind: Kind, _ message: Message) {
    self.kind = kind
    self.message = message
  }
}
