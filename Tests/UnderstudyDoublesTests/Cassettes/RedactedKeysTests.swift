// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import UnderstudyDoubles

/// The keys of a redaction: their case, and documents within texts.
@Suite(.strayViolationsKept) struct RedactedKeysTests {
  private static let redaction = Redaction.keys("Authorization", "password")

  private func redacted(_ json: JSON) -> JSON { Self.redaction(json, labelled: []) }

  @Test(arguments: ["Authorization", "authorization", "AUTHORIZATION"])
  func `a key is blanked in upper and lower case`(key: String) {
    #expect(redacted(.object([key: .string("s")])) == .object([key: .string("[redacted]")]))
    #expect(
      redacted(.array([.string(key), .string("s")]))
        == .array([.string(key), .string("[redacted]")]))
    #expect(
      redacted(.array([.object([key: .object([:])]), .integer(7)]))
        == .array([.object([key: .object([:])]), .integer(0)]))
    #expect(Self.redaction(.string("s"), labelled: [key]) == .string("[redacted]"))
  }

  @Test(arguments: [
    (#"{"b": 1, "Password": "s"}"#, #"{"Password":"[redacted]","b":1}"#),
    (#" [{"a/b": [{"password": 7}]}] "#, #"[{"a/b":[{"password":0}]}]"#),
    (#"{"inner": "{\"password\": \"s\"}"}"#, #"{"inner":"{\"password\":\"[redacted]\"}"}"#),
    (#"{"a": 1}"#, nil), (#"["x", 2]"#, nil), (#"{"password": "s""#, nil), ("[password]", nil),
    ("password", nil), ("", nil), (#"{ "password": "[redacted]" }"#, nil),
  ])
  func `a document in a text or in data is blanked, and another one stays as it is`(
    document: String, blanked: String?
  ) {
    func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
    #expect(redacted(.string(document)) == .string(blanked ?? document))
    #expect(redacted(.string(base64(document))) == .string(base64(blanked ?? document)))
  }

  @Test(arguments: [
    ("https://a.b/x?password=hunter2222&b=1", "https://a.b/x?password=redacted&b=1"),
    ("https://a.b/x?a=1&PASSWORD=s#top", "https://a.b/x?a=1&PASSWORD=redacted#top"),
    ("a=1&pass%77ord=s", "a=1&pass%77ord=redacted"),
    ("password=s; Path=/", "password=redacted; Path=/"), ("password=", "password="),
    ("b=password", "b=password"), ("mypassword=s", "mypassword=s"), ("a == b", "a == b"),
    ("password=redacted", "password=redacted"), ("password=a,b?c", "password=redacted"),
    (#"password="a b"; x=1"#, #"password="redacted"; x=1"#),
    ("(password=s x)", "(password=redacted x)"), ("[password=s]", "[password=redacted"),
    // Parameters of a group.
    (
      "user[password]=s&user%5Bpassword%5D=t",
      "user[password]=redacted&user%5Bpassword%5D=redacted"
    ),
    ("Input.Password=s&password[]=t", "Input.Password=redacted&password[]=redacted"),
    // A value that is encoded as a whole, or only as far as its encoder finds necessary.
    (
      "next=https%3A%2F%2Fa.b%2F%3Fpassword%3Ds%26c%3D1&d=%41",
      "next=https%3A%2F%2Fa.b%2F%3Fpassword%3Dredacted%26c%3D1&d=%41"
    ),
    ("next=https://a.b/?u=/x%3Fpassword%3Ds", "next=https://a.b/?u=/x%3Fpassword%3Dredacted"),
    ("p=%7B%22password%22:%22s%22%7D&c=%", "p=%7B%22password%22:%22%5Bredacted%5D%22%7D&c=%"),
    ("u=%253Fpassword%253Ds", "u=%253Fpassword%253Dredacted"),
  ])
  func `a parameter in a text or in data is blanked`(text: String, blanked: String) {
    func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
    #expect(redacted(.string(text)) == .string(blanked))
    #expect(redacted(.string(base64(text))) == .string(base64(blanked)))
  }

  @Test(arguments: [[], [0xFF, 0xE9, 0x80, 0x00, 0x0D]] as [[UInt8]])
  func `a part of a form is blanked, whether or not another part is a text`(picture: [UInt8]) {
    func form(_ password: String, _ document: String) -> JSON {
      let head = "Content-Disposition: form-data; name="
      let parts = [
        "\(head)\"user\"\r\n\r\nada\r\n", "\(head)\"Password\"\r\n\r\n\(password)\r\n",
        "\(head)\"data\"; filename=\"password\"\r\n\r\n\(document)\r\n",
        "\(head)\"picture\"\r\nContent-Type: image/jpeg\r\n\r\n",
      ]
      let texts = parts.map { "--b7\r\n\($0)" }.joined()
      return .string(
        (Data(texts.utf8) + picture + Data("\r\n--b7--\r\n".utf8)).base64EncodedString())
    }
    #expect(
      redacted(form("s\r\nt", #"{"password":"s"}"#))
        == form("redacted", #"{"password":"[redacted]"}"#))
    #expect(redacted(form("", "7")) == form("", "7"))
  }

  /// A `Double` holds the number without its last digits.
  @Test func `a document with a number that would lose digits is blanked as a whole`() {
    for number in ["12345678901234567890123", "0.12345678901234567890123"] {
      let secret = #"{"id": \#(number), "password": "s"}"#
      #expect(redacted(.string(secret)) == .string("[redacted]"))
      let data = Data(secret.utf8).base64EncodedString()
      #expect(
        redacted(.string(data)) == .string(Data("[redacted]".utf8).base64EncodedString()))
      let open = #"{"id": \#(number)}"#
      #expect(redacted(.string(open)) == .string(open))
    }
  }

  struct Message: Codable, Sendable {
    var headers: [String: String]
    var body: Data
  }

  @Test func `the body of a message is recorded without its secret, which is known from then on`()
    throws
  {
    let folder = try Folder()
    let spy = Spy<Message, String, any Error>("send(_:)")
    spy.plays(try folder.cassette(redact: [Self.redaction])) { _ in "hunter2hunter2" }
    let body = Data(#"{"user": "ada", "password": "hunter2hunter2"}"#.utf8)
    _ = try spy(Message(headers: ["authorization": "Bearer hunter2"], body: body))
    #expect(folder.text == nil)
    #expect(spy.finish().count == 1)
    let quiet = Spy<Message, String, any Error>("send(_:)")
    quiet.plays(try folder.cassette(redact: [Self.redaction])) { _ in "welcome" }
    _ = try quiet(Message(headers: ["authorization": "Bearer hunter2"], body: body))
    #expect(quiet.finish() == [])
    let file = SearchedFile(Array(try #require(folder.text).utf8))
    #expect(SecretForms("hunter2").found(in: file) == nil)
  }
}
