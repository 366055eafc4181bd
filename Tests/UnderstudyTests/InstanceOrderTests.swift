// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import Understudy

@Suite struct `The order of instances` {
  @Test(arguments: [0, 1, 2, 3, 7, 8, 31, 100])
  func `is the order of their creation, however they are stored`(count: Int) throws {
    let resolver = Resolver()
    let instances = try (0..<count).map { number -> AnyInstance in
      let key = resolver.register(number, named: number)
      return try #require(resolver.store.registration(for: key.erased)?.existingInstance(at: 1))
    }
    let (even, odd) = (stride(from: 0, to: count, by: 2), stride(from: 1, to: count, by: 2))
    let orders = [
      instances, instances.reversed(), even.map { instances[$0] } + odd.map { instances[$0] },
      odd.reversed().map { instances[$0] } + even.map { instances[$0] },
    ]
    for order in orders {
      #expect(order.oldestFirst.map(\.serial) == instances.map(\.serial))
    }
  }
}
