// Part of an example of Understudy: a server.
// SPDX-License-Identifier: MIT

import Hummingbird
import NIOCore
import NIOPosix
import Understudy
import UnderstudyHummingbird

/// The settings of the server and of its services.
public struct Settings: Sendable {
  /// The port, on this machine only. 0 stands for any free port.
  public var port = 8080
  /// The file of the database, or `nil` for a database in memory.
  public var database: String?
  /// The address of the service that takes money.
  public var payments = "http://127.0.0.1:8090"

  /// The usual settings.
  public init() {}
}

extension Registering {
  /// Registers everything that production consists of.
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
