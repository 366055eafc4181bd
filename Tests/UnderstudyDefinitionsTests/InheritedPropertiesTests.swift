// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

@testable import UnderstudyDefinitions

private struct Server: PropertyGroup, Equatable {
  static let path = "server"
  var url: String
  var port: Int
  var proxy: String?
}

private struct Visit {
  @Property("server.retries") var retries = 3
  @Property("server.pause") var pause = 4
  @Property("server.proxy") var proxy: String?
}

@Suite struct `A child resolver's properties` {
  let app = Resolver()
  let session: Resolver

  init() throws {
    session = Resolver(parent: app)
    app.register("hello", named: "word")
    app.install(
      try Properties(
        [
          .values([
            "server": ["retries": 5, "url": "a", "port": 1, "proxy": "p"],
            "db": ["password": "x", "ports": ["x", "y"]],
          ])
        ], secrets: ["password", "db.ports[0]"]))
  }

  /// The keys of an object of the child.
  private func keys(_ path: String) throws -> [String] {
    guard case .object(let members) = try session.resolve(PropertyValue.self, named: path) else {
      return []
    }
    return members.keys.sorted()
  }

  private func server(of resolver: Resolver) throws -> Server { try resolver.properties() }

  @Test func `are those of its parent, also the optional ones and those with a default`() throws {
    try #expect(session.property("server.retries", as: Int?.self) == 5)
    try #expect(session.property("server.pause", as: Int?.self) == nil)
    let visit = withResolver(session) { Visit() }
    #expect(visit.retries == 5 && visit.pause == 4 && visit.proxy == "p")
    #expect(session.provenance(of: "server.url") == app.provenance(of: "server.url"))
    #expect(session.provenance(of: "server.url") != nil)
  }

  @Test func `keep the rest of a group of which a layer sets one`() throws {
    try withOverrides(of: session) {
      $0.set("server.url", "b")
    } operation: {
      try #expect(server(of: session) == Server(url: "b", port: 1, proxy: "p"))
      try #expect(server(of: app).url == "a")
    }
  }

  @Test func `keep the rest of a group of which the child sets one`() throws {
    try session.set("server.url", "b")
    try #expect(server(of: session) == Server(url: "b", port: 1, proxy: "p"))
    try #expect(server(of: app) == Server(url: "a", port: 1, proxy: "p"))
    try app.set("server.port", 2)
    try app.set("server.later", true)
    try #expect(server(of: session) == Server(url: "b", port: 2, proxy: "p"))
    try #expect(keys("server") == ["later", "port", "proxy", "retries", "url"])
    try #expect(keys("") == ["db", "server"])
    try withOverrides(of: session) {
      $0.set("server.proxy", "double")
    } operation: {
      try #expect(server(of: session) == Server(url: "b", port: 2, proxy: "double"))
    }
  }

  @Test func `keep the rest of a group of which the child installs or loads one`() throws {
    let properties = try Properties([.values(["server": ["port": 3]])])
    session.install(properties)
    try #expect(server(of: session) == Server(url: "a", port: 3, proxy: "p"))
    let other = Resolver(parent: app)
    try other.load(properties)
    try #expect(server(of: other) == Server(url: "a", port: 3, proxy: "p"))
    other.unload(properties)
    try #expect(server(of: other) == Server(url: "a", port: 1, proxy: "p"))
  }

  @Test func `go with the object that a value of the child replaces`() throws {
    try session.set("server", "none")
    try #expect(session.property("server.url", as: String?.self) == nil)
    #expect(throws: DefinitionError.self) { try session.property("server.port", as: Int.self) }
    try #expect(server(of: app).url == "a")
    try session.set("server.url", "b")
    try #expect(keys("server") == ["url"])
  }

  @Test func `are secret where those of the parent are`() throws {
    func text(_ path: String, of resolver: Resolver) throws -> String {
      try resolver.resolve(PropertyValue.self, named: path).description
    }
    try session.set("db.password", "hunter2")
    try session.set("db.ports", ["hunter2", "z"])
    try session.set("more.password", "hunter2")
    try #expect(text("db.password", of: session) == "<secret>")
    try #expect(text("more.password", of: session) == "<secret>")
    for path in ["db.ports", "db", ""] {
      try #expect(!text(path, of: session).contains("hunter2"))
    }
    try session.set("vault", .secret("hunter2"))
    try session.set("server.url", .secret("hunter2"))
    try app.set("server.url", "b")
    try #expect(text("server.url", of: session) == "<secret>")
    try #expect(text("server.url", of: app) != "<secret>")
  }

  @Test func `are known to definitions of the child`() throws {
    let definitions = try Definitions(
      [
        .json(
          #"{"services": {"sum": {"class": "Shop.Joined", "arguments": ["@server.url", "@word"]}}}"#
        )
      ], catalogue: catalogue, knownTo: session)
    session.install(definitions)
    try #expect(session.resolve(Service.self, named: "sum").name == "a|hello")
  }
}
