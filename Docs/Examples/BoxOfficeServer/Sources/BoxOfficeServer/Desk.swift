// Part of an example of Understudy: a server.
// SPDX-License-Identifier: MIT

/// Serves one request.
///
/// Its dependencies are parameters of the initialiser, and `autowiring:` resolves them: the user
/// and the trace from the request's layer, the rest from production or from a test's doubles.
public struct Desk: Sendable {
  private let user: User
  private let trace: Trace
  private let store: any SalesStore
  private let payments: any Payments
  private let receipts: Receipts
  private let clock: any WallClock

  /// Makes a desk.
  public init(
    user: User, trace: Trace, store: any SalesStore, payments: any Payments, receipts: Receipts,
    clock: any WallClock
  ) {
    self.user = user
    self.trace = trace
    self.store = store
    self.payments = payments
    self.receipts = receipts
    self.clock = clock
  }

  /// Sells a seat: stores the sale, charges for it, and mails the receipt. If the payment fails,
  /// the seat is free again.
  public func sell(_ order: Order) async throws -> Sale {
    let sale = try await store.add(
      Sale(
        number: nil, performance: order.performance, seat: order.seat, user: user.name,
        soldAt: clock.now))
    do {
      try await payments.charge(user, for: order, trace: trace)
    } catch {
      try await store.remove(sale)
      throw error
    }
    try await receipts.send(sale).get()
    return sale
  }

  /// The sales to the user.
  public func sales() async throws -> [Sale] {
    try await store.sales(to: user.name)
  }
}
