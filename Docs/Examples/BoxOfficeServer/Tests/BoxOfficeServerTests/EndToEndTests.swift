// Part of an example of Understudy: a server.
// SPDX-License-Identifier: MIT

import AsyncHTTPClient
import BoxOfficeServer
import Foundation
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing
import UnderstudyTesting

/// The server runs on a port of the loopback interface, with its database in a file and the payment
/// service on another port. Only the mailer is a double.
struct `The server` {
  @Test func `sells over HTTP`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let charges = Spy<String, Void, Never>("POST /charges")
    let bank = Router()
    bank.post("charges") { request, context in
      let body = try await request.body.collect(upTo: 1024)
      charges("\(request.headers[.init("X-Trace")!] ?? "") \(String(buffer: body))")
      return HTTPResponse.Status.ok
    }
    let mailer = MailerSpy()
    try await Application(router: bank).test(.live) { bank in
      var settings = Settings()
      settings.database = folder.appending(path: "sales.sqlite").path
      settings.payments = "http://localhost:\(try #require(bank.port))"
      let house = Resolver(named: "house")
      house.registerProduction(settings)
      try await withResolver(house) {
        try await withOverrides {
          $0.register { mailer as any Mailer }
        } operation: {
          try await makeApplication(settings).test(.live) { server in
            let address = "http://localhost:\(try #require(server.port))/sales"
            #expect(try await post(seat: "A1", to: address) == 200)
            #expect(try await post(seat: "A1", to: address) == 409)
          }
        }
      }
      let kept = try await SQLiteSalesStore(file: settings.database).sales(to: "Ada")
      #expect(kept.map(\.seat) == ["A1"])
    }
    #expect(charges.calls == ["t-A1 hamlet A1"])
    #expect(mailer.sends.calls.map(\.0.seat) == ["A1"])
  }

  private func post(seat: String, to address: String) async throws -> UInt {
    var request = HTTPClientRequest(url: address)
    request.method = .POST
    request.headers = ["X-User": "Ada", "X-Trace": "t-\(seat)"]
    request.body = .bytes(try JSONEncoder().encode(Order(performance: "hamlet", seat: seat)))
    return try await HTTPClient.shared.execute(request, timeout: .seconds(10)).status.code
  }
}
