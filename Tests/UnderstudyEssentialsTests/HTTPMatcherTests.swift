// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyEssentials
import UnderstudyTesting

@Suite struct `A matcher of HTTP requests` {
  private typealias Request = HTTPExchange.Request

  struct Sent: Sendable, CustomTestStringConvertible {
    var method = "GET"
    let address: String
    var testDescription: String { "\(method) \(address)" }
  }

  /// The numbers of the requests that a matcher matches.
  private func matched(
    by matcher: Matcher<HTTPExchange.Request>, of sent: [Sent]
  ) async throws -> [Int] {
    let stub = HTTPStub()
    stub.sends.returns(.init(status: 404))
    stub.sends.when(matcher).returns(.init(status: 200)).optional()
    var matched: [Int] = []
    for (index, sent) in sent.enumerated() {
      let url = try #require(URL(string: sent.address))
      if try await stub.send(Request(method: sent.method, url: url)).status == 200 {
        matched.append(index)
      }
    }
    return matched
  }

  @Test func `compares the method and the whole path`() async throws {
    let sent = ["GET", "POST", "PUT", "DELETE", "PATCH"].map {
      Sent(method: $0, address: "https://example.com/seats")
    }
    try await #expect(matched(by: .get("/seats"), of: sent) == [0])
    try await #expect(matched(by: .post("/seats"), of: sent) == [1])
    try await #expect(matched(by: .put("/seats"), of: sent) == [2])
    try await #expect(matched(by: .delete("/seats"), of: sent) == [3])
    try await #expect(matched(by: .request("patch", "/seats"), of: sent) == [4])
  }

  @Test func `compares the decoded path`() async throws {
    let sent = [
      "http://a.example/seats", "http://b.example/seats/", "http://a.example/seats/A1",
      "http://a.example/red%20seats", "http://a.example", "http://a.example/?page=1",
      "http://a.example/%FF%FE", "http://a.example/100%25",
    ].map { Sent(address: $0) }
    try await #expect(matched(by: .get("/seats"), of: sent) == [0])
    try await #expect(matched(by: .get("/seats/"), of: sent) == [1])
    try await #expect(matched(by: .get("/red seats"), of: sent) == [3])
    try await #expect(matched(by: .get("/"), of: sent) == [4, 5])
    try await #expect(matched(by: .get("/100%"), of: sent) == [7])
  }

  @Test func `wants the items of its query, and allows others`() async throws {
    let sent = [
      "http://a.example/seats?page=2&sort=row", "http://a.example/seats?sort=row%20up&page=2",
      "http://a.example/seats?page=1&page=2", "http://a.example/seats?page=22",
      "http://a.example/seats", "http://a.example/other?page=2",
    ].map { Sent(address: $0) }
    try await #expect(matched(by: .get("/seats", query: ["page": "2"]), of: sent) == [0, 1, 2])
    try await #expect(
      matched(by: .get("/seats", query: ["page": "2", "sort": "row up"]), of: sent) == [1])
    try await #expect(matched(by: .get("/seats"), of: sent) == [0, 1, 2, 3, 4])
  }

  @Test func `wants an item without a value as one with an empty value`() async throws {
    let sent = ["?free", "?free=", "?free=1", ""].map {
      Sent(address: "http://a.example/seats\($0)")
    }
    try await #expect(matched(by: .get("/seats", query: ["free": ""]), of: sent) == [0, 1])
  }

  @Test func `is combined with another condition`() async throws {
    let sent = ["http://a.example/seats", "http://b.example/seats"].map { Sent(address: $0) }
    try await #expect(
      matched(by: .get("/seats").and(.matching { $0.url.host() == "b.example" }), of: sent) == [1])
  }

  @Test func `is shown in messages by its text`() async throws {
    let stub = HTTPStub()
    stub.sends.when(.get("/seats", query: ["page": "2", "b": "1"])).returns(.init())
    stub.sends.when(.post("/sales").or(.put("/sales"))).returns(.init())
    let text = stub.sends.finish().map(\.description).joined(separator: "\n")
    #expect(text.contains("GET /seats?b=1&page=2"), "\(text)")
    #expect(text.contains("POST /sales or PUT /sales"), "\(text)")
  }

  @Test(arguments: [
    ("seats", "a path begins with '/'", "Begin the path with '/'"),
    ("", "a path begins with '/'", "Begin the path with '/'"),
    ("https://example.com/seats", "a path begins with '/'", "leave out the server"),
    (
      "/seats?page=2", "a path has no query, which is the argument 'query:'",
      "Pass the query on its own"
    ),
    ("/seats#a", "a path has no fragment, which is not sent", "Leave out the fragment."),
    ("/red%20seats", "the path is compared decoded", "Write it decoded:  \"/red seats\""),
  ])
  func `that can never match is reported with the reason and its remedy`(
    path: String, reason: String, remedy: String
  ) {
    let stub = HTTPStub()
    stub.sends.when(.get(path)).returns(.init())
    let text = stub.sends.finish().map(\.description).joined(separator: "\n")
    #expect(text.contains(reason), "\(text)")
    #expect(text.contains(remedy) && !text.contains("predicate"), "\(text)")
  }

  @Test(arguments: ["/a?b": "/a%3Fb", "/a#b": "/a%23b", "/a%20b": "/a%2520b"])
  func `that can never match does not`(path: String, encoded: String) async throws {
    let sent = [Sent(address: "http://a.example\(encoded)")]
    try await #expect(matched(by: .get(path), of: sent) == [])
    try await #expect(matched(by: .matching { $0.url.path == path }, of: sent) == [0])
  }

  private struct Seat: Codable, Hashable {
    var row: String
    var number: Int
  }

  @Test func `goes with bodies of JSON`() async throws {
    let response = try HTTPExchange.Response(status: 201, json: [Seat(row: "A", number: 1)])
    #expect(response.status == 201)
    #expect(response.text == #"[{"number":1,"row":"A"}]"#)
    #expect(response.headers == ["Content-Type": "application/json"])
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .custom { CodingKeyText(text: $0.last?.stringValue.uppercased()) }
    let other = try HTTPExchange.Response(
      headers: ["content-type": "text/json"], json: Seat(row: "A", number: 1), encoder: encoder)
    #expect(other.headers == ["content-type": "text/json"])
    #expect(other.text?.contains(#""ROW":"A""#) == true)

    #expect(try response.json(as: [Seat].self) == [Seat(row: "A", number: 1)])
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .custom {
      CodingKeyText(text: $0.last?.stringValue.lowercased())
    }
    let seat: Seat = try other.json(decoder: decoder)
    #expect(seat == Seat(row: "A", number: 1))
    #expect(throws: DecodingError.self) { try other.json(as: Seat.self) }

    let url = try #require(URL(string: "http://a.example/seats"))
    let request = Request(method: "PUT", url: url, body: response.body)
    #expect(try request.json(as: [Seat].self) == [Seat(row: "A", number: 1)])
    let seats: [Seat] = try request.json()
    #expect(seats.count == 1)
    #expect(throws: DecodingError.self) { try request.json(as: Seat.self) }
    let error = #expect(throws: DecodingError.self) { try Request(url: url).json(as: Seat.self) }
    #expect("\(try #require(error))".contains("GET http://a.example/seats has no body."))
  }

  private struct CodingKeyText: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(text: String?) { stringValue = text ?? "" }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// A slash with an accent is one character, and its first byte is that of the slash.
  @Test func `of a path that begins with an accented slash can match`() async throws {
    let url = try #require(URL(string: "https://example.com/%CC%81a"))
    let stub = HTTPStub()
    stub.sends.when(.get("/\u{301}a")).returns(.init(text: "found"))
    #expect(try await stub.get(url).text == "found")
    #expect(stub.sends.finish() == [])
  }
}
