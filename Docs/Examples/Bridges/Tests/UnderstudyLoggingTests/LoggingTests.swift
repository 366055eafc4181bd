// Part of Understudy: a bridge to swift-log.
// SPDX-License-Identifier: MIT

import InMemoryLogging
import Logging
import Testing
import UnderstudyLogging
import UnderstudyTesting

private struct Store: Sendable {}

private struct Mailer: Sendable {}

private struct Till: Sendable {
  let store: Store
}

@Suite struct `A recorded logger` {
  @Test func `keeps the entries of the code under test`() {
    let log = InMemoryLogHandler()
    withOverrides {
      $0.override(\.logger) { .recorded(by: log) }
    } operation: {
      Resolver.main.resolve(\.logger).debug("sold", metadata: ["seat": "A1"])
    }
    #expect(log.entries.map(\.message) == ["sold"])
    #expect(log.entries.first?.metadata["seat"] == "A1")
  }

  @Test func `gets each finding of a graph`() {
    let resolver = Resolver()
    resolver.register(autowiring: Till.init(store:))
    let log = InMemoryLogHandler()
    Logger.recorded(by: log).log(resolver.graph)
    #expect(log.entries.map(\.level) == [.error])
    #expect(log.entries.first?.metadata["kind"] == "missing")
    resolver.register { Store() }
    log.clear()
    Logger.recorded(by: log).log(resolver.graph)
    #expect(log.entries == [])
  }

  @Test func `gets each resolution with its path`() throws {
    let resolver = Resolver()
    resolver.register { Store() }
    resolver.register(autowiring: Till.init(store:))
    let log = InMemoryLogHandler()
    try #require(Logger.recorded(by: log).observe(resolver) != nil)
    try withOverrides(of: resolver, named: "till") {
      $0.register { Mailer() }
    } operation: {
      _ = try resolver.resolve(Till.self)
      _ = try resolver.resolve(Mailer.self)
    }
    let store = try #require(log.entries.first { "\($0.message)" == "'Store': resolved" })
    #expect(store.metadata["path"] == .array(["'Till'", "'Store'"]))
    #expect(store.metadata["layer"] == "production")
    let mailer = try #require(log.entries.first { "\($0.message)" == "'Mailer': created" })
    #expect(mailer.metadata["layer"] == "till")
    #expect(mailer.metadata["owner"] == "caller")
    #expect(log.entries.allSatisfy { $0.level == .trace })
  }

  @Test func `does not observe if it would log nothing`() {
    var logger = Logger.recorded(by: InMemoryLogHandler())
    logger.logLevel = .info
    #expect(logger.observe(Resolver()) == nil)
  }
}
