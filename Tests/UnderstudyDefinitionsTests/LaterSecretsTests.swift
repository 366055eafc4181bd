// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

@testable import UnderstudyDefinitions

/// Values that were declared secret by name or path before they exist.
@Suite struct `Secrets that come later` {
  let resolver = Resolver()

  init() throws {
    resolver.install(
      try Properties(
        [.values(["db": ["host": "h"], "databases": ["a": ["url": "first"]], "list": [1]])],
        secrets: ["password", "databases.*.url", "keys[0]"]))
  }

  private func shown(_ paths: String...) throws -> [String] {
    try paths.map { try "\(resolver.resolve(PropertyValue.self, named: $0))" }
  }

  @Test func `are hidden where they are set`() throws {
    try resolver.set("db.password", "p")
    try resolver.set("databases.b", ["url": "u", "host": "shown"])
    try resolver.set("keys", ["k"])
    try resolver.set("list", [["PassWord": "p"]])
    try #expect(
      shown("db.password", "databases.b", "keys", "list") == [
        "<secret>", #"{"host": "shown", "url": <secret>}"#, "[<secret>]",
        #"[{"PassWord": <secret>}]"#,
      ])
    try #expect(resolver.property("db.password", as: String.self) == "p")
  }

  @Test func `are hidden where they are installed or loaded`() throws {
    resolver.install(try Properties([.values(["x": ["password": "p"], "y": 1])]))
    try resolver.load(Properties([.values(["databases": ["c": ["url": "u"]]])]))
    resolver.install(AnyAssembly { _ in }, with: ["z": ["password": "p"]])
    try #expect(
      shown("x", "y", "databases.c.url", "z.password") == [
        #"{"password": <secret>}"#, "1", "<secret>", "<secret>",
      ])
  }

  @Test func `are hidden where a layer sets them, also if the layer declares them`() throws {
    let named = try Properties([.values(["a": 1])], secrets: ["token"])
    try withOverrides(.check(.unusedOverride, .off), of: resolver) {
      $0.set("db.password", "p")
      $0.install(named)
      $0.set("token", "t")
    } operation: {
      try #expect(shown("db.password", "token") == ["<secret>", "<secret>"])
      try withOverrides(.check(.unusedOverride, .off), of: resolver) {
        $0.set("databases.d", ["url": "u"])
        $0.set("deep.token", "t")
      } operation: {
        try #expect(shown("databases.d.url", "deep.token") == ["<secret>", "<secret>"])
      }
    }
    try resolver.set("token", "shown")
    try #expect(shown("token") == ["\"shown\""])
  }

  @Test func `are hidden where a source adds them to an object that is one`() throws {
    let origin = Origin("f")
    func object(_ key: String, _ value: Node) -> Node {
      Node(.object([Node.Member(key, at: origin, value)]), at: origin)
    }
    func text(_ text: String) -> Node { Node(.scalar(.string(text)), at: origin) }
    var tree = PropertyTree(object("vault", object("box", object("a", text("hunter1")))))
    tree.conceal([.key("vault"), .key("box")][...])
    tree.merge(object("vault", object("box", object("b", text("hunter2")))))
    tree.merge(object("vault", object("open", text("shown"))))
    guard case .object(let root) = tree.content, case .object(let vault) = root["vault"]?.content,
      case .object(let box) = vault["box"]?.content
    else {
      Issue.record("It is no object any more: \(tree)")
      return
    }
    #expect(box.mapValues(\.isSecret) == ["a": true, "b": true])
    #expect(vault.mapValues(\.isSecret) == ["box": true, "open": false])
    // What replaces the object, and what replaces that.
    for node in [text("hunter3"), object("c", text("hunter4"))] {
      tree.merge(object("vault", object("box", node)))
      guard case .object(let root) = tree.content, case .object(let vault) = root["vault"]?.content
      else {
        Issue.record("It is no object any more: \(tree)")
        return
      }
      #expect(vault.mapValues(\.isSecret) == ["box": true, "open": false])
    }
  }

  @Test func `are named by a path, whose places in arrays count`() throws {
    let rules = try SecretRule.rules(for: "keys[0].token")
    let path: [PropertyPath.Step] = [.key("keys"), .index(0), .key("token")]
    #expect(rules.contains(.path(path)))
    let rule = SecretRule.path(path)
    #expect(rule.names(path))
    #expect(rule.names([.key("KEYS"), .index(0), .key("token"), .key("below")]))
    #expect(!rule.names([.key("keys"), .index(1), .key("token")]))
    #expect(!rule.names([.key("keys"), .index(0)]))
    #expect(!rule.names([.key("keys"), .index(0), .key("open")]))
  }

  @Test func `are hidden by a name with dots, which is one key`() throws {
    let definitions = try Definitions(
      [.values(["parameters": ["mailer.password": "p", "mailer": ["user": "shown"]]])],
      catalogue: catalogue, secrets: ["mailer.password"])
    #expect(
      definitions.parameters[""].map { "\($0)" }
        == #"{"mailer": {"user": "shown"}, "mailer.password": <secret>}"#)
    resolver.install(definitions)
    try resolver.set("mailer.password", "p")
    try #expect(shown("mailer.password", "['mailer.password']") == ["<secret>", "<secret>"])
  }

  @Test func `are hidden in the extension of a secret`() throws {
    try resolver.set("db.password", "p")
    try resolver.set("list", [["password": "p"]])
    for path in ["db.password", "list", "db.host"] {
      #expect(
        resolver.extend(Key<PropertyValue>(named: path)) { value, _ in
          path == "list" ? [["password": "more"]] : "more"
        })
    }
    try #expect(
      shown("db.password", "list", "db.host") == [
        "<secret>", #"[{"password": <secret>}]"#, "\"more\"",
      ])
    try #expect(resolver.property("db.password", as: String.self) == "more")
  }

  @Test func `leave all other values readable`() throws {
    try resolver.set("other", ["host": "shown", "url": "shown"])
    try #expect(shown("other", "db.host") == [#"{"host": "shown", "url": "shown"}"#, #""h""#])
  }

  @Test(arguments: ["*", "['*']", "[*]"])
  func `are all values if the whole path is a star`(secret: String) throws {
    let properties = try Properties([.values(["a": 1, "b": ["c": [2]]])], secrets: [secret])
    #expect(properties[""].map { "\($0)" } == #"{"a": <secret>, "b": {"c": <secret>}}"#)
    let resolver = Resolver()
    resolver.install(properties)
    try resolver.set("d", 3)
    try #expect("\(resolver.resolve(PropertyValue.self, named: "d"))" == "<secret>")
  }
}

private struct AnyAssembly: Assembly {
  let block: @Sendable (any Registering) -> Void

  init(_ block: @escaping @Sendable (any Registering) -> Void) {
    self.block = block
  }

  func assemble(into registrar: some Registering) { block(registrar) }
}
