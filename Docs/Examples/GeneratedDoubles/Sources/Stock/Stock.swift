// Part of Understudy, a dependency-injection toolkit built around the test double.
// SPDX-License-Identifier: MIT

/// An order of a customer.
public struct Order: Codable, Hashable, Sendable {
  /// The number of the order.
  public var id: Int

  /// Makes an order.
  public init(id: Int) {
    self.id = id
  }
}

/// Stores orders.
///
/// The last line requests a double. It needs no import and no attribute.
///
/// - Understudy: double
public protocol OrderStore: Sendable {
  /// The order with a number.
  func fetch(_ id: Int) async throws -> Order
  /// Stores an order.
  func save(_ order: Order) async throws
}

/// Takes orders back.
public struct Returns: Sendable {
  private let store: any OrderStore

  /// Makes a desk that uses a store.
  public init(store: any OrderStore) {
    self.store = store
  }

  /// Stores the order under the negative number.
  public func giveBack(_ id: Int) async throws {
    let order = try await store.fetch(id)
    try await store.save(Order(id: -order.id))
  }
}
