// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

import BoxOffice
import UnderstudyTesting
import XCTest

/// Each method has its own layer. `setUp`, the method and `tearDown` see it.
final class TillCase: OverridesTestCase {
  private let mailer = MailerSpy()
  private let store = MemoryStore()

  override func overrides(_ layer: OverrideLayer) {
    layer.register { SeasonStub() as any SeasonSource }
    layer.register { [store] in store as any SalesStore }
    layer.register { [mailer] in mailer as any Mailer }
    layer.override(\.clock) { StoppedClock(at: .dayBefore) }
  }

  // MARK: Mocks and spies

  func testTheReplacedPolicyPricesEachSeat() throws {
    let pricing = PricingMock(Money(minorUnits: 111))
    overrides.override(\.pricing) { pricing }
    let sale = try Till().sell([.a1, .b1], for: "godot", to: "Ada")
    XCTAssertEqual(sale.total, Money(minorUnits: 222))
    XCTAssertEqual(pricing.rows.calls, ["A", "B"])
  }

  func testTheReceiptSaysWhatWasSold() throws {
    _ = try Till().sell([.a1, .a2], for: "godot", to: "Ada")
    XCTAssertEqual(
      mailer.sends.calls,
      [
        Receipt(
          sale: 1, patron: "Ada",
          text: """
            The Fringe
            Receipt 1, 2033-05-17 03:33 UTC

            Waiting for Godot
            2033-05-18 03:33 UTC
            Seats A1 and A2, for Ada
            Paid 60.00 GBP

            """)
      ])
  }

  func testAMailerThatFailsLosesNoSale() {
    let striker = MailerSpy(isOnStrike: true)
    overrides.register { striker as any Mailer }
    XCTAssertThrowsError(try Till().sell([.a1], for: "godot", to: "Ada")) {
      XCTAssertTrue($0 is MailerSpy.Strike)
    }
    XCTAssertEqual(striker.sends.calls.count, 1)
    XCTAssertEqual(store.sales().map(\.seats), [[.a1]])
  }

  func testSoldOutIsSaidBeforeTheSeatIsLookedAt() throws {
    _ = try Till().sell([.a1, .a2, .b1], for: "godot", to: "Ada")
    XCTAssertThrowsError(try Till().sell([.a2], for: "godot", to: "Ben")) {
      XCTAssertEqual($0 as? BoxOfficeError, .soldOut(performance: "godot"))
    }
  }

  // MARK: Resolved counts

  func testARegisteredTillIsMadeByTheResolver() throws {
    overrides.register { Till() }
    _ = try Resolver.main.resolve(Till.self).sell([.a1], for: "godot", to: "Ada")
    assertResolved(Till.self, count: 1)
    assertResolved((any SalesStore).self, count: 1...2)
    assertNeverResolved(Report.self)
    XCTAssertEqual(overrides.log.count(of: (any Mailer).self), 1)
  }

  // MARK: Once arguments

  func testADiscountIsForOneSale() throws {
    overrides.register(42, named: OneTime.discount, lifecycle: .once)
    let first = try Till().sell([.a1], for: "godot", to: "Ada")
    let second = try Till().sell([.a2], for: "godot", to: "Ben")
    XCTAssertEqual(first.total, Money(minorUnits: 1740))
    XCTAssertEqual(second.total, Money(minorUnits: 3000))
    assertResolved(Int.self, named: OneTime.discount, count: 1)
  }

  func testAOnceOverrideAnswersOnceAndUncoversWhatIsBelow() throws {
    overrides.register(10, named: OneTime.discount)
    try withOverrides {
      $0.register(100, named: OneTime.discount, lifecycle: .once)
    } operation: {
      XCTAssertEqual(try Till().sell([.a1], for: "godot", to: "Ada").total, .zero)
      XCTAssertEqual(
        try Till().sell([.a2], for: "godot", to: "Ben").total, Money(minorUnits: 2700))
    }
  }

  // MARK: Decorating

  func testADecoratorWrapsThePolicyThatProductionDeclares() throws {
    struct Doubled: PricingPolicy {
      let underlying: any PricingPolicy
      func price(inRow row: Row, of performance: Performance, soldAt moment: Date) -> Money {
        let price = underlying.price(inRow: row, of: performance, soldAt: moment)
        return price + price
      }
    }
    overrides.decorate(\.pricing) { Doubled(underlying: $0) }
    XCTAssertEqual(
      try Till().sell([.b1], for: "godot", to: "Ada").total, Money(minorUnits: 4000))
  }

  // MARK: Contexts

  func testAQueueSeesTheDoublesWhenItCarriesTheContext() {
    let context = OverrideContext.current
    let sold = expectation(description: "sold")
    DispatchQueue.global().async {
      context.run {
        do {
          _ = try Till().sell([.a1], for: "godot", to: "Ada")
        } catch {
          XCTFail("\(error)")
        }
        sold.fulfill()
      }
    }
    wait(for: [sold], timeout: 300)
    XCTAssertEqual(store.sales().count, 1)
    assertResolved((any Mailer).self, count: 1)
  }
}
