// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

/// Keeps the sales.
public protocol SalesStore: Sendable {
  /// All sales, oldest first.
  func sales() throws -> [Sale]

  /// Adds a sale. No other sale is added between the call of `decide` and the addition of its
  /// result.
  ///
  /// - Parameter decide: Gets all sales and makes the next, or throws to add none.
  /// - Returns: The added sale.
  /// - Throws: The error of `decide`, or the reason why the sale could not be stored.
  func add(_ decide: ([Sale]) throws -> Sale) throws -> Sale
}
