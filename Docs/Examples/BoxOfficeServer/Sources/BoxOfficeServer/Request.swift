// Part of an example of Understudy: a server.
// SPDX-License-Identifier: MIT

/// The user that sent a request: one for each request, in its layer.
public struct User: Hashable, Sendable {
  /// The name that the client gave.
  public let name: String
}

/// Identifies a request in the traces of all services.
public struct Trace: Hashable, Sendable {
  /// What the client sent, or what the server made.
  public let id: String
}
