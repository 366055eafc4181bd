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

  @Test func `a layer overrides a property, alone and within its group, until the layer ends`()
    throws
  {
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

  @Test
  func
    `an instance that was created from a property is created again where a layer sets the property`()
    throws
  {
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

  @Test func `a malformed path on a layer is reported to the test`() throws {
    withKnownIssue {
      withOverrides(of: resolver) {
        $0.set("a[0", 1)
      } operation: {
      }
    } matching: {
      "\($0)".contains("a bracket is not ended")
    }
  }

  @Test func `the whole tree is merged with an object, and is never replaced`() throws {
    #expect(throws: DefinitionError.self) { try resolver.set("..", 5) }
    try resolver.set("", ["server": ["url": "b"]])
    try #expect(resolver.properties() == ServerConfig(url: "b", port: 1))
    try withKnownIssue {
      try withOverrides(of: resolver) {
        $0.set("", 5)
      } operation: {
        try #expect(resolver.properties() == ServerConfig(url: "b", port: 1))
      }
    } matching: {
      "\($0)".contains("it has no key")
    }
  }

  @Test func `DE-35 a value that is set at run time wins, and later installations are merged`()
    throws
  {
    try resolver.set("server.url", "set")
    try #expect(resolver.properties() == ServerConfig(url: "set", port: 1))
    resolver.install(try Properties([.values(["server": ["proxy": "p"]], named: "module")]))
    try #expect(resolver.properties() == ServerConfig(url: "set", port: 1, proxy: "p"))
    #expect(
      resolver.provenance(of: "server.url")?.contains(", over app.json") == true)
    resolver.install(try Properties([.values(["server": ["url": "module"]], named: "module")]))
    try #expect(resolver.property("server.url") == "set")
    try #expect(resolver.properties() == ServerConfig(url: "set", port: 1, proxy: "p"))
    #expect(
      resolver.provenance(of: "server.url")?.hasSuffix(", over module, app.json") == true)
    try resolver.set("server.url", "second")
    try #expect(resolver.property("server.url") == "second")
    #expect(throws: DefinitionError.self) { try resolver.set("a]", 1) }
  }

  @Test func `DE-35 a value that is set wins over an object or a value that is installed for it`()
    throws
  {
    try resolver.set("mode", "fast")
    try resolver.set("deep.value", 1)
    resolver.install(
      try Properties([.values(["mode": ["speed": ["limit": 9]], "deep": "flat", "plain": 1])]))
    try #expect(resolver.property("mode") == "fast")
    try #expect(resolver.propertyIfThere("mode.speed") == nil)
    try #expect(resolver.propertyIfThere("mode.speed.limit") == nil)
    try #expect(resolver.property("deep", as: [String: Int].self) == ["value": 1])
    resolver.install(try Properties([]), with: ["mode": "slow", "plain": 2])
    try #expect(resolver.property("mode") == "fast")
    try #expect(resolver.property("plain", as: Int.self) == 2)
    resolver.container("any").install(try Properties([.values(["mode": "slow", "list": []])]))
    try #expect(resolver.property("mode") == "fast")
    try #expect(resolver.properties() == ServerConfig(url: "a", port: 1))
  }

  @Test func `properties and definitions on a layer end with the layer`() throws {
    let properties = try Properties([
      .json(#"{"server":{"url":"layer"},"logger":{"more":{}},"empty":{}}"#, named: "layer.json")
    ])
    let definitions = try Definitions(
      [
        .json(
          """
          {"parameters": {"word": "hello"}, "services": {
            "greeter": {"class": "Shop.Service", "arguments": ["@word"]}}}
          """)
      ], catalogue: catalogue)
    try withOverrides(.check(.unusedOverride, .off), of: resolver) {
      $0.install(properties)
      $0.install(definitions)
    } operation: {
      try #expect(resolver.property("server.url") == "layer")
      try #expect(resolver.properties() == ServerConfig(url: "layer", port: 1))
      #expect(resolver.provenance(of: "server.url") == "`server.url` from layer.json line 1")
      try #expect(resolver.property("empty", as: [String: String].self).isEmpty)
      try #expect(resolver.property("logger.more", as: [String: String].self).isEmpty)
      try #expect(resolver.property("logger.storage") == "file")
      try #expect(resolver.property("word") == "hello")
      try #expect(resolver.resolve(Service.self, named: "greeter").name == "hello")
    }
    try #expect(resolver.property("server.url") == "a")
    try #expect(resolver.properties() == ServerConfig(url: "a", port: 1))
    try #expect(resolver.propertyIfThere("empty") == nil && resolver.propertyIfThere("word") == nil)
    try resolver.set("numbers", [1, 2])
    try #expect(resolver.propertyIfThere("numbers[1]") != nil)
    try #expect(resolver.propertyIfThere("numbers[2]") == nil)
    #expect(!resolver.contains(AnyKey(type: Service.self, named: "greeter")))
  }

  @Test func `an unregistered member is missing from its object, and no other member is`() throws {
    resolver.unregister(Key<PropertyValue>(named: "server.url"))
    try #expect(resolver.property("server", as: [String: Int].self) == ["port": 1])
    let error = #expect(throws: DefinitionError.self) { try resolver.properties(ServerConfig.self) }
    #expect(error?.description.contains("'server.url'") == true)
  }

  @Test func `DE-36 a group is registered as not cached, and is resolved by its type`() throws {
    resolver.register(properties: ServerConfig.self)
    try #expect(resolver.resolve(ServerConfig.self) == ServerConfig(url: "a", port: 1))
    try resolver.set("server.port", 2)
    try #expect(resolver.resolve(ServerConfig.self).port == 2)
  }

  @Test func `DE-37 an error for a missing property names the path and the nearest one`() throws {
    let error = #expect(throws: DefinitionError.self) {
      try resolver.property("server.uri", as: String.self)
    }
    #expect(
      error?.description == """
        A required property of type 'String' is missing.
          Property   'server.uri'
          Consulted  the installed properties
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

  @Test func `DE-37 an injected property that is missing keeps the error`() throws {
    let injected = withResolver(Resolver()) { Injected() }
    #expect(!injected.$url.isAvailable)
    let error = #expect(throws: DefinitionError.self) { try injected.$url.get() }
    #expect(error?.description.contains("'server.url'") == true, "\(error?.description ?? "")")
    #expect(injected.$retries.isAvailable)
    try #expect(injected.$retries.get() == 3)
  }

  @Test func `DE-37 an injected property that is missing ends the process if read`() async {
    await #expect(processExitsWith: .failure) {
      let injected = withResolver(Resolver()) { Injected() }
      _ = injected.url
    }
  }

  @Test func `an injected property can be assigned`() throws {
    var injected = withResolver(Resolver()) { Injected() }
    injected.url = "b"
    try #expect(injected.$url.get() == "b")
  }

  @Test func `an injected registration without the property of its name keeps the error`() throws {
    struct Site { @Inject(namedBy: "logger.none") var logger: any Logger }
    let site = withResolver(resolver) { Site() }
    #expect(!site.$logger.isAvailable)
    let error = #expect(throws: ResolutionError.self) { try site.$logger.get() }
    #expect(error?.description.contains("logger.none") == true, "\(error?.description ?? "")")
  }

  @Test func `an injected registration without the property of its name ends the process if read`()
    async
  {
    await #expect(processExitsWith: .failure) {
      struct Site { @Inject(namedBy: "logger.none") var logger: any Logger }
      let site = withResolver(Resolver()) { Site() }
      _ = site.logger
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

  @Test func `DE-39 a list has every registration under the name that a property holds`() throws {
    try #expect(resolver.resolve([any Logger].self).count == 2)
    let chosen = try resolver.resolve([any Logger].self, namedBy: "logger.storage")
    #expect(chosen.map(\.kind) == ["file"])
  }

  @Test func `an optional is nil for a missing property, in every form of the request`() throws {
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

@Suite struct `Installed secrets` {
  let resolver = Resolver()

  init() throws {
    resolver.install(
      try Properties(
        [
          .values([
            "db": ["password": "hunter1", "user": "u"], "vault": ["a": "hunter1"], "plain": "p",
          ])
        ], secrets: ["password", "vault"]))
  }

  /// The printed form of a property.
  func text(_ path: String) throws -> String {
    try resolver.resolve(Key<PropertyValue>(named: path)).description
  }

  @Test func `stay secret when they are set, with all that is set inside them`() throws {
    try resolver.set("db.password", "hunter2")
    try #expect(text("db.password") == "<secret>")
    try #expect(resolver.property("db.password") == "hunter2")
    try resolver.set("vault.b", "hunter2")
    try #expect(text("vault.b") == "<secret>")
    try resolver.set("vault", "hunter3")
    try #expect(text("vault") == "<secret>")
    try resolver.set("db.password", ["x": "hunter4"])
    try #expect(text("db.password.x") == "<secret>")
    try #expect(!text("").contains("hunter"))
    try resolver.set("plain", "q")
    try #expect(text("plain") == "\"q\"")
    try #expect(text("db.user") == "\"u\"")
  }

  @Test func `stay secret if they are installed again later`() throws {
    resolver.install(
      try Properties([]), with: ["db": ["password": "hunter2"], "vault": ["b": "hunter2"]])
    try #expect(text("db.password") == "<secret>")
    try #expect(text("vault.b") == "<secret>")
    resolver.install(
      try Properties([.values(["db": ["password": "hunter3"], "vault": ["c": ["d": "hunter3"]]])]))
    try #expect(resolver.property("db.password") == "hunter3")
    try #expect(text("db.password") == "<secret>")
    try #expect(text("vault.c.d") == "<secret>")
    let loaded = try Properties([.values(["db": ["password": "hunter4"]])])
    try resolver.load(loaded)
    try #expect(resolver.property("db.password") == "hunter4")
    try #expect(!text("").contains("hunter"))
  }

  @Test func `are secret once they are declared secret, even if they were set before`()
    throws
  {
    try resolver.set("key", "hunter2")
    try resolver.set("safe.code", "hunter2")
    try #expect(text("key") == "\"hunter2\"")
    resolver.install(
      try Properties(
        [.values(["key": "hunter3", "safe": ["name": "n"]])], secrets: ["key", "safe"]))
    try #expect(resolver.property("key") == "hunter2")
    try #expect(text("key") == "<secret>")
    try #expect(text("safe.code") == "<secret>")
  }

  @Test func `stay secret on a layer, and so do values that the layer declares secret`() throws {
    try withOverrides(of: resolver) {
      $0.set("db.password", "hunter2")
      $0.set("vault", ["b": "hunter2"])
      $0.set("new", .secret(["key": "hunter2", "deep": ["key": "hunter2"]]))
      $0.set("plain", "q")
    } operation: {
      for path in ["db.password", "vault.a", "vault.b", "new.key", "new.deep.key"] {
        try #expect(text(path) == "<secret>")
      }
      for path in ["db.password", "vault.b", "new.key", "new.deep.key"] {
        try #expect(resolver.property(path) == "hunter2")
      }
      try #expect(!text("").contains("hunter"))
      try #expect(text("plain") == "\"q\"")
      try withOverrides(of: resolver) {
        $0.set("new.more", "hunter3")
        $0.set("vault", "hunter3")
      } operation: {
        try #expect(text("new.more") == "<secret>")
        try #expect(text("vault") == "<secret>")
      }
    }
  }

  @Test func `may be set as a whole`() throws {
    try resolver.set("new", .secret(["key": "hunter2"]))
    try resolver.set("new.more", "hunter2")
    try #expect(resolver.property("new.key") == "hunter2")
    try #expect(text("new.key") == "<secret>")
    try #expect(text("new.more") == "<secret>")
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
