// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import UnderstudyTesting

@testable import UnderstudyDefinitions

/// Reads of a property that may be missing, within an array.
@Suite struct `An element that may be missing` {
  private struct Broken: Error {}

  private struct Client {
    @Property("servers[0].url") var url = "none"
    @Property("servers[0].hosts") var hosts = ["none"]
    @Property("servers[0].port") var port: Int?
  }

  private struct Server: PropertyGroup {
    static let path = "servers[0]"
    var url: String?
  }

  /// A resolver with an array of servers. `block` runs at each resolution of the array.
  private func resolver(
    _ block: @escaping @Sendable (PropertyValue) throws -> PropertyValue
  ) throws -> Resolver {
    let resolver = Resolver()
    resolver.install(
      try Properties([.json(#"{"servers": [{"url": "a", "hosts": ["b"], "port": 1}]}"#)]))
    resolver.extend(Key<PropertyValue>(named: "servers")) { value, _ in try block(value) }
    return resolver
  }

  @Test func `is an error if a block fails, and no missing element`() throws {
    let resolver = try resolver { _ in throw Broken() }
    let client = withResolver(resolver) { Client() }
    #expect(throws: ResolutionError.self) { try client.$url.get() }
    #expect(throws: ResolutionError.self) { try client.$hosts.get() }
    #expect(throws: ResolutionError.self) { try client.$port.get() }
    #expect(throws: ResolutionError.self) { try resolver.property("servers[0].url", as: Int?.self) }
    #expect(throws: ResolutionError.self) { try resolver.properties(Server.self) }
  }

  @Test(arguments: ["servers[0].url", "servers[3].url", "servers[0].none"])
  func `is resolved once`(path: String) throws {
    let count = Lock(0)
    let resolver = try resolver { value in
      count.withLock { $0 += 1 }
      return value
    }
    let expected = path == "servers[0].url" ? "a" : nil
    let reads: [(Resolver) throws -> String?] = [
      { try $0.property(path, as: String?.self) },
      { try withResolver($0) { try Property(wrappedValue: "none", path).get() } },
      { try withResolver($0) { try Property(wrappedValue: ["none"], path + "s").get()[0] } },
    ]
    try withOverrides(.check(.unusedOverride, .off), of: resolver) {
      $0.register(1)
    } operation: {
      for (read, found) in zip(reads, [expected, expected ?? "none", "none"]) {
        count.withLock { $0 = 0 }
        try #expect(read(resolver) == found)
        #expect(count.withLock { $0 } == 1)
      }
    }
  }

  @Test func `is resolved once for an argument of a service`() throws {
    let count = Lock(0)
    let resolver = try resolver { value in
      count.withLock { $0 += 1 }
      return value
    }
    let properties = try Properties([.json(#"{"servers": [{"url": "a"}]}"#)])
    resolver.install(
      try Definitions(
        [
          .json(
            #"{"services": {"s": {"class": "Shop.Service", "arguments": ["@servers[0].url"]}}}"#)
        ], catalogue: catalogue, properties: properties))
    try #expect(resolver.resolve(Service.self, named: "s").name == "a")
    #expect(count.withLock { $0 } == 1)
  }

  /// The group is missing at its first read, and a test's layer adds it.
  @Test func `is in the provenance of an instance that was created without it`() throws {
    final class Holder: Sendable {
      let url: String
      init(_ url: String) { self.url = url }
    }
    let resolver = Resolver()
    resolver.register(lifecycle: .cached) { r in
      Holder((try? r.properties(ServerConfig.self))?.url ?? "none")
    }
    try #expect(resolver.resolve(Holder.self).url == "none")
    try withOverrides(of: resolver) {
      $0.set("server", ["url": "a", "port": 1])
    } operation: {
      try #expect(resolver.resolve(Holder.self).url == "a")
    }
  }
}
