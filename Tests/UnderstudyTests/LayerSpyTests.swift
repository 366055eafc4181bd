// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

private protocol Post: Sendable { func send(_ text: String) throws }

private final class Outbox: Post {
  let sends = Spy<String, Void, any Error>("Outbox.send(_:)")
  func send(_ text: String) throws { try sends(text) }
}

private final class PostSpy: Post {
  let sends = Spy<String, Void, any Error>("send(_:)")
  init(forwardingTo post: any Post) { sends.forwards { try post.send($0) } }
  func send(_ text: String) throws { try sends(text) }
}

@Suite struct `A spy on what a layer has below it` {
  let resolver = Resolver()

  @Test func `stands in for it and forwards to it`() throws {
    let outbox = Outbox()
    resolver.register { outbox as any Post }
    try withOverrides(of: resolver) {
      let spy = try $0.spy(on: (any Post).self) { PostSpy(forwardingTo: $0) }
      spy.sends.when("lost").throws(Lost())
    } operation: {
      let post: any Post = try resolver.resolve()
      try post.send("hello")
      #expect(throws: Lost.self) { try post.send("lost") }
      #expect((post as? PostSpy)?.sends.calls == ["hello", "lost"])
    }
    #expect(outbox.sends.calls == ["hello"])
    #expect(try resolver.resolve((any Post).self) is Outbox)
  }

  @Test func `is refused if it is no such thing`() throws {
    resolver.register { Outbox() as any Post }
    withOverrides(of: resolver) { layer in
      let error = #expect(throws: NotADouble.self) {
        try layer.spy(on: (any Post).self) { _ in 3 }
      }
      #expect(
        error?.description == "'Int' cannot stand in for 'any Post': it does not conform to it.")
    } operation: {
    }
  }
}

private struct Lost: Error {}
