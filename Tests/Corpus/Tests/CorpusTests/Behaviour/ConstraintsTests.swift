// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyDoubles

@testable import Corpus

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

private struct Half: RealNumbers { func add(_ value: Double) -> Double { value / 2 } }

@Suite struct `Fixed and constrained associated types` {
  @Test func `have the type of their clause`() throws {
    let a = AccountEntitiesDouble()
    try a.save(Account(id: 1))
    try a.save([Account(id: 2)])
    same(a.spy.save.calls.map(\.id), [1])
    same(a.spy.saveArrayOfAccount.calls.map { $0.map(\.id) }, [[2]])
    let b = BatchEntitiesDouble<Account>()
    try b.save([Account(id: 3)])
    same(b.spy.saveArrayOfAccount.callCount, 1)
    _ = 5 as SmallLiteralDouble
    same(SmallLiteralDouble.spy.initialize.calls, [5])
  }

  @Test func `have Sendable members if a clause or their type says so`() async throws {
    let people = StoreOfPeopleDouble()
    people.spy.find.when(7).returns(Person(id: 7))
    same(try await people.find(7)?.id, 7)
    let members = StoreOfMembersDouble()
    members.spy.find.when("a").returns(Member())
    same(try await members.find("a")?.id, "an account")
    let any = StoreOfEntitiesDouble<Person>()
    any.spy.find.when(7).returns(nil)
    same(try await any.find(7)?.id, nil)
    let indices = SharedIndicesDouble<[String]>()
    indices.spy.find.when("a").returns(5)
    same(try await indices.find("a"), 5)
  }

  @Test func `are doubles if their clause leads back to the protocol`() async throws {
    let ping = PingDouble()
    let pong = PongDouble()
    ping.spy.other.returns(pong)
    pong.spy.other.returns(ping)
    #expect(ping.other().other() === ping)
    let key = try PublicKeyDouble(raw: [1])
    let secret = PrivateKeyDouble()
    key.spy.pair.returns(secret)
    secret.spy.publicKey.returns(key)
    #expect(try await key.pair().publicKey === key)
    let stored = StoredDouble()
    let storage = StoringDouble<StoredDouble>()
    stored.spy.storage.returns(storage)
    storage.spy.value.returns(stored)
    #expect(stored.storage().value() === stored)
  }

  @Test func `are stored as their type allows`() async throws {
    let a = ScratchPagesDouble()
    a.spy.turn.does { $0 }
    let scratch = Scratch()
    #expect(try await a.turn(scratch) === scratch)
    let b = KeyedPagesDouble()
    b.spy.turn.does { $0 }
    same(try await b.turn(["a": 1])["a"] as? Int, 1)
    let c = CallbackPagesDouble()
    c.spy.turn.does { $0 }
    _ = try await c.turn { _ in }
    same(c.spy.turn.callCount, 1)
    let d = ShapePagesDouble()
    d.spy.turn.does { $0 }
    same(try await d.turn(Square()).sides, 4)
    let e = ItemPagesDouble()
    e.spy.turn.returns(Item(id: 2))
    same(try await e.turn(Item(id: 1)), Item(id: 2))
  }

  @Test func `may be called Real`() {
    same(RealNumbersDouble<Double>(forwardingTo: Half()).add(3), 1.5)
  }

  @Test func `closures are Sendable only if they say so themselves`() {
    let a = ClosurePagesDouble()
    a.on { $0() }
    a.main { _ in }
    same(a.spy.on.callCount + a.spy.main.callCount, 2)
  }

  @Test func `one member of two parents has one spy`() {
    let a = LoadsAccountsTwiceDouble()
    a.spy.load.returns(4)
    same(a.load(Int.self), 4)
    a.spy.find.returns(5)
    same(a.find(nil), 5)
    a.spy.show.returns(6)
    same(a.show(Square(), count: 1), 6)
  }

  @Test func `a generic call without a stub goes on`() throws {
    let a = FindsTypedDouble()
    unstubbed(.relaxed, a)
    same(try a.find(Int.self), nil)
    same(try a.fetch(Int.self, LoadError.self), nil)
    a.spy.find.throws(LoadError.busy)
    #expect(throws: LoadError.busy) { try a.find(Int.self) }
  }

  @Test func `types with names of the standard library are the module's own`() {
    let a = RunsExecutorsDouble()
    let executor = ExecutorDouble()
    a.spy.start.does { $0 }
    #expect(a.start(executor) as AnyObject === executor)
    #expect(Set([OwnCodableDouble()]).count == 1)
  }

  @Test func `requests and responses are stored unchanged`() async throws {
    let url = try #require(URL(string: "https://example.com"))
    let a = FetchesDouble()
    let response = URLResponse(
      url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
    a.spy.fetch.returns((Data(), response))
    _ = try await a.fetch(URLRequest(url: url))
    same(a.spy.fetch.calls.map(\.url), [url])
  }
}

@Suite struct `Values that cannot be stored, beside others` {
  @Test(.relaxed) func `the answering function changes an inout value`() async throws {
    let a = UpdatesStateDouble()
    a.spy.update.returns { state, body in
      state = body(state)
      return true
    }
    var state = 2
    same(a.update(&state) { $0 * 2 }, true)
    same(state, 4)
    same(a.spy.update.calls, [2])
    var order: [Int] = []
    var scratch = Scratch()
    a.fill(&scratch) { order.append(1) }
    same(order, [1])
    a.spy.wait.returns { state, _ in state = 9 }
    try await a.wait(&state) {}
    same(state, 9)
    let b = SharedUpdatesDouble()
    b.spy.fill.returns { scratch, _ in scratch = Scratch() }
    let old = scratch
    b.fill(&scratch) {}
    #expect(scratch !== old)
    SharedUpdatesDouble.make(&scratch) {}
    same(SharedUpdatesDouble.spy.make.callCount, 1)
  }

  @Test func `a failable initialiser fails`() throws {
    let bytes: [UInt8] = [1, 2]
    ParsedHeaderDouble.spy.initialize.returns { bytes in bytes.byteCount == 1 ? () : nil }
    #expect(try ParsedHeaderDouble(bytes: bytes.span.bytes) == nil)
    #expect(try ParsedHeaderDouble(bytes: bytes.span.extracting(..<1).bytes) != nil)
    ParsedHeaderDouble.spy.initialize.throws(.busy)
    #expect(throws: LoadError.busy) { _ = try ParsedHeaderDouble(bytes: bytes.span.bytes) }
    ParsedBodyDouble.spy.initialize.returns { text, _ in text = "b" }
    var text = "a"
    #expect(try ParsedBodyDouble(&text, bytes: bytes.span.bytes) != nil)
    same(text, "b")
  }

  @Test func `an opaque value that cannot be copied is left out`() {
    let a = ConsumesAnyDouble()
    a.spy.use.returns(3)
    same(a.use(Token(value: 1)), 3)
  }

  @Test func `parameters have names of their own`() {
    let a = UnnamedParametersDouble()
    a.spy.add.does { $0 - $1 }
    same(a.add(5, value1: 2), 3)
    let b = TwiceIntroducedDouble()
    b.spy.older.returns(1)
    same(b.older(1), 1)
  }
}
