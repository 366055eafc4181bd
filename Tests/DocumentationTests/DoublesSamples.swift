// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyTesting

// The samples of Docs/Doubles.md and of the pages below it.

enum DoublesPage {
  protocol Mailer: Sendable { func send(_ text: String) throws }

  final class MailerSpy: Mailer {
    let sends = Spy<String, Void, any Error>("send(_:)")
    func send(_ text: String) throws { try sends(text) }
  }
}

enum GeneratedShape {
  typealias Mailer = DoublesPage.Mailer

  final class MailerDouble: Mailer {
    struct Spies {
      let send = Spy<String, Void, any Error>("send(_:)")
    }
    let spy = Spies()
    func send(_ text: String) throws { try spy.send(text) }
  }
}

struct Patron: Hashable, Codable, Sendable {
  var id: Int
}

enum RepoError: Error, Hashable, Codable { case missing }

enum ThreeWays {
  protocol Repo: Sendable { func remove(_ id: Int, hard: Bool) throws(RepoError) -> Int }

  final class HandMadeRepo: Repo, @unchecked Sendable {
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
      return try _removeResult!.get()  // a call that is not stubbed crashes
    }
  }

  final class RepoDouble: Repo {
    let removes = Spy<(Int, Bool), Int, RepoError>("remove(_:hard:)")
    func remove(_ id: Int, hard: Bool) throws(RepoError) -> Int { try removes(id, hard) }
  }
}

/// Fetches patrons slowly.
struct RemoteUsers: Sendable {
  func fetch(_ id: Int) async throws -> Patron { Patron(id: id) }
}

final class UsersDouble: Sendable {
  let fetches = AsyncSpy<Int, Patron, any Error>("fetch(_:)")
}

struct DoublesSamples {
  private let mailer = MailerSpy()
  private let removes = Spy<(Int, Bool), Int, RepoError>("remove(_:hard:)")
  private let saves = Spy<(Int, Bool), Void, Never>("save(_:hard:)")

  @Test func `a stub`() throws {
    let (id, hard) = (5, false)
    removes.returns(1)  // every call
    removes.returns(1, then: 2, 3)  // one after the other; the last one stays
    removes.returns(0, times: 2)  // two calls; then older stubs answer
    removes.returns(1).throws(.missing).returns(2)  // values and errors, in the order of calls
    removes.when(8, .any).returns(0).optional()  // need not be used
    removes.when(.any, true).throws(.missing)  // literals and .any are matchers
    removes.when(id, hard).returns(2)  // so are variables
    removes.when(.matching { $0 > 9 }, .any).returns(3)
    removes.when { $0 > 100 && !$1 }.returns(4)  // a predicate of all arguments
    removes.when("over 200") { id, _ in id > 200 }.returns(5)  // messages print your words
    try #expect(removes(201, false) == 5)
    try #expect([removes(101, false), removes(10, true), removes(5, false)] == [4, 3, 2])
    try #expect(removes(1, false) == 1)
    #expect(throws: RepoError.missing) { try removes(1, false) }
    try #expect(removes(1, false) == 2)
    #expect(throws: RepoError.missing) { try removes(1, true) }
  }

  @Test func `a stub that computes, over a real thing`() throws {
    let real = ThreeWays.HandMadeRepo()
    real.setRemoveResult(.success(-1))
    removes.forwards { (id, hard) throws(RepoError) in try real.remove(id, hard: hard) }
    removes.does { id, _ in id * 2 }
    try #expect(removes(21, false) == 42)
    #expect(real.removeCalls.isEmpty)
  }

  @Test func `a spy`() async throws {
    removes.returns(0)
    saves(7, true)
    try mailer.send("hello")
    _ = try removes(1, true)
    _ = try removes(2, true)
    #expect(mailer.sends.calls == ["hello"])  // plain values: both frameworks explain them
    #expect(removes.calls(with: .any, true).count == 2)
    #expect(await removes.calls(reach: 2, within: .seconds(1)))
    expectOrder {
      saves.called(with: 7, .any)
      mailer.sends.called()
    }
    expectCalls {  // exactly these calls of the doubles that it names, in this order
      removes.called(with: 1, true)
      removes.called(with: 2, .any)
    }
    expectCalled(removes.called(with: .any, true), 2)  // or .once, .never, 2...
    #expect(await removes.when(1, .any).calls(reach: 1, within: .seconds(1)))
  }

  final class Draft {
    var text: String
    init(_ text: String) { self.text = text }
  }

  @Test func `a spy that records snapshots`() {
    let drafts = Spy<Draft, Void, Never>("save(_:)").recording { Draft($0.text) }
    let draft = Draft("first")
    drafts(draft)
    draft.text = "second"
    #expect(drafts.calls.map(\.text) == ["first"])
  }

  @Test func `the calls of whole doubles`() throws {
    let repo = UsersDouble()
    try mailer.send("hello")
    expectCalls(of: mailer) { mailer.sends.called(with: "hello") }  // no other call of any spy
    expectCalls(of: repo) {}  // no call at all
  }

  @Test func `a timer`() async {
    let clock = ManualClock()
    let ticks = Spy<Void, Void, Never>("tick()")
    let timer = Task {
      while true {
        try await clock.sleep(for: .seconds(1))
        ticks()
      }
    }
    await clock.run(for: .seconds(5), sleepers: 1)
    #expect(ticks.callCount == 5)
    timer.cancel()
    _ = await timer.result
  }

  @Test func `a whole double`() throws {
    strict(mailer)
    expectNoMoreCalls(mailer)  // but for those that are expected and were not made yet
    reset(mailer)
    try mailer.send("free")
    #expect(finish(mailer) == [])
  }

  @Test func `a mock`() throws {
    mailer.sends.when("hello").expects(.once)
    saves.when(7, .any).expects(.once).returns(())  // and stub it

    let order = ExpectedOrder()
    removes.when(1, .any).expects(.once, in: order).returns(1)
    mailer.sends.when("saved").expects(.once, in: order)

    try mailer.send("hello")
    saves(7, true)
    _ = try removes(1, false)
    try mailer.send("saved")
    try verify(mailer, saves, removes)
  }

  @Test func `a fake`() async throws {
    let clock = ManualClock()
    let reminder = Task { try await clock.sleep(for: .seconds(60)) }
    await clock.sleepers(reach: 1)  // it sleeps now
    clock.advance(by: .seconds(60))
    try await reminder.value
  }

  /// Compiled, and not run: it would write a file beside this one.
  private func record(_ repo: UsersDouble, _ real: RemoteUsers) throws {
    let tape = try Cassette(named: "users")  // .cassettes/users.json beside this file
    repo.fetches.plays(tape, errors: RepoError.self) { try await real.fetch($0) }
  }

  @Test func `the same double by hand and here`() throws {
    let byHand = ThreeWays.HandMadeRepo()
    byHand.setRemoveResult(.failure(.missing))
    #expect(throws: RepoError.missing) { try byHand.remove(7, hard: true) }
    #expect(byHand.removeCalls.count == 1)

    let repo = ThreeWays.RepoDouble()
    repo.removes.when(.any, true).throws(.missing)
    #expect(throws: RepoError.missing) { try repo.remove(7, hard: true) }
    #expect(repo.removes.calls(with: 7, .any).count == 1)
  }
}
