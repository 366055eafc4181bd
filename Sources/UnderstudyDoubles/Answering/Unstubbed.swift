// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

internal import Understudy

/// The error of a call that no stub answers, where any error may be thrown.
public struct Unstubbed: Error, Hashable, Sendable, CustomStringConvertible {
  /// The call, its stubs, why each of them did not match, and what to type.
  public var description: String { message.description }

  let message: Message

  init(_ message: Message) {
    self.message = message
  }
}
