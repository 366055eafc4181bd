// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@Suite struct `Every double` {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

  @Test func `is used by a test of its behaviour`() throws {
    let doubles = try files(of: Self.folder.appending(path: "../Doubles")).map(declaredName(in:))
    #expect(doubles.count > 500)
    let tests = try files(of: Self.folder).filter {
      $0.lastPathComponent != "EveryDoubleTests.swift"
    }
    let used = try Set(
      tests.map { try words(of: String(contentsOf: $0, encoding: .utf8)) }.joined())
    // An exception is listed here, with its reason.
    same(doubles.filter { !words(of: $0).isSubset(of: used) }, [])
  }

  @Test func `has the initialisers for a real object, or says why not`() throws {
    let silent = try files(of: Self.folder.appending(path: "../Doubles")).filter { file in
      let text = try String(contentsOf: file, encoding: .utf8)
      let hasRequirements = text.contains("Spy<") || text.contains("SpyProperty<")
      return hasRequirements && !(text.contains("(forwardingTo") && text.contains("(tape:"))
    }
    same(silent.map(\.lastPathComponent), [])
  }

  private func files(of folder: URL) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "swift" }
  }

  /// The name of the type that a file declares, which may differ from the name of the file.
  private func declaredName(in file: URL) throws -> String {
    let text = try String(contentsOf: file, encoding: .utf8)
    let name = try #require(text.firstMatch(of: /(?:final class|\nactor) (`[^`]+`|\w+)/))
    return String(name.1)
  }

  private func words(of text: String) -> Set<Substring> {
    Set(text.split { !$0.isLetter && !$0.isNumber && $0 != "_" })
  }
}
