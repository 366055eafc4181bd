// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import Understudy

@testable import UnderstudyDoubles

/// A folder that is deleted with the test.
final class Folder {
  let path: String
  init() throws {
    path = NSTemporaryDirectory() + "cassettes-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }
  deinit { try? FileManager.default.removeItem(atPath: path) }

  var file: String { path + "/tape.json" }
  var text: String? { try? String(contentsOfFile: file, encoding: .utf8) }
  var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }

  func write(_ text: String) throws {
    try text.write(toFile: file, atomically: true, encoding: .utf8)
  }

  func cassette(
    _ mode: Cassette.Mode? = nil, _ matching: Cassette.Matching = .arguments,
    redact: [Redaction] = [], environment: [String: String] = [:]
  ) throws -> Cassette {
    try Cassette(file, mode ?? .once, matching, redact, environment: environment)
  }
}

@Suite(.strayViolationsKept) struct CassetteTests {
  let folder: Folder
  init() throws { folder = try Folder() }

  /// A real dependency that gives another answer each time.
  private func repo(
    _ cassette: Cassette, real: KeyValueMemory<Int, Int> = KeyValueMemory()
  ) -> RepoDouble {
    let repo = RepoDouble()
    repo.fetches.plays(cassette, errors: RepoError.self) { id in
      let count = real.update { values in
        values[id, default: 0] += 1
        return values[id, default: 0]
      }
      if id == 404 { throw RepoError.missing }
      if id == 500 { throw Bounced() }
      return User(id: id, name: "call \(count)")
    }
    repo.removes.plays(cassette) { id, hard throws(RepoError) in
      if hard { throw .busy }
      return id
    }
    return repo
  }

  @Test func `recordings are played without the real dependency`() async throws {
    let recording = repo(try folder.cassette())
    try await #expect(recording.fetch(7) == User(id: 7, name: "call 1"))
    try await #expect(recording.fetch(7) == User(id: 7, name: "call 2"))
    await #expect(throws: RepoError.missing) { try await recording.fetch(404) }
    await #expect(throws: Bounced.self) { try await recording.fetch(500) }
    try #expect(recording.remove(3, hard: false) == 3)
    #expect(throws: RepoError.busy) { try recording.remove(3, hard: true) }

    let real = KeyValueMemory<Int, Int>()
    let playing = repo(try folder.cassette(Cassette.Mode.none), real: real)
    try await #expect(playing.fetch(7) == User(id: 7, name: "call 1"))
    try await #expect(playing.fetch(7) == User(id: 7, name: "call 2"))
    await #expect(throws: RepoError.missing) { try await playing.fetch(404) }
    let error = await #expect(throws: RecordedError.self) { try await playing.fetch(500) }
    #expect(error?.type == "UnderstudyDoublesTests.Bounced")
    try #expect(playing.remove(3, hard: false) == 3)
    #expect(throws: RepoError.busy) { try playing.remove(3, hard: true) }
    #expect(real.values == [:])
    #expect(playing.fetches.calls == [7, 7, 404, 500])
    #expect(finish(playing) == [])
  }

  @Test func `the file is JSON with sorted keys, in the order of the calls`() async throws {
    let recording = repo(try folder.cassette())
    _ = try await recording.fetch(7)
    _ = try? recording.remove(3, hard: true)
    #expect(
      folder.text == """
        {
          "format" : "understudy-cassette",
          "interactions" : [
            {
              "arguments" : [
                7
              ],
              "member" : "fetch(_:)",
              "value" : {
                "id" : 7,
                "name" : "call 1"
              }
            },
            {
              "arguments" : [
                3,
                true
              ],
              "error" : {
                "description" : "busy",
                "type" : "UnderstudyDoublesTests.RepoError",
                "value" : {
                  "busy" : {

                  }
                }
              },
              "member" : "remove(_:hard:)"
            }
          ],
          "version" : 1
        }

        """)
    #expect(folder.files == ["tape.json"])
  }

  @Test func `playing writes nothing`() async throws {
    let recording = repo(try folder.cassette())
    _ = try await recording.fetch(7)
    let text = folder.text
    for mode in [Cassette.Mode.once, .none] {
      _ = try await repo(try folder.cassette(mode)).fetch(7)
      #expect(folder.text == text)
    }
  }

  @Test func `once records only missing calls, also in the middle of a run`() async throws {
    _ = try await repo(try folder.cassette()).fetch(7)
    let real = KeyValueMemory<Int, Int>()
    let again = repo(try folder.cassette(), real: real)
    _ = try await again.fetch(7)
    _ = try await again.fetch(7)
    _ = try await again.fetch(8)
    #expect(real.values == [7: 1, 8: 1])
    #expect(try CassetteFile(path: folder.file).read().count == 3)
  }

  @Test func `all records every call again`() async throws {
    let first = repo(try folder.cassette())
    for id in [1, 2, 3] { _ = try await first.fetch(id) }
    let second = repo(try folder.cassette(.all), real: KeyValueMemory([1: 9]))
    _ = try await second.fetch(1)
    _ = try await second.fetch(4)
    let contents = try CassetteFile(path: folder.file).read()
    #expect(contents.map(\.request.arguments) == [[.integer(1)], [.integer(4)]])
    #expect(
      contents.first?.outcome == .value(.object(["id": .integer(1), "name": .string("call 10")])))
  }

  @Test func `live records nothing and ignores recordings`() async throws {
    try folder.write("no cassette at all")
    _ = try await repo(try folder.cassette(.live)).fetch(1)
    #expect(folder.text == "no cassette at all")
  }

  @Test func `a live call may have arguments that cannot be encoded`() throws {
    struct Opaque: Sendable {}
    let names = Spy<(Opaque, Double), String, any Error>("name(of:scale:)")
    names.plays(try folder.cassette(.live), errors: []) { _, scale in "scaled by \(scale)" }
    try #expect(names(Opaque(), .nan) == "scaled by nan")
    #expect(names.finish() == [])
  }

  @Test(arguments: [nil] + Cassette.Mode.allCases)
  func `with CI set nothing is written in any mode`(mode: Cassette.Mode?) async throws {
    let cassette = try folder.cassette(mode, environment: ["CI": "true"])
    let repo = repo(cassette)
    if mode == .live {
      _ = try await repo.fetch(1)
    } else {
      #expect(cassette.mode == .none)
      await #expect(throws: CassetteError.self) { try await repo.fetch(1) }
    }
    #expect(folder.files == [])
  }

  @Test(arguments: ["", "0", "false"])
  func `a CI variable that means no is not CI`(value: String) throws {
    #expect(try folder.cassette(environment: ["CI": value]).mode == .once)
  }

  @Test func `CI is read from the environment of the process`() async {
    await #expect(processExitsWith: .success) {
      setenv("CI", "1", 1)
      let folder = try Folder()
      let found = try violations { _ in
        let cassette = try Cassette(at: folder.file)
        #expect(cassette.mode == .none)
        let fetches = Spy<Int, Int, any Error>("fetch(_:)")
        fetches.plays(cassette) { $0 }
        #expect(throws: CassetteError.self) { try fetches(1) }
      }
      #expect(
        found.map(\.firstLine) == [
          "fetch(1) is not on the cassette 'tape.json', and nothing may be recorded."
        ])
      #expect(folder.files == [])
    }
  }

  @Test func `a mode of none is recording mode none, not a nil optional`() throws {
    #expect(try Cassette(at: folder.file, mode: .none).mode == Cassette.Mode.none)
    #expect(try Cassette(named: "nothing", mode: .none).mode == Cassette.Mode.none)
  }

  @Test func `a miss names the nearest recorded arguments`() async throws {
    let recording = repo(try folder.cassette())
    _ = try recording.remove(3, hard: false)
    _ = try await recording.fetch(1)
    let playing = repo(try folder.cassette(Cassette.Mode.none))
    let error = await #expect(throws: CassetteError.self) { try await playing.fetch(2) }
    #expect(
      error?.description == """
        fetch(2) is not on the cassette 'tape.json', and nothing may be recorded.
          Cassette  \(folder.file)
          Asked     [2]
          Nearest   [1]
          Differs   arguments[0]: 1 → 2
        To fix, do one of these:
          • Record it:  run once without CI set, with mode: .once
          • Stub it:    .when(…).returns(…)
        """)
    #expect(error?.kind == .missing)
    #expect(playing.fetches.finish().map(\.description) == [error?.description])
  }

  @Test func `the nearest recording has the fewest differences, and is the first of those`()
    throws
  {
    func spy(_ mode: Cassette.Mode? = nil) throws -> Spy<(Int, Bool), Int, any Error> {
      let spy = Spy<(Int, Bool), Int, any Error>("remove(_:hard:)")
      spy.plays(try folder.cassette(mode)) { id, _ in id }
      return spy
    }
    let recording = try spy()
    for (id, isHard) in [(3, false), (4, true), (6, true)] { _ = try recording(id, isHard) }
    let playing = try spy(Cassette.Mode.none)
    let error = #expect(throws: CassetteError.self) { try playing(5, true) }
    #expect(error?.description.contains("Nearest   [4,true]") == true)
    _ = playing.finish()
  }

  @Test func `a call beyond the recordings is a miss, unless the last recording stays`()
    async throws
  {
    _ = try await repo(try folder.cassette()).fetch(1)
    let strict = repo(try folder.cassette(Cassette.Mode.none))
    _ = try await strict.fetch(1)
    let error = await #expect(throws: CassetteError.self) { try await strict.fetch(1) }
    #expect(error?.description.contains("Recorded  once, and all of them were played") == true)
    let lenient = repo(try folder.cassette(Cassette.Mode.none, .repeatingArguments))
    for _ in 0..<3 { try await #expect(lenient.fetch(1) == User(id: 1, name: "call 1")) }
  }

  @Test func `matching by sequence ignores the arguments`() async throws {
    let recording = repo(try folder.cassette())
    for id in [1, 2] { _ = try await recording.fetch(id) }
    let playing = repo(try folder.cassette(Cassette.Mode.none, .sequence))
    try await #expect(playing.fetch(100).id == 1)
    try await #expect(playing.fetch(200).id == 2)
    await #expect(throws: CassetteError.self) { try await playing.fetch(300) }
  }

  @Test func `a miss does not print redacted values`() throws {
    let logins = Spy<(String, String), Int, any Error>("login(_:password:)")
    logins.plays(try folder.cassette(Cassette.Mode.none, redact: [.text("s3cret")])) { _, _ in 1 }
    let error = #expect(throws: CassetteError.self) { try logins("ada", "s3cret") }
    #expect(
      error?.description.firstLine == """
        login("ada", password: "[redacted]") is not on the cassette 'tape.json', and nothing may be \
        recorded.
        """)
    #expect(error?.description.contains("s3cret") == false)
  }

  @Test func `a recording that could not be written is not counted as written`() throws {
    let first = repo(try folder.cassette())
    for id in [1, 2] { _ = try first.remove(id, hard: false) }
    let again = repo(try folder.cassette(.all))
    // A folder with the name of the temporary file prevents the write.
    let obstacle = "\(folder.path)/.tape.json.\(getpid()).tmp"
    try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: true)
    _ = try again.remove(3, hard: false)
    let error = #expect(throws: VerificationError.self) { try verify(again) }
    #expect(
      error?.violations.map(\.description.firstLine) == [
        "The cassette 'tape.json' cannot be written."
      ])
    try FileManager.default.removeItem(atPath: obstacle)
    _ = try again.remove(4, hard: false)
    let contents = try CassetteFile(path: folder.file).read()
    #expect(contents.map(\.request.arguments) == [[.integer(4), .bool(false)]])
  }

  @Test func `stubs win over the cassette`() async throws {
    let repo = repo(try folder.cassette())
    repo.fetches.when(1).returns(User(id: -1))
    try await #expect(repo.fetch(1) == User(id: -1))
    #expect(folder.text == nil)
  }

  @Test func `secrets are redacted before anything is written`() throws {
    struct Login: Codable, Hashable { var user: String; var password: String; var pin: Int }
    let redact: [Redaction] = [.keys("password", "pin"), .text("s3cret")]
    func double(_ mode: Cassette.Mode?) throws -> Spy<(Login, String), String, any Error> {
      let logins = Spy<(Login, String), String, any Error>("login(_:header:)")
      logins.plays(try folder.cassette(mode, redact: redact)) { login, _ in
        if login.user == "bad" { throw RepoError.missing }
        return "token s3cret-7"
      }
      return logins
    }
    let login = Login(user: "ada", password: "pw", pin: 1234)
    try #expect(double(nil)(login, "Bearer s3cret") == "token s3cret-7")
    let text = try #require(folder.text)
    for secret in ["s3cret", "\"pw\"", "1234"] { #expect(!text.contains(secret)) }
    // A call with another secret finds the same recording.
    let other = Login(user: "ada", password: "new", pin: 5)
    try #expect(double(Cassette.Mode.none)(other, "Bearer s3cret") == "token [redacted]-7")
  }

  @Test(arguments: [true, false])
  func `an error and a labelled argument reveal no secret`(isCodable: Bool) throws {
    struct Refused: Error, Codable { var user: String; var password: String }
    struct Bounced: Error { var attempt: Refused }
    let logins = Spy<(String, String), Int, any Error>("login(_:password:)")
    logins.plays(try folder.cassette(redact: [.keys("password")])) { user, password in
      let refused = Refused(user: user, password: password)
      if isCodable { throw refused }
      throw Bounced(attempt: refused)
    }
    #expect(throws: (any Error).self) { try logins("ada", "pw") }
    let text = try #require(folder.text)
    #expect(!text.contains("pw"))
    #expect(text.contains("ada"))
    // A call with another secret finds the same recording.
    logins.plays(try folder.cassette(Cassette.Mode.none, redact: [.keys("password")])) { _, _ in 1 }
    let error = #expect(throws: RecordedError.self) { try logins("ada", "other") }
    #expect(
      error?.description
        == (isCodable
          ? #"Refused {"password":"[redacted]","user":"ada"}"#
          : #"Bounced {"attempt":{"password":"[redacted]","user":"ada"}}"#))
  }

  @Test func `void, optionals and special numbers survive`() throws {
    for mode in [Cassette.Mode.once, .none] {
      let voids = Spy<Void, Void, any Error>("ping()")
      let numbers = Spy<Double, UInt64?, Never>("f(_:)")
      let tape = try folder.cassette(mode)
      voids.plays(tape) { if mode == .none { throw Bounced() } }
      numbers.plays(tape) { $0.isNaN ? UInt64.max : nil }
      try voids()
      #expect(numbers(.nan) == .max)
      #expect(numbers(.infinity) == nil)
      #expect(numbers(0.1) == nil)
      #expect(finish(voids, numbers) == [])
    }
  }

  @Test func `overlapping calls are stored in the order in which they were made`() async throws {
    let fetches = AsyncSpy<Int, Int, any Error>("fetch(_:)")
    let gate = Gate()
    fetches.plays(try folder.cassette()) { id in
      if id == 1 { try await gate.wait() }
      return id
    }
    async let first = fetches(1)
    await gate.waiters(reach: 1)
    _ = try await fetches(2)
    _ = try await fetches(3)
    gate.open()
    _ = try await first
    let order = try CassetteFile(path: folder.file).read().map(\.request.arguments)
    #expect(order == [[.integer(1)], [.integer(2)], [.integer(3)]])
  }

  @Test func `a cancelled call is not recorded`() async throws {
    let fetches = AsyncSpy<Int, Int, any Error>("fetch(_:)")
    fetches.plays(try folder.cassette()) { _ in throw CancellationError() }
    await #expect(throws: CancellationError.self) { try await fetches(1) }
    #expect(folder.files == [])
  }

  /// A session of Foundation throws an error of its own.
  @Test func `a call of a cancelled task that throws any error is not recorded`() async throws {
    let gate = Gate()
    let fetches = AsyncSpy<Int, Int, any Error>("fetch(_:)")
    fetches.plays(try folder.cassette()) { _ in
      do { try await gate.wait() } catch { throw Bounced() }
      return 1
    }
    let fetching = Task { try await fetches(1) }
    await gate.waiters(reach: 1)
    fetching.cancel()
    await #expect(throws: Bounced.self) { try await fetching.value }
    #expect(folder.files == [])
  }

  @Test func `a call that cannot go on without a recording ends the process`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let cassette = try Folder().cassette(Cassette.Mode.none)
      _ = violations { _ in
        let fetches = Spy<Int, User, Never>("fetch(_:)")
        fetches.plays(cassette) { User(id: $0) }
        _ = fetches(7)
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("fetch(7) is not on the cassette 'tape.json'"))
  }

  @Test func `an error that could not be played is an issue when it is recorded`() throws {
    let spy = Spy<Int, Int, Bounced>("f(_:)", placeholder: 0)
    spy.plays(try folder.cassette()) { _ throws(Bounced) in throw Bounced() }
    #expect(throws: Bounced.self) { try spy(1) }
    #expect(folder.text == nil)
    let found = spy.finish().map(\.description)
    #expect(found.map(\.firstLine) == ["A call of f(_:) cannot be kept on a cassette."])
    #expect(found.first?.contains("Bounced is not Codable") == true, "\(found)")
  }

  @Test func `a type that is not Codable is an error with an explanation`() throws {
    struct Opaque: Sendable {}
    let opens = Spy<Opaque, Int, any Error>("open(_:)")
    opens.plays(try folder.cassette(), errors: []) { _ in 1 }
    let error = #expect(throws: CassetteError.self) { try opens(Opaque()) }
    #expect(error?.kind == .uncodable)
    #expect(error?.description.contains("Reason    Opaque is not Codable") == true)
    #expect(folder.files == [])
  }
}
