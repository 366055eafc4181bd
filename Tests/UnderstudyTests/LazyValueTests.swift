// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
@testable import Understudy

@Suite struct `A lazy value` {
  private final class Item: Sendable {}

  /// Owns one, as classes do.
  private final class Owner: Sendable {
    let item = LazyValue<Item>()
  }

  @Test func `is made when it is first needed, and once`() {
    let owner = Owner()
    #expect(owner.item.value == nil)
    let made = owner.item.value(orMake: { Item() })
    #expect(owner.item.value === made)
    #expect(
      owner.item.value(orMake: {
        Issue.record("It was made again.")
        return Item()
      }) === made)
  }

  @Test func `is the same for all who make it at once`() throws {
    for _ in 0..<200 {
      let owner = Owner()
      let barrier = Barrier(4)
      let items = try Threads.run(4) { _ in
        owner.item.value(orMake: {
          // All of them have found nothing, so all but one make theirs in vain.
          try? barrier.arrive()
          return Item()
        })
      }.map { try $0.get() }
      #expect(items.allSatisfy { $0 === items[0] && $0 === owner.item.value })
    }
  }

  @Test func `goes with its owner, and so does what was made in vain`() throws {
    let made = Lock<[WeakReference<Item>]>([])
    // A thread keeps what it was given for a moment after its work is done.
    let owner = Box<Owner?>(Owner())
    let barrier = Barrier(4)
    _ = try Threads.run(4) { _ in
      _ = owner.value?.item.value(orMake: {
        try? barrier.arrive()
        let item = Item()
        made.withLock { $0.append(WeakReference(item)) }
        return item
      })
    }
    #expect(made.withLock { $0.count { $0.object != nil } } == 1)
    owner.value = nil
    #expect(made.withLock { $0.count } == 4)
    #expect(made.withLock { $0.allSatisfy { $0.object == nil } })
  }
}
