// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyTesting

@testable import UnderstudyDefinitions

protocol Logger: Sendable { var kind: String { get } }
struct FileLogger: Logger { let kind = "file" }
struct MemoryLogger: Logger { let kind = "memory" }
final class Client: Sendable {
  let url: String

  init(url: String) {
    self.url = url
  }
}

struct Injected {
  @Property("server.url") var url: String
  @Property("server.retries") var retries = 3
  @Property("server.proxy") var proxy: String?
  @Property var server: ServerConfig
  @Inject(namedBy: "logger.storage") var logger: any Logger
}

@Suite struct `Installed properties` {
  let resolver = Resolver()

  init() throws {
    resolver.install(
      try Properties([
        .json(
          #"{"server":{"url":"a","port":1},"logger":{"storage":"file"},"list":[{"x":1}]}"#,
          named: "app.json")
      ]))
    resolver.register((any Logger).self, named: "file") { FileLogger() }
    resolver.register((any Logger).self, named: "memory") { MemoryLogger() }
  }

  @Test func `a property is a registration, and the log counts it`() throws {
    try withOverrides(of: resolver) { _ in
    } operation: {
      _ = try resolver.property("server.url", as: String.self)
      _ = try resolver.properties(ServerConfig.self)
      #expect(OverrideLayer.current?.log.count(of: PropertyValue.self, named: "server.url") == 2)
    }
  }

  @Test func `a layer overrides a property, alone and within its group, and is gone`() throws {
    try withOverrides(of: resolver) {
      $0.set("server.url", "b")
      $0.set("server.proxy", "p")
      $0.set("new.deep", 1)
    } operation: {
      try #expect(resolver.property("server.url") == "b")
      try #expect(
        resolver.properties() == ServerConfig(url: "b", port: 1, proxy: "p"))
      try #expect(resolver.property("new", as: [String: Int].self) == ["deep": 1])
      try withOverrides(of: resolver) {
        $0.set("server", ["port": 9])
        $0.set("list", [["x": 2]])
      } operation: {
        try #expect(
          resolver.properties() == ServerConfig(url: "b", port: 9, proxy: "p"))
        try #expect(resolver.property("list[0].x", as: Int.self) == 2)
        try #expect(resolver.property("", as: [String: PropertyCount].self).count == 4)
      }
    }
    try #expect(resolver.properties() == ServerConfig(url: "a", port: 1))
    try #expect(resolver.property("new.deep", as: Int?.self) == nil)
  }

  struct PropertyCount: Decodable { init(from decoder: any Decoder) {} }

  @Test func `what was made from a property is made again where a layer sets it`() throws {
    resolver.register(lifecycle: .cached) { r in Client(url: try r.property("server.url")) }
    let production: Client = try resolver.resolve()
    try withOverrides(of: resolver) {
      $0.set("server.url", "b")
    } operation: {
      try #expect(resolver.resolve(Client.self).url == "b")
    }
    try withOverrides(of: resolver) {
      $0.set("server.port", 2)
    } operation: {
      try #expect(resolver.resolve(Client.self) === production)
      try #expect(resolver.property("server.port") == 2)
    }
  }

  @Test func `a malformed path of a layer is reported on the test`() throws {
    withKnownIssue {
      withOverrides(of: resolver) {
        $0.set("a[0", 1)
      } operation: {
      }
    } matching: {
      "\($0)".contains("a bracket is not ended")
    }
  }

  @Test func `DE-35 what is set at run time wins, and what is installed later is merged`() throws {
    try resolver.set("server.url", "set")
    try #expect(resolver.properties() == ServerConfig(url: "set", port: 1))
    resolver.install(try Properties([.values(["server": ["proxy": "p"]], named: "module")]))
    try #expect(resolver.properties() == ServerConfig(url: "set", port: 1, proxy: "p"))
    #expect(
      resolver.provenance(of: "server.url")?.contains(", over app.json") == true)
    #expect(throws: DefinitionError.self) { try resolver.set("a]", 1) }
  }

  @Test func `DE-36 a group is registered as made each time, and is resolved by its type`() throws {
    resolver.register(properties: ServerConfig.self)
    try #expect(resolver.resolve(ServerConfig.self) == ServerConfig(url: "a", port: 1))
    try resolver.set("server.port", 2)
    try #expect(resolver.resolve(ServerConfig.self).port == 2)
  }

  @Test func `DE-37 what is missing at run time names the path and what was perhaps meant`() throws
  {
    let error = #expect(throws: DefinitionError.self) {
      try resolver.property("server.uri", as: String.self)
    }
    #expect(
      error?.description == """
        A required property of type 'String' is missing.
          Property   'server.uri'
          Consulted  what is installed
        Did you mean 'server.url'?
        """)
    #expect(throws: DefinitionError.self) { try resolver.property("server.port[0]", as: Int.self) }
    #expect(throws: DefinitionError.self) { try Resolver().property("x", as: Int.self) }
  }

  @Test func `DE-37 properties are injected, with defaults, optionals and groups`() throws {
    let injected = withResolver(resolver) { Injected() }
    #expect(injected.url == "a")
    #expect(injected.retries == 3)
    #expect(injected.proxy == nil)
    #expect(injected.server == ServerConfig(url: "a", port: 1))
    #expect(injected.logger.kind == "file")
  }

  @Test func `DE-37 an injected property that is missing ends the process with the explanation`()
    async
  {
    await #expect(processExitsWith: .failure) {
      withResolver(Resolver()) { _ = Injected() }
    }
  }

  @Test func `DE-38 a property chooses the registration, and a layer switches it`() throws {
    try #expect(resolver.resolve((any Logger).self, namedBy: "logger.storage").kind == "file")
    try withOverrides(of: resolver) {
      $0.set("logger.storage", "memory")
    } operation: {
      try #expect(resolver.resolve((any Logger).self, namedBy: "logger.storage").kind == "memory")
      #expect(withResolver(resolver) { Injected().logger.kind } == "memory")
    }
    #expect(throws: DefinitionError.self) {
      try resolver.resolve((any Logger).self, namedBy: "logger.none")
    }
  }

  @Test func `DE-39 a list is of every registration of the name that a property says`() throws {
    try #expect(resolver.resolve([any Logger].self).count == 2)
    let chosen = try resolver.resolve([any Logger].self, namedBy: "logger.storage")
    #expect(chosen.map(\.kind) == ["file"])
  }

  @Test func `an optional is nil where there is nothing, whatever the form of asking`() throws {
    let properties = try Properties([.values(["a": 1])])
    let none: String? = try properties.value("none")
    let noList: [Int]? = try properties.value("none")
    let some: Int? = try properties.value("a")
    #expect(none == nil && noList == nil && some == 1)
    let missing: String? = try resolver.property("none")
    let url: String? = try resolver.property("server.url")
    #expect(missing == nil && url == "a")
  }

  @Test func `DE-39 a wrapper injects one or all, plain, qualified or named by a property`() throws
  {
    resolver.register { FileLogger() as any Logger }
    resolver.register((any Logger).self, qualifiedBy: Remote.self) { MemoryLogger() }
    let injected = withResolver(resolver) { InjectedLoggers() }
    #expect(injected.plain.kind == "file")
    #expect(injected.qualified.kind == "memory")
    #expect(injected.named.kind == "file")
    #expect(injected.all.map(\.kind) == ["file", "memory", "file", "memory"])
    #expect(injected.allQualified.map(\.kind) == ["memory"])
    #expect(injected.allNamed.map(\.kind) == ["file"])
    withOverrides(of: resolver) {
      $0.set("logger.storage", "memory")
    } operation: {
      let switched = withResolver(resolver) { InjectedLoggers() }
      #expect(switched.named.kind == "memory")
      #expect(switched.allNamed.map(\.kind) == ["memory"])
    }
    #expect(throws: DefinitionError.self) {
      try resolver.resolve([any Logger].self, namedBy: "logger.none")
    }
  }
}

enum Remote: Qualifier {}

struct InjectedLoggers {
  @Inject var plain: any Logger
  @Inject(qualifiedBy: Remote.self) var qualified: any Logger
  @Inject(namedBy: "logger.storage") var named: any Logger
  @Inject var all: [any Logger]
  @InjectAll(Remote.self) var allQualified: [any Logger]
  @Inject(namedBy: "logger.storage") var allNamed: [any Logger]
}
