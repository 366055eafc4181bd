// Part of Understudy's sample application: a theatre's box office.
// SPDX-License-Identifier: MIT

import BoxOffice
import Foundation
import Testing
import UnderstudyDoubles
import UnderstudyTesting

/// The doubles in `Generated`, which `understudy doubles` writes.
@Suite struct GeneratedDoublesTests {
  private let source = SeasonSourceDouble()
  private let store = SalesStoreDouble()
  private let mailer = MailerDouble()
  private let pricing = PricingPolicyDouble()
  private let clock = WallClockDouble()

  init() {
    source.spy.season.returns(.short)
    store.spy.add.returns { decide in try decide([]) }
    pricing.spy.price.returns(Money(minorUnits: 100))
    clock.spy.now.returns(.dayBefore)
  }

  @Test func `a sale calls every double once, and the mailer last`() throws {
    let sale = try withOverrides {
      $0.register { [source] in source as any SeasonSource }
      $0.register { [store] in store as any SalesStore }
      $0.register { [mailer] in mailer as any Mailer }
      $0.override(\.pricing) { [pricing] in pricing as any PricingPolicy }
      $0.override(\.clock) { [clock] in clock as any WallClock }
    } operation: {
      try Till().sell([.a1], for: "godot", to: "Ada")
    }
    #expect(sale.total == Money(minorUnits: 100))
    #expect(source.spy.season.calls.count == 1)
    #expect(pricing.spy.price.calls.map(\.0.name) == ["A"])
    #expect(mailer.spy.send.calls.map(\.patron) == ["Ada"])
    expectOrder {
      store.spy.add.called()
      mailer.spy.send.called()
    }
  }
}
