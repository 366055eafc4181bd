// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyDoubles

@testable import Corpus

private struct Coin: Codable, Identifiable { var id: String }

@Suite struct `Associated types tied to each other` {
  private func find<It: KeyUser>(_ it: It, _ key: It.Key) -> Bool { it.find(key) }

  @Test func `are one type of a store and of a cache`() {
    func copy<It: CodedStore & ValueCache>(_ it: It, _ key: It.Key) where It.Value == It.Entity {
      if let value = it.value(key) { it.save(value) }
    }
    let double = EntityCacheDouble<Int, Coin>()
    double.spy.value.returns(Coin(id: "a"))
    double.spy.save.returns()
    copy(double, 7)
    same(double.spy.value.calls, [7])
    same(double.spy.save.calls.map(\.id), ["a"])
    let byID = EntityCacheByIDDouble<String, Coin>()
    byID.spy.value.returns(Coin(id: "b"))
    byID.spy.save.returns()
    copy(byID, "b")
    same(byID.spy.value.calls, ["b"])
    let store = CodedStoreDouble<Coin>()
    store.spy.save.returns()
    store.save(Coin(id: "c"))
    same(store.spy.save.callCount, 1)
    let cache = ValueCacheDouble<Int, Int>()
    cache.spy.value.returns(1)
    same(cache.value(1), 1)
  }

  @Test func `are a key and a response`() {
    let response = KeyIsResponseDouble<Int>()
    response.spy.find.when(3).returns(true)
    same(find(response, 3), true)
    let key = ResponseIsKeyDouble<String>()
    key.spy.respond.returns("a")
    key.spy.find.returns(true)
    same(find(key, key.respond()), true)
    let responses = KeyIsResponsesDouble<Int>()
    responses.spy.find.when([1, 2]).returns(true)
    same(find(responses, [1, 2]), true)
    let map = KeyIsMapDouble<Int>()
    map.spy.find.when(["a": nil]).returns(true)
    same(find(map, ["a": nil]), true)
    let items = KeyIsItemsDouble<[Int], Int>()
    items.spy.first.returns(4)
    items.spy.find.returns(true)
    same(items.first([4]), 4)
    same(find(items, [4]), true)
    let alone = KeyUserDouble<Int>()
    alone.spy.find.returns(true)
    same(find(alone, 1), true)
  }

  @Test func `belong to the parents of a tied protocol, too`() {
    let responder = ResponderDouble<Int>()
    responder.spy.respond.returns(1)
    same(responder.respond(), 1)
    let any = ResponderOfAnyDouble<Scratch>()
    let scratch = Scratch()
    any.spy.respond.returns(scratch)
    same(any.respond() === scratch, true)
    let items = ItemUserDouble<[Int], Int>()
    items.spy.first.returns(2)
    same(items.first([1]), 2)
  }

  @Test func `keep the constraints of all of them`() {
    let besides = TiedBesidesDouble<Int>()
    besides.spy.find.returns(true)
    besides.spy.other.returns(5)
    same(find(besides, besides.other()), true)
    let shared = TiedSharedDouble<Int>()
    shared.spy.second.returns(6)
    same(shared.second(1), 6)
    let chain = TiedInChainDouble<Int>()
    chain.spy.third.returns(7)
    same(chain.third(1, 2), 7)
  }

  @Test func `are the identity or the raw value`() {
    let identity = IdentityIsKeyDouble<Int>()
    identity.spy.id.returns(8)
    identity.spy.find.when(8).returns(true)
    same(identity.find(identity.id), true)
    let key = KeyIsIdentityDouble<Int>()
    key.spy.id.returns(9)
    key.spy.find.returns()
    key.find(key.id)
    same(key.spy.find.calls, [9])
    let raw = RawIsCodeDouble<Int>()
    raw.spy.rawValue.returns(10)
    raw.spy.find.when(10).returns(true)
    same(raw.find(raw.rawValue), true)
  }
}
