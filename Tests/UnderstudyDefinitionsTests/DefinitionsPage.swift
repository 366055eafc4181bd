// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Understudy
import UnderstudyDefinitions

/// The samples of `Docs/Definitions.md`, compiled. Each one stands between two marks, as the page
/// shows it.
enum DefinitionsPage {
  protocol Logger: Sendable {}
  protocol Mailer: Sendable {}
  struct SMTPMailer: Mailer {
    let host: String
    let port: Int
  }
  final class Order: Sendable {
    let mailers: Lock<[any Mailer]> = Lock([])
  }
  struct Orders: Sendable {}

  static func read(into resolver: Resolver) throws {
    // Sample
    let properties = try Properties(
      [
        .file("common.json"), .file("application-dev.json", isOptional: true),
        .files(matching: "conf.d/*.plist"), .environment(prefix: "APP"), .arguments(),
      ],
      secrets: ["password", "databases.*.url"])
    try properties.validate(
      .group(ServerConfig.self), .property("logger.storage", as: String.self))
    resolver.install(properties)
    // End
  }

  // Sample
  struct ServerConfig: PropertyGroup {
    static let path = "server"
    let url: String
    let port: Int
    var proxy: String?
  }

  struct Client {
    @Property("server.url") var url: String
    @Property("server.retries") var retries = 3
    @Property("server.proxy") var proxy: String?
    @Property var server: ServerConfig
    @Inject(namedBy: "logger.storage") var logger: any Logger
  }
  // End

  static func override(_ resolver: Resolver, _ checkOut: () throws -> Void) throws {
    // Sample
    try withOverrides(of: resolver) {
      $0.set("server.url", "http://localhost")
      $0.set("logger.storage", "memory")
    } operation: {
      try checkOut()
    }
    // End
  }

  static func define(on resolver: Resolver) throws -> any Mailer {
    // Sample
    var catalogue = Catalogue()
    catalogue.offer("Shop.SMTPMailer", labels: ["host", "port"]) { (host: String, port: Int) in
      SMTPMailer(host: host, port: port) as any Mailer
    }
    let definitions = try Definitions([.file("services.json")], catalogue: catalogue)
    resolver.install(definitions)
    let mailer = try resolver.resolve((any Mailer).self, named: "mailer")
    // End
    return mailer
  }

  /// The types that the page's file of services uses.
  static var catalogue: Catalogue {
    var catalogue = Catalogue()
    catalogue.offer("Shop.SMTPMailer", labels: ["host", "port"]) { (host: String, port: Int) in
      SMTPMailer(host: host, port: port) as any Mailer
    }
    catalogue.offer("Shop.Orders") { Orders() }
    catalogue.offer(method: "make", of: Orders.self) { _ in Order() }
    catalogue.offer(call: "add", on: Order.self) { (order: inout Order, mailers: [any Mailer]) in
      order.mailers.withLock { $0 += mailers }
    }
    return catalogue
  }
}
