// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

import BoxOffice
import Foundation
import Testing
import UnderstudyTesting

/// Sales while the disk is full, while the folder is read-only, or while the process is killed.
struct `The sales file` {
  private static let sell = ["sell", "--performance", "godot", "--season", "season.json"]

  /// Writes a season with one performance of the given number of seats.
  private static func writeSeason(seats: Int, in scene: Scene) throws {
    try scene.write(
      """
      {"house": "H", "currency": "GBP", "performances": [{"id": "godot", "title": "Godot",
        "starts": "2039-10-07T19:30:00Z", "rows": [{"name": "A", "seats": \(seats), "price": 100}]}]}
      """, to: "season.json")
  }

  private static func mode(of file: URL) throws -> Int {
    try #require(
      FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int)
  }

  @Test(arguments: [0o600, 0o640, 0o644, 0o664])
  func `keeps its permissions`(mode: Int) throws {
    try Scene.play { scene in
      let store = FileStore(directory: scene.directory)
      _ = try store.add { _ in .earlier }
      #expect(try Self.mode(of: store.file) & ~0o022 == 0o644)
      try FileManager.default.setAttributes(
        [.posixPermissions: mode], ofItemAtPath: store.file.path)
      // The temporary file of a killed process must not decide the permissions.
      try scene.write("left", to: "sales.json.new")
      _ = try store.add { _ in .earlier }
      #expect(try Self.mode(of: store.file) == mode)
      #expect(try store.sales().count == 2)
    }
  }

  /// The thread sanitizer cannot run under a limit for files, since its shadow memory is a file.
  @Test(.disabled(if: Scene.isSanitized))
  func `is unchanged if the disk is full, and the error says so`() throws {
    try Scene.play { scene in
      try Self.writeSeason(seats: 100, in: scene)
      func sell(_ seat: Int, limit: Int?) throws -> Scene.Outcome {
        try scene.start(Self.sell + ["--seats", "A\(seat)"], fileSizeLimit: limit).outcome()
      }
      #expect(try sell(1, limit: nil).status == 0)
      let before = try scene.contents(of: "box-office-data")
      // The second sale of 100 seats does not fit into one block.
      let seats = (2...60).map { "A\($0)" }.joined(separator: ",")
      let outcome = try scene.start(Self.sell + ["--seats", seats], fileSizeLimit: 1).outcome()
      #expect(outcome.status == ProgramStatus.file.rawValue)
      #expect(
        outcome.complaint
          == "box-office: Cannot keep sales in 'box-office-data': File too large. Nothing was sold.\n"
      )
      #expect(try scene.contents(of: "box-office-data") == before)
      #expect(try sell(2, limit: nil).status == 0)
    }
  }

  /// A folder with the name of the temporary file makes the write fail for every user, even root.
  @Test func `is unchanged if the temporary file cannot be created, and the error says so`() throws
  {
    try Scene.play { scene in
      try Self.writeSeason(seats: 10, in: scene)
      let store = FileStore(directory: scene.file("box-office-data"))
      _ = try store.add { _ in .earlier }
      let before = try Data(contentsOf: store.file)
      try scene.write("", to: "box-office-data/sales.json.new/in-the-way")
      let outcome = try scene.start(Self.sell + ["--seats", "A5"]).outcome()
      #expect(outcome.status == ProgramStatus.file.rawValue)
      #expect(
        outcome.complaint
          == "box-office: Cannot keep sales in 'box-office-data': Is a directory. Nothing was sold.\n"
      )
      #expect(try Data(contentsOf: store.file) == before)
    }
  }

  /// Root may write to every folder, so the process becomes another user.
  @Test func `is unchanged if the folder is read-only, and the error says so`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "box-office-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let store = FileStore(directory: folder)
    _ = try store.add { _ in .earlier }
    let before = try Data(contentsOf: store.file)
    chmod(folder.path, 0o555)
    defer {
      chmod(folder.path, 0o755)
      try? FileManager.default.removeItem(at: folder)
    }
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      if getuid() == 0 { #expect(setgid(65_534) == 0 && setuid(65_534) == 0) }
      let error = #expect(throws: BoxOfficeError.self) {
        try FileStore(directory: URL(filePath: path)).add { _ in .earlier }
      }
      #expect("\(error, default: "none")".contains("Permission denied"))
    }
    #expect(try Data(contentsOf: store.file) == before)
    #expect(try store.sales().count == 1)
  }

  /// The number of killed processes. `UNDERSTUDY_KILLS` sets another one.
  private static let kills =
    ProcessInfo.processInfo.environment["UNDERSTUDY_KILLS"].flatMap { Int($0) } ?? 40

  /// Two processes run at a time. Each is killed some milliseconds after its start unless it has
  /// ended.
  @Test func `has each sale exactly once, however often a process is killed`() throws {
    try Scene.play { scene in
      try Self.writeSeason(seats: Self.kills, in: scene)
      let killed = Lock(0)
      let sold = Lock(Set<Int>())
      DispatchQueue.concurrentPerform(iterations: Self.kills) { index in
        let seat = index + 1
        do {
          let running = try scene.start(Self.sell + ["--seats", "A\(seat)"])
          let process = running.process
          if running.end.wait(timeout: .now() + .milliseconds(index % 37)) == .timedOut {
            kill(process.processIdentifier, SIGKILL)
          }
          let outcome = try running.outcome()
          if outcome.status == 0 { sold.withLock { _ = $0.insert(seat) } }
          if process.terminationReason == .uncaughtSignal { killed.withLock { $0 += 1 } }
        } catch {
          Issue.record(error)
        }
      }
      let sales = try FileStore(directory: scene.file("box-office-data")).sales()
      #expect(sales.map(\.number) == Array(1..<sales.count + 1))
      let seats = sales.flatMap(\.seats).map(\.number)
      #expect(Set(seats).count == seats.count)
      #expect(sold.withLock(\.self).subtracting(seats) == [])
      // Some processes were killed and others ended, or the test has shown nothing.
      #expect(killed.withLock(\.self) > 0)
      // The store still works, and no temporary file remains.
      _ = try FileStore(directory: scene.file("box-office-data")).add { _ in .earlier }
      #expect(try scene.contents(of: "box-office-data").keys.contains("sales.json.new") == false)
    }
  }
}
