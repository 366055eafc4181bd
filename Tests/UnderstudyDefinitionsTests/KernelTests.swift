// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

import Testing
import Understudy

@testable import UnderstudyDefinitions

/// A global access to the container, as a program would write it.
private enum Kernel {
  static let resolver = Resolver(named: "kernel")

  static func get<Value>(_ name: String, as type: Value.Type = Value.self) throws -> Value {
    try resolver.resolve(type, named: name)
  }
}

@Suite struct `A kernel of the program` {
  @Test func `DO-02 is a static, with typed access`() throws {
    Kernel.resolver.install(
      try Definitions(
        [.json(#"{"services": {"a": {"class": "Shop.Service", "arguments": ["A"]}}}"#)],
        catalogue: catalogue))
    let service: Service = try Kernel.get("a")
    #expect(service.name == "A")
    try #expect(Kernel.get("a", as: Service.self) === service)
  }

  @Test func `DO-01 DO-09 installing creates nothing, and each service is created once`() throws {
    let made = Lock<[String]>([])
    var catalogue = Catalogue()
    catalogue.offer("Shop.Noted") { (name: String, other: Service?) in
      made.withLock { $0.append(name) }
      return Service(name)
    }
    let resolver = Resolver()
    resolver.install(
      try Definitions(
        [
          .json(
            """
            {"services": {
              "a": {"class": "Shop.Noted", "arguments": ["a"]},
              "b": {"class": "Shop.Noted", "arguments": ["b", "@a"]},
              "c": {"class": "Shop.Noted", "arguments": ["c", "@a"]},
              "never": {"class": "Shop.Noted", "arguments": ["never"]}}}
            """)
        ], catalogue: catalogue))
    #expect(made.withLock { $0 } == [])
    _ = try resolver.resolve(Service.self, named: "b")
    #expect(made.withLock { $0 } == ["a", "b"])
    _ = try resolver.resolve(Service.self, named: "c")
    _ = try resolver.resolve(Service.self, named: "a")
    _ = try resolver.resolve(Service.self, named: "b")
    #expect(made.withLock { $0 } == ["a", "b", "c"])
  }

  @Test func `DO-18 an alias in a file is decorated and disposed of like its service`() throws {
    let (resolver, disposed) = (Resolver(), Lock(0))
    let json = #"{"services": {"a": {"class": "Shop.Service", "arguments": ["A"]}, "b": "@a"}}"#
    resolver.install(try Definitions([.json(json)], catalogue: catalogue))
    try withOverrides(of: resolver, isBoundary: true) {
      $0.onDispose(of: Key<Service>(named: "b")) { _ in disposed.withLock { $0 += 1 } }
    } operation: {
      for _ in 1...2 { _ = try resolver.resolve(Service.self, named: "b") }
      let counts = OverrideLayer.current?.log.counts(of: Key<Service>(named: "b"))
      #expect(counts?.made == 1)
      try withOverrides(.check(.lateOverride, .off), of: resolver) {
        $0.decorate(Service.self, named: "b") { Service("<\($0.name)>") }
      } operation: {
        // This layer owns the wrapper, and the outer layer disposes of it before its own end.
        let wrapper = try resolver.resolve(Service.self, named: "b")
        #expect(wrapper.name == "<A>")
        try #expect(resolver.resolve(Service.self, named: "b") === wrapper)
      }
    }
    #expect(disposed.withLock { $0 } == 2)
  }
}
