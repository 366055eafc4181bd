// Part of an example of Understudy: a server.
// SPDX-License-Identifier: MIT

import Hummingbird
import NIOCore
import NIOPosix
import Understudy
import UnderstudyHummingbird

/// Where the server is, and whom it asks.
public struct Settings: Sendable {
  /// The port, on this machine only; 0 for any that is free.
  public var port = 8080
  /// The file of the database; in memory if there is none.
  public var database: String?
  /// The address of the service that takes money.
  public var payments = "http://127.0.0.1:8090"

  /// The usual settings.
  public init() {}
}

extension Registering {
  /// Registers what production is made of: all of it, here and nowhere else.
  public func registerProduction(_ settings: Settings = Settings()) {
    register(SystemClock() as any WallClock)
    register(lifecycle: .cached) {
      try SQLiteSalesStore(file: settings.database) as any SalesStore
    }
    register { HTTPPayments(service: settings.payments) as any Payments }
    register { LogMailer() as any Mailer }
    register { Receipts(eventLoops: MultiThreadedEventLoopGroup.singleton) }
    register(autowiring: Desk.init(user:trace:store:payments:receipts:clock:))
  }
}

/// Makes the server. It knows nothing of doubles.
public func makeApplication(_ settings: Settings = Settings()) -> some ApplicationProtocol {
  let router = Router()
  router.add(middleware: RequestLayer.ofVisitor())
  router.post("sales") { request, context in
    let order = try await request.decode(as: Order.self, context: context)
    do {
      return try await Resolver.current.resolve(Desk.self).sell(order)
    } catch is SeatTaken {
      throw HTTPError(.conflict)
    } catch is PaymentRefused {
      throw HTTPError(.init(code: 402, reasonPhrase: "Payment Required"))
    }
  }
  router.get("sales") { _, _ in try await Resolver.current.resolve(Desk.self).sales() }
  return Application(
    router: router,
    configuration: .init(address: .hostname("127.0.0.1", port: settings.port)))
}

extension Sale: ResponseEncodable {}
