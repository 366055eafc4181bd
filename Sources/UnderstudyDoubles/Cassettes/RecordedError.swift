// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// An error as a cassette keeps it; also what is thrown on replay where the real type is unknown.
public struct RecordedError: Error, Hashable, Sendable, Codable, CustomStringConvertible {
  /// The name of the error's type, with its module.
  public let type: String
  /// What the error said of itself.
  public let description: String
  /// The error itself, if it could be encoded.
  public let value: JSON?
}
