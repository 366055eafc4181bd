// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import Understudy

@testable import UnderstudyDefinitions

#if canImport(Glibc)
  import Glibc
#endif

/// Input that is designed to exhaust memory, time or stack.
enum HostileInput: String, CaseIterable, Sendable {
  case listOfOneText, listOfOneList, listOfItself, deepList, keysOfOneText, longKeyWithManyMembers
  case longKeysNested, deepJSON, deepObjects, longNumber, longFraction, longExponent, manyNumbers
  case deepXML, entities, manyEntities, longComment, longName, manyFindings, longUnknownKeys,
    manyInherited, manyLabels, rubbish

  /// The document, of one to a few megabytes.
  var bytes: [UInt8] {
    let long = String(repeating: "k", count: 500_000)
    switch self {
    case .listOfOneText:
      // An object with one member: an array with 250,000 references to one text of 500,000
      // characters.
      let references = (0..<250_000).flatMap { _ in [0, 3] as [UInt8] }
      let text: [UInt8] = [0x5F] + BinaryList.count(500_000) + Array(long.utf8)
      return BinaryList(objects: BinaryList.oneMember + [BinaryList.array(references), text]).bytes
    case .listOfOneList:
      // Each array has ten references to the next one. A thousand bytes describe a tree of ten
      // billion values.
      let arrays = (3..<13).map { next -> [UInt8] in
        [0xAA] + Array(repeating: [0, UInt8(next)], count: 10).joined()
      }
      return BinaryList(objects: BinaryList.oneMember + arrays + [[0x09]]).bytes
    case .listOfItself:
      return BinaryList(objects: [[0xD1, 0, 1, 0, 0], [0x51, UInt8(ascii: "a")]]).bytes
    case .deepList:
      let arrays = (1...50_000).map { next -> [UInt8] in
        [0xA1, UInt8(next >> 8), UInt8(next & 0xFF)]
      }
      return BinaryList(objects: arrays + [[0x09]]).bytes
    case .keysOfOneText:
      // An array of 60,000 objects, each with the same long key.
      let references = (4..<60_004).flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
      let text: [UInt8] = [0x5F] + BinaryList.count(500_000) + Array(long.utf8)
      let objects: [[UInt8]] = Array(repeating: [0xD1, 0, 3, 0, 1], count: 60_000)
      return BinaryList(
        objects: BinaryList.oneMember + [BinaryList.array(references), text] + objects
      ).bytes
    case .longKeyWithManyMembers:
      let members = (0..<60_000).map { "\"\($0)\":1" }.joined(separator: ",")
      return Array("{\"\(long)\":{\(members)}}".utf8)
    case .longKeysNested:
      let key = String(repeating: "k", count: 8_000)
      return Array(
        (String(repeating: "{\"\(key)\":", count: 120)
          + "{\((0..<5_000).map { "\"\($0)\":1" }.joined(separator: ","))}"
          + String(repeating: "}", count: 120)).utf8)
    case .deepJSON: return Array(repeating: UInt8(ascii: "["), count: 1_000_000)
    case .deepObjects: return Array(String(repeating: "{\"a\":", count: 1_000_000).utf8)
    case .longNumber:
      return Array("{\"a\": \(String(repeating: "9", count: 5_000_000))}".utf8)
    case .longFraction:
      return Array("{\"a\": 0.\(String(repeating: "9", count: 5_000_000))}".utf8)
    case .longExponent:
      return Array("{\"a\": 1e\(String(repeating: "9", count: 5_000_000))}".utf8)
    case .manyNumbers:
      return Array(("{\"a\":[" + String(repeating: "0,", count: 500_000) + "0]}").utf8)
    case .deepXML: return Array(("<plist>" + String(repeating: "<array>", count: 200_000)).utf8)
    case .entities:
      return Array(
        """
        <?xml version="1.0"?><!DOCTYPE plist [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>
        <plist><string>&b;</string></plist>
        """.utf8)
    case .manyEntities:
      return Array(
        ("<plist><dict><key>a</key><string>" + String(repeating: "&#65;", count: 200_000)
          + "</string></dict></plist>").utf8)
    case .longComment:
      return Array(("<plist><!--" + String(repeating: "-", count: 1_000_000)).utf8)
    case .longName: return Array(("<plist><" + String(repeating: "a", count: 1_000_000)).utf8)
    case .manyFindings:
      let services = (0..<20_000).map { "\"s\($0)\":{\"x\":1}" }.joined(separator: ",")
      return Array("{\"services\":{\(services)}}".utf8)
    case .longUnknownKeys:
      return Array(
        ("{\"services\":{\"a\":{\"class\":\"\(long)\"},\"b\":{\"\(long)\":1,\"class\":\"\(long)x\"},"
          + "\"c\":\"@\(long)\"}}").utf8)
    case .manyInherited:
      // Each service has the calls of all before it.
      let calls = #""calls": [["append", ["x"]]]"#
      let services = (0..<20_000).map {
        "\"s\($0 + 1)\": {\"parent\": \"s\($0)\", \(calls)}"
      }
      let first = "\"s0\": {\"class\": \"Shop.Transport\", \(calls)}"
      return Array("{\"services\": {\(([first] + services).joined(separator: ","))}}".utf8)
    case .manyLabels:
      // A child replaces none of the labels of its parent.
      let labels = ["a", "b"].map { name in
        (0..<50_000).map { "\"\(name)\($0)\": 1" }.joined(separator: ",")
      }
      return Array(
        ("{\"services\": {\"a\": {\"class\": \"Shop.Joined\", \"arguments\": {\(labels[0])}},"
          + "\"b\": {\"parent\": \"a\", \"arguments\": {\(labels[1])}}}}").utf8)
    case .rubbish:
      var state: UInt64 = 1
      return (0..<1_000_000).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1
        return UInt8(state >> 56)
      }
    }
  }

  /// True if the document is valid, whatever its size.
  var isRead: Bool {
    switch self {
    case .listOfOneText, .longFraction, .manyNumbers, .manyEntities, .manyFindings,
      .longUnknownKeys, .manyInherited, .manyLabels:
      true
    default: false
    }
  }
}

/// A binary property list with references and offsets of a chosen width.
struct BinaryList {
  let objects: [[UInt8]]

  /// An object with the member "a". Its value is the third object of the list.
  static let oneMember: [[UInt8]] = [[0xD1, 0, 1, 0, 2], [0x51, UInt8(ascii: "a")]]

  /// An array whose references have two bytes each.
  static func array(_ references: [UInt8]) -> [UInt8] {
    [0xAF] + count(references.count / 2) + references
  }

  /// The encoding of a count that does not fit into the first byte of an object.
  static func count(_ number: Int) -> [UInt8] {
    [0x12] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// The encoded list, with references of two bytes and offsets of four.
  var bytes: [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: bytes.count >> $0) }
      bytes += object
    }
    let table = bytes.count
    bytes += offsets + [0, 0, 0, 0, 0, 0, 4, 2]
    for number in [objects.count, 0, table] {
      bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
    return bytes
  }
}

@Suite struct `Hostile input` {
  /// Each object begins within the one before, and reaches over all that follow.
  @Test(arguments: [0x4F, 0x5F] as [UInt8])
  func `with objects that overlap is refused`(marker: UInt8) {
    let count = 1_000
    let list = BinaryList(
      objects: [BinaryList.array((1...count).flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })]
        + (0..<count).map { _ in [marker, 0x12, 0, 0, 0x10, 0] } + [
          Array(repeating: 0, count: 4_096)
        ])
    let error = #expect(throws: DefinitionError.self) {
      _ = try Properties([.document(list.bytes, named: "overlap")])
    }
    #expect("\(error, default: "none")".contains("contents that overlap"))
  }

  /// Reads and prints a document as properties and as definitions.
  static func read(_ bytes: [UInt8]) -> (isRead: Bool, messageLength: Int) {
    var isRead = true
    var messageLength = 0
    do {
      let properties = try Properties([.document(bytes, named: "hostile")])
      _ = try? properties.value("a.b", as: Int.self)
    } catch {
      isRead = false
      messageLength = "\(error)".utf8.count
    }
    do {
      _ = try Definitions([.document(bytes, named: "hostile")], catalogue: catalogue)
    } catch {
      messageLength = max(messageLength, "\(error)".utf8.count)
    }
    return (isRead, messageLength)
  }

  @Test(arguments: HostileInput.allCases)
  func `is read, or refused with a message of bounded length`(input: HostileInput) {
    let result = Self.read(input.bytes)
    #expect(result.isRead == input.isRead)
    // A hundred findings, each with a few texts of 300 characters.
    #expect(result.messageLength < 200_000)
  }

  @Test func `that uses a value more often than the file has bytes is refused`() {
    let limit = HostileInput.listOfOneList.bytes.count
    let error = #expect(throws: DefinitionError.self) {
      try DocumentReader.read(HostileInput.listOfOneList.bytes, from: SourceName("f"))
    }
    #expect(error?.findings.map(\.problem) == [.tooManyValues(limit: limit)])
  }

  @Test func `that uses a long key again and again is refused`() throws {
    let error = #expect(throws: DefinitionError.self) {
      try DocumentReader.read(HostileInput.keysOfOneText.bytes, from: SourceName("f"))
    }
    #expect("\(error, default: "none")".contains("keys with far more bytes together"))
    // Ten thousand objects with the same key, as usual.
    let key = Array(String(repeating: "k", count: 30).utf8)
    let references = (4..<10_004).flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    let objects: [[UInt8]] = Array(repeating: [0xD1, 0, 3, 0, 1], count: 10_000)
    let list = BinaryList(
      objects: BinaryList.oneMember + [
        BinaryList.array(references), [0x5F] + BinaryList.count(30) + key,
      ] + objects)
    let properties = try Properties([.document(list.bytes, named: "f")], secrets: ["password"])
    guard case .array(let elements) = properties["a"] else {
      Issue.record("no array")
      return
    }
    #expect(elements.count == 10_000)
  }

  @Test func `with services that inherit too much is refused`() throws {
    let error = #expect(throws: DefinitionError.self) {
      try Definitions(
        [.document(HostileInput.manyInherited.bytes, named: "f")], catalogue: catalogue)
    }
    #expect(error?.findings.map(\.problem) == [.tooManyInherited(limit: 1_000_000)])
    // Two children inherit an array with two elements, and a tag.
    let text = """
      {"services": {
        "a": {"class": "Shop.Joined", "arguments": [["x", "@b"]], "tags": ["t"], "abstract": true},
        "b": {"parent": "a", "arguments": ["y"]}, "c": {"parent": "a"}}}
      """
    func define(_ limit: Int) throws {
      _ = try Definitions(
        [.json(text)], catalogue: catalogue, limits: ReadingLimits(inheritedValueCount: limit))
    }
    #expect(throws: Never.self) { try define(8) }
    #expect(throws: DefinitionError.self) { try define(7) }
  }

  @Test func `with a long key for many members is refused by the total size of its paths`() {
    let error = #expect(throws: DefinitionError.self) {
      try Properties([.document(HostileInput.longKeyWithManyMembers.bytes, named: "f")])
    }
    #expect(error?.findings.map(\.problem) == [.pathsTooLong(limit: 64 << 20)])
    #expect(throws: Never.self) {
      try Properties([.json(#"{"a": {"b": 1}}"#)], limits: ReadingLimits(pathByteCount: 6))
    }
    for limit in [5, 0, -1, .min] {
      #expect(throws: DefinitionError.self) {
        try Properties([.json(#"{"a": {"b": 1}}"#)], limits: ReadingLimits(pathByteCount: limit))
      }
    }
  }

  @Test(arguments: [
    "<plistversion=\"1.0\"><true/></plist>", "<plist\u{B}version=\"1.0\"><true/></plist>",
    "<plist version=\"1.0\"><true/></plist version=\"1.0\">",
    "<plist><true/></plist/>", "<?xml version=\"1.0\" encoding=\"UTF-8?><plist><true/></plist>",
    "<?xml version=\"1.0\" encoding=\"UTF-80\"?><plist><true/></plist>",
    "<plist><date> 2026-01-31T12:00:00Z</date></plist>",
  ])
  func `in XML that is almost a property list is refused`(text: String) {
    #expect(throws: DefinitionError.self) {
      try DocumentReader.read(Array(text.utf8), from: SourceName("f"))
    }
  }

  @Test func `with more levels than the stack can hold is refused, whatever the limit`() {
    for text in [
      String(repeating: "[", count: 1_000), "<plist>" + String(repeating: "<array>", count: 1_000),
    ] {
      let error = #expect(throws: DefinitionError.self) {
        try DocumentReader.read(
          Array(text.utf8), from: SourceName("f"), limits: ReadingLimits(depth: 1_000_000))
      }
      #expect(error?.findings.map(\.problem) == [.tooDeep(limit: 128)])
    }
  }

  @Test(arguments: [
    ("{\"a\":", "1", "}", ""), ("<dict><key>a</key>", "<integer>1</integer>", "</dict>", "<plist>"),
  ])
  func `as deep as the limit is read, merged and printed on a stack of 512 KB`(
    open: String, value: String, close: String, start: String
  ) throws {
    let depth = ReadingLimits.maximumDepth
    let text =
      start + String(repeating: open, count: depth) + value
      + String(repeating: close, count: depth) + (start.isEmpty ? "" : "</plist>")
    let path = Array(repeating: "a", count: depth).joined(separator: ".")
    let values = try onSmallStack {
      let source = ValueSource.document(Array(text.utf8), named: "f")
      let properties = try Properties(
        [source, source], secrets: ["b"], limits: ReadingLimits(depth: 1_000_000))
      let resolver = Resolver()
      resolver.install(properties)
      return ["\(properties[path] ?? .null)", "\(properties)", "\(properties[""] ?? .null)"]
    }
    #expect(values[0] == "1")
    #expect(values[1].hasPrefix(path + " = 1"))
    #expect(values[2].hasPrefix("{\"a\": {\"a\""))
  }

  @Test func `as deep as the limit is read from a resolver on a stack of 512 KB`() throws {
    let depth = ReadingLimits.maximumDepth
    let text =
      String(repeating: "{\"a\":", count: depth) + "1" + String(repeating: "}", count: depth)
    let path = Array(repeating: "a", count: depth).joined(separator: ".")
    let texts = try onSmallStack {
      let resolver = Resolver()
      resolver.install(try Properties([.json(text)]))
      func read() throws -> String {
        let whole: PropertyValue = try resolver.resolve(named: "a")
        return "\(whole)"
      }
      let plain = try read()
      let overridden = try withOverrides(of: resolver) {
        $0.set(path, 2)
      } operation: {
        try read()
      }
      return [plain, overridden]
    }
    #expect(texts[0].hasSuffix("{\"a\": 1" + String(repeating: "}", count: depth - 1)))
    #expect(texts[1].hasSuffix("{\"a\": 2" + String(repeating: "}", count: depth - 1)))
  }

  @Test func `in a message is shortened, with escapes for invisible characters`() {
    let name = "a\u{202E}b" + String(repeating: "k", count: 1_000)
    let error = #expect(throws: DefinitionError.self) {
      try Properties([.json("{\"\(name)\": 1, \"\(name)\": 2}", named: "f\u{1B}.json")])
    }
    #expect(
      error?.description == """
        The key "a\\u{202E}b\(String(repeating: "k", count: 297))…" is there twice.
          At  f\\u{1B}.json:1:1012
        """)
  }

  #if os(Linux)
    // The thread sanitizer reserves more memory than the limit.
    private static let isSanitized =
      dlsym(UnsafeMutableRawPointer(bitPattern: 0), "__tsan_init") != nil

    /// The process has 1 GB of memory and a minute of processor time. A signal ends it if a reader
    /// needs more.
    @Test(.disabled(if: isSanitized)) func `takes bounded memory and time`() async {
      await #expect(processExitsWith: .success) {
        func limit(_ resource: __rlimit_resource, to value: rlim_t) {
          var limits = rlimit(rlim_cur: value, rlim_max: value)
          precondition(setrlimit(__rlimit_resource_t(resource.rawValue), &limits) == 0)
        }
        limit(RLIMIT_DATA, to: 1 << 30)
        limit(RLIMIT_CPU, to: 240)
        for input in HostileInput.allCases { _ = `Hostile input`.read(input.bytes) }
      }
    }
  #endif
}

/// Runs a block on a thread with 512 KB of stack, the default of secondary threads on some systems.
private func onSmallStack<Value: Sendable>(
  _ body: @escaping @Sendable () throws -> Value
) throws -> Value {
  let result = Lock<Result<Value, any Error>?>(nil)
  let done = DispatchSemaphore(value: 0)
  let thread = Thread {
    let value = Result { try body() }
    result.withLock { $0 = value }
    done.signal()
  }
  // A module with mutants in it takes more stack.
  let hasMutants = ProcessInfo.processInfo.environment["UNDERSTUDY_MUTANT"] != nil
  thread.stackSize = (hasMutants ? 2_048 : 512) << 10
  thread.start()
  done.wait()
  return try result.withLock { $0 }!.get()
}
