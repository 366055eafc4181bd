// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import Understudy

@testable import UnderstudyDefinitions

@Suite struct `Files of values` {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  func problems(_ sources: ValueSource..., limits: ReadingLimits = ReadingLimits()) -> [Finding
    .Problem]
  {
    let error = #expect(throws: DefinitionError.self) { try Properties(sources, limits: limits) }
    return error?.findings.map(\.problem) ?? []
  }

  @Test func `DE-30 a common file and a file for development are merged`() throws {
    let common = try directory.write("common.json", #"{"server":{"url":"a","port":1}}"#)
    let development = try directory.write(
      "dev.plist",
      """
      <plist><dict><key>server</key><dict><key>url</key><string>b</string></dict></dict></plist>
      """)
    let properties = try Properties([.file(common), .file(development)])
    #expect(properties["server"] == ["url": "b", "port": 1])
  }

  @Test func `DE-30 a star matches any text within one segment`() throws {
    for name in ["10-a.json", "20-b.json", "c.txt", ".hidden.json"] {
      try directory.write(name, "{\"\(name.prefix(2))\":1, \"last\":\"\(name)\"}")
    }
    let properties = try Properties([.files(matching: directory.path + "/*-*.json")])
    #expect(properties.paths == ["10", "20", "last"])
    #expect(properties["last"] == "20-b.json")
    try #expect(Properties([.files(matching: directory.path + "/*.json")]).paths.count == 3)
    try #expect(
      Properties([.files(matching: directory.path + "/*.yaml")]).warnings.map(\.problem)
        == [.fileMissing])
  }

  @Test func `DE-30 a missing file is an error, or a warning if it is optional`() throws {
    let path = directory.path + "/none.json"
    #expect(problems(.file(path)) == [.fileMissing])
    let properties = try Properties([.file(path, isOptional: true)])
    #expect(properties.warnings.map(\.description) == ["There is no such file.\n  At  \(path)"])
  }

  @Test func `directories, links and devices are errors that name the kind`() throws {
    let file = try directory.write("a.json", "{}")
    let link = directory.path + "/link.json"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
    #expect(problems(.file(directory.path)) == [.notARegularFile(kind: "a directory")])
    #expect(problems(.file(link)) == [.notARegularFile(kind: "a symbolic link")])
    #expect(
      problems(.file("/dev/zero")) == [.notARegularFile(kind: "a device, a socket or a pipe")])
    try #expect(
      Properties([.file(link)], limits: ReadingLimits(followsSymbolicLinks: true)).paths.isEmpty)
  }

  /// Files that may exist: below a file, below a link to itself, and
  /// with a name that is too long.
  @Test func `a file that cannot be reached is an error, even if it is optional`() throws {
    let file = try directory.write("a.json", "{}")
    let loop = try loop()
    let longName = directory.path + "/" + String(repeating: "a", count: 300)
    for path in [file + "/x.json", loop + "/x.json", longName] {
      let found = problems(.file(path, isOptional: true))
      #expect(found.count == 1)
      #expect(found.allSatisfy { if case .fileUnreadable = $0 { true } else { false } })
    }
    let error = #expect(throws: DefinitionError.self) { try Properties([.file(file + "/x.json")]) }
    #expect("\(error, default: "none")".contains("Not a directory"))
  }

  @Test func `a directory that cannot be read is an error of its pattern`() throws {
    let loop = try loop()
    let file = try directory.write("a.json", "{}")
    let error = #expect(throws: DefinitionError.self) {
      try Properties([.files(matching: loop + "/*.json")])
    }
    #expect(error?.findings.map { $0.origin?.source } == [loop])
    let found = problems(.files(matching: directory.path + "/l*/x.json"))
    #expect(found.allSatisfy { if case .fileUnreadable = $0 { true } else { false } })
    for pattern in [file + "/*.json", directory.path + "/none/*", directory.path + "/a*/x.json"] {
      let properties = try Properties([.files(matching: pattern)])
      #expect(properties.warnings.map(\.problem) == [.fileMissing])
    }
  }

  /// A symbolic link to itself.
  private func loop() throws -> String {
    let loop = directory.path + "/loop"
    try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
    return loop
  }

  @Test func `a file of 100 MB is refused before it is read`() throws {
    let path = try directory.write("huge.json", "")
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.truncate(atOffset: 100 << 20)
    try handle.close()
    #expect(problems(.file(path)) == [.tooLarge(limit: 32 << 20)])
  }

  @Test func `every file at fault is reported at once`() throws {
    let bad = try directory.write("bad.json", "{")
    let list = try directory.write("list.json", "[1]")
    #expect(
      problems(.file(bad), .file(list), .file(directory.path + "/none")) == [
        .truncated(expected: "a key in quotes"),
        .wrongShape(part: "A source of properties", expected: "an object", found: "an array"),
        .fileMissing,
      ])
  }

  @Test(arguments: [
    ("a.json", "*.json", true), ("a.json", "a*n", true), ("abcabc", "*abc", true),
    ("a", "*a*", true),
    ("a.json", "*.plist", false), ("", "*", true), ("ab", "a", false), (".a", "*", false),
    (".a", ".*", true), (String(repeating: "a", count: 5_000), "*a*a*a*a*b", false),
  ])
  func `a name matches its pattern`(name: String, pattern: String, matches: Bool) {
    #expect(FilePattern.matches(name[...], pattern[...]) == matches)
  }
}
