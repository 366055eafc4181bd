// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import Understudy

@testable import UnderstudyDefinitions

/// Cases that the tests of a single reader do not cover: binary property lists, and whole
/// definitions.
@Suite struct `Bad input` {
  /// Builds a binary property list from its encoded objects. The first one is the root.
  static func list(_ objects: [[UInt8]]) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets += [UInt8(bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count)]
      bytes += object
    }
    let table = bytes.count
    bytes += offsets + [0, 0, 0, 0, 0, 0, 2, 1]
    for number in [objects.count, 0, table] {
      bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
    return bytes
  }

  static func problem(_ objects: [[UInt8]]) -> Finding.Problem? {
    let error = #expect(throws: DefinitionError.self) {
      try DocumentReader.read(list(objects), from: SourceName("f.plist"))
    }
    return error?.findings.first?.problem
  }

  @Test func `a binary list deeper than the limit is an error`() {
    let nested = (1...200).map { [0xA1, UInt8($0)] } + [[0x09]]
    #expect(Self.problem(nested) == .tooDeep(limit: 128))
  }

  @Test func `a binary list with a duplicate key is an error`() {
    #expect(
      Self.problem([[0xD2, 1, 1, 2, 2], [0x51, UInt8(ascii: "a")], [0x09]]) == .duplicateKey("a"))
  }

  @Test func `a binary list with a key that is not a string is an error`() {
    #expect(
      Self.problem([[0xD1, 1, 1], [0x09]]) == .unexpected(found: "a Boolean", expected: "a key"))
  }

  @Test func `a binary list with an integer that does not fit any type is an error`() {
    #expect(
      Self.problem([[0x14] + Array(repeating: 0x7F, count: 16)]) == .numberOutOfRange)
  }

  @Test func `a binary list with an invalid string is an error`() {
    #expect(Self.problem([[0x51, 0xFF]]) == .invalidUTF8)
    #expect(Self.problem([[0x61, 0xD8, 0x00]]) == .invalidUTF8)
  }

  /// A string, data, an array and a string of UTF-16 that would go on into the table of offsets.
  @Test(arguments: [[0x52, 0x61], [0x42, 0x61], [0xA2, 0], [0x62, 0, 0x61, 0]] as [[UInt8]])
  func `a binary list with an object that is cut off is an error`(object: [UInt8]) {
    #expect(Self.problem([object]) == .truncated(expected: "2 elements"))
  }

  @Test func `a binary list whose only object has no byte is an error`() {
    #expect(
      Self.problem([[]]) == .unexpected(found: "an offset too large", expected: "an object"))
  }

  @Test func `every reader refuses a document that is too large`() {
    for text in ["[1, 2, 3]", "<plist><true/></plist>", "bplist00 and more"] {
      let error = #expect(throws: DefinitionError.self) {
        try DocumentReader.read(
          Array(text.utf8), from: SourceName("f"), limits: ReadingLimits(byteCount: 8))
      }
      #expect(error?.findings.map(\.problem) == [.tooLarge(limit: 8)])
    }
  }

  @Test func `findings in definitions with wrong types have their lines`() {
    let list = """
      <plist><dict>
        <key>services</key><dict>
          <key>a</key><dict><key>class</key><integer>1</integer></dict>
          <key>b</key><array/>
        </dict>
        <key>parameters</key><string>x</string>
      </dict></plist>
      """
    let error = #expect(throws: DefinitionError.self) {
      try Definitions(
        [.document(Array(list.utf8), named: "services.plist")], catalogue: catalogue)
    }
    let places = error?.findings.map { "\($0.origin.map { "\($0)" } ?? "-") \($0.problem)" } ?? []
    #expect(places.contains { $0.hasPrefix("services.plist:3:") })
    #expect(places.contains { $0.hasPrefix("services.plist:4:") })
    #expect(places.contains { $0.hasPrefix("services.plist:6:") })
  }

  private func description(of services: String) -> String? {
    let error = #expect(throws: DefinitionError.self) {
      try Definitions(
        [.json("{\"parameters\": {\"p\": 1}, \"services\": {\(services)}}", named: "s.json")],
        catalogue: catalogue)
    }
    return error?.description
  }

  @Test(arguments: [
    #""s": {"class": "Shop.Pair", "arguments": {"1": null, "first": "@t", "0": "@t"}}"#,
    #""s": {"factory": "Shop.Pair", "arguments": {"1": null, "0": "@t", "first": "@t"}}"#,
    #""s": {"class": "Shop.Joined", "arguments": {"1": null, "0": "@t", "00": "@t"}}"#,
  ])
  func `an argument that is given twice is an error with its place`(service: String) {
    let isNamed = service.contains("first")
    let labels = isNamed ? ["0", "first"] : ["0", "00"]
    let isFirst = service.range(of: "\"first\"").map {
      $0.lowerBound < service.range(of: "\"0\"")!.lowerBound
    }
    let given = isFirst == true ? Array(labels.reversed()) : labels
    let text =
      #"{"parameters": {"p": 1}, "services": {"t": {"class": "Shop.Service", "arguments": ["T"]}, "#
    let column = (text + service).distance(
      from: text.startIndex, to: (text + service).range(of: "\"\(given[1])\"")!.lowerBound)
    #expect(
      description(of: #""t": {"class": "Shop.Service", "arguments": ["T"]}, "# + service) == """
        Argument \(isNamed ? "'first'" : "0") is given twice: as "\(given[0])" and as "\(given[1])".
          Service  's'
          At       s.json:1:\(column + 1)
        """)
  }

  @Test func `an argument of a child replaces its parent's, whether given by label or by position`()
    throws
  {
    let definitions = try Definitions(
      [
        .json(
          """
          {"services": {
            "a": {"class": "Shop.Service", "arguments": ["A"]},
            "b": {"parent": "a", "arguments": {"name": "B"}},
            "c": {"parent": "b", "arguments": {"0": "C"}},
            "d": {"parent": "c", "tags": ["t"]},
            "e": {"parent": "d", "arguments": {"name": "E"}}}}
          """)
      ], catalogue: catalogue)
    let resolver = Resolver()
    resolver.install(definitions)
    let names = try ["a", "b", "c", "d", "e"].map {
      try resolver.resolve(Service.self, named: $0).name
    }
    #expect(names == ["A", "B", "C", "C", "E"])
  }

  @Test func `a lone at sign refers to nothing, and never to the whole tree of parameters`() {
    #expect(
      description(of: #""s": {"class": "Shop.Joined", "arguments": ["@", ["@"]]}"#) == """
        2 findings:
        "@" names no service. Write "@@" for the text "@".
          Service  's'
          At       s.json:1:83
        "@" names no service. Write "@@" for the text "@".
          Service  's'
          At       s.json:1:89
        """)
    #expect(
      description(of: #""s": {"class": "Shop.Service", "arguments": ["@.."]}"#) == """
        Nothing is named '..'.
          Service  's'
          At       s.json:1:84
        """)
  }

  @Test(arguments: [
    (#""base": {"abstract": true}, "s": {"parent": "base"}, "t": {"parent": "s"}"#, 83),
    (
      #""m": {"class": "Shop.Transport"}, "n": "@m", "s": {"parent": "n"}, "t": {"parent": "s"}"#,
      100
    ),
  ])
  func `a service is an error if neither it nor any parent has a class`(
    services: String, column: Int
  ) {
    #expect(
      description(of: services) == """
        Neither it nor any of its parents has a class or a factory.
          Service  's'
          At       s.json:1:\(column)
        """)
  }

  @Test func `an unknown key of a call is an error`() {
    let call = #"{"method": "append", "args": ["x"], "arguments": ["y"]}"#
    #expect(
      description(of: #""s": {"class": "Shop.Transport", "calls": [\#(call)]}"#) == """
        A definition has no "args".
          Service  's'
          Known    arguments, method
          At       s.json:1:103
        """)
  }

  @Test func `a repeated tag lists the service once`() throws {
    let definitions = try Definitions(
      [.json(#"{"services": {"s": {"class": "Shop.Transport", "tags": ["t", "u", "t"]}}}"#)],
      catalogue: catalogue)
    #expect(definitions.services(tagged: "t") == ["s"])
  }

  /// A chain of ten thousand services. `end` is the last one, which may be at fault.
  static func chain(_ link: (Int) -> String, end: String) -> String {
    let services = (0..<10_000).map { "\"s\($0)\": \(link($0 + 1))" }
    return "{\"services\": {\(services.joined(separator: ",")), \"s10000\": \(end)}}"
  }

  @Test func `a long chain of parents is read, and a circle of them is one finding`() throws {
    func parents(_ end: String) throws -> Definitions {
      try Definitions(
        [.json(Self.chain({ "{\"parent\": \"s\($0)\"}" }, end: end))], catalogue: catalogue)
    }
    try #expect(
      parents(#"{"class": "Shop.Service", "arguments": ["A"]}"#).services.count == 10_001)
    let error = #expect(throws: DefinitionError.self) { try parents(#"{"parent": "s0"}"#) }
    #expect(error?.findings.count == 1)
  }

  @Test func `a long chain of references is checked, and a circle of them is one finding`() throws {
    func references(_ end: String) throws -> Definitions {
      let link = { (_ next: Int) in "{\"class\": \"Shop.Pair\", \"arguments\": [\"@s\(next)\"]}" }
      return try Definitions([.json(Self.chain(link, end: end))], catalogue: catalogue)
    }
    try #expect(
      references(#"{"class": "Shop.Service", "arguments": ["A"]}"#).services.count == 10_001)
    let error = #expect(throws: DefinitionError.self) {
      try references(#"{"class": "Shop.Pair", "arguments": ["@s0"]}"#)
    }
    #expect(error?.findings.count == 1)
  }

  @Test func `a long chain of aliases is read, and a circle of them is found`() throws {
    func aliases(_ end: String) throws -> Definitions {
      try Definitions([.json(Self.chain({ "\"@s\($0)\"" }, end: end))], catalogue: catalogue)
    }
    let definitions = try aliases(#"{"class": "Shop.Service", "arguments": ["A"]}"#)
    let resolver = Resolver()
    resolver.install(definitions)
    try #expect(resolver.resolve(Service.self, named: "s0").name == "A")
    #expect(throws: DefinitionError.self) { try aliases("\"@s0\"") }
  }

  @Test func `services that all need their own tag are a bounded number of findings`() {
    let services = (0..<3_000).map {
      "\"s\($0)\": {\"class\": \"Shop.Joined\", \"arguments\": [\"@tag:t\"], \"tags\": [\"t\"]}"
    }
    let error = #expect(throws: DefinitionError.self) {
      try Definitions(
        [.json("{\"services\": {\(services.joined(separator: ","))}}")], catalogue: catalogue)
    }
    #expect(error?.findings.count == 100)
    #expect(error?.findings.first?.problem == .cycle(["s0", "s0"]))
  }

  @Test(arguments: ["@tag:tg", "@sx"])
  func `the first fifty findings have near misses, since each visits every name`(
    reference: String
  ) {
    let services = (0..<60).map {
      "\"s\($0)\": {\"class\": \"Shop.Joined\", \"arguments\": [\"\(reference)\"]}"
    }
    let tagged = #""s": {"class": "Shop.Transport", "tags": ["tag"]}"#
    let error = #expect(throws: DefinitionError.self) {
      try Definitions(
        [.json("{\"services\": {\((services + [tagged]).joined(separator: ","))}}")],
        catalogue: catalogue)
    }
    let nearMisses = error?.findings.map { finding in
      if case .missingReference(_, let nearMisses) = finding.problem {
        !nearMisses.isEmpty
      } else {
        false
      }
    }
    #expect(
      nearMisses == Array(repeating: true, count: 50) + Array(repeating: false, count: 10))
  }

  @Test func `many dangling references are many findings, in bounded time`() {
    let services = (0..<5_000).map {
      "\"s\($0)\": {\"class\": \"Shop.Joined\", \"arguments\": [\"@s\($0 + 1)x\"]}"
    }
    let error = #expect(throws: DefinitionError.self) {
      try Definitions(
        [.json("{\"services\": {\(services.joined(separator: ","))}}")], catalogue: catalogue)
    }
    #expect(error?.findings.count == 5_000)
    #expect(
      error?.findings.first?.problem == .missingReference("s1x", nearMisses: ["s1", "s10", "s11"]))
  }

  @Test func `a long chain of factories is checked, and a circle of them is one finding`() throws {
    var own = catalogue
    own.offer(method: "make", of: Transport.self) { transport in transport }
    func factories(_ end: String) throws -> Definitions {
      let link = { (_ next: Int) in "{\"factory\": \"@s\(next).make\"}" }
      return try Definitions([.json(Self.chain(link, end: end))], catalogue: own)
    }
    try #expect(factories(#"{"class": "Shop.Transport"}"#).services.count == 10_001)
    let error = #expect(throws: DefinitionError.self) {
      try factories(#"{"factory": "@s0.make"}"#)
    }
    #expect(error?.findings.count == 1)
    #expect(
      throws: DefinitionError.self,
      performing: { try factories(#"{"class": "Shop.None"}"#) })
  }
}
