// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Stock
import Testing

@Suite struct ReturnsTests {
  @Test func `an order that is given back is stored under the negative number`() async throws {
    let store = OrderStoreDouble()
    store.spy.fetch.when(7).returns(Order(id: 7))
    store.spy.save.returns(())
    try await Returns(store: store).giveBack(7)
    #expect(store.spy.save.calls == [Order(id: -7)])
  }
}
