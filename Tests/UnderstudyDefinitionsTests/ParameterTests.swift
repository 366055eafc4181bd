// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyTesting

@testable import UnderstudyDefinitions

@Suite struct `A parameter of definitions` {
  let resolver = Resolver()

  init() throws {
    resolver.install(
      try Definitions(
        [
          .json(
            """
            {"parameters": {"port": 25, "rate": 1.5, "is.loud": true, "host": "h", "list": [1],
              "mail": {"retries": 3}, "token": "t"},
             "services": {"s": {"class": "Shop.Service", "arguments": ["@host"]}}}
            """)
        ], catalogue: catalogue, secrets: ["token"]))
  }

  @Test func `is known to a layer if production only has the property`() throws {
    let resolver = Resolver()
    resolver.install(try Properties([.values(["late": 0])]))
    let definitions = try Definitions(
      [.json(#"{"parameters": {"late": 1}}"#)], catalogue: catalogue)
    withOverrides(.check(.unknownKey, .error), of: resolver) {
      $0.install(definitions)
    } operation: {
    }
  }

  @Test func `is resolved by its name and type, as a service is`() throws {
    try #expect(resolver.resolve(Int.self, named: "port") == 25)
    try #expect(resolver.resolve(Double.self, named: "port") == 25)
    try #expect(resolver.resolve(Double.self, named: "rate") == 1.5)
    try #expect(resolver.resolve(Bool.self, named: "is.loud"))
    try #expect(resolver.resolve(String.self, named: "host") == "h")
    try #expect(resolver.resolve(Int.self, named: "mail.retries") == 3)
    try #expect(resolver.resolve(String.self, named: "token") == "t")
    try #expect(resolver.resolve(Service.self, named: "s").name == "h")
  }

  @Test func `DO-04 of each kind is resolved by its name and type`() throws {
    let list = """
      <plist><dict><key>parameters</key><dict>
        <key>date</key><date>2001-01-01T00:00:01Z</date><key>data</key><data>AQI=</data>
        <key>flag</key><false/><key>flags</key><array><true/><false/></array>
        <key>counts</key><array><integer>1</integer><integer>2</integer></array>
        <key>rates</key><array><integer>1</integer><real>2.5</real></array>
        <key>names</key><array><string>1</string></array>
        <key>dates</key><array><date>2001-01-01T00:00:01Z</date></array>
        <key>sizes</key><dict><key>a</key><integer>1</integer></dict>
        <key>labels</key><dict><key>a</key><string>b</string></dict>
      </dict></dict></plist>
      """
    let resolver = Resolver()
    resolver.install(
      try Definitions([.document(Array(list.utf8), named: "s.plist")], catalogue: catalogue))
    let date = Date(timeIntervalSinceReferenceDate: 1)
    try #expect(resolver.resolve(Date.self, named: "date") == date)
    try #expect(resolver.resolve(Data.self, named: "data") == Data([1, 2]))
    try #expect(resolver.resolve(Bool.self, named: "flag") == false)
    try #expect(resolver.resolve([Bool].self, named: "flags") == [true, false])
    try #expect(resolver.resolve([Int].self, named: "counts") == [1, 2])
    try #expect(resolver.resolve([Double].self, named: "counts") == [1, 2])
    try #expect(resolver.resolve([Double].self, named: "rates") == [1, 2.5])
    try #expect(resolver.resolve([String].self, named: "names") == ["1"])
    try #expect(resolver.resolve([Date].self, named: "dates") == [date])
    try #expect(resolver.resolve([String: Int].self, named: "sizes") == ["a": 1])
    try #expect(resolver.resolve([String: String].self, named: "labels") == ["a": "b"])
    try withOverrides(of: resolver) {
      $0.set("counts", [3])
    } operation: {
      try #expect(resolver.resolve([Int].self, named: "counts") == [3])
    }
  }

  @Test func `that is an array is read as other types by other definitions and requests`() throws {
    var small = Catalogue()
    small.offer("Small") { (sizes: [UInt16]) in Service("\(sizes)") }
    resolver.install(
      try Definitions(
        [.json(#"{"services": {"small": {"class": "Small", "arguments": ["@list"]}}}"#)],
        catalogue: small, expecting: ["list"]))
    try #expect(resolver.resolve(Service.self, named: "small").name == "[1]")
    resolver.register(["x"], named: "own")
    try #expect(resolver.resolve([[String]].self) == [["x"]])
  }

  @Test func `that is an object may have a member of the command line`() throws {
    let resolver = Resolver()
    resolver.install(
      try definitions(
        #"{"parameters": {"limits": {"eu.west": 3, "min": 1}}}"#,
        and: .arguments(["--parameters.limits['eu.west']=5"])))
    try #expect(resolver.resolve([String: Int].self, named: "limits") == ["eu.west": 5, "min": 1])
  }

  @Test func `whose key has a dot comes before a path of the same text`() throws {
    let resolver = Resolver()
    resolver.install(
      try Definitions(
        [
          .json(
            """
            {"parameters": {"o.p": 5, "o": {"p": 6}},
             "services": {"s": {"class": "Shop.Joined", "arguments": ["@o.p"]}}}
            """)
        ], catalogue: catalogue))
    try #expect(resolver.resolve(Int.self, named: "o.p") == 5)
    try #expect(resolver.resolve(Service.self, named: "s").name == "5")
  }

  @Test func `is not resolved as a wrong type`() {
    #expect(throws: ResolutionError.self) { try resolver.resolve(Bool.self, named: "port") }
    #expect(throws: ResolutionError.self) { try resolver.resolve(String.self, named: "list") }
    #expect(throws: ResolutionError.self) { try resolver.resolve(Int.self, named: "rate") }
  }

  @Test
  func `is the value of a layer that sets the property, or an error if its type is wrong`()
    throws
  {
    try withOverrides(of: resolver) {
      $0.set("port", 26)
      $0.set("mail", ["retries": "none"])
    } operation: {
      try #expect(resolver.resolve(Int.self, named: "port") == 26)
      #expect(throws: ResolutionError.self) {
        try resolver.resolve(Int.self, named: "mail.retries")
      }
    }
    try #expect(resolver.resolve(Int.self, named: "port") == 25)
  }

  @Test func `is overridden as a registration without a change of the property`() throws {
    try withOverrides(of: resolver) {
      $0.register(27, named: "port")
    } operation: {
      try #expect(resolver.resolve(Int.self, named: "port") == 27)
      try #expect(resolver.property("port", as: Int.self) == 25)
    }
  }

  @Test func `of a layer is not a finding if no test resolves it`() throws {
    let definitions = try Definitions(
      [.json(#"{"parameters": {"port": 1}}"#)], catalogue: catalogue)
    try withOverrides(.strict, of: resolver) {
      $0.install(definitions)
    } operation: {
      try #expect(resolver.property("port", as: Int.self) == 1)
    }
  }

  private func definitions(_ file: String, and source: ValueSource) throws -> Definitions {
    try Definitions([.json(file), source], catalogue: catalogue)
  }

  @Test func `is replaced from the environment, however its name is written there`() throws {
    let definitions = try definitions(
      #"{"parameters": {"maxSize": 10}}"#,
      and: .environment(prefix: "APP", variables: ["APP__PARAMETERS__MAX_SIZE": "5"]))
    #expect(definitions.parameters["maxSize"] == "5")
    #expect(definitions.parameters["max_size"] == nil)
  }

  @Test func `is resolved as a number or a truth value if its text reads as that`() throws {
    let resolver = Resolver()
    resolver.install(
      try definitions(
        #"{"parameters": {"port": 25, "rate": 1.5, "is.loud": true, "zip": "01234"}}"#,
        and: .arguments(["--parameters.port=80", "--parameters.rate=2.5"])))
    try #expect(resolver.resolve(Int.self, named: "port") == 80)
    try #expect(resolver.resolve(Double.self, named: "port") == 80)
    try #expect(resolver.resolve(String.self, named: "port") == "80")
    try #expect(resolver.resolve(Double.self, named: "rate") == 2.5)
    #expect(throws: ResolutionError.self) { try resolver.resolve(Int.self, named: "rate") }
    #expect(throws: ResolutionError.self) { try resolver.resolve(Int.self, named: "zip") }
  }
}
