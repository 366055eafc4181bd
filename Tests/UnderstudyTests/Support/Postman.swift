// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Understudy

/// What the tests of escapes and of the ledger ask for.
protocol Postman: Sendable {
  var name: String { get }
}

struct RealPostman: Postman {
  var name: String { "production" }
}

struct PostmanDouble: Postman {
  var name: String { "double" }
}

/// Doubles that are objects: they can be watched, shared and survive.
final class PostOffice: Postman, Sendable {
  var name: String { "office" }
}

struct Clerk: Sendable {
  let postman: any Postman
}

extension Dependencies {
  static let postman = Dependency<any Postman>(line: 7001) { RealPostman() }
}

struct Strike: Error, Equatable, CustomStringConvertible {
  var description: String { "on strike" }
}
