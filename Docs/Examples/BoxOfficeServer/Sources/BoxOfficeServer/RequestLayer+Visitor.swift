// Part of an example of Understudy: a server.
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import Understudy
import UnderstudyHummingbird

extension RequestLayer {
  /// Registers the user and the trace of each request. A request without a user is refused.
  static func ofVisitor() -> RequestLayer {
    RequestLayer { layer, request, context in
      guard let name = request.headers[.user] else { throw HTTPError(.unauthorized) }
      layer.register(User(name: name))
      layer.register(Trace(id: request.headers[.trace] ?? context.id))
    }
  }
}

extension HTTPField.Name {
  /// The name of the user.
  static let user = HTTPField.Name("X-User") ?? .authorization
  /// The identifier of the request.
  static let trace = HTTPField.Name("X-Trace") ?? .contentLocation
}
