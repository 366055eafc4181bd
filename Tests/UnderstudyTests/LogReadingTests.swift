// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyTesting

private struct Desk: Sendable {
  let clerk: Clerk
  let note: String?
}

/// The log as it is printed when a test fails.
@Suite struct `Reading the log` {
  private let resolver: Resolver = {
    let resolver = Resolver()
    resolver.register { RealPostman() as any Postman }
    resolver.register { r in Clerk(postman: try r.resolve()) }
    resolver.register { r in Desk(clerk: try r.resolve(), note: try r.resolve()) }
    return resolver
  }()

  @Test func `control and bidirectional characters of names are shown as escapes`() throws {
    resolver.register(named: "a\u{1B}[2J\u{202E}b") { 3 }
    let log = try log { _ = try resolver.resolve(Int.self, named: "a\u{1B}[2J\u{202E}b") }
    #expect(
      log.tree(isColored: false) == #"Int named "a\u{1B}[2J\u{202E}b"  made by production"#)
  }

  /// The log of some resolutions in a layer that overrides the postman.
  private func log(_ operation: () throws -> Void) rethrows -> ResolutionLog {
    try withOverrides(.check(.unusedOverride, .off), of: resolver, named: "the layer") {
      $0.register(lifecycle: .cached) { PostmanDouble() as any Postman }
    } operation: {
      try operation()
      return OverrideLayer.current!.log
    }
  }

  @Test func `the tree shows each request below its requester`() throws {
    let log = try log {
      _ = try resolver.resolve(Desk.self)
      _ = try resolver.resolve(Clerk.self)
    }
    #expect(
      log.tree == """
        Desk  made by production
        ├─ Clerk  made by production
        │  └─ any Postman  made by layer 'the layer'
        └─ String  missed
        Clerk  made by production
        └─ any Postman  reused from layer 'the layer'
        """)
    #expect(
      log.description == """
        Clerk  made 2, reused 0, missed 0, failed 0
        Desk  made 1, reused 0, missed 0, failed 0
        String  made 0, reused 0, missed 1, failed 0
        any Postman  made 1, reused 1, missed 0, failed 0
        """)
  }

  @Test func `an empty tree says so`() {
    #expect(log {}.tree == "Nothing was resolved.")
  }

  @Test func `the tree shows failed and missed requests`() {
    let log = log {
      _ = try? resolver.resolve(Int.self)
      OverrideLayer.current?.register(Clerk.self) { throw Strike() }
      _ = try? resolver.resolve(Desk.self)
    }
    #expect(
      log.tree == """
        Int  missed
        Desk  failed in production
        └─ Clerk  failed in layer 'the layer'
        """)
  }

  @Test func `a filtered tree moves up the children of removed entries`() throws {
    let log = try log { _ = try resolver.resolve(Desk.self) }
    #expect(
      log.tree(where: { $0.key != AnyKey(type: Clerk.self) }) == """
        Desk  made by production
        ├─ any Postman  made by layer 'the layer'
        └─ String  missed
        """)
    #expect(
      log.tree(where: { $0.layer != nil }) == "any Postman  made by layer 'the layer'")
    #expect(log.tree(where: { _ in false }) == "Nothing was resolved.")
  }

  @Test func `colours are used only on request, or on a terminal`() throws {
    let log = try log { _ = try resolver.resolve(Desk.self) }
    #expect(
      log.tree(isColored: true) == """
        Desk  made by production
        ├─ Clerk  made by production
        │  └─ any Postman  made by layer 'the layer'
        └─ \u{1B}[31mString  missed\u{1B}[0m
        """)
    #expect(!log.tree(isColored: false).contains("\u{1B}"))
    #expect(log.tree(isColored: nil).contains("\u{1B}") == printsInColor)
  }

  @Test func `the tree says how much it leaves out, and the counts are exact`() throws {
    let count = ResolutionLog.tailCapacity + 3
    let log = try log { for _ in 1...count { _ = try resolver.resolve((any Postman).self) } }
    let lines = log.tree.split(separator: "\n")
    #expect(lines.first == "(3 earlier resolutions are not shown)")
    #expect(lines.count == ResolutionLog.tailCapacity + 1)
    #expect(log.count(of: (any Postman).self) == count)
  }

  @Test func `two layers differ by their overrides and resolutions`() throws {
    var layers: [OverrideLayer] = []
    for isFirst in [true, false] {
      let layer = Stage.root("layer", of: resolver, adoptsEscapedWork: false)
      layer.register { PostmanDouble() as any Postman }
      if isFirst { layer.register { "only here" } } else { layer.register { 1 } }
      try OverrideLayer.binding(layer) {
        _ = try resolver.resolve((any Postman).self)
        if !isFirst { _ = try resolver.resolve((any Postman).self) }
      }
      layers.append(layer)
    }
    #expect(
      layers[0].diff(layers[1]) == """
        - overrides String
        - any Postman: made 1, reused 0, missed 0, failed 0
        + overrides Int
        + any Postman: made 2, reused 0, missed 0, failed 0
        """)
    #expect(layers[0].diff(layers[0]) == "")
    for layer in layers { _ = layer.end() }
  }

  @Test func `a layer describes itself`() throws {
    let layer = Stage.root("described", of: resolver, adoptsEscapedWork: false)
    layer.register((any Postman).self, lifecycle: .cached, line: 61) { PostmanDouble() }
    try OverrideLayer.binding(layer) {
      for _ in 1...2 { _ = try resolver.resolve(Clerk.self) }
      _ = try? resolver.resolve(Int.self)
    }
    #expect(
      layer.description == """
        layer 'described' at UnderstudyTests/Stage.swift:500
          any Postman  overridden at UnderstudyTests/LogReadingTests.swift:61, made 1, reused 1
          Clerk  made 2, reused 0, missed 0, failed 0
          Int  made 0, reused 0, missed 1, failed 0
        """)
    _ = layer.end()
  }

  @Test func `the log of an inner layer that has ended still has its counts`() throws {
    let layer = Stage.root("outer", of: resolver, adoptsEscapedWork: false)
    var inner: OverrideLayer?
    try OverrideLayer.binding(layer) {
      for _ in 1...2 {
        try withLayer(of: resolver) {
          inner = $0
        } operation: {
          _ = try resolver.resolve(Clerk.self)
        }
      }
    }
    let log = try #require(inner).log
    #expect(log.count(of: Clerk.self) == 1)
    #expect(log.events.map(\.key) == [AnyKey(type: Clerk.self), AnyKey(type: (any Postman).self)])
    #expect(layer.log.count(of: Clerk.self) == 2)
    _ = layer.end()
  }

  @Test func `the diff of layers that have ended still distinguishes them`() throws {
    let layer = Stage.root("over", of: resolver, adoptsEscapedWork: false)
    try OverrideLayer.binding(layer) { _ = try resolver.resolve(Clerk.self) }
    _ = layer.end()
    let other = Stage.root("not over", of: resolver, adoptsEscapedWork: false)
    #expect(
      layer.diff(other) == """
        - Clerk: made 1, reused 0, missed 0, failed 0
        - any Postman: made 1, reused 0, missed 0, failed 0
        """)
    _ = other.end()
  }
}
