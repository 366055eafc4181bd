// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UnderstudyTesting

@testable import UnderstudyDefinitions

/// Reads without a resolution happen only while no layer is alive, so each test has its own
/// process.
@Suite struct `Properties that are read as constants` {
  static func resolver() throws -> Resolver {
    let resolver = Resolver()
    resolver.install(
      try Properties([.json(#"{"server":{"url":"a","port":1},"list":[{"x":1}]}"#)]))
    return resolver
  }

  static func read(_ path: String, of resolver: Resolver) throws -> [String] {
    // The first read fills the table, and the table answers the second.
    try (0..<3).map { _ in try resolver.property(path, as: String.self) }
  }

  @Test func `are the installed values, in every spelling of a path, until they are set`() async {
    await #expect(processExitsWith: .success) {
      let resolver = try Self.resolver()
      precondition(Resolver.isUnwatched)
      precondition(resolver.constantProperty("server.url") == nil)
      let url = try Self.read("server.url", of: resolver)
      precondition(url == ["a", "a", "a"])
      precondition(resolver.constantProperty("server.url") == "a")
      precondition(resolver.constantProperty("server.port") == 1)

      let spelled = try Self.read("server['url']", of: resolver)
      let element = try Self.read("list[0].x", of: resolver)
      precondition(spelled == ["a", "a", "a"] && element == ["1", "1", "1"])
      precondition(resolver.constantProperty("server['url']") == "a")
      precondition(resolver.constantProperty("list[0].x") == 1)
      precondition(resolver.constantProperty("server") == nil)
      precondition(resolver.constantProperty("none") == nil)

      try resolver.set("server.url", "b")
      try resolver.set("list", [["x": 2]])
      precondition(resolver.constantProperty("server.url") == nil)
      let set = try Self.read("server.url", of: resolver)
      let setElement = try Self.read("list[0].x", of: resolver)
      let setSpelled = try Self.read("server['url']", of: resolver)
      precondition(set == ["b", "b", "b"] && setElement == ["2", "2", "2"])
      precondition(setSpelled == ["b", "b", "b"])
      precondition(resolver.constantProperty("server.url") == "b")

      resolver.unregister(Key<PropertyValue>(named: "server.url"))
      precondition(resolver.constantProperty("server.url") == nil)
    }
  }

  @Test func `are resolved while the resolver is observed`() async {
    await #expect(processExitsWith: .success) {
      let resolver = try Self.resolver()
      _ = try Self.read("server.url", of: resolver)
      precondition(resolver.constantProperty("server.url") == "a")
      let count = Lock(0)
      let observation = resolver.observe { event in
        if event.kind == .resolved { count.withLock { $0 += 1 } }
      }
      _ = try Self.read("server.url", of: resolver)
      precondition(count.withLock { $0 } == 3)
      observation.cancel()
      _ = try Self.read("server.url", of: resolver)
      precondition(resolver.constantProperty("server.url") == "a")
    }
  }

  @Test func `are the values that were set, even if others are installed or loaded later`() async {
    await #expect(processExitsWith: .success) {
      let resolver = try Self.resolver()
      try resolver.set("server.url", "set")
      let set = try Self.read("server.url", of: resolver)
      precondition(set == ["set", "set", "set"])
      precondition(resolver.constantProperty("server.url") == "set")

      let module = try Properties([.values(["server": ["url": "module", "port": 2]])])
      resolver.install(module)
      let installed = try Self.read("server.url", of: resolver)
      let port = try Self.read("server.port", of: resolver)
      precondition(installed == ["set", "set", "set"] && port == ["2", "2", "2"])
      precondition(resolver.constantProperty("server.url") == "set")

      let other = try Properties([.values(["server": ["url": "other", "port": 3]])])
      try resolver.load(other, priority: .high)
      let loaded = try Self.read("server.url", of: resolver)
      let loadedPort = try Self.read("server.port", of: resolver)
      precondition(loaded == ["set", "set", "set"] && loadedPort == ["3", "3", "3"])
      precondition(resolver.unload(other))
      let unloadedPort = try Self.read("server.port", of: resolver)
      precondition(unloadedPort == ["2", "2", "2"])
    }
  }

  @Test func `do not include a property that was extended`() async {
    await #expect(processExitsWith: .success) {
      let resolver = try Self.resolver()
      _ = try Self.read("server.url", of: resolver)
      resolver.extend(Key<PropertyValue>(named: "server.url")) { _, _ in "extended" }
      let extended = try Self.read("server.url", of: resolver)
      precondition(extended == ["extended", "extended", "extended"])
      precondition(resolver.constantProperty("server.url") == nil)
    }
  }

  @Test func `are asked of the layers as soon as one is alive, and recorded while a block runs`()
    async
  {
    await #expect(processExitsWith: .success) {
      let resolver = try Self.resolver()
      _ = try Self.read("server.url", of: resolver)
      resolver.register(lifecycle: .cached) { (r: Resolver) throws -> Client in
        precondition(!Resolver.isUnwatched)
        return Client(url: try r.property("server.url"))
      }
      let client: Client = try resolver.resolve()
      precondition(client.url == "a")
      try withOverrides(of: resolver) {
        $0.set("server.url", "layer")
      } operation: {
        let overridden = try Self.read("server.url", of: resolver)
        precondition(overridden == ["layer", "layer", "layer"])
        let client = try resolver.resolve(Client.self)
        precondition(client.url == "layer")
      }
      let after = try Self.read("server.url", of: resolver)
      precondition(after == ["a", "a", "a"])
    }
  }

  @Test func `are injected`() async {
    await #expect(processExitsWith: .success) {
      let resolver = try Self.resolver()
      _ = try Self.read("server.url", of: resolver)
      withResolver(resolver) {
        precondition(Holder().url == "a" && Holder().retries == 3 && Holder().port == 1)
      }
    }
  }

  struct Holder {
    @Property("server.url") var url: String
    @Property("server.retries") var retries = 3
    @Property("server.port") var port = 7
  }

  @Test func `stay bounded in memory, however many paths are read`() async {
    await #expect(processExitsWith: .success) {
      let resolver = try Self.resolver()
      for count in 0..<(PropertyTable.capacity + 10) {
        let head = String(repeating: ".", count: count % 200)
        let path = head + "server" + String(repeating: ".", count: 1 + count / 200) + "url"
        _ = try resolver.property(path, as: String.self)
      }
      let table = resolver.attachment(PropertyTable.self)
      precondition((1...PropertyTable.capacity).contains(table?.laterCount ?? 0))
    }
  }

  @Test func `are in a new table when many were read after a change`() async {
    await #expect(processExitsWith: .success) {
      let resolver = try Self.resolver()
      let paths = ["server.url", "server.port", "list[0].x", "server['url']", "server['port']"]
      for path in paths { _ = try Self.read(path, of: resolver) }
      let first = resolver.attachment(PropertyTable.self)
      precondition(first?.laterCount == 3)
      try resolver.set("server.port", 2)
      _ = try Self.read("server.url", of: resolver)
      precondition(resolver.attachment(PropertyTable.self) === first)
      for path in paths { _ = try Self.read(path, of: resolver) }
      let second = resolver.attachment(PropertyTable.self)
      precondition(second !== first && second?.laterCount == 3)
      precondition(resolver.constantProperty("server.port") == 2)
    }
  }

  @Test func `cost no more for each path, however many were read after a change`() async {
    await #expect(processExitsWith: .success) {
      func time(_ count: Int) throws -> Duration {
        let resolver = Resolver()
        let values = (0..<count).map { ("key\($0)", PropertyValue.integer(1)) }
        resolver.install(try Properties([.values(Dictionary(uniqueKeysWithValues: values))]))
        _ = try resolver.property("key0", as: Int.self)
        try resolver.set("key0", 2)
        return try processorTime {
          for (path, _) in values { _ = try resolver.property(path, as: Int.self) }
        }
      }
      _ = try time(100)
      let few = try (0..<3).map { _ in try time(500) }.min() ?? .zero
      let many = try (0..<3).map { _ in try time(8_000) }.min() ?? .zero
      precondition(many < few * 48, "\(few) \(many)")
    }
  }
}
