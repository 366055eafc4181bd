// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyDefinitions

/// What `extend` makes of a value that is completed later.
@Suite struct `Extending what is completed later` {
  private protocol Poster: Sendable { var text: String { get } }
  private struct Sheet: Poster { var text = "sheet" }
  private final class Frame: Poster {
    let inner: any Poster
    init(_ inner: any Poster) { self.inner = inner }
    var text: String { "[" + inner.text + "]" }
  }

  let resolver = Resolver()

  @Test(arguments: [Lifecycle.cached, .notCached])
  func `hands out a structure complete and extended, each time`(lifecycle: Lifecycle) throws {
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
