// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// Type-checks the files in `Snippets`. Some have to compile, and others must not.
@Suite struct SnippetTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Snippets")

  /// The folder of the modules that these tests were built with, if it can be found.
  static let modules: String? = {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    for _ in 0..<6 {
      let modules = folder.appendingPathComponent("Modules")
      let module = modules.appendingPathComponent("UnderstudyDoubles.swiftmodule")
      if FileManager.default.fileExists(atPath: module.path) { return modules.path }
      folder.deleteLastPathComponent()
    }
    return nil
  }()

  static func snippets(_ kind: String) -> [String] {
    let files = try? FileManager.default.contentsOfDirectory(
      atPath: folder.appendingPathComponent(kind).path)
    return (files ?? []).filter { $0.hasSuffix(".swift.txt") }.sorted()
  }

  /// Without the modules the tests below are skipped, which must not go unnoticed.
  @Test func `there are snippets of both kinds, and modules to check them with`() {
    #expect(Self.snippets("Pass").count >= 7)
    #expect(Self.snippets("Fail").count >= 7)
    #expect(Self.modules != nil)
  }

  @Test(.enabled(if: modules != nil, "needs the modules"), arguments: snippets("Pass"))
  func `it compiles without a diagnostic`(file: String) throws {
    let (status, output) = try check("Pass/\(file)")
    #expect(status == 0)
    #expect(output == "")
  }

  @Test(.enabled(if: modules != nil, "needs the modules"), arguments: snippets("Fail"))
  func `it is refused for the reason that it names`(file: String) throws {
    let text = try String(
      contentsOf: Self.folder.appendingPathComponent("Fail/\(file)"), encoding: .utf8)
    let prefix = "// expect: "
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(prefix) })
    let (status, output) = try check("Fail/\(file)")
    #expect(status != 0)
    #expect(output.contains(line.dropFirst(prefix.count)), "\(output)")
  }

  private func check(_ path: String) throws -> (Int32, String) {
    let modules = try #require(Self.modules)
    let copy = FileManager.default.temporaryDirectory
      .appendingPathComponent("\(UUID().uuidString).swift")
    try FileManager.default.copyItem(at: Self.folder.appendingPathComponent(path), to: copy)
    defer { try? FileManager.default.removeItem(at: copy) }
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // The core imports a module of C.
    let atomics = URL(fileURLWithPath: modules).resolvingSymlinksInPath()
      .deletingLastPathComponent()
      .appendingPathComponent("UnderstudyAtomics.build/module.modulemap")
    compiler.arguments = [
      "swiftc", "-typecheck", "-swift-version", "6", "-I", modules,
      "-Xcc", "-fmodule-map-file=\(atomics.path)", copy.path,
    ]
    let pipe = Pipe()
    compiler.standardOutput = pipe
    compiler.standardError = pipe
    // Foundation's own wait races with its wake-up on Linux.
    let isOver = DispatchSemaphore(value: 0)
    compiler.terminationHandler = { _ in isOver.signal() }
    try compiler.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    isOver.wait()
    return (compiler.terminationStatus, String(decoding: output, as: UTF8.self))
  }
}
