// Part of an example of Understudy: a server.
// SPDX-License-Identifier: MIT

/// Who asks: one for each request, in its layer.
public struct User: Hashable, Sendable {
  /// The name that the client gave.
  public let name: String
}

/// Which request it is, for whoever follows it from service to service.
public struct Trace: Hashable, Sendable {
  /// What the client sent, or what the server made.
  public let id: String
}
