// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import Understudy

@testable import UnderstudyDoubles

@Suite(.strayViolationsKept) struct RedactionTests {
  @Test(arguments: ["login(_:)", "login(id:secret:)"])
  func `an element of a tuple is redacted by its own label`(name: String) throws {
    let folder = try Folder()
    let redact = Redaction.keys("password")
    let recording = Spy<(id: Int, password: String), Int, any Error>(name)
    recording.plays(try folder.cassette(redact: [redact]), errors: []) { $0.id }
    try #expect(recording((id: 7, password: "s3cret")) == 7)
    #expect(try #require(folder.text).contains("s3cret") == false)
    // A call with another secret finds the same recording.
    let playing = Spy<(id: Int, password: String), Int, any Error>(name)
    playing.plays(try folder.cassette(Cassette.Mode.none, redact: [redact]), errors: []) { _ in
      throw Bounced()
    }
    try #expect(playing((id: 7, password: "other")) == 7)
  }

  @Test func `an argument whose label is not a key to redact is recorded unchanged`() throws {
    let folder = try Folder()
    let spy = Spy<(String, String), Int, any Error>("login(user:password:)")
    spy.plays(try folder.cassette(redact: [.keys("password")])) { _ in 1 }
    try #expect(spy("ada", "s3cret") == 1)
    #expect(try #require(folder.text).contains("\"ada\""))
    #expect(try #require(folder.text).contains("s3cret") == false)
  }

  /// A completion that is not recorded leaves its label in the name.
  @Test func `arguments that may have the label are redacted if labels and arguments do not match`()
    throws
  {
    let folder = try Folder()
    let spy = Spy<(String, String), Int, any Error>("login(user:password:completion:)")
    spy.plays(try folder.cassette(redact: [.keys("password")])) { _ in 1 }
    try #expect(spy("ada", "s3cret") == 1)
    #expect(try #require(folder.text).contains("s3cret") == false)
    let whole = Spy<[String: String], Int, any Error>("enter(user:password:)")
    whole.plays(try folder.cassette(redact: [.keys("password")])) { _ in 2 }
    try #expect(whole(["user": "ada", "password": "s3cret"]) == 2)
    #expect(try #require(folder.text).contains("s3cret") == false)
    #expect(try #require(folder.text).contains("\"ada\""))
  }

  struct Refused: Error {
    var headers: [String: [String: String]]
  }
  struct Silent: Error, Codable {
    var code = 1
    var password = "s3cret"
    enum CodingKeys: String, CodingKey { case code }
  }

  class Denied: Error, CustomStringConvertible, @unchecked Sendable {
    let password = "s3cret"
    var description: String { "denied to \(password)" }
  }
  final class Banned: Denied, @unchecked Sendable { let until = 7 }

  static let errors: [any Error] = [
    NSError(domain: "d", code: 1, userInfo: ["password": "s3cret"]),
    NSError(
      domain: "d", code: 1,
      userInfo: [
        NSUnderlyingErrorKey: NSError(domain: "e", code: 2, userInfo: ["password": "s3cret"])
      ]),
    CocoaError(.fileNoSuchFile, userInfo: ["password": "s3cret"]),
    URLError(.timedOut, userInfo: ["password": "s3cret"]),
    Refused(headers: ["a": ["password": "s3cret"]]), Silent(), Banned(),
  ]

  @Test(arguments: errors.indices)
  func `a part of an error is redacted by its key, in a dictionary or without an encoding`(
    index: Int
  )
    throws
  {
    let folder = try Folder()
    let spy = Spy<Int, Int, any Error>("login(_:)")
    spy.plays(try folder.cassette(redact: [.keys("password")])) { _ in throw Self.errors[index] }
    #expect(throws: (any Error).self) { try spy(1) }
    #expect(spy.finish() == [])
    let text = try #require(folder.text)
    #expect(!text.contains("s3cret"), "\(text)")
    #expect(text.contains("\"error\""))
  }

  @Test func `an error's description stays if nothing in it is redacted`() throws {
    let folder = try Folder()
    let spy = Spy<Int, Int, any Error>("login(_:)")
    spy.plays(try folder.cassette(redact: [.keys("token")])) { _ in throw Silent() }
    #expect(throws: Silent.self) { try spy(1) }
    #expect(try #require(folder.text).contains("Silent(code: 1, password: \\\"s3cret\\\")"))
  }

  // MARK: Bytes

  @Test(arguments: ["\u{301}", "\u{200D}x", "\u{FE0F}", "\r\n", " and more"])
  func `a text is redacted by its bytes, even if its end is a part of a larger character`(
    end: String
  )
    throws
  {
    let folder = try Folder()
    let spy = Spy<String, String, any Error>("login(_:)")
    spy.plays(try folder.cassette(redact: [.text("s3cret\r")])) { _ in "token s3cret\r\(end)" }
    _ = try spy("Bearer s3cret\r\(end)")
    #expect(spy.finish() == [])
    let text = try #require(folder.text)
    #expect(Array(text.utf8).places(of: Array("s3cret".utf8)).isEmpty, "\(text)")
  }

  enum Header: Hashable, Codable, Sendable { case password, user }

  @Test func `a dictionary with keys of an enumeration is redacted by the names of its cases`()
    throws
  {
    let folder = try Folder()
    let spy = Spy<[Header: String], Int, any Error>("login(_:)")
    spy.plays(try folder.cassette(redact: [.keys("password")])) { _ in 1 }
    _ = try spy([.password: "s3cret", .user: "ada"])
    let text = try #require(folder.text)
    #expect(!text.contains("s3cret") && text.contains("\"ada\""), "\(text)")
  }

  indirect enum Nested: Error { case inner(Nested), password(password: String) }

  @Test(arguments: [7, 20, 300])
  func `an error is searched for secrets at any depth`(depth: Int) throws {
    let folder = try Folder()
    let error = (0..<depth).reduce(Nested.password(password: "s3cret")) { inner, _ in .inner(inner)
    }
    let spy = Spy<Int, Int, any Error>("login(_:)")
    spy.plays(try folder.cassette(redact: [.keys("password")])) { _ in throw error }
    #expect(throws: Nested.self) { try spy(1) }
    #expect(try #require(folder.text).contains("s3cret") == false)
  }

  // MARK: The file

  private static let secret = "pa/ss \"w0rd+é"
  private static let escaped = "pa/ss \\\"w0rd+é"

  static let forms: [(String, String)] = [
    ("as it is", "\u{1}"),
    ("percent-encoded", secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""),
    (
      "percent-encoded",
      (secret.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed) ?? "").lowercased()
    ),
    ("in base64", Data(secret.utf8).base64EncodedString()),
    ("in base64", Data("a\(secret)b".utf8).base64EncodedString()),
    ("in base64", Data("ab\(secret)".utf8).base64EncodedString()),
    ("escaped as in JSON", "{\"a\": \"\(escaped)\"}"),
  ]

  /// The keys of objects are not redacted.
  @Test(arguments: forms.dropFirst().map(\.1))
  func `a known secret is found in the file in each of its forms, and nothing is written`(
    form: String
  ) throws {
    let folder = try Folder()
    let spy = Spy<Int, [String: Int], any Error>("token(_:)")
    spy.plays(try folder.cassette(redact: [.text(Self.secret)])) { id in
      [id == 1 ? "none" : form: id]
    }
    _ = try spy(1)
    let before = folder.text
    try #expect(spy(2) == [form: 2])
    #expect(folder.text == before)
    #expect(folder.files == ["tape.json"])
    #expect(
      spy.finish().map(\.description.firstLine) == [
        "The cassette 'tape.json' would contain a secret, and was not written."
      ])
  }

  static let contents: [(String, String)] = [
    ("p=\(secret)&q", "p=[redacted]&q"),
    ("p=pa%2Fss%20%22w0rd%2B%C3%A9&q=%2F", "p=[redacted]&q=%2F"),
    ("p=pa%2fss+%22w0rd%2b%c3%a9&q=%2F", "p=[redacted]&q=%2F"),
    (#"{"p":"pa\/ss \"w0rd+\u00e9","q":"\/"}"#, #"{"p":"[redacted]","q":"\/"}"#),
    (#"\ud83d\ude00\u0070\u0061\/ss \"w0rd+é\n"#, #"\ud83d\ude00[redacted]\n"#),
    ("\(secret)pa%2Fss%20%22w0rd%2B%C3%A9", "[redacted][redacted]"),
  ]

  @Test(arguments: contents)
  func `a text is redacted in each of its forms, in texts and in data`(
    content: String, redacted: String
  ) throws {
    let folder = try Folder()
    let spy = Spy<[String], Data, any Error>("post(_:)")
    spy.plays(try folder.cassette(redact: [.text(Self.secret)])) { _ in Data(content.utf8) }
    try #expect(spy([content]) == Data(content.utf8))
    #expect(spy.finish() == [])
    let recorded = try #require(try CassetteFile(path: folder.file).read().first)
    #expect(recorded.request == .init(member: "post(_:)", arguments: [.array([.string(redacted)])]))
    #expect(recorded.outcome == .value(.object(["utf8": .string(redacted)])))
    let playing = Spy<[String], Data, any Error>("post(_:)")
    let tape = try folder.cassette(Cassette.Mode.none, redact: [.text(Self.secret)])
    playing.plays(tape) { _ in throw Bounced() }
    try #expect(playing([content]) == Data(redacted.utf8))
  }

  @Test func `a text is redacted in data that is no text if six bytes or more cannot be chance`()
    throws
  {
    for (secret, isRedacted) in [("hunter2", true), ("hunt", false)] {
      let json = JSON.string(Data([0xFF] + Array("p=\(secret)".utf8)).base64EncodedString())
      #expect((Redaction.text(secret)(json, labelled: []) != json) == isRedacted)
    }
    #expect(Redaction.text("")(.string("a"), labelled: []) == .string("a"))
    #expect(Redaction.text("red")(.string("red"), labelled: []) == .string("[redacted]"))
  }

  // MARK: Values that must stay decodable

  @Test(arguments: [("s3cret", true), ("\u{FF}\u{E9}", false)])
  func `data that was blanked by its key is played if it is a text`(secret: String, isText: Bool)
    throws
  {
    let folder = try Folder()
    let data = try #require(secret.data(using: .isoLatin1))
    let spy = Spy<Int, [String: Data], any Error>("f(_:)")
    spy.plays(try folder.cassette(redact: [.keys("token")])) { _ in ["token": data] }
    _ = try spy(1)
    #expect(spy.finish().count == (isText ? 0 : 1))
    guard isText else { return #expect(folder.text == nil) }
    let playing = Spy<Int, [String: Data], any Error>("f(_:)")
    playing.plays(try folder.cassette(Cassette.Mode.none)) { _ in throw Bounced() }
    try #expect(playing(1) == ["token": Data("[redacted]".utf8)])
  }

  struct Session: Codable, Hashable, Sendable {
    var id: UUID
    var name = "ada"
  }

  @Test func `a value that its redaction makes undecodable is reported, and not recorded`() throws {
    let folder = try Folder()
    let session = Session(id: UUID())
    let spy = Spy<Int, Session, any Error>("open(_:)")
    spy.plays(try folder.cassette(redact: [.keys("id")])) { _ in session }
    try #expect(spy(1) == session)
    #expect(folder.text == nil)
    let found = spy.finish().map(\.description)
    #expect(found.count == 1)
    #expect(
      found.first?.contains("it cannot be decoded after its redaction: {\"id\":\"[redacted]\"")
        == true)
    #expect(
      found.first?.hasSuffix(
        "To fix:  Redact it with a function that keeps it decodable:  redact: Redaction { json in … }"
      )
        == true, "\(found)")
  }

  struct Expired: Error, Codable, Hashable { var id: UUID }

  @Test func `an error that its redaction makes undecodable is reported, and not recorded`() throws
  {
    let folder = try Folder()
    let spy = Spy<Int, Int, any Error>("open(_:)")
    spy.plays(try folder.cassette(redact: [.keys("id")]), errors: Expired.self) { _ in
      throw Expired(id: UUID())
    }
    #expect(throws: Expired.self) { try spy(1) }
    #expect(folder.text == nil)
    #expect(spy.finish().count == 1)
  }

  @Test func `data with a number that would lose digits stays data`() throws {
    let folder = try Folder()
    let body = Data(#"{"n": 0.12345678901234567890123, "token": "s"}"#.utf8)
    let spy = Spy<Int, Data, any Error>("get(_:)")
    spy.plays(try folder.cassette(redact: [.keys("token")])) { _ in body }
    try #expect(spy(1) == body)
    #expect(spy.finish() == [])
    let playing = Spy<Int, Data, any Error>("get(_:)")
    playing.plays(try folder.cassette(Cassette.Mode.none)) { _ in throw Bounced() }
    try #expect(playing(1) == Data("[redacted]".utf8))
  }

  @Test func `a key of an object is not redacted, so nothing is written`() throws {
    let folder = try Folder()
    let spy = Spy<Int, [String: Int], any Error>("f(_:)")
    spy.plays(try folder.cassette(redact: [.text("s3cret")])) { _ in ["s3cret": 1] }
    _ = try spy(1)
    #expect(folder.text == nil)
    #expect(spy.finish().count == 1)
  }

  @Test(arguments: [("long-password", true), ("short", false)])
  func `a long text that was redacted by its key is a secret everywhere`(
    password: String, isKnown: Bool
  )
    throws
  {
    let folder = try Folder()
    let spy = Spy<[String: String], String, any Error>("login(_:)")
    spy.plays(try folder.cassette(redact: [.keys("password")])) { _ in "you said \(password)" }
    _ = try spy(["password": password])
    #expect((folder.text == nil) == isKnown)
    #expect(spy.finish().count == (isKnown ? 1 : 0))
  }

  @Test(arguments: [0o600, 0o640, 0o644])
  func `a file keeps its permissions when it is replaced`(mode: Int) throws {
    let folder = try Folder()
    let spy = Spy<Int, Int, any Error>("f(_:)")
    spy.plays(try folder.cassette()) { $0 }
    _ = try spy(1)
    let files = FileManager.default
    try files.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.file)
    _ = try spy(2)
    let now = try files.attributesOfItem(atPath: folder.file)[.posixPermissions] as? Int
    #expect(now == mode)
    #expect(try #require(folder.text).contains("2"))
  }

  // MARK: Recordings that do not fit

  @Test func `recordings that were not played are a warning at the end of the layer`() throws {
    let folder = try Folder()
    let spy = Spy<Int, Int, any Error>("f(_:)")
    spy.plays(try folder.cassette()) { $0 }
    for id in 1...3 { _ = try spy(id) }
    func played(_ ids: [Int], _ mode: Cassette.Mode) throws -> [Violation] {
      let layer = OverrideLayer(
        LayerTraits(of: Resolver(), named: "cassette", on: nil, at: CallSite()))
      try OverrideLayer.binding(layer) {
        let spy = Spy<Int, Int, any Error>("f(_:)")
        spy.plays(try Cassette(at: folder.file, mode: mode)) { $0 }
        for id in ids { _ = try spy(id) }
      }
      return layer.end()
    }
    for mode in [Cassette.Mode.none, .once] {
      let found = try played([2], mode)
      #expect(found.map(\.severity) == [.warning])
      #expect(
        found.map(\.description.firstLine) == [
          "2 recordings on the cassette 'tape.json' were not played."
        ])
      #expect(found.first?.description.contains("f(_:) [1]") == true)
      try #expect(played([3, 2, 1], mode) == [])
    }
    try #expect(played([], .live) == [])
  }

  @Test(arguments: [true, false])
  func `a cassette from before the layer has its warning, unless the test did not run`(isRun: Bool)
    throws
  {
    let folder = try Folder()
    let real = Spy<Int, Int, any Error>("f(_:)")
    real.plays(try folder.cassette()) { $0 }
    for id in 1...2 { _ = try real(id) }
    let cassette = try Cassette(at: folder.file)
    let layer = OverrideLayer(
      LayerTraits(of: Resolver(), named: "cassette", on: nil, at: CallSite()))
    try OverrideLayer.binding(layer) {
      let spy = Spy<Int, Int, any Error>("f(_:)")
      spy.plays(cassette) { $0 }
      _ = try spy(2)
    }
    if !isRun { layer.noteNotRun() }
    #expect(
      layer.end().map(\.description.firstLine)
        == (isRun ? ["1 recording on the cassette 'tape.json' was not played."] : []))
  }

  @Test func `a changed request is recorded with a warning that names the old one`() throws {
    let folder = try Folder()
    let first = Spy<[String: Int], Int, any Error>("f(_:)")
    first.plays(try folder.cassette()) { _ in 1 }
    _ = try first(["page": 1])
    #expect(first.finish() == [])
    let again = Spy<[String: Int], Int, any Error>("f(_:)")
    again.plays(try folder.cassette()) { _ in 2 }
    try #expect(again(["page": 2]) == 2)
    let found = again.finish()
    #expect(found.map(\.severity) == [.warning])
    #expect(
      found.first?.description.contains("Differs   arguments[0].page: 1 → 2") == true,
      "\(found)")
    // Both recordings are in the file now, and a new member is not a changed request.
    let third = Spy<[String: Int], Int, any Error>("f(_:)")
    let other = Spy<Int, Int, any Error>("g(_:)")
    let tape = try folder.cassette()
    third.plays(tape) { _ in 3 }
    other.plays(tape) { $0 }
    try #expect(third(["page": 1]) == 1 && third(["page": 2]) == 2 && other(1) == 1)
    #expect(third.finish() == [] && other.finish() == [])
  }
}
