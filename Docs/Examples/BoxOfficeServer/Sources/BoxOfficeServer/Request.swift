// Part of an example of Understudy: a server.
// SPDX-License-Identifier: MIT

/// The user that sent a request. Each request has one, in its layer.
public struct User: Hashable, Sendable {
  /// The name that the client gave.
  public let name: String
}

/// Identifies a request in the traces of all services.
public struct Trace: Hashable, Sendable {
  /// The identifier from the client, or a new one.
  public let id: String
}
