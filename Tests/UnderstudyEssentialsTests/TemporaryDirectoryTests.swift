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

  @Test func `reports a question about a path outside of it`() async throws {
    let issues = await issues {
      let directory = TemporaryDirectory()
      #expect(!directory.exists("/etc/passwd"))
      #expect(!directory.exists("../.."))
      #expect(directory.exists("."))
    }
    #expect(issues.count == 2 && issues.allSatisfy { $0.hasPrefix("The path is outside of the") })
  }

  @Test func `does not ask for a relative path if its root is removed`() throws {
    let text = Lock("")
    try withKnownIssue {
      let directory = TemporaryDirectory()
      try directory.write("A1", to: "seats.txt")
      #expect(throws: FileSystemError.self) { try directory.remove(".") }
      #expect(directory.exists("seats.txt"))
    } matching: { issue in
      text.withLock { $0 += issue.comments.first?.rawValue ?? "" }
      return true
    }
    #expect(text.withLock { $0 }.contains("The root cannot be removed"))
    #expect(!text.withLock { $0 }.contains("relative path"))
  }

  @Test func `used after its test stays removed, and is an issue`() async throws {
    let kept = Lock<TemporaryDirectory?>(nil)
    let issues = await issues {
      try? await underLayer { _ in
      } operation: {
        let directory = TemporaryDirectory()
        try directory.write("A1", to: "seats.txt")
        kept.withLock { $0 = directory }
      }
      let directory = kept.withLock { $0 }
      #expect(throws: FileSystemError.self) { try directory?.write("A2", to: "seats.txt") }
      #expect(directory?.exists("sold.txt") == false)
    }
    #expect(issues == Array(repeating: "A temporary directory was used after its test.", count: 2))
    let path = try #require(kept.withLock { $0 }).path
    #expect(!exists(path))
  }

  @Test func `that a link leads to has its real path, and knows the other one`() async throws {
    let outer = TemporaryDirectory()
    let (real, link) = (outer.url.appending(path: "real"), outer.url.appending(path: "link"))
    try FileManager.default.createDirectory(at: real, withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: real)
    let directory = TemporaryDirectory(in: link, madeAt: nil)
    #expect(directory.path.hasPrefix("\(real.path)/understudy-"))
    #expect(directory.url.path == directory.path)
    let name = directory.url.lastPathComponent
    try directory.write("A1", to: "\(real.path)/\(name)/seats.txt")
    #expect(try directory.readText("\(link.path)/\(name)/seats.txt") == "A1")
  }

  @Test func `is not created before its first use`() throws {
    let outer = TemporaryDirectory()
    let directory = TemporaryDirectory(in: outer.url, madeAt: nil)
    #expect(try outer.list("") == [])
    #expect(try directory.list("") == [])
    #expect(try outer.list("").count == 1)
  }

  @Test func `that cannot be created is an issue`() async {
    let issues = await issues {
      await underLayer { _ in
        _ = TemporaryDirectory(in: URL(filePath: "/nowhere/at/all"), madeAt: nil).path
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

/// XCTest creates all cases before it runs the first one, and keeps their properties to the end.
final class PropertyDirectoryCase: XCTestCase {
  private static let used = Lock<[String]>([])
  private let directory = TemporaryDirectory()

  private func useDirectory() throws {
    let earlier = Self.used.withLock { $0 }
    XCTAssertEqual(earlier.filter(exists), [])
    try directory.write("A1", to: "seats.txt")
    Self.used.withLock { $0.append(directory.path) }
    addTeardownBlock { [directory] in XCTAssertTrue(directory.exists("seats.txt")) }
  }

  func testADirectoryThatIsAPropertyIsRemovedAtTheEndOfItsTest() throws { try useDirectory() }

  func testADirectoryThatIsAPropertyIsRemovedIfTheTestIsSkipped() throws {
    try useDirectory()
    throw XCTSkip("the directory is removed all the same")
  }

  func testADirectoryThatIsAPropertyIsRemovedIfALayerOfTheTestUsesItFirst() throws {
    let directory = directory
    try withOverrides {
      $0.override(\.fileSystem, with: directory)
    } operation: {
      XCTAssertEqual(try Resolver.main.resolve(\.fileSystem).list(""), [])
      try useDirectory()
    }
    XCTAssertTrue(directory.exists("seats.txt"))
  }
}
