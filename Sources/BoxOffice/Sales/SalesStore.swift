// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

internal import Synchronization

/// Keeps the sales.
public protocol SalesStore: Sendable {
  /// All sales, oldest first.
  func sales() throws -> [Sale]

  /// Adds a sale; no other sale is added between `decide`'s look at the sales and the addition.
  ///
  /// - Parameter decide: Gets all sales and makes the next, or throws to add none.
  /// - Returns: What was added.
  /// - Throws: What `decide` throws, or why the sale could not be kept.
  func add(_ decide: ([Sale]) throws -> Sale) throws -> Sale
}

/// A store that forgets: a fake, for rehearsals and tests.
public final class MemoryStore: SalesStore {
  private let kept: Mutex<[Sale]>

  /// Makes a store that has some sales already.
  public init(_ sales: [Sale] = []) {
    kept = Mutex(sales)
  }

  /// All sales, oldest first.
  public func sales() -> [Sale] { kept.withLock { $0 } }

  /// Adds a sale.
  public func add(_ decide: ([Sale]) throws -> Sale) throws -> Sale {
    try kept.withLock { sales in
      let sale = try decide(sales)
      sales.append(sale)
      return sale
    }
  }
}
