// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
@testable import UnderstudyEssentials
import UnderstudyTesting

/// The real file system and the one in memory must behave alike, so each test runs with both.
@Suite struct `A file system` {
  enum Kind: CaseIterable {
    case local, inMemory

    /// Calls `body` with an empty file system and the path of its root.
    func withEmpty(_ body: (any FileSystem, String) throws -> Void) throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let root = folder.path
      switch self {
      case .local: try body(LocalFileSystem(root: root), root)
      case .inMemory: try body(.inMemory(root: root), root)
      }
    }
  }

  @Test(arguments: Kind.allCases)
  func `reads the written contents`(kind: Kind) throws {
    try kind.withEmpty { files, root in
      try files.write("one", to: "a/b/one.txt")
      try files.write("two", to: "\(root)/a/./c/../two.txt")
      #expect(try files.readText("\(root)/a/b/one.txt") == "one")
      #expect(try files.readText("a/two.txt") == "two")
      #expect(try files.list("a") == ["b", "two.txt"])
      #expect(try files.list(root) == ["a"])
      try files.write("other", to: "a/two.txt")
      #expect(try files.read("a/two.txt") == Data("other".utf8))
      #expect(["a", "a/b", "a/b/one.txt", ""].allSatisfy(files.exists))
      #expect(!["a/one.txt", "a/b/one.txt/x", "b"].contains(where: files.exists))
    }
  }

  @Test func `of the machine does not list the drafts of writes in progress`() throws {
    try Kind.local.withEmpty { files, root in
      let names = [".\(UUID()).draft", ".draft", ".old.draft", "\(UUID()).draft"]
      for name in names {
        try Data().write(to: URL(filePath: root).appending(path: name))
      }
      #expect(try files.list("") == names.dropFirst().sorted())
    }
  }

  #if !os(Windows)
    @Test func `of the machine refuses a pipe, which stays`() throws {
      try Kind.local.withEmpty { files, root in
        let pipe = "\(root)/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect(throws: FileSystemError.refused(pipe, reason: "It is neither a file nor a device"))
        {
          try files.write("text", to: "pipe")
        }
        var status = stat()
        #expect(stat(pipe, &status) == 0 && status.st_mode & 0o170000 == 0o010000)
      }
    }

    /// Only the superuser may give a file away.
    @Test(.enabled(if: getuid() == 0))
    func `of the machine leaves a file to its owner`() throws {
      try Kind.local.withEmpty { files, root in
        try files.write("one", to: "owned.txt")
        #expect(chown("\(root)/owned.txt", 65_534, 65_534) == 0)
        try files.write("two", to: "owned.txt")
        var status = stat()
        #expect(stat("\(root)/owned.txt", &status) == 0)
        #expect(status.st_uid == 65_534 && status.st_gid == 65_534)
        #expect(try files.readText("owned.txt") == "two")
      }
    }
  #endif

  @Test func `whose root is missing does not write a file in its place`() throws {
    let root = FileManager.default.temporaryDirectory.appending(path: "\(UUID())/root").path
    let files: [any FileSystem] = [LocalFileSystem(root: root), .inMemory(root: root)]
    for files in files {
      #expect(throws: FileSystemError.isDirectory(root)) { try files.write("", to: root) }
    }
    #expect(!FileManager.default.fileExists(atPath: root))
  }

  @Test func `in memory takes both spellings of a root with an accent`() throws {
    for (root, path) in [("/caf\u{e9}", "/cafe\u{301}"), ("/cafe\u{301}", "/caf\u{e9}")] {
      let files: any FileSystem = .inMemory(root: root)
      try files.write("x", to: path + "/a.txt")
      #expect(try files.list(root) == ["a.txt"])
    }
  }

  @Test(arguments: Kind.allCases)
  func `removes a file, and a directory with everything in it`(kind: Kind) throws {
    try kind.withEmpty { files, root in
      for path in ["a/one", "a/two", "ab/three"] { try files.write("", to: path) }
      try files.remove("a/one")
      #expect(try files.list("a") == ["two"])
      try files.remove("a/two")
      #expect(try files.list("a") == [])
      try files.write("", to: "a/b/c")
      try files.remove("a")
      #expect(try files.list(root) == ["ab"])
    }
  }

  @Test(arguments: Kind.allCases)
  func `throws an error for each impossible operation`(kind: Kind) throws {
    try kind.withEmpty { files, root in
      try files.write("", to: "a/file")
      let (missing, folder, file) = ("\(root)/missing", "\(root)/a", "\(root)/a/file")
      #expect(throws: FileSystemError.notFound(missing)) { try files.read("missing") }
      #expect(throws: FileSystemError.notFound(missing)) { try files.list("missing") }
      #expect(throws: FileSystemError.notFound(missing)) { try files.remove("missing") }
      #expect(throws: FileSystemError.isDirectory(folder)) { try files.read("a") }
      #expect(throws: FileSystemError.isDirectory(folder)) { try files.write("", to: "a") }
      #expect(throws: FileSystemError.notDirectory(file)) { try files.list("a/file") }
      #expect(throws: FileSystemError.notDirectory(file)) { try files.write("", to: "a/file/x/y") }
      try files.write(Data([0xFF]), to: "bytes")
      #expect(throws: FileSystemError.notText("bytes")) { try files.readText("bytes") }
    }
  }

  @Test(arguments: Kind.allCases)
  func `leaves its root and everything outside it alone`(kind: Kind) async throws {
    let reported = try await issues {
      try kind.withEmpty { files, root in
        let other = "\(root)-other/file"
        let outside = FileSystemError.outsideRoot(other, root: root)
        #expect(throws: outside) { try files.read(other) }
        #expect(throws: outside) { try files.write("", to: other) }
        #expect(throws: outside) { try files.list(other) }
        #expect(throws: outside) { try files.remove(other) }
        #expect(!files.exists(other))
        #expect(throws: FileSystemError.outsideRoot(root, root: root)) { try files.remove(root) }
      }
    }
    // On the machine, the code under test would have changed other files.
    #expect(reported.count == (kind == .inMemory ? 6 : 0))
  }

  @Test func `follows a link to its target`() throws {
    try Kind.local.withEmpty { files, root in
      try files.write("one", to: "a/one")
      try FileManager.default.createSymbolicLink(
        atPath: "\(root)/link", withDestinationPath: "\(root)/a")
      try FileManager.default.createSymbolicLink(
        atPath: "\(root)/dangling", withDestinationPath: "\(root)/nothing")
      #expect(try files.list("link") == ["one"])
      #expect(try files.readText("link/one") == "one")
      #expect(!files.exists("dangling"))
      try files.remove("link")
      #expect(try files.readText("a/one") == "one")
    }
  }

  @Test func `writes to the target of a link, and removes only the link`() throws {
    try Kind.local.withEmpty { files, root in
      try files.write("one", to: "a/one")
      try FileManager.default.createSymbolicLink(
        atPath: "\(root)/link", withDestinationPath: "\(root)/a/one")
      try FileManager.default.createSymbolicLink(
        atPath: "\(root)/loop", withDestinationPath: "\(root)/loop")
      try files.write("two", to: "link")
      #expect(try files.readText("a/one") == "two")
      #expect(throws: Never.self) {
        try FileManager.default.destinationOfSymbolicLink(atPath: "\(root)/link")
      }
      try files.remove("a/one")
      #expect(!files.exists("link") && !files.exists("loop"))
      try files.remove("link")
      try files.remove("loop")
      #expect(try files.list(root) == ["a"])
    }
  }

  @Test func `keeps the permissions of a file that it writes again`() throws {
    try Kind.local.withEmpty { files, root in
      let path = "\(root)/secret"
      try files.write("one", to: path)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      try files.write("two", to: path)
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      #expect(try files.readText(path) == "two")
    }
  }

  /// The system would read the path up to the NUL, and write another file.
  @Test(arguments: Kind.allCases)
  func `refuses a path with NUL in it`(kind: Kind) throws {
    try kind.withEmpty { files, root in
      try files.write("one", to: "a")
      let refused = FileSystemError.refused("a\0.txt", reason: "A path has no NUL")
      #expect(throws: refused) { try files.write("two", to: "a\0.txt") }
      #expect(throws: refused) { try files.read("a\0.txt") }
      #expect(throws: refused) { try files.remove("a\0.txt") }
      #expect(!files.exists("a\0.txt"))
      #expect(try files.readText("a") == "one")
    }
  }

  /// For Swift, a separator and an accent behind it are one character.
  @Test(arguments: Kind.allCases)
  func `cuts a path where the system does`(kind: Kind) async throws {
    let reported = try await issues {
      try kind.withEmpty { files, root in
        let name = "\u{301}name"
        try files.write("one", to: "a/\(name)")
        #expect(try files.list("a") == [name])
        #expect(try files.readText("\(root)/a/\(name)") == "one")
        try files.remove("a")
        #expect(!files.exists("a/\(name)"))
        let above = "\((root as NSString).deletingLastPathComponent)/\(name)"
        let outside = FileSystemError.outsideRoot("\(above)/file", root: root)
        #expect(throws: outside) { try files.write("two", to: "../\(name)/file") }
        #expect(!FileManager.default.fileExists(atPath: above))
        #expect(throws: FileSystemError.outsideRoot("/\(name)", root: root)) {
          try files.read("/\(name)")
        }
      }
    }
    #expect(reported.count == (kind == .inMemory ? 2 : 0))
  }

  /// On Linux, these are two directories.
  @Test func `of the machine compares a path with its root by bytes`() throws {
    try Kind.local.withEmpty { _, root in
      let files = LocalFileSystem(root: "\(root)/\u{E9}")
      let other = "\(root)/e\u{301}/file"
      let outside = FileSystemError.outsideRoot(other, root: "\(root)/\u{E9}")
      #expect(throws: outside) { try files.write("", to: other) }
    }
  }

  @Test func `in memory has one file for a name with an accent, composed or not`() throws {
    let files = MemoryFileSystem(root: "/\u{E9}")
    try files.write("one", to: "caf\u{E9}/menu")
    #expect(try files.readText("cafe\u{301}/menu") == "one")
    try files.remove("cafe\u{301}")
    #expect(!files.exists("caf\u{E9}/menu"))
    #expect(try files.list("") == [])
  }

  @Test(arguments: Kind.allCases)
  func `refuses a name that is too long for the system`(kind: Kind) throws {
    try kind.withEmpty { files, root in
      let longest = String(repeating: "n", count: 255)
      try files.write("one", to: longest)
      try files.write("two", to: longest)
      #expect(try files.readText(longest) == "two")
      let path = "\(root)/\(longest)n"
      let refused = FileSystemError.refused(path, reason: "A name has at most 255 bytes")
      #expect(throws: refused) { try files.write("", to: path) }
      #expect(throws: refused) { try files.read(path) }
      #expect(!files.exists(path))
      #expect(try files.list(root) == [longest])
    }
  }

  @Test(arguments: Kind.allCases)
  func `refuses a path that is too long for the system`(kind: Kind) throws {
    try kind.withEmpty { files, root in
      let limit = Int(PATH_MAX) - 1
      var longest = root
      while longest.utf8.count < limit - 300 { longest += "/" + String(repeating: "n", count: 99) }
      longest += "/" + String(repeating: "n", count: 99)
      longest += "/" + String(repeating: "n", count: limit - longest.utf8.count - 1)
      try files.write("one", to: longest)
      #expect(try files.readText(longest) == "one")
      let path = longest + "n"
      let refused = FileSystemError.refused(path, reason: "A path has at most \(limit) bytes")
      #expect(throws: refused) { try files.write("", to: path) }
      #expect(throws: refused) { try files.read(path) }
      #expect(throws: refused) { try files.remove(path) }
      #expect(!files.exists(path))
    }
  }

  /// A file that is private stays so while it is written, and so does each draft of it.
  @Test(arguments: Kind.allCases)
  func `shows the old contents or the new ones`(kind: Kind) throws {
    try kind.withEmpty { files, root in
      let contents = [1, 2].map { Data(repeating: $0, count: 1 << 16) }
      try files.write(contents[0], to: "file")
      if kind == .local {
        try FileManager.default.setAttributes(
          [.posixPermissions: 0o600], ofItemAtPath: "\(root)/file")
      }
      let isWritten = Lock(false)
      Thread.detachNewThread {
        for round in 1...400 { try? files.write(contents[round % 2], to: "file") }
        isWritten.withLock { $0 = true }
      }
      var permissions: Set<Int> = []
      repeat {
        let seen = try files.read("file")
        #expect(contents.contains(seen))
        guard kind == .local else { continue }
        for name in try FileManager.default.contentsOfDirectory(atPath: root) {
          // A draft may be gone by now.
          let facts = try? FileManager.default.attributesOfItem(atPath: "\(root)/\(name)")
          if let mode = facts?[.posixPermissions] as? Int { permissions.insert(mode) }
        }
      } while !isWritten.withLock { $0 }
      #expect(permissions == (kind == .local ? [0o600] : []))
      #expect(try files.list(root) == ["file"])
    }
  }

  @Test func `writes the file that a link names, and refuses links in a circle`() throws {
    try Kind.local.withEmpty { files, root in
      for (link, target) in [("link", "new"), ("one", "two"), ("two", "one")] {
        try FileManager.default.createSymbolicLink(
          atPath: "\(root)/\(link)", withDestinationPath: target)
      }
      try files.write("text", to: "link")
      #expect(try files.readText("new") == "text")
      let refused = FileSystemError.refused("\(root)/one", reason: "The links lead in a circle")
      #expect(throws: refused) { try files.write("text", to: "one") }
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "\(root)/link") == "new")
      #expect(try files.list(root) == ["link", "new", "one", "two"])
    }
  }

  /// A test that removed them would show it too late, so only the rule is asked.
  @Test(arguments: ["", ".", "x/..", "..", "/home", "/home/me/here"])
  func `does not remove the working directory`(path: String) throws {
    let paths = RootedPath(root: "/", workingDirectory: "/home/me/here")
    let error = #expect(throws: FileSystemError.self) { try paths.removable(path) }
    guard case .refused(_, "The working directory is in it") = error else {
      Issue.record("another error: \(String(describing: error))")
      return
    }
    #expect(throws: FileSystemError.outsideRoot("/", root: "/")) { try paths.removable("/") }
    #expect(try paths.removable("/home/me/herein") == "/home/me/herein")
    #expect(try paths.removable("x") == "/home/me/here/x")
  }

  @Test func `of the machine says why it cannot look for a file`() throws {
    try Kind.local.withEmpty { files, root in
      let path = Array(repeating: String(repeating: "n", count: 250), count: 20)
        .joined(separator: "/")
      func expectRefused(_ body: () throws -> Void) {
        let error = #expect(throws: FileSystemError.self, performing: body)
        guard case .refused("\(root)/\(path)", _) = error else {
          Issue.record("another error: \(String(describing: error))")
          return
        }
      }
      expectRefused { _ = try files.read(path) }
      expectRefused { _ = try files.list(path) }
      expectRefused { try files.remove(path) }
      #expect(throws: FileSystemError.notFound("\(root)/none")) { try files.read("none") }
    }
  }

  @Test(arguments: Kind.allCases)
  func `has nothing below a file`(kind: Kind) throws {
    try kind.withEmpty { files, root in
      try files.write("text", to: "file")
      let missing = FileSystemError.notFound("\(root)/file/x")
      #expect(throws: missing) { try files.read("file/x") }
      #expect(throws: missing) { try files.list("file/x") }
      #expect(throws: missing) { try files.remove("file/x") }
    }
  }

  @Test func `of the machine starts relative paths at the current directory`() throws {
    let here = FileManager.default.currentDirectoryPath
    #expect(try LocalFileSystem().list(".") == LocalFileSystem().list(here))
  }

  /// It only reads, since a wrong root would be the whole machine.
  @Test(arguments: ["", ".", "data", "data/../x"])
  func `of the machine starts a relative root at the current directory`(root: String) {
    let here = URL(filePath: FileManager.default.currentDirectoryPath)
    let whole = root.isEmpty ? here.path : here.appending(path: root).standardized.path
    let files = LocalFileSystem(root: root)
    for path in ["/", "/etc/hostname"] {
      #expect(throws: FileSystemError.outsideRoot(path, root: whole)) { try files.read(path) }
    }
  }

  @Test func `of the machine starts a root at the directory above the current one`() {
    let above = URL(filePath: FileManager.default.currentDirectoryPath).deletingLastPathComponent()
    let root = above.standardized.path
    #expect(throws: FileSystemError.outsideRoot("/etc", root: root)) {
      try LocalFileSystem(root: "..").list("/etc")
    }
  }

  @Test func `of the machine has no relative root if the current directory is gone`() async {
    await #expect(processExitsWith: .failure) {
      let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      guard FileManager.default.changeCurrentDirectoryPath(folder.path) else { return }
      // It is empty.
      guard rmdir(folder.path) == 0 else { return }
      _ = LocalFileSystem(root: "/")
      _ = LocalFileSystem(root: "data")
    }
  }

  /// The bytes of a file may have a deallocator of the test's.
  @Test func `in memory may be used by the deallocator of its bytes`() throws {
    let files = MemoryFileSystem()
    let freed = Lock(0)
    for path in ["a", "b"] {
      let bytes = UnsafeMutableRawPointer.allocate(byteCount: 4_096, alignment: 1)
      let contents = Data(
        bytesNoCopy: bytes, count: 4_096,
        deallocator: .custom { bytes, _ in
          _ = files.exists("a")
          freed.withLock { $0 += 1 }
          bytes.deallocate()
        })
      try files.write(contents, to: path)
    }
    try files.write(Data(), to: "a")
    try files.remove("b")
    #expect(freed.withLock { $0 } == 2)
  }

  @Test func `in memory loses no concurrent write`() async throws {
    let files = MemoryFileSystem()
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for index in 0..<50 { try? files.write("\(index)", to: "\(task)/\(index)") }
        }
      }
    }
    #expect(try (0..<8).map { try files.list("\($0)").count } == Array(repeating: 50, count: 8))
  }
}
