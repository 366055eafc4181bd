// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyDefinitions

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
