// Part of an example of Understudy: a server.
// SPDX-License-Identifier: MIT

import Foundation
import GRDB

/// Stores the sales.
public protocol SalesStore: Sendable {
  /// Stores a sale and numbers it. Throws if the seat is sold.
  func add(_ sale: Sale) async throws -> Sale
  /// Frees a seat.
  func remove(_ sale: Sale) async throws
  /// The sales to a user, oldest first.
  func sales(to user: String) async throws -> [Sale]
}

/// Production's store: a table of SQLite.
///
/// GRDB runs closures on a queue of its own, which does not see a task's layers. So nothing is
/// resolved there, and all dependencies come in as values.
public struct SQLiteSalesStore: SalesStore {
  private let database: DatabaseQueue

  /// Opens a file, or a database in memory if there is none.
  public init(file: String? = nil) throws {
    database = try file.map { try DatabaseQueue(path: $0) } ?? DatabaseQueue()
    var migrator = DatabaseMigrator()
    migrator.registerMigration("sales") { db in
      try db.create(table: "sale") { table in
        table.autoIncrementedPrimaryKey("number")
        table.column("performance", .text).notNull()
        table.column("seat", .text).notNull()
        table.column("user", .text).notNull()
        table.column("soldAt", .datetime).notNull()
        table.uniqueKey(["performance", "seat"])
      }
    }
    try migrator.migrate(database)
  }

  /// Stores a sale and numbers it. Throws if the seat is sold.
  public func add(_ sale: Sale) async throws -> Sale {
    do {
      return try await database.write { db in try sale.inserted(db) }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      throw SeatTaken()
    }
  }

  /// Frees a seat.
  public func remove(_ sale: Sale) async throws {
    _ = try await database.write { db in try sale.delete(db) }
  }

  /// The sales to a user, oldest first.
  public func sales(to user: String) async throws -> [Sale] {
    try await database.read { db in
      try Sale.filter(Column("user") == user).order(Column("number")).fetchAll(db)
    }
  }
}

extension Sale: FetchableRecord, MutablePersistableRecord {
  /// The database numbers it.
  public mutating func didInsert(_ inserted: InsertionSuccess) {
    number = Int(inserted.rowID)
  }
}
