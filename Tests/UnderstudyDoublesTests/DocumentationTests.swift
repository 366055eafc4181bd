// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import Understudy
import UnderstudyDoubles

/// The samples of `Docs/Doubles`, compiled and run. Change both together.
@Suite struct DocumentationTests {
  let mailer = MailerSpy()
  let removes = Spy<(Int, Bool), Int, RepoError>("remove(_:hard:)")
  let saves = Spy<(Int, Bool), Void, Never>("save(_:hard:)")

  @Test func `a stub`() throws {
    let (id, hard) = (5, false)
    let forwards: @Sendable (Int, Bool) -> Int = { id, hard in hard ? 0 : -id }
    removes.forwards { id, hard in forwards(id, hard) }
    try #expect(removes(1, false) == -1)
    removes.returns(1)
    removes.returns(1, then: 2, 3)
    removes.returns(0, times: 2)
    removes.when(.any, true).throws(.missing)
    removes.when(id, hard).returns(2)
    removes.when(.matching { $0 > 9 }, .any).returns(3)
    removes.when { $0 > 100 && !$1 }.returns(4)
    try #expect([removes(101, false), removes(10, true), removes(5, false)] == [4, 3, 2])
    try #expect((0..<5).map { _ in try removes(1, false) } == [0, 0, 1, 2, 3])
    #expect(throws: RepoError.missing) { try removes(1, true) }
    removes.does { id, _ in id * 2 }
    try #expect(removes(21, true) == 42)
    removes.does { (id, hard) throws(RepoError) in
      if hard { throw .busy }
      return id
    }
    #expect(throws: RepoError.busy) { try removes(1, true) }
  }

  @Test func `a spy`() async throws {
    removes.returns(0)
    saves(7, true)
    try mailer.send("hello")
    _ = try removes(1, true)
    _ = try removes(2, true)
    #expect(mailer.sends.calls == ["hello"])
    #expect(removes.calls(with: .any, true).count == 2)
    #expect(await removes.calls(reach: 2, within: .seconds(1)))
    let found = expectOrder {
      saves.called(with: 7, .any)
      mailer.sends.called()
    }
    #expect(found == [])
  }

  @Test func `a mock`() throws {
    let order = ExpectedOrder()
    saves.when(7, .any).expects(.once, in: order).returns(())
    mailer.sends.when("hello").expects(.once)
    mailer.sends.when("saved").expects(.once, in: order)
    try mailer.send("hello")
    saves(7, true)
    try mailer.send("saved")
    try verify(mailer, saves)
    #expect(finish(mailer, saves) == [])
  }

  @Test func `a fake`() async throws {
    let clock = ManualClock()
    let reminder = Task { try await clock.sleep(for: .seconds(60)) }
    await clock.sleepers(reach: 1)
    clock.advance(by: .seconds(60))
    try await reminder.value
  }

  @Test func `a recording fake`() async throws {
    let folder = try Folder()
    let repo = RepoDouble()
    let tape = try Cassette(at: folder.file, redact: .keys("password"), .text("token"))
    repo.fetches.plays(tape, errors: RepoError.self) { User(id: $0) }
    if tape.mode == .once { try await #expect(repo.fetch(7) == User(id: 7)) }
  }

  final class HandMadeRepo: @unchecked Sendable {
    private let lock = NSLock()
    private var _removeCalls: [(Int, Bool)] = []
    private var _removeResult: Result<Int, RepoError>?
    var removeCalls: [(Int, Bool)] { lock.withLock { _removeCalls } }
    func setRemoveResult(_ result: Result<Int, RepoError>) {
      lock.withLock { _removeResult = result }
    }
    func remove(_ id: Int, hard: Bool) throws(RepoError) -> Int {
      lock.lock()
      defer { lock.unlock() }
      _removeCalls.append((id, hard))
      guard let result = _removeResult else { throw .missing }
      return try result.get()
    }
  }

  @Test func `the same double by hand and here`() throws {
    let byHand = HandMadeRepo()
    byHand.setRemoveResult(.failure(.missing))
    #expect(throws: RepoError.missing) { try byHand.remove(7, hard: true) }
    #expect(byHand.removeCalls.count == 1)
    let repo = RepoDouble()
    repo.removes.when(.any, true).throws(.missing)
    #expect(throws: RepoError.missing) { try repo.remove(7, hard: true) }
    #expect(repo.removes.calls(with: 7, .any).count == 1)
  }
}
