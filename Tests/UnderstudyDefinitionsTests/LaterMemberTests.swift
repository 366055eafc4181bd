// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy
import UnderstudyDefinitions

private struct Server: PropertyGroup, Equatable {
  static let path = "server"
  let url: String
  let port: Int
  var proxy: String?
}

private struct Something: Decodable { init(from decoder: any Decoder) {} }

/// Members that are added to an object below a layer that has already set a part of it.
@Suite struct `A member that comes later` {
  private let resolver = Resolver()

  private func install() throws {
    resolver.install(
      try Properties([.json(#"{"server": {"url": "live", "port": 80}, "port": 1}"#)]))
  }

  @Test func `is in the object if everything is installed under a layer`() throws {
    try withOverrides(of: resolver) {
      $0.set("server.url", "double")
    } operation: {
      try install()
      try #expect(resolver.properties() == Server(url: "double", port: 80))
      let all = try resolver.property("", as: [String: Something].self)
      #expect(all.keys.sorted() == ["port", "server"])
    }
    try #expect(resolver.properties() == Server(url: "live", port: 80))
  }

  @Test func `is in the object if it is set in production`() throws {
    try install()
    try withOverrides(of: resolver) {
      $0.set("server.url", "double")
    } operation: {
      try resolver.set("server.proxy", "proxy")
      try resolver.set("server.port", 81)
      try #expect(resolver.properties() == Server(url: "double", port: 81, proxy: "proxy"))
    }
  }

  @Test func `is in the object if an outer layer sets it`() throws {
    try install()
    try withOverrides(of: resolver) {
      $0.set("server.port", 2)
    } operation: {
      let outer = try #require(OverrideLayer.current)
      try withOverrides(of: resolver) {
        $0.set("server.url", "double")
      } operation: {
        outer.set("server.proxy", "proxy")
        try #expect(resolver.properties() == Server(url: "double", port: 2, proxy: "proxy"))
      }
    }
  }

  @Test func `stays hidden if it existed before a value replaced the object`() throws {
    try install()
    try withOverrides(of: resolver) {
      $0.set("server", "none")
    } operation: {
      try #expect(resolver.property("server") == "none")
      OverrideLayer.current?.set("server.url", "double")
      try resolver.set("server.port", 81)
      try #expect(resolver.property("server", as: [String: String].self) == ["url": "double"])
    }
  }
}
