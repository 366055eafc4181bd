// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import Understudy

@testable import UnderstudyDoubles

@Suite(.strayViolationsKept) struct CassetteFileTests {
  let folder: Folder
  init() throws { folder = try Folder() }

  @Test func `a path leads through as many links as the system follows`() throws {
    try Data("{}".utf8).write(to: URL(fileURLWithPath: "\(folder.path)/0"))
    for link in 1...41 {
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder.path)/\(link)", withDestinationPath: "\(link - 1)")
    }
    #expect(WholeFile("\(folder.path)/40")?.target == "\(folder.path)/0")
    #expect(WholeFile("\(folder.path)/41") == nil)
  }

  /// A program that starts meanwhile would otherwise hold the lock until it ends.
  @Test func `no other program inherits the lock of the folder`() throws {
    var place = stat()
    #expect(stat(folder.path, &place) == 0)
    var inherited: [Bool] = []
    try CassetteFile(path: folder.file).update { before in
      for descriptor in Int32(0)..<1_024 {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_dev == place.st_dev,
          status.st_ino == place.st_ino
        else { continue }
        inherited.append(fcntl(descriptor, F_GETFD) & FD_CLOEXEC == 0)
      }
      return before
    }
    #expect(inherited == [false])
  }

  struct Damage: Sendable, CustomTestStringConvertible {
    let text: String
    let kind: CassetteError.Kind
    let says: String
    var testDescription: String { text }
  }

  static let damages: [Damage] = [
    Damage(text: "", kind: .truncated, says: "0 bytes, cut off or edited by hand"),
    Damage(
      text: #"{"format":"understudy-cassette","version":1,"interactions":[{"memb"#,
      kind: .truncated, says: "66 bytes, cut off or edited by hand"),
    Damage(text: "not JSON", kind: .truncated, says: "8 bytes, cut off or edited by hand"),
    Damage(
      text: #"{"version":1}"#, kind: .foreign, says: #"its "format" is not "understudy-cassette""#),
    Damage(text: "[]", kind: .foreign, says: #"its "format" is not "understudy-cassette""#),
    Damage(
      text: #"{"format":"vcr","version":1}"#, kind: .foreign,
      says: #"its "format" is not "understudy-cassette""#),
    Damage(
      text: #"{"format":"understudy-cassette","version":1}"#, kind: .foreign,
      says: "Reason  it has no \"interactions\""),
    Damage(
      text:
        #"{"format":"understudy-cassette","version":1,"interactions":[{"member":"f","arguments":[]}]}"#,
      kind: .foreign, says: "Reason  interactions[0] has no \"value\""),
    Damage(
      text: #"{"format":"understudy-cassette","version":1.5,"interactions":[]}"#, kind: .foreign,
      says: "Reason  its \"version\" is not a whole number from 1"),
    Damage(
      text: #"{"format":"understudy-cassette","version":0,"interactions":[]}"#, kind: .foreign,
      says: "Reason  its \"version\" is not a whole number from 1"),
    Damage(
      text: #"{"format":"understudy-cassette","interactions":[]}"#, kind: .foreign,
      says: "Reason  its \"version\" is not a whole number from 1"),
    Damage(
      text: #"{"format":"understudy-cassette","version":1,"interactions":[{"member":1}]}"#,
      kind: .foreign, says: "interactions[0].member"),
    Damage(
      text: #"{"format":"understudy-cassette","version":2,"interactions":[]}"#, kind: .newer,
      says: "format version 2; this one reads up to 1"),
  ]

  @Test(arguments: damages)
  func `a damaged file is an error with an explanation, and is left unchanged`(damage: Damage)
    throws
  {
    try folder.write(damage.text)
    for mode in [Cassette.Mode.once, .none, .all] {
      let error = #expect(throws: CassetteError.self) { try folder.cassette(mode) }
      #expect(error?.kind == damage.kind)
      #expect(error?.description.contains(damage.says) == true, "\(error?.description ?? "")")
    }
    #expect(folder.text == damage.text)
  }

  @Test func `the error says how to fix it`() throws {
    try folder.write("")
    let error = #expect(throws: CassetteError.self) { try folder.cassette() }
    #expect(
      error?.description == """
        The cassette 'tape.json' is not JSON to its end.
          File    \(folder.file)
          Reason  0 bytes, cut off or edited by hand
        To fix, do one of these:
          • Take the file back from version control.
          • Delete it, and run once to record it anew.
        The file was left as it is.
        """)
  }

  @Test func `a file that is damaged while it is in use is left unchanged`() throws {
    let spy = Spy<Int, Int, Never>("f(_:)")
    spy.plays(try folder.cassette()) { $0 }
    #expect(spy(1) == 1)
    try folder.write("damaged")
    #expect(spy(2) == 2)
    #expect(folder.text == "damaged")
    #expect(
      spy.finish().map(\.description.firstLine) == [
        "The cassette 'tape.json' is not JSON to its end."
      ])
  }

  @Test func `a cassette that cannot be written is reported, and the call continues`() throws {
    try folder.write("a file where a folder should be")
    let spy = Spy<Int, Int, Never>("f(_:)")
    let path = folder.file + "/tapes/tape.json"
    spy.plays(try Cassette(path, .once, .arguments, [], environment: [:])) { $0 * 2 }
    #expect(spy(21) == 42)
    let found = spy.finish().map(\.description)
    #expect(
      found == [
        """
        The cassette 'tape.json' cannot be written.
          File    \(folder.file)/tapes/tape.json
          Reason  the folder \(folder.file)/tapes cannot be created: Not a directory
        To fix, do one of these:
          • Create the folder, or name a file in another one.
          • Play only what is recorded:  mode: .none
        """
      ])
    #expect(folder.text == "a file where a folder should be")
  }

  @Test func `a folder in place of the file is an error`() throws {
    try FileManager.default.createDirectory(atPath: folder.file, withIntermediateDirectories: true)
    let error = #expect(throws: CassetteError.self) { try folder.cassette() }
    #expect(error?.kind == .unreadable)
  }

  @Test func `cassettes that share a file keep each other's recordings`() async throws {
    let folder = folder
    let tapes = try (0..<8).map { _ in try folder.cassette() }
    await withTaskGroup(of: Void.self) { group in
      for (index, tape) in tapes.enumerated() {
        group.addTask {
          let spy = Spy<Int, Int, Never>("f\(index)(_:)")
          spy.plays(tape) { $0 }
          for number in 0..<10 { _ = spy(number) }
        }
      }
    }
    #expect(try CassetteFile(path: folder.file).read().count == 80)
    #expect(folder.files == ["tape.json"])
  }

  @Test(arguments: [false, true])
  func `a cassette behind a symbolic link is written to the link's target`(isThere: Bool) throws {
    let there = try Folder()
    if isThere {
      try there.write(#"{"format":"understudy-cassette","version":1,"interactions":[]}"#)
    }
    let destination =
      isThere ? there.file : "../\((there.path as NSString).lastPathComponent)/tape.json"
    try FileManager.default.createSymbolicLink(
      atPath: folder.file, withDestinationPath: destination)
    let spy = Spy<Int, Int, Never>("f(_:)")
    spy.plays(try folder.cassette()) { $0 }
    #expect(spy(1) == 1)
    #expect(spy.finish().isEmpty)
    #expect(try CassetteFile(path: there.file).read().count == 1)
    #expect(folder.files == ["tape.json"] && there.files == ["tape.json"])
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: folder.file) == destination)
  }

  @Test func `two cassettes that miss the same call record it once`() throws {
    let (first, second) = try (folder.cassette(), folder.cassette())
    var files: Set<Int> = []
    for tape in [first, second] {
      let spy = Spy<Int, Int, Never>("f(_:)")
      spy.plays(tape) { $0 }
      _ = spy(1)
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.file)
      files.insert(try #require(attributes[.systemFileNumber] as? Int))
    }
    #expect(try CassetteFile(path: folder.file).read().count == 1)
    // A recording that exists is not written again.
    #expect(files.count == 1)
  }

  @Test(arguments: [1, 7, 40, 111, 250, 333])
  func `a process that is killed while it writes damages nothing`(writes: Int) async throws {
    let path = folder.file
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, writes = writes as Int] in
      let spy = Spy<Int, String, Never>("f(_:)")
      spy.plays(try Cassette(path, .once, .arguments, [], environment: [:])) { number in
        String(repeating: "x", count: number * 10)
      }
      let killer = Thread {
        // Another thread sends the signal, so that it comes at any point of a write.
        while spy.callCount < writes {}
        kill(getpid(), SIGKILL)
      }
      killer.start()
      for number in 0..<1_000 { _ = spy(number) }
    }
    let contents = try CassetteFile(path: path).read()
    #expect(contents.count >= writes - 1)
    #expect(contents.count < 1_000)
    // The next write removes the temporary file of the killed process.
    let spy = Spy<Int, String, Never>("g(_:)")
    spy.plays(try folder.cassette()) { "\($0)" }
    _ = spy(1)
    #expect(folder.files == ["tape.json"])
    #expect(try CassetteFile(path: path).read().count == contents.count + 1)
  }

  /// A reader that finds no file looks again, and may then find a new one.
  @Test func `a file that another process creates during a read is not an error`() throws {
    let path = folder.file
    let empty = #"{"format": "understudy-cassette", "interactions": [], "version": 1}"#
    let isOver = Lock(false)
    let maker = Thread {
      while !isOver.withLock({ $0 }) {
        try? Data(empty.utf8).write(to: URL(filePath: path), options: .atomic)
        unlink(path)
      }
    }
    maker.start()
    defer { isOver.withLock { $0 = true } }
    for _ in 0..<5_000 { #expect(try CassetteFile(path: path).read() == []) }
  }

  @Test
  func `an unwritable recording of an asynchronous double is reported, and the call continues`()
    async throws
  {
    try folder.write("")
    let cassette = try Cassette(
      "\(folder.file)/tape.json", .once, .arguments, [], environment: [:])
    let fetches = AsyncSpy<Int, Int, RepoError>("fetch(_:)")
    fetches.plays(cassette) { id throws(RepoError) in
      if id == 2 { throw .busy }
      return id
    }
    #expect(try await fetches(1) == 1)
    await #expect(throws: RepoError.busy) { try await fetches(2) }
    #expect(
      fetches.finish().map(\.description.firstLine)
        == Array(repeating: "The cassette 'tape.json' cannot be written.", count: 2))
  }

  @Test func `a directory is not a cassette, and no message proposes to delete it`() {
    let error = #expect(throws: CassetteError.self) { try CassetteFile(path: folder.path).read() }
    let text = error?.description ?? ""
    #expect(text.contains("it is a directory"))
    #expect(!text.contains("Delete"))
  }

  @Test func `processes that write at once keep each other's recordings`() async throws {
    let path = folder.file
    await withTaskGroup(of: Void.self) { group in
      for process in 0..<4 {
        group.addTask {
          await #expect(processExitsWith: .success) {
            [path = path as String, process = process as Int] in
            let spy = Spy<Int, Int, Never>("f\(process)(_:)")
            spy.plays(try Cassette(path, .once, .arguments, [], environment: [:])) { $0 }
            for number in 0..<50 { _ = spy(number) }
          }
        }
      }
    }
    let contents = try CassetteFile(path: path).read()
    #expect(contents.count == 200)
    for process in 0..<4 {
      let own = contents.filter { $0.request.member == "f\(process)(_:)" }
      #expect(own.map(\.request.arguments) == (0..<50).map { [.integer($0)] })
    }
  }

  /// Simulates a full disk with a limit for the size of a file.
  @Test func `a full disk loses no recording, and the error says so`() async throws {
    let path = folder.file
    await #expect(processExitsWith: .success) {
      [path = path as String] in
      signal(SIGXFSZ, SIG_IGN)
      var limits = rlimit(rlim_cur: 8_192, rlim_max: 8_192)
      #expect(setrlimit(fileSizeLimit, &limits) == 0)
      let spy = Spy<Int, String, Never>("f(_:)")
      spy.plays(try Cassette(path, .once, .arguments, [], environment: [:])) { number in
        String(repeating: "x", count: number * 1_000)
      }
      #expect(spy(1).count == 1_000)
      expectUnwritable("File too large") { #expect(spy(20).count == 20_000) }
    }
    #expect(try CassetteFile(path: path).read().map(\.request.arguments) == [[.integer(1)]])
    #expect(folder.files == ["tape.json"])
  }

  /// Root may write everywhere, so the process becomes another user.
  @Test func `a read-only folder is an error, and the call continues`() async throws {
    try folder.write(#"{"format":"understudy-cassette","version":1,"interactions":[]}"#)
    let (path, before) = (folder.file, folder.text)
    chmod(folder.path, 0o555)
    defer { chmod(folder.path, 0o755) }
    await #expect(processExitsWith: .success) {
      [path = path as String] in
      if getuid() == 0 { #expect(setgid(65_534) == 0 && setuid(65_534) == 0) }
      let spy = Spy<Int, Int, Never>("f(_:)")
      spy.plays(try Cassette(path, .once, .arguments, [], environment: [:])) { $0 * 2 }
      expectUnwritable("Permission denied") { #expect(spy(21) == 42) }
    }
    #expect(folder.text == before)
  }

  /// The number of killed processes. `UNDERSTUDY_KILLS` sets another one.
  private static let kills =
    ProcessInfo.processInfo.environment["UNDERSTUDY_KILLS"].flatMap { Int($0) } ?? 8

  /// Two processes at a time write one cassette, and each is killed after some calls. A call that
  /// has returned to its caller must be in the file afterwards.
  @Test func `two processes that are killed while they write lose nothing`() async throws {
    for round in 0..<Self.kills / 2 {
      let path = "\(folder.path)/\(round).json"
      var kept = 0
      await withTaskGroup(of: Void.self) { group in
        for process in 0..<2 {
          let calls = (round * 7 + process * 5) % 13 + 1
          group.addTask {
            await #expect(processExitsWith: .signal(SIGKILL)) {
              [
                path = path as String, calls = calls as Int,
                member = "f\(process)(_:)" as String
              ] in
              let spy = Spy<Int, Int, Never>("\(member)")
              spy.plays(try Cassette(path, .once, .arguments, [], environment: [:])) { $0 }
              let killer = Thread {
                while spy.callCount <= calls {}
                kill(getpid(), SIGKILL)
              }
              killer.start()
              for number in 0..<10_000 { _ = spy(number) }
            }
          }
        }
      }
      let contents = try CassetteFile(path: path).read()
      for process in 0..<2 {
        let own = contents.filter { $0.request.member == "f\(process)(_:)" }
        #expect(own.count >= (round * 7 + process * 5) % 13 + 1)
        #expect(own.map(\.request.arguments) == (0..<Int64(own.count)).map { [.integer($0)] })
        kept += own.count
      }
      #expect(contents.count == kept)
    }
  }

  @Test func `the folder that a named cassette creates is announced once`() throws {
    let announced = Lock<[Message]>([])
    for name in ["first", "second"] {
      let tape = try Cassette(
        "\(folder.path)/.cassettes/\(name).json", .once, .arguments, [], environment: [:],
        announcing: { message in announced.withLock { $0.append(message) } })
      let spy = Spy<Int, Int, Never>("f(_:)")
      spy.plays(tape) { $0 }
      #expect(announced.withLock(\.count) == (name == "first" ? 0 : 1))
      _ = (spy(1), spy(2))
    }
    #expect(
      announced.withLock(\.self).map(\.description) == [
        """
        Calls are recorded in a new folder, '.cassettes'.
          Folder  \(folder.path)/.cassettes
        Add its files to version control. Without them, CI has nothing to play.
        """
      ])
  }
}

/// Expects the issue of a cassette that cannot be written, with the system's reason.
private func expectUnwritable(_ reason: String, _ call: () -> Void) {
  withKnownIssue {
    call()
  } matching: { issue in
    let text = issue.comments.map(\.rawValue).joined()
    return text.hasPrefix("The cassette 'tape.json' cannot be written.") && text.contains(reason)
  }
}

#if os(Linux)
  private let fileSizeLimit = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
#else
  private let fileSizeLimit = RLIMIT_FSIZE
#endif
