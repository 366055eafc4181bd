// Part of Understudy: a bridge to swift-service-lifecycle.
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import Logging
import ServiceLifecycle
import Testing
import UnderstudyLifecycle
import UnderstudyTesting

/// The actions of the services, in order.
private let done = Spy<String, Void, Never>("done(_:)")

private final class Database: Sendable {
  func close() async { done("database closed") }
}

private final class Server: Service, Sendable {
  let database: Database

  init(database: Database) {
    self.database = database
  }

  func run() async throws {
    done("server runs")
    try await gracefulShutdown()
    done("server stopped")
  }
}

private final class Door: Service, Sendable {
  let server: Server

  init(server: Server) {
    self.server = server
  }

  func run() async throws {
    done("door runs")
    try await gracefulShutdown()
    done("door stopped")
  }
}

/// A service that needs another one only when it answers.
private final class Clerk: Service, Sendable {
  let door: Provider<Door>

  init(door: Provider<Door>) {
    self.door = door
  }

  func run() async throws { try await gracefulShutdown() }
}

@Suite(.serialized) struct `Services of a resolver` {
  private let resolver: Resolver

  init() {
    done.reset()
    resolver = Resolver()
    resolver.eager.register(autowiring: Door.init(server:), lifecycle: .cached)
    resolver.register(autowiring: Server.init(database:), lifecycle: .cached)
    resolver.register(lifecycle: .cached) { Database() }
  }

  @Test func `each come after their dependencies`() throws {
    var services = ResolvedServices(of: resolver)
    try services.add(Door.self)
    try services.add(Server.self)
    try services.add(Database.self, onShutdown: { await $0.close() })
    let order = services.inOrder
    #expect(order.count == 3)
    #expect(order[1] is Server && order[2] is Door)
  }

  @Test func `come with all dependencies of an instance, even if it already exists`() throws {
    _ = try resolver.resolve(Server.self)
    var services = ResolvedServices(of: resolver)
    try services.add(Door.self)
    try services.add(Server.self)
    let order = services.inOrder
    #expect(order.count == 2)
    #expect(order.first is Server && order.last is Door)
    try #expect(order.first as? Server === resolver.resolve(Server.self))
  }

  @Test func `come with all dependencies of an instance that already exist themselves`() throws {
    _ = try resolver.resolve(Door.self)
    var services = ResolvedServices(of: resolver)
    try services.add(Door.self)
    let order = services.inOrder
    #expect(order.count == 2)
    #expect(order.first is Server && order.last is Door)
  }

  @Test func `are the eager ones under any name, with their dependencies`()
    throws
  {
    let resolver = Resolver()
    resolver.eager.register(named: "front") { r in Door(server: try r.resolve()) }
    resolver.register(lifecycle: .cached) { r in Server(database: try r.resolve()) }
    resolver.register(lifecycle: .cached) { Database() }
    resolver.register(named: "spare", lifecycle: .cached) { r in Server(database: try r.resolve()) }
    var services = ResolvedServices(of: resolver)
    try services.addEager()
    let order = services.inOrder
    #expect(order.count == 2)
    #expect(order.first is Server && order.last is Door)
    try #expect(order.last as? Door === resolver.resolve(Door.self, named: "front"))
  }

  /// Without a cache, each instance belongs to its requester, which runs it itself.
  @Test func `are only the requested instances and those that the resolver stores`() throws {
    resolver.register(autowiring: Server.init(database:))
    var services = ResolvedServices(of: resolver)
    try services.add(Door.self)
    #expect(services.inOrder.count == 1)
    try services.add(Server.self)
    #expect(services.inOrder.count == 2)
  }

  @Test func `do not include those that another thread resolves in the meantime`() throws {
    let resolver = resolver
    resolver.register(named: "spare", lifecycle: .cached) { r in Server(database: try r.resolve()) }
    resolver.register(lifecycle: .cached) { r in
      let isResolved = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        _ = try? resolver.resolve(Server.self, named: "spare")
        isResolved.signal()
      }
      isResolved.wait()
      return Door(server: try r.resolve())
    }
    var services = ResolvedServices(of: resolver)
    try services.add(Door.self)
    let spare: Server = try resolver.resolve(named: "spare")
    let order = services.inOrder
    #expect(order.count == 2)
    #expect(!order.contains { ($0 as? Server) === spare })
  }

  @Test func `start before the services that they need later`() throws {
    resolver.register(autowiring: Clerk.init(door:), lifecycle: .cached)
    var services = ResolvedServices(of: resolver)
    try services.add(Clerk.self)
    try services.add(Door.self)
    let order = services.inOrder
    #expect(order.count == 3)
    #expect(order[0] is Clerk && order[1] is Server && order[2] is Door)
  }

  @Test func `run before they are closed`() async throws {
    var services = ResolvedServices(of: resolver)
    try services.add(Door.self, onShutdown: { _ in done("door locked") })
    let group = ServiceGroup(services: services.inOrder, logger: Logger(label: "test"))
    async let end: Void = group.run()
    _ = await done.calls(reach: 2, within: .seconds(60))
    await group.triggerGracefulShutdown()
    try await end
    #expect(done.calls.dropFirst(2) == ["door stopped", "door locked", "server stopped"])
  }

  @Test func `stop in reverse, and are closed last`() async throws {
    var services = ResolvedServices(of: resolver)
    try services.add(Database.self, onShutdown: { await $0.close() })
    try services.addEager()
    let group = ServiceGroup(services: services.inOrder, logger: Logger(label: "test"))
    async let end: Void = group.run()
    _ = await done.calls(reach: 2, within: .seconds(60))
    await group.triggerGracefulShutdown()
    try await end
    #expect(Set(done.calls.prefix(2)) == ["server runs", "door runs"])
    #expect(done.calls.dropFirst(2) == ["door stopped", "server stopped", "database closed"])
  }

  @Test func `that cannot be created are an error at once`() {
    var services = ResolvedServices(of: Resolver())
    #expect(throws: ResolutionError.self) { try services.add(Server.self) }
  }
}
