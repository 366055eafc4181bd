// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyEssentials
import UnderstudyTesting

// The samples of Docs/Recipes.md about endpoints and temporary directories.

@Suite struct `A recipe for the outside world` {
  @Test func `two endpoints`() async throws {
    let server = HTTPStub()
    try server.sends.when(.get("/seats", query: ["hall": "1"])).returns(.init(json: ["A1", "A2"]))
    server.sends.when(.post("/sales")).does { request in
      let seats = try request.json(as: [String].self)
      return try .init(status: seats.isEmpty ? 400 : 201, json: ["sold": seats.count])
    }
    try await withOverrides {
      $0.override(\.httpClient, with: server)
    } operation: {
      let http = Resolver.main.resolve(\.httpClient)
      let seats = try #require(URL(string: "https://example.com/seats?hall=1"))
      let sales = try #require(URL(string: "https://example.com/sales"))
      let free = try await http.get(seats).body
      let sale = HTTPExchange.Request(method: "POST", url: sales, body: free)
      let response = try await http.send(sale)
      #expect(response.status == 201)
      #expect(response.text == #"{"sold":2}"#)
    }
    #expect(server.sends.calls(with: .post("/sales")).count == 1)
  }

  @Test(.overrides())
  func `in a temporary directory`() throws {
    let directory = TemporaryDirectory()
    let file = directory.url.appending(path: "seats.txt")
    try "A1".write(to: file, atomically: true, encoding: .utf8)
    try #expect(directory.readText("seats.txt") == "A1")
    #expect(file.path == "\(directory.path)/seats.txt")
  }
}
