// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyDefinitions

@Suite struct `An odd spelling` {
  @Test func `of an option's value that begins with a combining mark is kept`() throws {
    let properties = try Properties([.arguments(["--name=\u{301}x", "--e=f=g"])])
    #expect(properties.paths == ["e", "name"])
    #expect(properties["name"] == "\u{301}x")
    #expect(properties["e"] == "f=g")
  }

  @Test(
    arguments: [
      ("APP", ["my.app", "x"]), ("MY__APP", ["port", "server.url"]), ("", ["hidden"]),
      ("MY", ["app.port", "app.server.url"]), ("__", []), ("app", []),
    ])
  func `of a prefix that is empty or has underscores is kept`(
    prefix: String, paths: [String]
  )
    throws
  {
    let properties = try Properties([
      .environment(
        prefix: prefix,
        variables: [
          "MY__APP__SERVER__URL": "a", "MY__APP__PORT": "1", "APP__X": "2", "APP__MY__APP": "3",
          "__HIDDEN": "4", "MY__APP__": "5", "APPX__Y": "6",
        ])
    ])
    #expect(properties.paths == paths)
  }

  @Test func `of a property list without a value is reported with its place`() throws {
    let error = #expect(throws: DefinitionError.self) {
      try Properties([.document(Array("<plist/>".utf8), named: "x.plist")])
    }
    #expect(
      error?.description == """
        Found <plist/> where <plist> is expected.
          At  x.plist:1:1
        """)
  }
}
