// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Stock
import StockDoubles
import Testing
import UnderstudyTesting

@Suite struct SharedTests {
  @Test func `a target of doubles serves other test targets`() async throws {
    let store = OrderStoreDouble()
    store.spy.fetch.when(7).returns(Order(id: 7))
    store.spy.save.returns(())
    try await Returns(store: store).giveBack(7)
    #expect(store.spy.save.calls == [Order(id: -7)])
  }
}
