// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

/// A store that forgets: a fake, for rehearsals and tests.
public final class MemoryStore: SalesStore {
  private let kept: Guarded<[Sale]>

  /// Makes a store that has some sales already.
  public init(_ sales: [Sale] = []) {
    kept = Guarded(sales)
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
