// Part of Understudy: a bridge to Hummingbird, SwiftNIO and GRDB.
// SPDX-License-Identifier: MIT

import GRDB
import Hummingbird
import HummingbirdTesting
import NIOPosix
import Synchronization
import Testing
import UnderstudyGRDB
import UnderstudyHummingbird
import UnderstudyNIO
import UnderstudyTesting

/// The sender of a request.
private struct Visitor: Sendable {
  let name: String
}

private protocol Greeting: Sendable {
  func words(for name: String) -> String
}

private struct Politeness: Greeting {
  func words(for name: String) -> String { "Good evening, \(name)" }
}

private struct Brevity: Greeting {
  func words(for name: String) -> String { "Hi \(name)" }
}

extension Dependencies {
  fileprivate static var greeting: Dependency<any Greeting> { Dependency { Politeness() } }
}

private func makeApplication() -> some ApplicationProtocol {
  let router = Router()
  router.add(
    middleware: RequestLayer { layer, request, _ in
      guard let name = request.uri.queryParameters["name"] else { throw HTTPError(.badRequest) }
      layer.register(Visitor(name: String(name)))
    })
  router.get("greeting") { _, _ in
    let visitor = try Resolver.current.resolve(Visitor.self)
    return Resolver.current.resolve(\.greeting).words(for: visitor.name)
  }
  return Application(router: router)
}

@Suite struct `A layer for each request` {
  private func greeting(of name: String, by client: some TestClientProtocol) async throws -> String
  {
    try await client.execute(uri: "/greeting?name=\(name)", method: .get) {
      String(buffer: $0.body)
    }
  }

  @Test func `belongs to that request, and stands on production`() async throws {
    try await makeApplication().test(.router) { client async throws in
      try await #expect(greeting(of: "Ada", by: client) == "Good evening, Ada")
      try await #expect(greeting(of: "Bob", by: client) == "Good evening, Bob")
    }
    #expect(throws: ResolutionError.self) { try Resolver.main.resolve(Visitor.self) }
  }

  @Test(.overrides { $0.override(\.greeting) { Brevity() } }, arguments: 0..<16)
  func `stands on the layer of the test`(round: Int) async throws {
    try await makeApplication().test(.router) { client in
      try await withThrowingTaskGroup(of: String.self) { group in
        for id in 0..<8 { group.addTask { try await greeting(of: "u\(id)", by: client) } }
        let words = try await group.reduce(into: Set()) { $0.insert($1) }
        #expect(words == Set((0..<8).map { "Hi u\($0)" }))
      }
    }
    assertResolved(\.greeting, count: 8)
  }

  @Test func `that cannot be made refuses the request`() async throws {
    try await makeApplication().test(.router) { client in
      try await client.execute(uri: "/greeting", method: .get) { #expect($0.status == .badRequest) }
    }
  }
}

@Suite(.overrides { $0.override(\.greeting) { Brevity() } })
struct `A callback of an event loop` {
  private let loop = MultiThreadedEventLoopGroup.singleton.next()

  private var isDouble: @Sendable () -> Bool {
    { Resolver.main.resolve(\.greeting) is Brevity }
  }

  @Test func `that carries the context sees the doubles`() async throws {
    let isDouble = isDouble
    #expect(try await loop.submitCarrying(isDouble).get())
    #expect(try await loop.scheduleCarrying(in: .zero, isDouble).futureResult.get())
    let future = loop.makeSucceededVoidFuture()
    #expect(try await future.flatMapThrowingCarrying { _ in isDouble() }.get())
    #expect(
      await withCheckedContinuation { done in
        loop.executeCarrying { done.resume(returning: isDouble()) }
      })
    #expect(
      await withCheckedContinuation { done in
        future.whenCompleteCarrying { _ in done.resume(returning: isDouble()) }
      })
  }
}

private let template = DatabaseTemplate { database in
  try database.write { db in
    try db.create(table: "seat") { $0.column("name", .text).notNull().unique() }
    try db.execute(sql: "INSERT INTO seat VALUES ('A1')")
  }
}

@Suite(
  .overrides { $0.register(lifecycle: .cached) { try template.copy() as any DatabaseWriter } })
struct `A test database` {
  private struct Broken: Error {}

  /// Each case writes the same unique value, at the same time as the others.
  @Test(arguments: 0..<32)
  func `is each test's own, and has what the template has`(round: Int) async throws {
    let names = try await Resolver.main.resolve((any DatabaseWriter).self).write { db in
      try db.execute(sql: "INSERT INTO seat VALUES ('A2')")
      return try String.fetchAll(db, sql: "SELECT name FROM seat ORDER BY name")
    }
    #expect(names == ["A1", "A2"])
    assertCreated((any DatabaseWriter).self, count: 1)
  }

  @Test(.overrides(.check(.unusedOverride, .off)))
  func `of a template that cannot be made says why`() {
    let broken = DatabaseTemplate { _ in throw Broken() }
    #expect(throws: Broken.self) { try broken.copy() }
    #expect(throws: Broken.self) { try broken.rolledBack { _ in } }
  }
}

private let allNames = "SELECT name FROM seat ORDER BY name"

@Suite struct `Two cases with a test database` {
  private final class Ends: Sendable {
    let databases = Mutex<[@Sendable () -> Bool]>([])

    /// Whether each database is gone.
    var areReached: Bool { databases.withLock { $0.allSatisfy { $0() } } }

    func watch(_ database: any DatabaseWriter) {
      let reference = Reference(database)
      databases.withLock { $0.append { reference.database == nil } }
    }
  }

  private struct Reference: Sendable {
    weak let database: (any DatabaseWriter)?
    init(_ database: any DatabaseWriter) { self.database = database }
  }

  /// Each reads after the other one has written.
  @Test func `that run at the same time see nothing of each other, and leave nothing`() async throws
  {
    let (areWritten, ends) = ([Gate(), Gate()], Ends())
    let found = try await withThrowingTaskGroup(of: [String].self) { group in
      for index in 0..<2 {
        group.addTask {
          try await withOverrides(isBoundary: true) {
            $0.register(lifecycle: .cached) { try template.copy() as any DatabaseWriter }
          } operation: {
            let database = try Resolver.main.resolve((any DatabaseWriter).self)
            ends.watch(database)
            try await database.write { db in
              try db.execute(sql: "INSERT INTO seat VALUES (?)", arguments: ["B\(index)"])
            }
            areWritten[index].open()
            try await areWritten[1 - index].wait()
            return try await database.read { db in try String.fetchAll(db, sql: allNames) }
          }
        }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(found == [["A1", "B0"], ["A1", "B1"]])
    #expect(ends.areReached)
    #expect(try template.rolledBack { db in try String.fetchAll(db, sql: allNames) } == ["A1"])
  }

  /// For code that takes a `Database`. Sixteen cases wait for each other.
  @Test(arguments: 0..<16)
  func `that are rolled back leave nothing`(round: Int) throws {
    let names = try template.rolledBack { db in
      try db.inSavepoint {
        try db.execute(sql: "INSERT INTO seat VALUES ('A2')")
        return .commit
      }
      return try String.fetchAll(db, sql: allNames)
    }
    #expect(names == ["A1", "A2"])
    #expect(throws: DatabaseError.self) {
      try template.rolledBack { db in
        try db.execute(sql: "INSERT INTO seat VALUES ('A3')")
        try db.execute(sql: "INSERT INTO seat VALUES ('A1')")
      }
    }
    #expect(try template.rolledBack { db in try String.fetchAll(db, sql: allNames) } == ["A1"])
  }

  /// So a test cannot hold a transaction open around code that calls `write`.
  @Test func `cannot share a transaction, since 'write' begins another one`() throws {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let database = try DatabaseQueue(configuration: configuration)
    try database.writeWithoutTransaction { try $0.beginTransaction() }
    let error = #expect(throws: DatabaseError.self) { try database.write { _ in } }
    #expect(error?.message == "cannot start a transaction within a transaction")
  }
}
