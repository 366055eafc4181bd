// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import CorpusBase
import Foundation
import Testing
import UnderstudyDoubles

@testable import Corpus

@Suite struct `Mixed protocols` {
  @Test func `a repository`() async throws {
    let double = RepositoryDouble()
    share(double)
    double.region = "eu"
    same(double.region, "eu")
    double.spy.fetch.when(1).returns(Item(id: 1))
    same(try await double.fetch(1), Item(id: 1))
    double.spy.remove.when(.any, true).throws(.busy)
    #expect(throws: LoadError.busy) { try double.remove(1, hard: true) }
    double.spy.decode.returns(5)
    same(try double.decode(Int.self, key: "a"), 5)
    RepositoryDouble.spy.now.returns(9)
    same(RepositoryDouble.now(), 9)
  }

  @Test func `unstubbed calls are forwarded`() async throws {
    let real = RepositoryDouble()
    real.spy.fetch.returns(Item(id: 7))
    real.spy.remove.throws(.missing)
    let double = RepositoryDouble(forwardingTo: real)
    double.spy.fetch.when(1).returns(Item(id: 1))
    same(try await double.fetch(1), Item(id: 1))
    same(try await double.fetch(2), Item(id: 7))
    same(double.spy.fetch.calls, [1, 2])
    same(real.spy.fetch.calls, [2])
    #expect(throws: LoadError.missing) { try double.remove(3, hard: true) }
    let plain = LabelledDouble()
    plain.spy.load.returns("x")
    same(LabelledDouble(forwardingTo: plain).load(id: 1, from: "a"), "x")
    let item = ClassBoundPropertyDouble()
    ClassBoundPropertyDouble(forwardingTo: item).level = 4
    same(item.level, 4)
  }

  @Test func `recordings are played without calling the real implementation`() async throws {
    let tape = try Cassette(named: "archive", mode: .none)
    let real = ArchiveDouble()
    let double = ArchiveDouble(tape: tape, live: real)
    same(double.title, "Folios")
    same(try await double.page(1, of: "F1"), Page(text: "To be"))
    same(double.pages(after: Date(timeIntervalSince1970: 0)), ["F1": [Page(text: "or not")]])
    #expect(throws: Damage.torn) { try double.remove(Page(text: "to be")) }
    same(real.spy.page.callCount, 0)
    same(double.spy.page.callCount, 1)
  }

  @Test func `a live tape calls the real implementation, but a stub comes first`() async throws {
    let tape = try Cassette(named: "archive", mode: .live)
    let real = ArchiveDouble()
    real.spy.title.returns("Quartos")
    real.spy.page.returns(Page(text: "real"))
    let double = ArchiveDouble(tape: tape, live: real)
    double.spy.page.when(1, nil).returns(Page(text: "stub"))
    same(double.title, "Quartos")
    same(try await double.page(1, of: nil), Page(text: "stub"))
    same(try await double.page(2, of: nil), Page(text: "real"))
  }

  @Test func `overloads`() {
    let double = OverloadsDouble()
    double.spy.loadInt.returns(1)
    double.spy.loadString.returns(2)
    double.spy.loadId.returns(3)
    double.spy.loadIdHard.returns(4)
    double.spy.load.returns(5)
    double.spy.loadReturningString.returns("6")
    OverloadsDouble.spy.load.returns(7)
    same(double.load(0), 1)
    same(double.load("a"), 2)
    same(double.load(id: 0), 3)
    same(double.load(id: 0, hard: true), 4)
    same(double.load() as Int, 5)
    same(double.load() as String, "6")
    same(OverloadsDouble.load(0), 7)
  }

  @Test func `a session`() async throws {
    let double = SessionDouble(name: "a")
    same(SessionDouble.spy.initialize.calls, ["a"])
    double.spy.user.returns("Ada")
    same(try await double.user, "Ada")
    double["x"] = 1
    same(double.spy.subscriptStringSet.calls[0].0, "x")
    double.spy.subscript.returns(2)
    same(double[1], 2)
    double.close()
    same(double.spy.close.callCount, 1)
  }

  @MainActor @Test func `a screen`() async {
    let double = ScreenDouble()
    double.title = "t"
    same(double.title, "t")
    double.show(Document(text: "d"), animated: true)
    same(double.spy.show.calls[0].1, true)
    double.spy.ask.returns(true)
    same(await double.ask("q"), true)
    double.spy.id.returns(3)
    same(double.id, 3)
  }

  @Test func `a ledger`() async throws {
    let double = LedgerDouble()
    double.spy.balance.returns(1)
    same(await double.balance, 1)
    double.spy.post.when(5).returns(6)
    same(try await double.post(5), 6)
    double.spy.currency.returns("EUR")
    same(double.currency(), "EUR")
  }

  @Test func `a cache`() async {
    let double = CacheDouble<String, Int>()
    double.spy.subscript.when("a").returns(1)
    same(double["a"], 1)
    double["b"] = 2
    same(double.spy.subscriptSet.calls[0].1, 2)
    same(double.value(for: "c") { 3 }, 3)
    same(double.spy.value.calls, ["c"])
    double.spy.removeAll.returns([4])
    same(await double.removeAll { _, _ in true }, [4])
  }

  @Test func `a pipeline`() throws {
    let double = PipelineDouble<String>()
    double.spy.append.returns(double)
    #expect(double.append("a") === double)
    PipelineDouble<String>.spy.plus.returns(Unchecked(double))
    #expect(double + "b" === double)
    double.spy.run.returns(["a": 1])
    same(try double.run(1, 2, onProgress: nil), ["a": 1])
    same(double.spy.run.calls[0].0, [1, 2])
    double.spy.name.returns("n")
    same(double.name, "n")
    try double.rename(to: "m")
    same(Set([double]).count, 1)
  }

  @Test func `a vault`() throws {
    let double = VaultDouble()
    double.spy.open.returns { $0.value }
    same(try double.open(Token(value: 1)), 1)
    double.spy.audit.returns { body in body(Token(value: 2)) }
    var seen = 0
    double.audit { seen = $0.value }
    same(seen, 2)
    double.spy.label.returns(Label(text: "l"))
    same(double.label().text, "l")
    double.spy.lock.does { $0 * 2 }
    var code = 4
    double.lock(&code)
    same(code, 8)
  }

  @Test func `a transport`() async throws {
    let double = TransportDouble()
    double.spy.send.returns((Data([1]), 200))
    same(try await double.send(Data(), to: URL(fileURLWithPath: "/")).1, 200)
    double.spy.stream.returns(AsyncStream { $0.finish() })
    for await _ in double.stream(URL(fileURLWithPath: "/")) {}
    double.spy.timeout.returns(.seconds(1))
    same(double.timeout, .seconds(1))
  }

  @Test func `a logger`() async {
    let double = LoggerDouble()
    double.log("a" + "b", level: 1, file: "f", line: 2)
    same(double.spy.log.calls[0].0, "ab")
    await double.flush()
    double.spy.isEnabled.returns(true)
    same(double.isEnabled, true)
  }

  @Test func `a formatter`() {
    let double = FormatterDouble()
    double.spy.format.returns("i")
    same(double.format(1), "i")
    double.spy.parse.returns(Int?.some(3))
    same(double.parse("3"), 3)
    same("\(double)", "FormatterDouble")
  }

  @Test func `an inventory`() async throws {
    let double = InventoryDouble()
    share(double)
    double.spy.load.returns("a")
    same(double.load(1), "a")
    try await double.move(in: 1, to: .small)
    same(double.spy.move.calls[0].1, .small)
    double.spy.count.returns { test in (try? test(Item(id: 1))) == true ? 1 : 0 }
    same(double.count { $0.id == 1 }, 1)
    double.title = "t"
    same(double.title, "t")
  }
}
