// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyCompatibility
@testable import Understudy

/// Rows G9-50 to G9-54.
@Suite struct `Unregistering` {
  @Test func `a key returns true, and then false`() throws {
    let resolver = Resolver()
    let key = resolver.register(1, named: "n", in: "c")
    #expect(resolver.unregister(key))
    #expect(!resolver.unregister(key))
    #expect(!resolver.contains(key))
    try #expect(resolver.resolve(Int?.self, named: "n", in: "c") == nil)
  }

  @Test func `keys returns the number of those that existed`() {
    let resolver = Resolver()
    let keys = Set((0..<4).map { (id: Int) in resolver.register(id, named: id) })
    #expect(resolver.unregister(keys.union([Key<Int>(named: "unknown")])) == 4)
    resolver.register("x")
    resolver.register(1)
    #expect(
      resolver.unregister([AnyKey(Key<Int>()), AnyKey(Key<String>()), AnyKey(Key<Bool>())]) == 2)
    #expect(resolver.unregister([AnyKey]()) == 0)
    #expect(resolver.keys.isEmpty)
  }

  @Test func `a container leaves others alone`() {
    let resolver = Resolver()
    resolver.register(1, in: "c")
    resolver.register("x", in: "c")
    resolver.register(2, named: "n", in: "c")
    resolver.register(1)
    resolver.register(1, in: "d")
    #expect(resolver.unregister(in: "c") == 3)
    #expect(resolver.unregister(in: "c") == 0)
    #expect(resolver.keys.count == 2)
  }

  @Test func `a type removes all names of one container, by default of the default one`() {
    let resolver = Resolver()
    resolver.register(1)
    resolver.register(2, named: "n")
    resolver.register(3, in: "c")
    resolver.register("x")
    #expect(resolver.unregister(Int.self) == 2)
    #expect(resolver.keys.count == 2)
    #expect(resolver.unregister(Int.self, in: "c") == 1)
    #expect(resolver.keys == [AnyKey(Key<String>())])
  }

  @Test func `everything returns the number of registrations`() {
    let resolver = Resolver()
    for id in 0..<10 { resolver.register(id, named: id) }
    #expect(resolver.unregisterAll() == 10)
    #expect(resolver.unregisterAll() == 0)
  }

  @Test(arguments: [2, 16])
  func `one key from many threads returns true on one of them`(count: Int) throws {
    for _ in 0..<50 {
      let resolver = Resolver()
      let key = resolver.register(1, named: "n")
      let outcomes = try Threads.run(count) { _ in resolver.unregister(key) }
      #expect(outcomes.filter { $0.success == true }.count == 1)
    }
  }

  @Test func `from a resolver leaves a layer's override alone`() throws {
    let resolver = Resolver()
    let key = resolver.register { 1 }
    try withLayer(of: resolver) {
      $0.register { 2 }
    } operation: {
      resolver.unregister(key)
      try #expect(resolver.resolve(Int.self) == 2)
    }
    try #expect(resolver.resolve(Int?.self) == nil)
  }
}
