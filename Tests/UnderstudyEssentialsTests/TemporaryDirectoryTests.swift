// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyTesting
import XCTest

@testable import UnderstudyEssentials

private struct Failure: Error {}

private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

@Suite struct `A temporary directory` {
  @Test func `of a layer is a real one, which the end of the layer removes`() throws {
    let paths = Lock<[String]>([])
    for _ in 1...2 {
      try withOverrides {
        $0.override(\.fileSystem, with: .temporary)
      } operation: {
        let files = Resolver.main.resolve(\.fileSystem)
        try files.write("A1\n", to: "halls/one/seats.txt")
        let directory = try #require(files as? TemporaryDirectory)
        #expect(try files.list("") == ["halls"])
        let file = directory.url.appending(path: "halls/one/seats.txt")
        #expect(try String(contentsOf: file, encoding: .utf8) == "A1\n")
        #expect(try files.readText("\(directory.path)/halls/one/seats.txt") == "A1\n")
        #expect(Resolver.main.resolve(\.fileSystem).exists("halls"))
        paths.withLock { $0.append(directory.path) }
      }
    }
    let used = paths.withLock { $0 }
    #expect(Set(used).count == 2)
    #expect(!used.contains(where: exists))
  }

  @Test func `is removed if the test fails`() throws {
    var path = ""
    #expect(throws: Failure.self) {
      try withOverrides {
        $0.override(\.fileSystem, with: .temporary)
      } operation: {
        path = try #require(Resolver.main.resolve(\.fileSystem) as? TemporaryDirectory).path
        #expect(exists(path))
        throw Failure()
      }
    }
    #expect(!path.isEmpty && !exists(path))
  }

  @Test func `is there for the disposers of its layer`() async throws {
    let contents = Lock("")
    await underLayer { layer in
      let directory = TemporaryDirectory()
      layer.onDispose { try directory.write("closed", to: "log.txt") }
      layer.onDispose { [path = directory.path] in
        contents.withLock { $0 = exists(path) ? "there" : "gone" }
      }
    } operation: {
    }
    #expect(contents.withLock { $0 } == "there")
  }

  @Test func `of the user alone has the permissions of the user alone`() throws {
    let directory = TemporaryDirectory()
    let attributes = try FileManager.default.attributesOfItem(atPath: directory.path)
    #expect(attributes[.posixPermissions] as? Int == 0o700)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
  }

  @Test func `without a layer is removed with its last reference`() {
    var directory: TemporaryDirectory? = TemporaryDirectory()
    let path = directory?.path ?? ""
    #expect(exists(path))
    directory = nil
    #expect(!exists(path))
  }

  @Test func `that the code under test has removed is no issue`() async {
    let issues = await issues {
      try? await underLayer { _ in
      } operation: {
        try FileManager.default.removeItem(at: TemporaryDirectory().url)
      }
    }
    #expect(issues == [])
  }

  @Test func `reports a path outside of it`() async throws {
    let path = Lock("")
    let issues = await issues {
      await underLayer {
        $0.override(\.fileSystem, with: .temporary)
      } operation: {
        let files = Resolver.main.resolve(\.fileSystem)
        path.withLock { $0 = (files as? TemporaryDirectory)?.path ?? "" }
        #expect(throws: FileSystemError.self) { try files.write("text", to: "../out.txt") }
        #expect(throws: FileSystemError.self) { try files.read("/etc/hosts") }
      }
    }
    let root = path.withLock { $0 }
    let parent = (root as NSString).deletingLastPathComponent
    #expect(
      issues == [
        "The path is outside of the root '\(root)': \(parent)/out.txt",
        "The path is outside of the root '\(root)': /etc/hosts",
      ])
  }

  @Test func `that cannot be created is an issue`() async {
    let issues = await issues {
      await underLayer { _ in
        _ = TemporaryDirectory(in: URL(filePath: "/nowhere/at/all"), madeAt: nil)
      } operation: {
      }
    }
    #expect(issues.count == 1)
    #expect(issues.first?.hasPrefix("The temporary directory '/nowhere/at/all/und") == true)
    #expect(issues.first?.hasSuffix("' cannot be created.") == true)
  }

  @Test func `that cannot be removed is an issue`() async throws {
    let path = Lock("")
    let issues = await issues {
      await underLayer { _ in
        let directory = TemporaryDirectory(madeAt: nil) { _ in throw Failure() }
        path.withLock { $0 = directory.path }
      } operation: {
      }
    }
    let left = path.withLock { $0 }
    #expect(issues == ["The temporary directory '\(left)' cannot be removed."])
    try FileManager.default.removeItem(atPath: left)
  }
}

/// The same in XCTest.
final class TemporaryDirectoryCase: OverridesTestCase {
  func testADirectoryOfACaseIsThereInTheCase() throws {
    overrides.override(\.fileSystem, with: .temporary)
    let files = Resolver.main.resolve(\.fileSystem)
    try files.write("A1", to: "seats.txt")
    let directory = try XCTUnwrap(files as? TemporaryDirectory)
    addTeardownBlock { XCTAssertTrue(exists(directory.path)) }
    XCTAssertEqual(try directory.readText("seats.txt"), "A1")
  }
}
