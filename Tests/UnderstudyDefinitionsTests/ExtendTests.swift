// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Dispatch
import Testing
import UnderstudyDefinitions
import UnderstudyTesting

/// `extend` on a registration with a completion block.
@Suite struct `Extending a value that is completed later` {
  private protocol Poster: Sendable { var text: String { get } }
  private struct Sheet: Poster { var text = "sheet" }
  private final class Frame: Poster {
    let inner: any Poster
    init(_ inner: any Poster) { self.inner = inner }
    var text: String { "[" + inner.text + "]" }
  }

  let resolver = Resolver()

  @Test(arguments: [Lifecycle.cached, .notCached])
  func `returns a structure complete and extended at each request`(lifecycle: Lifecycle) throws {
    let key = resolver.register(lifecycle: lifecycle) {
      Sheet()
    } then: { sheet, _ in
      sheet.text += " printed"
    }
    #expect(resolver.extend(key) { sheet, _ in Sheet(text: sheet.text + " and glued") })
    try #expect(resolver.resolve(key).text == "sheet printed and glued")
    try #expect(resolver.resolve(key).text == "sheet printed and glued")
    try #expect(resolver.resolve(Sheet?.self)?.text == "sheet printed and glued")
  }

  @Test func `is no finding of the graph`() throws {
    let key = resolver.register("sheet")
    #expect(resolver.extend(key) { sheet, _ in "[\(sheet)]" })
    try resolver.graph.validate()
  }

  @Test func `stays when an assembly behind it is loaded and unloaded`() throws {
    struct Loaded: Assembly {
      let text: String
      func assemble(into registrar: some Registering) { registrar.register(text) }
    }
    try resolver.load(Loaded(text: "first"))
    #expect(resolver.extend(Key<String>()) { text, _ in "[\(text)]" })
    try resolver.load(Loaded(text: "second"))
    try #expect(resolver.resolve(String.self) == "[first]")
    try resolver.load(Loaded(text: "double"), priority: .high)
    try #expect(resolver.resolve(String.self) == "double")
    resolver.unload(Loaded(text: "double"))
    try #expect(resolver.resolve(String.self) == "[first]")
  }

  @Test(arguments: [Lifecycle.cached, .notCached])
  func `wraps a structure in an object`(lifecycle: Lifecycle) throws {
    let key = resolver.register(lifecycle: lifecycle) {
      Sheet() as any Poster
    } then: { poster, _ in
      poster = Sheet(text: poster.text + " printed")
    }
    #expect(resolver.extend(key) { poster, _ in Frame(poster) })
    #expect(resolver.extend(key) { poster, _ in Frame(poster) })
    try #expect(resolver.resolve(key).text == "[[sheet printed]]")
    try #expect(resolver.resolve(key).text == "[[sheet printed]]")
  }
}

/// `extend` on an alias of another registration.
@Suite struct `Extending an alias` {
  private protocol Poster: AnyObject, Sendable { var text: String { get } }
  private final class Sheet: Poster {
    let text = "sheet"
  }
  private final class Frame: Poster {
    let inner: any Poster
    init(_ inner: any Poster) { self.inner = inner }
    var text: String { "[\(inner.text)]" }
  }

  @Test func `creates wrappers that a layer disposes of, and leaves production's instance alone`()
    throws
  {
    let resolver = Resolver()
    let texts = Lock<[String]>([])
    let key = resolver.register(lifecycle: .cached) { Sheet() }
    let sheet = try resolver.resolve(key)
    resolver.alias(key, as: (any Poster).self)
    for _ in 1...2 { #expect(resolver.extend(Key<any Poster>()) { poster, _ in Frame(poster) }) }
    try withOverrides(of: resolver) {
      $0.onDispose(of: Key<any Poster>()) { poster in texts.withLock { $0.append(poster.text) } }
    } operation: {
      try #expect(resolver.resolve((any Poster).self).text == "[[sheet]]")
      let counts = OverrideLayer.current?.log.counts(of: AnyKey(Key<any Poster>()))
      #expect(counts?.made == 1 && counts?.reused == 0)
    }
    #expect(texts.withLock { $0 } == ["[[sheet]]", "[sheet]"])
    try #expect(resolver.resolve(key) === sheet)
  }
}

/// `extend` and `attach` change one thing alone.
@Suite struct `Extending and attaching` {
  private struct Live: Sendable {}

  let resolver = Resolver()

  @Test func `leaves a live guard`() throws {
    let key = resolver.register(lifecycle: .cached, inTests: .mustBeOverridden) { Live() }
    #expect(resolver.extend(key) { live, _ in live })
    withKnownIssue {
      #expect(throws: ResolutionError.self) { try resolver.resolve(key) }
    }
  }

  @Test func `attaches nothing in place of a value`() throws {
    resolver.register(5)
    #expect(!resolver.attach(Int.self) { _ in 6 })
    try #expect(resolver.resolve(Int.self) == 5)
  }

  @Test func `attaches nothing in place of an instance that is in creation`() throws {
    let refused = Lock<Bool?>(nil)
    resolver.register(lifecycle: .cached) { resolver in
      refused.withLock { $0 = !resolver.attach(String.self) { _ in "other" } }
      return "first"
    }
    try #expect(resolver.resolve(String.self) == "first")
    #expect(refused.withLock { $0 } == true)
    try #expect(resolver.resolve(String.self) == "first")
  }

  @Test func `attaches before an instance exists, or not at all`() {
    for _ in 0..<200 {
      let resolver = Resolver()
      resolver.register(lifecycle: .cached) { "first" }
      let (found, isAttached) = (Lock<String?>(nil), Lock<Bool?>(nil))
      DispatchQueue.concurrentPerform(iterations: 2) { index in
        if index == 0 {
          let text = try? resolver.resolve(String.self)
          found.withLock { $0 = text }
        } else {
          let isNew = resolver.attach(String.self) { _ in "second" }
          isAttached.withLock { $0 = isNew }
        }
      }
      let (text, isNew) = (found.withLock { $0 }, isAttached.withLock { $0 })
      let expected = isNew == true ? "second" : "first"
      #expect(text == expected)
      #expect((try? resolver.resolve(String.self)) == expected)
    }
  }

  @Test func `loses no wrapper of several threads`() throws {
    let key = resolver.register(lifecycle: .cached) { [Int]() }
    DispatchQueue.concurrentPerform(iterations: 64) { [resolver] index in
      _ = resolver.extend(key) { list, _ in list + [index] }
    }
    try #expect(resolver.resolve(key).sorted() == Array(0..<64))
  }
}
