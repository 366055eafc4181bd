// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyTesting

@testable import BoxOffice

/// The sample's graph as `Docs` shows it. With `UNDERSTUDY_RECORD` in the environment the tests
/// write the files anew.
struct `The drawn graph of the box office` {
  /// The graph in the middle of a rehearsal: production, the fakes that override it, and the
  /// resolved dependencies.
  private static func graph() throws -> DependencyGraph {
    try Scene.play { scene in
      let resolver = Resolver(named: "box-office")
      let words = try CommandLineWords(
        ["rehearse", "--discount", "10", "--store", scene.file("store").path])
      let setup = try Setup(words)
      resolver.install(setup)
      resolver.registerProduction(setup.settings)
      return try withResolver(resolver) {
        let rehearsal = try Rehearsal(words, of: setup.settings, on: resolver)
        return try rehearsal.play(LetterBox()) { _ in
          _ = try resolver.resolve(Report.self)
          return resolver.graph
        }
      }
    }
  }

  private static func file(_ path: String) -> URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: path)
  }

  @Test func `is the page in the documentation, byte for byte`() throws {
    let page = try Self.graph().html(title: "The box office in rehearsal")
    let file = Self.file("Docs/BoxOfficeGraph.html")
    if ProcessInfo.processInfo.environment["UNDERSTUDY_RECORD"] != nil {
      try Data(page.utf8).write(to: file)
    }
    #expect(try Data(contentsOf: file) == Data(page.utf8))
  }

  @Test func `is the diagram in the documentation`() throws {
    let diagram = "\n```mermaid\n\(try Self.graph().mermaid)```\n"
    let file = Self.file("Docs/Graph.md")
    var text = try String(contentsOf: file, encoding: .utf8)
    if ProcessInfo.processInfo.environment["UNDERSTUDY_RECORD"] != nil {
      text = text.replacing(/\n```mermaid\n(?s:.*?)```\n/, with: diagram)
      try Data(text.utf8).write(to: file)
    }
    #expect(text.contains(diagram))
  }

  @Test func `is valid, and creates nothing`() throws {
    try Self.graph().validate()
  }
}
