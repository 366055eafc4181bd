// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyCompatibility

/// A wrapper that another wrapper's block can read.
private final class Reach: Sendable {
  private let wrapper = Lock<LazyInject<Int>?>(nil)

  func hold(_ lazy: LazyInject<Int>) { wrapper.withLock { $0 = lazy } }

  func read() -> Int { wrapper.withLock { $0 }?.wrappedValue ?? -1 }
}

/// Several threads that read a lazy wrapper for the first time at once.
@Suite struct `A first read` {
  /// The second thread reads while the block runs or after it. Many rounds cover both.
  @Test(arguments: [true, false])
  func `is done by one thread, and the others get its value`(isOnce: Bool) async {
    await #expect(processExitsWith: .success) { [isOnce] in
      for _ in 1...100 {
        let resolver = Resolver()
        let counter = CallCounter()
        let (isMade, isRead) = (Gate("the block"), Gate("the reading"))
        resolver.register(lifecycle: isOnce ? .once : .notCached) { () -> Int in
          isMade.open()
          try isRead.pass()
          return counter.next()
        }
        let lazy = withResolver(resolver) { LazyInject<Int>() }
        let values = try Threads.run(4) { index in
          if index > 0 { try isMade.pass() }
          if index > 1 { isRead.open() }
          return lazy.wrappedValue
        }
        try #expect(values.map { try $0.get() } == [1, 1, 1, 1])
        #expect(counter.value == 1)
      }
    }
  }

  @Test(arguments: [false, true])
  func `that needs itself ends the process with the explanation`(isRegistered: Bool) async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [isRegistered] in
      let resolver = Resolver()
      let reach = Reach()
      resolver.register(lifecycle: .once) { () -> Int in reach.read() }
      let lazy = withResolver(resolver) {
        isRegistered
          ? LazyInject<Int>(fileID: "Shop/Till.swift", line: 7)
          : LazyInject<Int>({ reach.read() }, fileID: "Shop/Till.swift", line: 7)
      }
      reach.hold(lazy)
      _ = lazy.wrappedValue
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(
      text.contains(
        """
        Creating 'Int' needs 'Int' itself.
          Requested by  Int
          Path          Int → Int
          At            Shop/Till.swift:7
        """), "\(text)")
  }

  @Test func `that needs another, which needs it, ends the process, on two threads`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let (first, second) = (Reach(), Reach())
      let barrier = Barrier(2)
      first.hold(
        LazyInject<Int> {
          try? barrier.arrive()
          return second.read()
        })
      second.hold(
        LazyInject<Int> {
          try? barrier.arrive()
          return first.read()
        })
      _ = try Threads.run(2) { $0 == 0 ? first.read() : second.read() }
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("Creating 'Int' needs 'Int' itself."), "\(text)")
    #expect(text.contains("Int → Int → Int"), "\(text)")
  }

  @Test func `that needs an instance that needs it is not a hang on two threads`()
    async throws
  {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let resolver = Resolver()
      let reach = Reach()
      let barrier = Barrier(2)
      resolver.register(lifecycle: .cached) { () -> String in
        try barrier.arrive()
        return "\(reach.read())"
      }
      reach.hold(
        LazyInject<Int> {
          try? barrier.arrive()
          return try! resolver.resolve(String.self).count
        })
      _ = try Threads.run(2) { $0 == 0 ? "\(reach.read())" : try resolver.resolve() }
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("itself."), "\(text)")
  }

  @Test func `that two in-flight creations share is not a cycle`() throws {
    for _ in 1...100 {
      let resolver = Resolver()
      let counter = CallCounter()
      let reach = Reach()
      resolver.register(lifecycle: .cached) { () -> Int in counter.next() }
      reach.hold(withResolver(resolver) { LazyInject<Int>() })
      let barrier = Barrier(2)
      for name in ["a", "b"] {
        resolver.register(named: name, lifecycle: .cached) { () -> String in
          try barrier.arrive()
          return "\(name)\(reach.read())"
        }
      }
      let made = try Threads.run(2) { try resolver.resolve(String.self, named: ["a", "b"][$0]) }
      try #expect(made.map { try $0.get() } == ["a1", "b1"])
    }
  }

  @Test func `may read other wrappers, within an instance that it needs`() throws {
    let resolver = Resolver()
    let (inner, outer) = (Reach(), Reach())
    resolver.register(lifecycle: .cached) { () -> String in "\(inner.read())" }
    inner.hold(LazyInject<Int> { 3 })
    outer.hold(LazyInject<Int> { (try? resolver.resolve(String.self).count) ?? 0 })
    #expect(outer.read() == 1)
    #expect(try resolver.resolve(String.self) == "3")
  }
}
