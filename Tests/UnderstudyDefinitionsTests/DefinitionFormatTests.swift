// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import Understudy

@testable import UnderstudyDefinitions

/// Definitions in each format, and their part of the graph.
@Suite struct `Definitions of every format` {
  static let xml = """
    <plist version="1.0"><dict>
      <key>parameters</key><dict>
        <key>size</key><integer>3</integer><key>on</key><true/>
      </dict>
      <key>services</key><dict>
        <key>all</key><dict>
          <key>class</key><string>All</string>
          <key>arguments</key><array>
            <data>AQI=</data><date>2001-01-01T00:00:01Z</date><string>http://a.example</string>
            <dict><key>a</key><integer>1</integer></dict><real>0.5</real><string>@size</string>
            <string>@on</string>
          </array>
        </dict>
      </dict>
    </dict></plist>
    """

  static let formats: [[UInt8]] = {
    let xml = Data(Self.xml.utf8)
    let tree = try? PropertyListSerialization.propertyList(from: xml, format: nil)
    let binary = tree.flatMap {
      try? PropertyListSerialization.data(fromPropertyList: $0, format: .binary, options: 0)
    }
    return [Array(xml), Array(binary ?? Data())]
  }()

  @Test(arguments: formats) func `DO-03 DO-06 have arguments of every type`(list: [UInt8]) throws {
    var catalogue = Catalogue()
    catalogue.offer("All") {
      (data: Data, date: Date, url: URL, map: [String: Int], ratio: Double, size: Int8, on: Bool) in
      let seconds = date.timeIntervalSinceReferenceDate
      return Service("\(Array(data)) \(seconds) \(url) \(map) \(ratio) \(size) \(on)")
    }
    let resolver = Resolver()
    resolver.install(
      try Definitions([.document(list, named: "services.plist")], catalogue: catalogue))
    try #expect(
      resolver.resolve(Service.self, named: "all").name
        == #"[1, 2] 1.0 http://a.example ["a": 1] 0.5 3 true"#)
  }

  @Test func `are shown by the graph with their dependencies before anything is created`() throws {
    let resolver = Resolver()
    resolver.install(
      try Definitions(
        [
          .json(
            """
            {"parameters": {"name": "A"}, "services": {
              "a": {"class": "Shop.Service", "arguments": ["@name"]},
              "other": "@a",
              "p": {"class": "Shop.Pair", "arguments": ["@other", "@a"]},
              "part": {"class": "Shop.Part", "arguments": [1], "tags": ["parts"]},
              "m": {"class": "Shop.Machine", "arguments": ["@tag:parts"]},
              "t": {"class": "Shop.Transport"},
              "made": {"factory": "@t.makeService", "arguments": ["M"]}}}
            """)
        ], catalogue: catalogue))
    let graph = resolver.graph
    let name = { (index: Int) in graph.nodes[index].key.name.map { "\($0)" } ?? "-" }
    let edges = Set(graph.edges.map { "\(name($0.from)) → \(name($0.to))" })
    #expect(
      edges == [
        #""" → "name""#, #""a" → "name""#, #""other" → "a""#, #""p" → "other""#, #""p" → "a""#,
        #""m" → "parts""#, #""parts" → "part""#, #""made" → "t""#,
        // A parameter that is read as text resolves the property.
        #""name" → "name""#,
      ])
    try graph.validate()
    resolver.unregister(AnyKey(type: Service.self, named: "a"))
    #expect(resolver.graph.findings.contains { $0.kind == .missing })
  }
}
