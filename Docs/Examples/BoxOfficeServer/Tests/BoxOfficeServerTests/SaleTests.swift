// Part of an example of Understudy: a server.
// SPDX-License-Identifier: MIT

import BoxOfficeServer
import Foundation
import Hummingbird
import HummingbirdTesting
import Testing
import UnderstudyTesting

/// Everything but the database is a double, and the tests run at the same time over one router
/// each.
@Suite(
  .overrides {
    $0.install(Production())
    $0.register { StoppedClock() as any WallClock }
    $0.register(lifecycle: .cached) { PaymentsDouble() as any Payments }
    $0.register(lifecycle: .cached) { MailerSpy() as any Mailer }
  })
struct `A sale` {
  private let payments: PaymentsDouble
  private let mailer: MailerSpy

  init() throws {
    payments = try #require(Resolver.main.resolve((any Payments).self) as? PaymentsDouble)
    mailer = try #require(Resolver.main.resolve((any Mailer).self) as? MailerSpy)
  }

  @Test func `is kept, charged once and mailed once`() async throws {
    try await makeApplication().test(.router) { client in
      let sale = try await client.buy("A1", as: "Ada", trace: "t-1")
      #expect(sale.status == .ok)
      let kept = try await client.sales(of: "Ada")
      #expect(kept.map(\.seat) == ["A1"])
      #expect(kept.map(\.soldAt) == [StoppedClock().now])
      #expect(try await client.sales(of: "Bob") == [])
    }
    #expect(payments.charges.calls.map(\.0.name) == ["Ada"])
    #expect(mailer.sends.calls.map(\.1.id) == ["t-1"])
    assertResolved((any SalesStore).self, count: 3)
    assertCreated((any SalesStore).self, count: 1)
  }

  @Test func `of a seat that is sold is refused, and no card is charged`() async throws {
    try await makeApplication().test(.router) { client async throws in
      #expect(try await client.buy("A1", as: "Ada").status == .ok)
      #expect(try await client.buy("A1", as: "Bob").status == .conflict)
    }
    #expect(payments.charges.calls.map(\.0.name) == ["Ada"])
    #expect(mailer.sends.calls.map(\.0.user) == ["Ada"])
  }

  @Test func `that is not paid leaves the seat free, and is not mailed`() async throws {
    payments.charges.does { user, _, _ in if user.name == "Bob" { throw PaymentRefused() } }
    try await makeApplication().test(.router) { client async throws in
      #expect(try await client.buy("A1", as: "Bob").status.code == 402)
      #expect(try await client.buy("A1", as: "Ada").status == .ok)
    }
    #expect(mailer.sends.calls.map(\.0.user) == ["Ada"])
  }

  @Test func `without a user is refused before anything is made`() async throws {
    try await makeApplication().test(.router) { client in
      try await client.execute(uri: "/sales", method: .get) { #expect($0.status == .unauthorized) }
    }
    assertNeverResolved(Desk.self)
  }

  /// Sixty-four tests at a time, eight requests at a time in each: each request sees its own user
  /// and trace, each test its own doubles, and the mailer is asked for in an event loop's callback.
  @Test(arguments: 0..<64)
  func `sees the user, the trace and the doubles of its own request`(round: Int) async throws {
    try await makeApplication().test(.router) { client in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for id in 0..<8 {
          group.addTask {
            let sale = try await client.buy(
              "A\(id)", as: "u\(round)-\(id)", trace: "t\(round)-\(id)")
            #expect(sale.status == .ok)
          }
        }
        try await group.waitForAll()
      }
    }
    let users = (0..<8).map { "u\(round)-\($0)" }
    let traces = (0..<8).map { "t\(round)-\($0)" }
    #expect(payments.charges.calls.map(\.0.name).sorted() == users)
    #expect(payments.charges.calls.map(\.2.id).sorted() == traces)
    let sent = mailer.sends.calls.sorted { $0.0.user < $1.0.user }
    #expect(sent.map(\.0.user) == users)
    #expect(sent.map(\.1.id) == traces)
    assertCreated((any SalesStore).self, count: 1)
  }
}

extension TestClientProtocol {
  func buy(_ seat: String, as user: String, trace: String = "t") async throws -> TestResponse {
    try await execute(
      uri: "/sales", method: .post, headers: [.init("X-User")!: user, .init("X-Trace")!: trace],
      body: ByteBuffer(bytes: JSONEncoder().encode(Order(performance: "hamlet", seat: seat)))
    ) { $0 }
  }

  func sales(of user: String) async throws -> [Sale] {
    try await execute(uri: "/sales", method: .get, headers: [.init("X-User")!: user]) { response in
      let decoder = JSONDecoder()
      decoder.dateDecodingStrategy = .iso8601
      return try decoder.decode([Sale].self, from: Data(response.body.readableBytesView))
    }
  }
}
