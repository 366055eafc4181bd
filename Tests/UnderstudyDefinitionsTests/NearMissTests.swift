// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing

@testable import UnderstudyDefinitions

@Suite struct `Near misses of names` {
  @Test(
    arguments: [
      // The nearest ones first, then by name.
      (
        "storage", ["storage3", "storag", "storage1", "storage2"],
        ["storag", "storage1", "storage2"]
      ),
      ("servers", ["server", "Servers", "serve"], ["Servers", "server"]),
      // The same last part, wherever it is.
      ("url", ["mail.server.url", "a.b.urls", "url.of.mail"], ["mail.server.url"]),
      ("mail.url", ["mail.server.url", "curl"], ["mail.server.url"]),
      // A name without any part has no last one.
      (".", ["a.b.c", "...."], []), ("", ["", "a"], ["a"]),
      ("url", ["", "host", "port"], []),
      // At most a quarter of the last part is different.
      ("server.certificate", ["server.cortifacate", "server.cartofacate"], ["server.cortifacate"]),
      ("abc", ["xbc", "xyc"], ["xbc"]),
    ] as [(String, [String], [String])])
  func `are at most three, with a similar spelling or the same end`(
    name: String, names: [String], nearMisses: [String]
  ) {
    #expect(names.nearMisses(of: name) == nearMisses)
  }

  @Test func `are not looked for in names that are too long to be typed`() {
    let name = String(repeating: "a", count: 256)
    #expect([name].nearMisses(of: name) == [name])
    #expect([name + "a"].nearMisses(of: name) == [])
    #expect([name].nearMisses(of: name + "a") == [])
  }
}
