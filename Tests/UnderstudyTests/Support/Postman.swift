// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Understudy

/// The dependency in the tests of escapes and of the ledger.
protocol Postman: Sendable {
  var name: String { get }
}

struct RealPostman: Postman {
  var name: String { "production" }
}

struct PostmanDouble: Postman {
  var name: String { "double" }
}

/// A double that is an object, so that it can be watched and shared.
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
