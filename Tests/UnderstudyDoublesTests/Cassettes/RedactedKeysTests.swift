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
    ("\u{FEFF}{\"password\": \"s\"}", #"{"password":"[redacted]"}"#),
    (#"{"a": 1}"#, nil), (#"["x", 2]"#, nil), (#"{"passwords": "s""#, nil), ("[password]", nil),
    ("password", nil), ("", nil), (#"{"password":"[redacted]"}"#, nil), ("[1e400]", nil),
    (#"{"b": ["password", 1e400]}"#, nil), ("\u{FEFF}[1]", nil),
    // It cannot be decoded.
    (#"{"password": "s""#, "[redacted]"), (#"{"Password" : "s", "b": 1e400}"#, "[redacted]"),
    (#"{"b": "\ud83d", "password": "s"}"#, "[redacted]"),
    (#"[{"pass\u0077ord": "s"}, 1e400]"#, "[redacted]"),
    (#"{"b": "{\"password\":\"s\"}", "c": 1e400}"#, "[redacted]"),
    ("{\"b\": 1}\n{\"password\": \"s\"}", "[redacted]"),
    (
      #"{"password": "s", "b": "# + String(repeating: "[", count: 600)
        + String(repeating: "]", count: 600) + "}", "[redacted]"
    ),
  ])
  func `a document in a text or in data is blanked, and another one stays as it is`(
    document: String, blanked: String?
  ) {
    func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
    #expect(redacted(.string(document)) == .string(blanked ?? document))
    #expect(redacted(.string(base64(document))) == .string(base64(blanked ?? document)))
  }

  /// Encoded again, these would be other texts.
  @Test(arguments: ["77u/YT1i", "YR=="])
  func `a text in base64 without a key stays as it is`(text: String) {
    #expect(redacted(.string(text)) == .string(text))
  }

  @Test func `a document that is not in UTF-8 is blanked as a whole`() {
    let data = Data(#"{"city": "Montr"#.utf8) + [0xE9] + Data(#"al", "password": "s"}"#.utf8)
    #expect(
      redacted(.string(data.base64EncodedString()))
        == .string(Data("[redacted]".utf8).base64EncodedString()))
  }

  @Test(arguments: [
    #"{"password":null,"password":"hunter2222"}"#, #"{"password":"hunter2222","password":null}"#,
    #"{"a":{"password":"hunter2222"},"a":1}"#, #"{"a":1,"a":{"password":"hunter2222"}}"#,
  ])
  func `a key that occurs twice is blanked`(document: String) {
    #expect(redacted(.string(document)).line.contains("hunter2222") == false)
  }

  @Test(arguments: [
    ("https://a.b/x?password=hunter2222&b=1", "https://a.b/x?password=redacted&b=1"),
    ("https://a.b/x?a=1&PASSWORD=s#top", "https://a.b/x?a=1&PASSWORD=redacted#top"),
    ("a=1&pass%77ord=s", "a=1&pass%77ord=redacted"),
    ("password=s; Path=/", "password=redacted; Path=/"), ("password=", "password="),
    ("b=password", "b=password"), ("mypassword=s", "mypassword=s"), ("a == b", "a == b"),
    ("password=redacted", "password=redacted"), ("password=a,b?c", "password=redacted"),
    (#"password="a b"; x=1"#, #"password="redacted"; x=1"#),
    (#"b=1; password="a b; x=1"#, #"b=1; password="redacted"#),
    (#"password="a\"b\\"; x=1"#, #"password="redacted"; x=1"#),
    ("-- password=s\n\npassword=t", "-- password=redacted\n\npassword=redacted"),
    ("---\npassword=a---b", "---\npassword=redacted"),
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
    // An escape that is not UTF-8, and a sign that is no escape.
    (
      "next=%3Fcity%3DMontr%E9al%26password%3Ds",
      "next=%3Fcity%3DMontr%EF%BF%BDal%26password%3Dredacted"
    ),
    ("u=%3Fpassword%3Ds%26b=100%", "u=%3Fpassword%3Dredacted%26b=100%"),
  ])
  func `a parameter in a text or in data is blanked`(text: String, blanked: String) {
    func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
    #expect(redacted(.string(text)) == .string(blanked))
    #expect(redacted(.string(base64(text))) == .string(base64(blanked)))
  }

  @Test func `a parameter in data that is in Latin-1 is blanked, unless that is no text`() {
    let form = Data("city=Montr".utf8) + [0xE9] + Data("al&password=".utf8)
    func base64(_ data: Data) -> JSON { .string(data.base64EncodedString()) }
    #expect(redacted(base64(form + Data("s".utf8))) == base64(form + Data("redacted".utf8)))
    let picture = base64(form + [0x73, 0x00])
    #expect(redacted(picture) == picture)
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

  @Test(arguments: ["\r\n", "\n"], ["", "\r\n", " \n"])
  func `a form that was written by hand is blanked`(end: String, start: String) {
    func form(_ password: String) -> String {
      let lines = [
        "--b", "Content-Disposition: form-data; name=\"password\"", "", password,
        "--b", "Content-Disposition: form-data; name=\"user\"", "", "ada", "--b--", "",
      ]
      return start + lines.joined(separator: end)
    }
    #expect(redacted(.string(form("hunter2222"))) == .string(form("redacted")))
    let data = Data(form("hunter2222").utf8).base64EncodedString()
    #expect(redacted(.string(data)) == .string(Data(form("redacted").utf8).base64EncodedString()))
  }

  @Test func `the names of a form stay, whichever keys are blanked`() {
    func form(_ city: String, _ name: String, file: String) -> JSON {
      let head = "Content-Disposition: form-data; name="
      return .string(
        "--b\r\n\(head)\"city\"\r\n\r\n\(city)\r\n--b\r\n\(head)\"name\"; "
          + "filename=\"\(file)\"\r\n\r\n\(name)\r\n--b--\r\n")
    }
    let open = form("Paris", "ada", file: "a.txt")
    #expect(
      Redaction.keys("name")(open, labelled: []) == form("Paris", "redacted", file: "a.txt"))
    #expect(
      Redaction.keys("city", "filename")(open, labelled: [])
        == form("redacted", "ada", file: "redacted"))
  }

  /// The euro is no character of Latin-1, in which a text beside other data is written again.
  @Test func `a form that cannot be written again is blanked as a whole`() {
    let head = "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n"
    let document = #"{"price":"\u20ac","password":"hunter2222"}"#
    let form = Data("\(head)\(document)\r\n\(head)".utf8) + [0xFF, 0x00] + Data("\r\n--b--".utf8)
    #expect(
      redacted(.string(form.base64EncodedString()))
        == .string(Data("[redacted]".utf8).base64EncodedString()))
  }

  @Test func `a text that is encoded many times ends the search`() {
    let percents = "u=%" + String(repeating: "25", count: 100_000) + "3F"
    #expect(redacted(.string(percents)) == .string(percents))
    var form = "x"
    for _ in 0..<30 {
      let inner = form.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      form = "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nu=\(inner)\r\n--b--"
    }
    #expect(redacted(.string(form)) == .string(form))
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
