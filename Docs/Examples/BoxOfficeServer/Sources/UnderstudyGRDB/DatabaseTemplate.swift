// Part of Understudy: a bridge to GRDB.
// SPDX-License-Identifier: MIT

import GRDB

/// A database in memory that is made once, and copied for each test.
///
/// Migrations and fixtures run once in a process. A copy is a database of its own, so tests run at
/// the same time, and nothing has to be rolled back: the copy goes with the layer that owns it.
///
/// ```swift
/// static let template = DatabaseTemplate { database in try migrator.migrate(database) }
///
/// @Suite(.overrides { layer in
///   layer.register(lifecycle: .cached) { try template.copy() as any DatabaseWriter }
/// })
/// ```
public struct DatabaseTemplate: Sendable {
  // Whether it can be made is found out once, and thrown for each copy.
  private let template: Result<DatabaseQueue, any Error>

  /// Makes a template: `prepare` migrates and fills it.
  public init(_ prepare: (DatabaseQueue) throws -> Void) {
    template = Result {
      let database = try DatabaseQueue()
      try prepare(database)
      return database
    }
  }

  /// Makes a copy in memory.
  ///
  /// - Throws: The error of the template, or of the copy.
  public func copy() throws -> DatabaseQueue {
    let copy = try DatabaseQueue()
    try template.get().backup(to: copy)
    return copy
  }

  /// Calls `body` in a transaction of the template, and rolls it back: for code that takes a
  /// `Database`, and opens savepoints but no transaction.
  ///
  /// Cases that use it run one after the other.
  ///
  /// - Throws: The error of the template, or of `body`.
  public func rolledBack<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try template.get().writeWithoutTransaction { database in
      try database.beginTransaction()
      // Also where `body` throws. An error of SQLite may have ended the transaction by then.
      defer { if database.isInsideTransaction { try? database.rollback() } }
      return try body(database)
    }
  }
}
